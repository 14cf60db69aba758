"""What is where on the track: from a pixel to a finding, a head, or words about it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF

from attn_debugger.core.flags import Flag
from attn_debugger.core.heads import HeadRef
from attn_debugger.session.translated import translated
from attn_debugger.ui.timeline.axis import TimelineAxis
from attn_debugger.ui.timeline.content import TimelineContent
from attn_debugger.ui.timeline.lanes import Lanes
from attn_debugger.ui.timeline.painting import MARK_RADIUS, checkpoint_x
from attn_debugger.ui.timeline.tooltip import frame_words


@dataclass(frozen=True, eq=False)
class Hits:
    """Answers for one picture of the track."""

    content: TimelineContent
    axis: TimelineAxis
    lanes: Lanes

    def flag_at(self, point: QPointF) -> Flag | None:
        """Return the finding whose mark is under a point, the loudest first."""
        if not self.lanes.marks.adjusted(-MARK_RADIUS, 0, MARK_RADIUS, 0).contains(point):
            return None
        for flag in reversed(self.content.flag_marks):
            if flag.first_frame is None:
                continue
            if abs(self.axis.x_of_frame(flag.first_frame) - point.x()) <= MARK_RADIUS + 1:
                return flag
        return None

    def head_at(self, point: QPointF) -> HeadRef | None:
        """Return the head whose row of the strip is under a point."""
        box, rows = self.lanes.strip, self.content.rows
        if not rows or not box.contains(point):
            return None
        row = int((point.y() - box.top()) / box.height() * len(rows))
        return rows[min(row, len(rows) - 1)]

    def words_at(self, point: QPointF) -> str:
        """Return the hover text of a point: a finding, a checkpoint, or the frame there."""
        translate = QCoreApplication.translate
        flag = self.flag_at(point)
        if flag is not None:
            return translate("TimelineTrack", "{0}\n(click to go there)").format(
                translated(flag.message)
            )
        for checkpoint in self.content.run.checkpoints:
            x = checkpoint_x(self.content, self.axis, checkpoint.step)
            near = abs(x - point.x()) <= MARK_RADIUS
            if near and point.y() >= self.lanes.strip.bottom() - MARK_RADIUS:
                return translate("TimelineTrack", "checkpoint at step {0}: {1}").format(
                    checkpoint.step, checkpoint.path
                )
        return frame_words(self.content, self.axis.frame_at(point.x()), self.head_at(point))
