"""The centre of the window: grid, head view and timeline, and how they hang on the session."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QSplitter, QWidget

from attn_debugger.core.flags import Diagnosis
from attn_debugger.core.frame import GridFrame, LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import Run
from attn_debugger.core.view_state import Look, ViewState
from attn_debugger.session.session import Session
from attn_debugger.ui.flags.words import signal_words
from attn_debugger.ui.grid.head_grid import HeadGrid
from attn_debugger.ui.grid.hover import Hover
from attn_debugger.ui.head.head_view import HeadView
from attn_debugger.ui.theme import Theme
from attn_debugger.ui.timeline.timeline import Timeline
from attn_debugger.ui.watch.words import watch_name, watched_numbers
from attn_debugger.ui.window.overlays import findings_of_heads, flags_at, tile_numbers


class RunViews(QObject):
    """Grid, head view and timeline of the run that is open: shown things, sending wishes."""

    cell_hovered = Signal(object)  # Hover | None

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self.centre = QSplitter(Qt.Orientation.Horizontal, parent)
        self.grid = HeadGrid(self.centre)
        self.head = HeadView(self.centre)
        self.centre.addWidget(self.grid)
        self.centre.addWidget(self.head)
        self.centre.setChildrenCollapsible(False)
        self.centre.setStretchFactor(0, 1)
        self.centre.setStretchFactor(1, 1)
        self.centre.setSizes([1000, 1000])
        self.timeline = Timeline(parent)
        self.head_frame: LayerFrame | None = None
        self._flagged: dict[HeadRef, object] = {}
        self._own_numbers: tuple[NDArray[np.floating], str] | None = None
        self._own_instead_of = ""
        self._hides_tags = False  # they describe what was recorded, not a probe
        self._listen()
        self._send()

    def set_theme(self, theme: Theme) -> None:
        for view in (self.grid, self.head, self.timeline):
            view.set_theme(theme)

    @property
    def head_view_is_in_use(self) -> bool:
        """Whether keys that concern a picture mean the head view, not the grid."""
        return self.head.canvas.hasFocus() or not self.grid.isVisible()

    # From the session to the views.

    def _listen(self) -> None:
        session = self._session
        session.run_opened.connect(self.show_open_run)
        session.run_grown.connect(self._show_growth)
        session.run_closed.connect(self._show_nothing)
        session.state_changed.connect(self._show_state)
        session.look_changed.connect(self._show_look)
        session.reading.grid_ready.connect(self.grid.show_frame)
        session.reading.head_ready.connect(self._show_head)
        session.reading.sharp_ready.connect(self.grid.show_sharp)
        session.reading.film_ready.connect(self.head.show_film)
        session.aside.pinned_ready.connect(self._show_pinned)
        session.aside.watch_changed.connect(self._show_overlays)
        session.probes.changed.connect(self._show_overlays)
        session.findings.diagnosis_changed.connect(self._show_diagnosis)
        session.findings.history_changed.connect(self._show_history)

    @Slot(object)
    def show_open_run(self, run: Run) -> None:
        """Lay everything out for a run that was just opened."""
        self._own_numbers = None
        self.head_frame = None
        self.grid.show_run(run)
        self.grid.show_tags({})
        self.grid.show_findings({})
        self.head.show_head(None, self.tr("loading…"))
        self.timeline.show_run(run, self._session.frames)
        self._show_look(self._session.state.look)
        self._show_diagnosis(self._session.findings.diagnosis)
        self._session.set_tile(self.grid.tile_size)

    @Slot(object)
    def _show_growth(self, run: Run) -> None:
        self.grid.show_run(run)
        self.timeline.show_run(run, self._session.frames)
        self.timeline.show_state(self._session.state)

    @Slot()
    def _show_nothing(self) -> None:
        self.head_frame = None
        self.timeline.close_run()
        self.head.show_head(None)

    @Slot(object, object)
    def _show_state(self, state: ViewState, before: ViewState) -> None:
        if self._session.run is None:
            return
        if state.stream != before.stream:
            self.timeline.show_run(self._session.run, self._session.frames)
        self.timeline.show_state(state)
        self.grid.select(state.head)
        self.grid.mark_cell(state.head, state.query, state.key)
        self.head.show_cell(state.query, state.key)
        self._show_overlays()
        if state.head_open != before.head_open:
            self._open_head(state.head_open)

    def _open_head(self, is_open: bool) -> None:
        self.grid.setVisible(not is_open)
        (self.head if is_open else self.grid).setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot(object)
    def _show_look(self, look: Look) -> None:
        self.grid.set_scale(look.grid_scale)
        self.head.set_scale(look.head_scale)
        for view in (self.grid, self.head):
            view.set_range(look.range_mode)
            view.set_colour_map(look.colour_map)
        self._show_overlays()

    @Slot(object, str)
    def _show_head(self, frame: LayerFrame | None, sentence: str) -> None:
        self.head_frame = frame
        self.head.show_head(frame, sentence)

    @Slot(object)
    def _show_diagnosis(self, diagnosis: Diagnosis) -> None:
        self.timeline.show_diagnosis(diagnosis, self._session.findings.progress.n_scanned)
        self._hides_tags = False
        self.grid.show_tags(diagnosis.tags)
        if self._session.run is not None:
            found = findings_of_heads(diagnosis, self._session.run)
            words = {head: tuple(map(signal_words, signals)) for head, signals in found.items()}
            self.grid.show_findings(words)
        self._show_overlays()

    @Slot(object)
    def _show_history(self, history: History) -> None:
        self.timeline.show_history(history)
        self._show_overlays()

    def show_own_numbers(self, numbers: NDArray[np.floating], name: str) -> None:
        """Write numbers, (layer, head), on the tiles until another number is chosen for them.

        They come from running the model, not from the archive, so they are alike at every step.
        """
        self._own_numbers = (numbers, name)
        self._own_instead_of = self._session.state.look.tile_number
        self._show_overlays()

    @Slot()
    def _show_overlays(self) -> None:
        """Outline what is wrong at this frame and write the chosen number on the tiles."""
        session = self._session
        if session.run is None:
            return
        if session.probes.takes(session.state):
            self._show_probe_overlays()
            return
        if self._hides_tags:
            self._hides_tags = False
            self.grid.show_tags(session.findings.diagnosis.tags)
        frame, look = session.state.frame, session.state.look
        flagged = flags_at(session.findings.diagnosis, session.run, frame)
        if flagged != self._flagged:
            self._flagged = dict(flagged)
            self.grid.show_flags(flagged)
        watch = session.aside.watch
        if self._own_numbers is not None and look.tile_number == self._own_instead_of:
            self.grid.show_numbers(*self._own_numbers)
        elif watch is not None:
            numbers = watched_numbers(session.aside.report, frame)
            self.grid.show_numbers(numbers, watch_name(watch))
        else:
            numbers = tile_numbers(session.findings.history, look.tile_number, frame)
            self.grid.show_numbers(numbers, look.tile_number)

    def _show_probe_overlays(self) -> None:
        """What was found and measured is of the recording; the probe has its difference from it."""
        if self._flagged:
            self._flagged = {}
            self.grid.show_flags({})
        if not self._hides_tags:
            self._hides_tags = True
            self.grid.show_tags({})
        shown = self._session.probes.shown
        differences = None if shown is None or shown.agrees is None else shown.differences
        self.grid.show_numbers(differences, self.tr("recorded − probed"))

    @Slot(object)
    def _show_pinned(self, frame: GridFrame | None) -> None:
        run, pinned = self._session.run, self._session.state.pinned
        step = None if run is None or pinned is None else int(run.steps[pinned])
        self.grid.show_pinned(frame, step)

    # From the views to the session.

    def _send(self) -> None:
        session = self._session
        self.grid.head_selected.connect(session.select_head)
        self.grid.head_opened.connect(self._open)
        self.grid.tile_size_changed.connect(session.set_tile)
        self.grid.sight_changed.connect(session.set_sight)
        self.grid.pin_requested.connect(self.pin)
        self.grid.cell_hovered.connect(self.cell_hovered)
        self.head.cell_hovered.connect(self.cell_hovered)
        self.head.cell_selected.connect(session.select_cell)
        self.head.film_wanted.connect(session.show_film)
        self.head.frame_wanted.connect(session.go_to_frame)
        self.head.closed.connect(self._close_head)
        self.timeline.frame_requested.connect(session.go_to_frame)
        self.timeline.step_requested.connect(session.go_to_step)
        self.timeline.head_requested.connect(session.select_head)
        self.timeline.loop_requested.connect(session.set_loop)
        self.timeline.flag_activated.connect(session.jump_to_flag)
        self.timeline.speed_requested.connect(session.set_speed)

    @Slot(bool)
    def pin(self, pinned: bool) -> None:
        """Let the grid show what changes from this step on, or only the step itself again."""
        self._session.pin_frame(self._session.state.frame if pinned else None)

    @Slot(object)
    def _open(self, head: HeadRef) -> None:
        self._session.select_head(head)
        self._session.open_head(True)

    @Slot()
    def _close_head(self) -> None:
        self._session.open_head(False)

    def map_of(self, hover: Hover) -> LayerFrame | None:
        """Return the full map that belongs to a hovered head, if it is the one that was read."""
        frame = self.head_frame
        if frame is None or frame.frame_index != self._session.state.frame:
            return None
        return frame if frame.info.index == hover.head.layer else None
