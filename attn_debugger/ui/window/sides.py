"""The panels around the centre: flags, plots and model, and how they hang on the session.

They are built after the first grid is on the screen: they need a while, and nothing to see first.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from attn_debugger.core.flags import EMPTY_DIAGNOSIS, Diagnosis, Flag
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import Run
from attn_debugger.core.view_state import ViewState
from attn_debugger.session.session import Session
from attn_debugger.ui.flags.panel import FlagsPanel
from attn_debugger.ui.head.head_view import HeadView
from attn_debugger.ui.head.matrix_image import coloured
from attn_debugger.ui.head.picture import shrunk_codes
from attn_debugger.ui.model.panel import ModelPanel
from attn_debugger.ui.plots.trend_plots import TrendPlots
from attn_debugger.ui.theme import Theme
from attn_debugger.ui.what_if.panel import WhatIfPanel

CURSOR_MS = 40
PICTURE_SIDE = 160  # pixels of a finding's picture


class SideViews(QObject):
    """Flags panel, plots over steps and model panel of the run that is open."""

    muted_changed = Signal(object)  # frozenset of signal names, of the open run

    def __init__(self, session: Session, head: HeadView, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._head = head
        self.flags = FlagsPanel(parent)
        self.plots = TrendPlots(parent)
        self.model = ModelPanel(parent)
        self.what_if = WhatIfPanel(parent)
        # Five plots cost as much to paint as the grid: while scrubbing their cursor may trail it.
        self._cursor_timer = QTimer(self)
        self._cursor_timer.setSingleShot(True)
        self._cursor_timer.setInterval(CURSOR_MS)
        self._cursor_timer.timeout.connect(self._move_cursor)
        session.run_opened.connect(self._show_run)
        session.run_grown.connect(self._show_run)
        session.run_closed.connect(self._show_nothing)
        session.state_changed.connect(self._show_state)
        session.findings.diagnosis_changed.connect(self._show_diagnosis)
        session.findings.progress_changed.connect(self._show_progress)
        session.findings.history_changed.connect(self.plots.show_history)
        session.findings.flag_changed.connect(self._show_flag)
        self.flags.flag_activated.connect(session.jump_to_flag)
        self.plots.frame_requested.connect(session.go_to_frame)
        self.plots.range_brushed.connect(self._loop_over)
        self.flags.muted_changed.connect(self.muted_changed)
        # After the head view's own connection: the picture is made of what it holds.
        session.reading.head_ready.connect(self._show_picture)
        session.reading.head_ready.connect(self.what_if.show_head)
        session.look_changed.connect(self.what_if.show_look)
        self.what_if.show_look(session.state.look)
        if session.run is not None:
            self._show_run(session.run)
            self.plots.show_history(session.findings.history)
            self._show_state(session.state)
            self._show_flag(session.findings.flag)

    def set_theme(self, theme: Theme) -> None:
        for view in (self.flags, self.plots, self.model, self.what_if):
            view.set_theme(theme)

    @Slot(object)
    def _show_run(self, run: Run) -> None:
        self.plots.show_run(run)
        self.model.show_checkpoints(run.checkpoints)
        self._show_progress()

    @Slot()
    def _show_nothing(self) -> None:
        self.plots.show_run(None)
        self.flags.show_diagnosis(EMPTY_DIAGNOSIS, 0, 0)
        self.model.show_topology(None)
        self.model.show_checkpoints(())

    @Slot(object)
    def _show_state(self, state: ViewState) -> None:
        if self._session.run is not None:
            self.plots.select_head(state.head)
            if not self._cursor_timer.isActive():
                self._cursor_timer.start()

    @Slot()
    def _move_cursor(self) -> None:
        if self._session.run is not None:
            self.plots.move_cursor(self._session.state.frame)

    @Slot(object)
    def _show_diagnosis(self, diagnosis: Diagnosis) -> None:
        run = self._session.run
        n_frames = 0 if run is None else run.n_frames
        progress = self._session.findings.progress
        self.flags.show_diagnosis(
            diagnosis,
            progress.n_scanned,
            n_frames,
            again=progress.again,
            running=progress.running,
        )

    @Slot()
    def _show_progress(self) -> None:
        self._show_diagnosis(self._session.findings.diagnosis)

    @Slot(object)
    def _show_flag(self, flag: Flag | None) -> None:
        flags = self._session.findings.diagnosis.flags
        self.flags.select_flag(flags.index(flag) if flag in flags else None)

    @Slot(object)
    def _show_picture(self, frame: LayerFrame | None) -> None:
        """Give the finding that was jumped to the map of its head, to stand beside its words."""
        flag, canvas = self._session.findings.flag, self._head.canvas
        if flag is None or frame is None or not canvas.codes.size or flag.layer is None:
            return
        is_its_map = frame.frame_index == flag.first_frame and frame.info.index == flag.layer
        if is_its_map and flag.head is not None and flag.head.head in frame.heads:
            codes = canvas.codes
            if max(codes.shape) > PICTURE_SIDE:
                codes = shrunk_codes(
                    codes,
                    min(PICTURE_SIDE, codes.shape[0]),
                    min(PICTURE_SIDE, codes.shape[1]),
                )
            picture = coloured(codes, canvas.table).scaled(
                PICTURE_SIDE, PICTURE_SIDE, Qt.AspectRatioMode.KeepAspectRatio
            )
            self.flags.show_picture(flag, picture)

    @Slot(int, int)
    def _loop_over(self, first: int, last: int) -> None:
        self._session.set_loop((first, last))
