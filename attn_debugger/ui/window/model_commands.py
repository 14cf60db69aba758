"""The model beside the run: its checkpoints are read and follow the step in view.

A child process reads them; `model_runs` is about running the model.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from attn_debugger.core.run import Run
from attn_debugger.core.view_state import ViewState
from attn_debugger.core.weights import WeightHistory
from attn_debugger.session.model_jobs import checkpoint_of, survey_job
from attn_debugger.ui.window.checkpoint_folders import CheckpointFolders
from attn_debugger.ui.window.model_runs import ModelRuns

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow
    from attn_debugger.ui.window.sides import SideViews


class ModelCommands(QObject):
    """Connects the model panel with the child processes that answer it."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._sides: SideViews | None = None
        self._weights = WeightHistory()
        self._shown_checkpoint = ""
        self.runs = ModelRuns(window)
        self._folders = CheckpointFolders(window, self.read_checkpoints)

    def connect_sides(self, sides: SideViews) -> None:
        """Listen to the model panel, once it exists."""
        self._sides = sides
        session, model = self._session, sides.model
        model.weights.read_requested.connect(self.read_checkpoints)
        model.weights.step_requested.connect(self._go_to_step)
        self.runs.connect_sides(sides)
        model.outputs.wanted.connect(self._want_outputs)
        session.outputs.changed.connect(model.outputs.show_profile)
        session.run_opened.connect(self._follow_run)
        session.run_closed.connect(self._forget)
        session.state_changed.connect(self._follow_state)
        session.findings.history_changed.connect(model.weights.show_history)
        if session.run is not None:
            self._follow_run(session.run)
            model.weights.show_history(session.findings.history)
            self._follow_state(session.state, session.state)

    # Checkpoints.

    @Slot()
    def read_checkpoints(self) -> None:
        """Read the weights of all checkpoints of the run; what is read is shown as it comes."""
        run = self._session.run
        if run is None:
            return
        job = survey_job(run.path)
        job.line_read.connect(self._take_checkpoint)
        job.cancelled.connect(partial(self._judge_by_weights, run))
        self._window.work.start(job, lambda _output: self._judge_by_weights(run))

    @Slot(str)
    def _take_checkpoint(self, line: str) -> None:
        if not line.startswith("{") or self._sides is None:
            return
        self._weights = self._weights.with_checkpoint(checkpoint_of(line))
        self._sides.model.weights.show_weights(self._weights)
        self._show_checkpoint()

    def _judge_by_weights(self, run: Run) -> None:
        if self._session.run is run:
            self._session.findings.attach_weights(self._weights, run)
        unread = [item.error for item in self._weights.checkpoints if item.error]
        if unread and self._sides is not None:
            self._sides.model.show_error(unread[0])

    def _show_checkpoint(self) -> None:
        """Show the checkpoint that was saved last before the step in view, if it was read."""
        run = self._session.run
        if run is None or self._sides is None:
            return
        now = self._weights.at(int(run.steps[self._session.state.frame]))
        if now is None or now.topology is None or now.path == self._shown_checkpoint:
            return
        self._shown_checkpoint = now.path
        self._sides.model.show_topology(now.topology)

    # Following the session.

    @Slot(object)
    def _follow_run(self, run: Run) -> None:
        self._weights, self._shown_checkpoint = WeightHistory(), ""
        if self._sides is not None:
            self._sides.model.weights.show_run(run)
            self._sides.model.outputs.show_profile(None)

    @Slot()
    def _forget(self) -> None:
        self._weights, self._shown_checkpoint = WeightHistory(), ""
        if self._sides is not None:
            self._sides.model.weights.show_run(None)

    @Slot(object, object)
    def _follow_state(self, state: ViewState, before: ViewState) -> None:
        run = self._session.run
        if run is None or self._sides is None:
            return
        weights = self._sides.model.weights
        weights.select_head(state.head)
        if self._sides.model.outputs.isVisible():
            self._session.outputs.request(state)
        if state.frame != before.frame or state is before:
            weights.move_cursor(int(run.steps[state.frame]))
            self._show_checkpoint()

    @Slot()
    def _want_outputs(self) -> None:
        if self._session.run is not None:
            self._session.outputs.request(self._session.state)

    @Slot(float)
    def _go_to_step(self, step: float) -> None:
        run = self._session.run
        if run is not None:
            self._session.go_to_frame(run.nearest_frame(round(step), self._session.state.stream))

    # Running the model.

    @Slot(str)
    def run(self, what: str) -> None:
        """Ask which model and on what, then run it."""
        self.runs.run(what)

    def probe(self, checkpoints: tuple[str, ...] = ()) -> None:
        """Ask for a model and checkpoints, and record one batch through all of them."""
        self.runs.probe(checkpoints)

    def open_folder(self, folder: str) -> None:
        """Describe a checkpoint that is a folder, or show those that lie in it on a timeline."""
        self._folders.open(folder)
