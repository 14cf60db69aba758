"""The model beside the run: its checkpoints read, its rules tried out, its attention recomputed.

Everything happens in child processes; here are the questions before and the answers after.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, Qt, Slot

from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.core.view_state import ViewState
from attn_debugger.core.weights import WeightHistory
from attn_debugger.session.model_jobs import (
    ModelJob,
    checkpoint_of,
    checks_job,
    checks_of,
    probe_job,
    survey_job,
    trial_job,
    trial_of,
)
from attn_debugger.ui.model.results import (
    ablation_html,
    checks_result_html,
    occlusion_html,
    replay_html,
)
from attn_debugger.ui.model.run_dialog import RunDialog, Wish
from attn_debugger.ui.model.run_view import ABLATE, CHECKS, OCCLUDE, PROBE, REPLAY
from attn_debugger.ui.window.checkpoint_folders import CheckpointFolders, new_archive

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow
    from attn_debugger.ui.window.sides import SideViews

_DEMO = "attn_debugger demo: "


class ModelCommands(QObject):
    """Connects the model panel with the child processes that answer it."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._sides: SideViews | None = None
        self._weights = WeightHistory()
        self._shown_checkpoint = ""
        self._wish = Wish()
        self._agreed: frozenset[str] = frozenset()
        self._folders = CheckpointFolders(window, self.read_checkpoints)

    def connect_sides(self, sides: SideViews) -> None:
        """Listen to the model panel, once it exists."""
        self._sides = sides
        session, model = self._session, sides.model
        model.weights.read_requested.connect(self.read_checkpoints)
        model.weights.step_requested.connect(self._go_to_step)
        model.run.run_requested.connect(self.run)
        model.run.head_activated.connect(self._show_head)
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
            self._sides.model.run.forget()

    @Slot()
    def _forget(self) -> None:
        self._weights, self._shown_checkpoint = WeightHistory(), ""
        if self._sides is not None:
            self._sides.model.weights.show_run(None)
            self._sides.model.run.forget()

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

    @Slot(object)
    def _show_head(self, head: HeadRef) -> None:
        self._session.select_head(head)

    # Running the model.

    @Slot(str)
    def run(self, what: str) -> None:
        """Ask which model and on what, then run it."""
        if what == PROBE:
            self.probe()
            return
        titles = {
            CHECKS: self.tr("Model checks"),
            REPLAY: self.tr("Recompute this step"),
            ABLATE: self.tr("Silence heads"),
            OCCLUDE: self.tr("Replace tokens"),
        }
        dialog = RunDialog(titles[what], self._suggestion(), self._agreed, parent=self._window)
        self._ask(dialog, partial(self._start, what))

    def probe(self, checkpoints: tuple[str, ...] = ()) -> None:
        """Ask for a model and checkpoints, and record one batch through all of them."""
        wish = self._suggestion()
        wish = replace(
            wish,
            checkpoints=checkpoints or self._listed(),
            output=str(new_archive("probe")),
        )
        dialog = RunDialog(
            self.tr("Probe checkpoints"), wish, self._agreed, for_probe=True, parent=self._window
        )
        self._ask(dialog, self._start_probe)

    def open_folder(self, folder: str) -> None:
        """Describe a checkpoint that is a folder, or show those that lie in it on a timeline."""
        self._folders.open(folder)

    def _ask(self, dialog: RunDialog, then: Callable[[Wish], None]) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def accept() -> None:
            wish = dialog.wish()
            self._wish = wish
            self._window.settings.python = wish.model.python
            if wish.model.trusted:
                self._agreed |= {wish.model.name}
            then(wish)

        dialog.accepted.connect(accept)
        dialog.open()

    def _start(self, what: str, wish: Wish) -> None:
        run, state = self._session.run, self._session.state
        archive = None if run is None else run.path
        step = None if run is None else int(run.steps[state.frame])
        if what == CHECKS:
            job = checks_job(wish.model, archive, step, wish.given)
        else:
            job = trial_job(what, wish.model, archive, step, wish.given, sample=state.sample)
        if self._sides is not None:
            job.failed.connect(self._sides.model.show_error)
        self._window.work.start(job, partial(self._show_result, what))

    def _show_result(self, what: str, output: str) -> None:
        if self._sides is None:
            return
        model, theme = self._sides.model, self._window.theme
        try:
            if what == CHECKS:
                html = checks_result_html(checks_of(output), theme)
            elif what == REPLAY:
                html = replay_html(trial_of(output), theme)
            elif what == ABLATE:
                html = ablation_html(trial_of(output), theme)
                self._write_on_tiles(trial_of(output))
            else:
                html = occlusion_html(trial_of(output), theme, self._tokens())
        except (ValueError, KeyError) as error:
            model.show_error(str(error))
            return
        model.clear_error()
        model.run.show_result(html)
        model.tabs.setCurrentWidget(model.run)

    def _write_on_tiles(self, result: Mapping[str, Any]) -> None:
        """Write what each head is worth on its tile; the grid can then be sorted by it."""
        rows = result["changes"]
        numbers = np.full((len(rows), max(map(len, rows), default=0)), np.nan)
        for layer, row in enumerate(rows):
            numbers[layer, : len(row)] = [np.nan if value is None else value for value in row]
        if self._window.views is not None:
            name = self.tr("{0} without the head").format(result["measure"])
            self._window.views.show_own_numbers(numbers, name)

    def _tokens(self) -> tuple[str, ...] | None:
        views = self._window.views
        frame: LayerFrame | None = None if views is None else views.head_frame
        return None if frame is None else frame.tokens

    def _start_probe(self, wish: Wish) -> None:
        try:
            Path(wish.output).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._window.notice.show_error(f"{wish.output}: {error.strerror}")
            return
        job: ModelJob = probe_job(wish.model, wish.checkpoints, wish.given, wish.output)
        if self._sides is not None:
            job.failed.connect(self._sides.model.show_error)
        self._window.work.start(job, partial(self._open_probed, wish.output))

    def _open_probed(self, path: str, output: str) -> None:
        if output.strip():
            self._window.say(output.strip())
        self._window.commands.open_path(path)

    def _suggestion(self) -> Wish:
        """What was filled in last, with the weights of the step in view."""
        run, wish = self._session.run, self._wish
        if not wish.model.python:
            python = self._window.settings.python
            wish = replace(wish, model=replace(wish.model, python=python))
        if run is None:
            return wish
        model = wish.model
        made_by = str(run.attributes.get("model", ""))
        if not model.name and made_by.startswith(_DEMO):
            name = made_by.removeprefix(_DEMO).replace("-", "_")
            model = replace(model, name=f"attn_debugger.demo.factories:{name}")
        step = int(run.steps[self._session.state.frame])
        before = [item for item in run.checkpoints if item.step <= step]
        if before:
            newest = max(before, key=lambda item: item.step)
            model = replace(model, checkpoint=_beside(run, newest.path))
        if not model.folder:
            model = replace(model, folder=os.getcwd())
        return replace(wish, model=model)

    def _listed(self) -> tuple[str, ...]:
        run = self._session.run
        if run is None:
            return ()
        return tuple(_beside(run, item.path) for item in run.checkpoints)


def _beside(run: Run, path: str) -> str:
    return str(Path(os.path.abspath(run.path)).parent / path)
