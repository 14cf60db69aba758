"""Running the model: asked is which and on what, a child process does it, the answer is shown."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, Qt, Slot

from attn_debugger.core.run import Run
from attn_debugger.core.view_state import ViewState
from attn_debugger.session.model_jobs import (
    ModelJob,
    checks_job,
    checks_of,
    probe_job,
    rules_of,
    stand_in_job,
    trial_job,
    trial_of,
)
from attn_debugger.session.model_wishes import ProbeInput
from attn_debugger.session.translated import translated
from attn_debugger.ui.model.probe_bar import ProbeBar
from attn_debugger.ui.model.results import (
    ablation_html,
    checks_result_html,
    occlusion_html,
    replay_html,
)
from attn_debugger.ui.model.run_dialog import ALL_INPUTS, OWN, RECORDED, RunDialog, Wish
from attn_debugger.ui.model.run_options import (
    CheckOptions,
    Options,
    ScaleOptions,
    TokenOptions,
    scaled_words,
)
from attn_debugger.ui.model.run_view import ABLATE, CHECKS, HERE, OCCLUDE, PROBE, REPLAY
from attn_debugger.ui.window.checkpoint_folders import new_archive

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow
    from attn_debugger.ui.window.sides import SideViews

_DEMO = "attn_debugger demo: "
_TITLE_LENGTH = 40


class ModelRuns(QObject):
    """Asks for a `Wish`, starts the job that fulfils it, and shows what came of it."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._sides: SideViews | None = None
        self._wish: Wish | None = None
        self._agreed: frozenset[str] = frozenset()
        self._probe_path = ""
        self.bar = ProbeBar(window)

    def connect_sides(self, sides: SideViews) -> None:
        """Listen to the model panel, once it exists."""
        self._sides = sides
        session, view, bar = self._session, sides.model.run, self.bar
        view.run_requested.connect(self.run)
        view.head_activated.connect(session.select_head)
        session.run_opened.connect(self._forget)
        session.run_closed.connect(self._forget)
        session.state_changed.connect(self._follow_state)
        session.probes.changed.connect(self._show_probe)
        bar.turned.connect(lambda on: session.probes.turn(on=on))
        bar.step_wanted.connect(session.go_to_frame)
        bar.discarded.connect(session.probes.discard)
        self._window.add_bar(bar)

    @Slot(str)
    def run(self, what: str) -> None:
        """Ask which model and on what, then run it."""
        if what == PROBE:
            self.probe()
            return
        titles = {
            CHECKS: self.tr("Model checks"),
            REPLAY: self.tr("Recompute this step"),
            ABLATE: self.tr("Scale heads"),
            OCCLUDE: self.tr("Replace tokens"),
            HERE: self.tr("Probe this step"),
        }
        if what in (REPLAY, HERE) and self._session.run is None:
            self._window.notice.show_error(self.tr("Open a run first: its step is what is meant."))
            return
        wish = self._suggestion()
        dialog = RunDialog(
            titles[what],
            wish,
            self._agreed,
            inputs=self._inputs(what),
            options=self._options(what, wish),
            parent=self._window,
        )
        self._ask(dialog, self._start_here if what == HERE else partial(self._start, what))

    def probe(self, checkpoints: tuple[str, ...] = ()) -> None:
        """Ask for a model and checkpoints, and record one batch through all of them."""
        wish = replace(
            self._suggestion(),
            checkpoints=checkpoints or self._listed(),
            output=str(new_archive("probe")),
        )
        dialog = RunDialog(
            self.tr("Probe checkpoints"),
            wish,
            self._agreed,
            for_probe=True,
            inputs=[name for name in ALL_INPUTS if name != RECORDED],
            parent=self._window,
        )
        self._ask(dialog, self._start_probe)

    # Asking.

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

    def _inputs(self, what: str) -> Sequence[str]:
        if what == REPLAY:
            return (RECORDED,)
        if self._session.run is None:
            return [name for name in ALL_INPUTS if name != RECORDED]
        return ALL_INPUTS if what != HERE else [name for name in ALL_INPUTS if name != OWN]

    def _options(self, what: str, wish: Wish) -> Options | None:
        state = self._session.state
        if what == CHECKS:
            return CheckOptions(wish.trial)
        if what == ABLATE:
            return ScaleOptions(wish.trial, state.head)
        if what == OCCLUDE:
            return TokenOptions(wish.trial, self._tokens() or (), state.key)
        return None

    def _suggestion(self) -> Wish:
        """What was filled in last, with the weights of the step in view."""
        run = self._session.run
        wish = self._wish or Wish(given=ProbeInput(recorded=run is not None))
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

    def _tokens(self) -> tuple[str, ...] | None:
        views = self._window.views
        frame = None if views is None else views.head_frame
        return None if frame is None else frame.tokens

    # Running, and what came of it.

    def _start(self, what: str, wish: Wish) -> None:
        run, state = self._session.run, self._session.state
        archive = None if run is None else run.path
        step = None if run is None else int(run.steps[state.frame])
        if what == CHECKS:
            job = checks_job(wish.model, archive, step, wish.given, wish.trial)
        else:
            job = trial_job(
                what, wish.model, archive, step, wish.given, sample=state.sample, trial=wish.trial
            )
        tokens = self._tokens() if wish.given.recorded else None
        self._begin(job, partial(self._show_result, what, tokens))

    def _begin(self, job: ModelJob, then: Callable[[str], None]) -> None:
        if self._sides is not None:
            job.failed.connect(self._sides.model.show_error)
        self._window.work.start(job, then)

    def _show_result(self, what: str, tokens: Sequence[str] | None, output: str) -> None:
        if self._sides is None:
            return
        model, theme = self._sides.model, self._window.theme
        try:
            if what == CHECKS:
                html = checks_result_html(checks_of(output), theme, rules_of(output))
            elif what == REPLAY:
                found = trial_of(output)
                html = replay_html(found, theme)
                rows = [layer["differences"] for layer in found["layers"]]
                self._write_on_tiles(rows, self.tr("recorded − recomputed"))
            elif what == ABLATE:
                found = trial_of(output)
                html = ablation_html(found, theme)
                self._write_on_tiles(found["changes"], self._what_changed(found))
            else:
                html = occlusion_html(trial_of(output), theme, tokens)
        except (ValueError, KeyError) as error:
            model.show_error(str(error))
            return
        model.clear_error()
        model.run.show_result(html)
        model.tabs.setCurrentWidget(model.run)

    def _what_changed(self, found: dict[str, Any]) -> str:
        return self.tr("{measure}, head {what}").format(
            measure=translated(found["measure"]), what=scaled_words(float(found["factor"]))
        )

    def _write_on_tiles(self, rows: Sequence[Sequence[float | None]], name: str) -> None:
        """Write a number of each head on its tile; the grid can then be sorted by it."""
        numbers = np.full((len(rows), max(map(len, rows), default=0)), np.nan)
        for layer, row in enumerate(rows):
            numbers[layer, : len(row)] = [np.nan if value is None else value for value in row]
        if self._window.views is not None:
            self._window.views.show_own_numbers(numbers, name)

    # A probe of many checkpoints is a run of its own.

    def _start_probe(self, wish: Wish) -> None:
        if self._has_room(wish.output):
            job = probe_job(wish.model, wish.checkpoints, wish.given, wish.output)
            self._begin(job, partial(self._open_probed, wish.output))

    def _has_room(self, path: str) -> bool:
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._window.notice.show_error(f"{path}: {error.strerror}")
            return False
        return True

    def _open_probed(self, path: str, output: str) -> None:
        if output.strip():
            self._window.say(output.strip())
        self._window.commands.open_path(path)

    # A probe of one step stands in for its frame.

    def _start_here(self, wish: Wish) -> None:
        run, state = self._session.run, self._session.state
        path = str(new_archive("here"))
        if run is None or not self._has_room(path):
            return
        step = int(run.steps[state.frame])
        job = stand_in_job(wish.model, run.path, step, state.sample, wish.given, path)
        self._begin(job, partial(self._show_here, run, state, wish, path))

    def _show_here(self, run: Run, state: ViewState, wish: Wish, path: str, output: str) -> None:
        if self._session.run is None or self._session.run.path != run.path:
            _remove(path)  # another run was opened meanwhile
            return
        if output.strip():
            self._window.say(output.strip())
        self._remove_probe()
        self._probe_path = path
        checkpoints = [
            c.step for c in run.checkpoints if _beside(run, c.path) == wish.model.checkpoint
        ]
        self._session.probes.show(
            path,
            state,
            step=checkpoints[0] if checkpoints else int(run.steps[state.frame]),
            title=self._title(wish.given),
            label=self.tr("probe, not recorded"),
        )
        if self._session.state.frame != state.frame:
            self._session.go_to_frame(state.frame)

    def _title(self, given: ProbeInput) -> str:
        if given.text:
            text = (
                given.text if len(given.text) <= _TITLE_LENGTH else given.text[:_TITLE_LENGTH] + "…"
            )
            return self.tr("Your text “{0}”").format(text)
        if given.batch:
            return self.tr("Your batch {0}").format(os.path.basename(given.batch))
        return self.tr("The recorded batch, computed again")

    @Slot()
    def _show_probe(self) -> None:
        shown = self._session.probes.shown
        if shown is None:
            self._remove_probe()
        self.bar.set_theme(self._window.theme)
        self.bar.show_probe(shown, self._session.state.frame)

    @Slot(object, object)
    def _follow_state(self, state: ViewState, before: ViewState) -> None:
        if state.frame != before.frame and self._session.probes.shown is not None:
            self._show_probe()

    @Slot()
    def _forget(self) -> None:
        self._show_probe()
        if self._sides is not None:
            self._sides.model.run.forget()

    def _remove_probe(self) -> None:
        path, self._probe_path = self._probe_path, ""
        if path:
            _remove(path)


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _beside(run: Run, path: str) -> str:
    return str(Path(os.path.abspath(run.path)).parent / path)
