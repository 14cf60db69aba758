"""The timeline as one widget: controls over the track."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from attn_debugger.core.flags import Diagnosis
from attn_debugger.core.history import History
from attn_debugger.core.notes import Note
from attn_debugger.core.run import Run
from attn_debugger.core.view_state import ViewState
from attn_debugger.ui.theme import Theme
from attn_debugger.ui.timeline.axis import AxisMode
from attn_debugger.ui.timeline.content import SecondRun, TimelineContent, flag_marks
from attn_debugger.ui.timeline.controls import TimelineControls
from attn_debugger.ui.timeline.curve import curve_names, curve_of
from attn_debugger.ui.timeline.raster import SEVERITY, head_rows
from attn_debugger.ui.timeline.track import TimelineTrack

REPAINT_PAUSE = 15  # a picture is painted anew after that many times what it cost


class Timeline(QWidget):
    """Shows a run over its steps and takes the user to any of its frames.

    It is shown things (`show_run`, `show_state`, `show_diagnosis`, `show_history`) and emits what
    the user wants; it never moves its own cursor.
    """

    frame_requested = Signal(int)
    step_requested = Signal(int)
    head_requested = Signal(object)  # HeadRef
    loop_requested = Signal(object)  # (first, last) | None
    flag_activated = Signal(object)  # Flag
    speed_requested = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.controls = TimelineControls(self)
        self.track = TimelineTrack(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 2)
        column.setSpacing(2)
        column.addWidget(self.controls)
        column.addWidget(self.track, 1)
        self._content: TimelineContent | None = None
        # A growing history would have the strip painted anew several times a second.
        self._late: TimelineContent | None = None
        self._repaint_timer = QTimer(self)
        self._repaint_timer.setSingleShot(True)
        self._repaint_timer.timeout.connect(self._show_late)

        self.controls.step_typed.connect(self.step_requested)
        self.controls.speed_chosen.connect(self.speed_requested)
        self.controls.curve_chosen.connect(self._choose_curve)
        self.controls.strip_chosen.connect(self._choose_strip)
        self.controls.axis_chosen.connect(self._choose_axis)
        self.track.frame_requested.connect(self.frame_requested)
        self.track.head_requested.connect(self.head_requested)
        self.track.loop_requested.connect(self.loop_requested)
        self.track.flag_activated.connect(self.flag_activated)

    def show_run(self, run: Run, frames: NDArray[np.int64]) -> None:
        """Show a run, or the same run grown; `frames` are those that can be reached."""
        self.controls.show_run(run)
        old = self._late or self._content
        if old is None or old.run.path != run.path:
            self._show(
                TimelineContent(
                    run=run,
                    frames=frames,
                    axis_mode=self.controls.axis.currentData(),
                    strip=self.controls.strip.currentData() or SEVERITY,
                    rows=head_rows(run),
                )
            )
        else:
            self._show(replace(old, run=run, frames=frames, rows=head_rows(run)))
        names = curve_names(run)
        if names:
            self._choose_curve(self.controls.curve.currentData() or names[0])

    def close_run(self) -> None:
        """Show nothing."""
        self._repaint_timer.stop()
        self._content = self._late = None
        self.track.show_content(None)

    def show_state(self, state: ViewState) -> None:
        """Move the cursor, the typed step and the loop to where the view is."""
        if self._content is None:
            return
        place = int(np.searchsorted(self._content.frames, state.frame))
        self.controls.show_state(state, place, len(self._content.frames))
        self.track.move_cursor(state.frame)
        self.track.show_loop(state.loop)
        self.track.select_head(state.head)

    def show_diagnosis(self, diagnosis: Diagnosis, n_scanned: int) -> None:
        """Mark findings; frames from `n_scanned` on are drawn as not yet checked."""
        content = self._late or self._content
        if content is not None:
            self._show_soon(
                replace(
                    content,
                    diagnosis=diagnosis,
                    n_scanned=n_scanned,
                    flag_marks=flag_marks(diagnosis),
                )
            )

    def show_history(self, history: History | None) -> None:
        """Draw the strip of heads from these summaries."""
        content = self._late or self._content
        if content is not None:
            self._show_soon(replace(content, history=history))

    def show_notes(self, notes: tuple[tuple[int, Note], ...]) -> None:
        """Mark the user's own notes and bookmarks, each with its frame."""
        content = self._late or self._content
        if content is not None and content.notes != notes:
            self._show(replace(content, notes=notes))

    def show_second_run(self, second: SecondRun | None) -> None:
        """Mark the steps that a second run has too, and where the two part."""
        content = self._late or self._content
        if content is not None and content.second is not second:
            self._show(replace(content, second=second))

    def set_theme(self, theme: Theme) -> None:
        self.track.set_theme(theme)

    def fit(self) -> None:
        """Show the whole run."""
        self.track.fit()

    @property
    def content(self) -> TimelineContent | None:
        """What is drawn, or about to be."""
        return self._late or self._content

    def _show(self, content: TimelineContent) -> None:
        self._late = None
        self._content = content
        self.track.show_content(content)

    def _show_soon(self, content: TimelineContent) -> None:
        self._late = content
        if not self._repaint_timer.isActive():
            cost = round(self.track.picture.paint_seconds * 1000)
            self._repaint_timer.start(min(1000, max(100, REPAINT_PAUSE * cost)))

    @Slot()
    def _show_late(self) -> None:
        if self._late is not None:
            self._show(self._late)

    @Slot(str)
    def _choose_curve(self, name: str) -> None:
        content = self._late or self._content
        if content is not None:
            self._show(replace(content, curve=curve_of(content.run, name)))

    @Slot(str)
    def _choose_strip(self, strip: str) -> None:
        content = self._late or self._content
        if content is not None:
            self._show(replace(content, strip=strip))

    @Slot(str)
    def _choose_axis(self, mode: AxisMode) -> None:
        content = self._late or self._content
        if content is not None:
            self._show(replace(content, axis_mode=mode))
