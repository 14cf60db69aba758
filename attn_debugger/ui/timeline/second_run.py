"""What the timeline shows of a second run: which steps it has too, and where the two part."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from attn_debugger.ui.theme import Theme
from attn_debugger.ui.timeline.axis import TimelineAxis
from attn_debugger.ui.timeline.content import SecondRun, TimelineContent

BAR_HEIGHT = 2.0
SIGN = "≠"


def paint_second_run(
    painter: QPainter,
    second: SecondRun,
    axis: TimelineAxis,
    top: float,
    marks: QRectF,
    bottom: float,
    theme: Theme,
) -> None:
    """Paint a bar, its upper edge at `top`, over the steps that both runs have, and a dashed line
    from the lane of `marks` to `bottom` where they part.
    """
    for left, right in _stretches(second, axis):
        left, right = max(left, marks.left()), min(right, marks.right())
        if right >= left:
            box = QRectF(left - 1, top, max(2.0, right - left + 2), BAR_HEIGHT)
            painter.fillRect(box, QColor(theme.text))
    if second.parted is None:
        return
    x = axis.x_of_frame(second.parted)
    if not marks.left() - 1 <= x <= marks.right() + 1:
        return
    painter.setPen(QPen(QColor(theme.text), 1.2, Qt.PenStyle.DashLine))
    painter.drawLine(QPointF(x, marks.bottom()), QPointF(x, bottom))
    painter.setPen(QColor(theme.text))
    room = QRectF(x - 8, marks.top(), 16, marks.height())
    painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), SIGN)


def _stretches(second: SecondRun, axis: TimelineAxis) -> list[tuple[float, float]]:
    """Return the pixels from and to which neighbouring frames of the axis are in both runs."""
    inside = axis.frames[axis.frames < len(second.frames)]
    order = np.argsort(axis.values[: len(inside)], kind="stable")
    shared = second.frames[inside[order]] >= 0
    edges = np.flatnonzero(np.diff(np.concatenate(([False], shared, [False]))))
    x = axis.x_of(axis.values[: len(inside)][order])
    return [(float(x[a]), float(x[b - 1])) for a, b in edges.reshape(-1, 2).tolist()]


def second_run_words(content: TimelineContent, frame: int) -> list[str]:
    """Return what there is to say about a frame beside a second run."""
    second = content.second
    if second is None:
        return []
    translate = QCoreApplication.translate
    has_step = frame < len(second.frames) and second.frames[frame] >= 0
    words = [] if has_step else [translate("Timeline", "not recorded in run B")]
    if second.parted == frame:
        words.append(translate("Timeline", "here the weights of the two runs part first"))
    return words
