"""Running the model: asked is which and on what, a child process does it, the answer is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Slot

from attn_debugger.core.address import is_remote
from attn_debugger.core.heads import head_table
from attn_debugger.session.model_jobs import (
    ModelJob,
    checks_job,
    checks_of,
    probe_job,
    rules_of,
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
from attn_debugger.ui.window.checkpoint_folders import beside, make_room, new_archive
from attn_debugger.ui.window.model_suggestion import suggested
from attn_debugger.ui.window.step_probe import StepProbe

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow
    from attn_debugger.ui.window.sides import SideViews


class ModelRuns(QObject):
    """Asks for a `Wish`, starts the job that fulfils it, and shows what came of it."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._sides: SideViews | None = None
        self._wish: Wish | None = None
        self._agreed: frozenset[str] = frozenset()
        self._step_probe = StepProbe(window, self._begin)

    @property
    def bar(self) -> ProbeBar:
        """The row that tells a probe from the recording."""
        return self._step_probe.bar

    def connect_sides(self, sides: SideViews) -> None:
        """Listen to the model panel, once it exists."""
        self._sides = sides
        session, view = self._session, sides.model.run
        view.run_requested.connect(self.run)
        view.head_activated.connect(session.select_head)
        session.run_opened.connect(self._forget)
        session.run_closed.connect(self._forget)
        self._step_probe.connect_session()

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
        run = self._session.run
        if what in (REPLAY, HERE) and run is None:
            self._window.notice.show_error(self.tr("Open a run first: its step is what is meant."))
            return
        if what == REPLAY and run is not None and is_remote(run.path):
            self._window.notice.show_error(
                self.tr("This run lies on another machine: copy it here to recompute its steps.")
            )
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
        self._ask(dialog, self._step_probe.start if what == HERE else partial(self._start, what))

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
        if not self._is_here:
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
        wish = self._wish or Wish(given=ProbeInput(recorded=self._is_here))
        if not wish.model.python:
            wish = replace(wish, model=replace(wish.model, python=self._window.settings.python))
        return suggested(wish, self._session.run, self._session.state.frame)

    @property
    def _is_here(self) -> bool:
        """Whether a run is open that a child process can read."""
        run = self._session.run
        return run is not None and not is_remote(run.path)

    def _listed(self) -> tuple[str, ...]:
        run = self._session.run
        return () if run is None else tuple(beside(run, item.path) for item in run.checkpoints)

    def _tokens(self) -> tuple[str, ...] | None:
        views = self._window.views
        frame = None if views is None else views.head_frame
        return None if frame is None else frame.tokens

    # Running, and what came of it.

    def _start(self, what: str, wish: Wish) -> None:
        run, state = self._session.run, self._session.state
        archive = None if run is None or is_remote(run.path) else run.path
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
            self._sides.model.clear_error()
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
        self._window.docks["model"].show()
        self._window.docks["model"].raise_()

    def _what_changed(self, found: dict[str, Any]) -> str:
        return self.tr("{measure}, head {what}").format(
            measure=translated(found["measure"]), what=scaled_words(float(found["factor"]))
        )

    def _write_on_tiles(self, rows: Sequence[Sequence[float | None]], name: str) -> None:
        """Write a number of each head on its tile; the grid can then be sorted by it."""
        if self._window.views is not None:
            self._window.views.show_own_numbers(head_table(rows), name)

    # A probe of many checkpoints is a run of its own.

    def _start_probe(self, wish: Wish) -> None:
        if make_room(wish.output, self._window.notice.show_error):
            job = probe_job(wish.model, wish.checkpoints, wish.given, wish.output)
            self._begin(job, partial(self._open_probed, wish.output))

    def _open_probed(self, path: str, output: str) -> None:
        if output.strip():
            self._window.say(output.strip())
        self._window.commands.open_path(path)

    @Slot()
    def _forget(self) -> None:
        if self._sides is not None:
            self._sides.model.run.forget()
