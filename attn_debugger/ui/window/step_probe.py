"""A probe of one step: run beside the window, shown in the grid in the place of its frame."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from attn_debugger.core.run import Run
from attn_debugger.core.view_state import ViewState
from attn_debugger.session.model_jobs import ModelJob, stand_in_job
from attn_debugger.session.model_wishes import ProbeInput
from attn_debugger.ui.model.probe_bar import ProbeBar
from attn_debugger.ui.model.run_dialog import Wish
from attn_debugger.ui.window.checkpoint_folders import beside, make_room, new_archive

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow

_TITLE_LENGTH = 40


class StepProbe(QObject):
    """Starts the probe by `begin`, lets it stand in, and keeps the bar above the views."""

    def __init__(
        self, window: MainWindow, begin: Callable[[ModelJob, Callable[[str], None]], None]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._begin = begin
        self._path = ""
        self.bar = ProbeBar(window)

    def connect_session(self) -> None:
        """Put the bar above the views of a run and keep it in step with them."""
        session, bar = self._session, self.bar
        session.run_opened.connect(self._show)
        session.run_closed.connect(self._show)
        session.state_changed.connect(self._follow_state)
        session.probes.changed.connect(self._show)
        bar.turned.connect(lambda on: session.probes.turn(on=on))
        bar.step_wanted.connect(session.go_to_frame)
        bar.discarded.connect(session.probes.discard)
        self._window.add_bar(bar)

    def start(self, wish: Wish) -> None:
        """Run what was wished for at the step in view."""
        run, state = self._session.run, self._session.state
        path = str(new_archive("here"))
        if run is None or not make_room(path, self._window.notice.show_error):
            return
        step = int(run.steps[state.frame])
        job = stand_in_job(wish.model, run.path, step, state.sample, wish.given, path)
        self._begin(job, partial(self._stand_in, run, state, wish, path))

    def _stand_in(self, run: Run, state: ViewState, wish: Wish, path: str, output: str) -> None:
        if self._session.run is None or self._session.run.path != run.path:
            _remove(path)  # another run was opened meanwhile
            return
        if output.strip():
            self._window.say(output.strip())
        self._remove()
        self._path = path
        weights = wish.model.checkpoint
        steps = [item.step for item in run.checkpoints if beside(run, item.path) == weights]
        self._session.probes.show(
            path,
            state,
            step=steps[0] if steps else int(run.steps[state.frame]),
            title=self._title(wish.given),
            label=self.tr("probe, not recorded"),
        )
        if self._session.state.frame != state.frame:
            self._session.go_to_frame(state.frame)

    def _title(self, given: ProbeInput) -> str:
        if given.text:
            is_long = len(given.text) > _TITLE_LENGTH
            text = given.text[:_TITLE_LENGTH] + "…" if is_long else given.text
            return self.tr("Your text “{0}”").format(text)
        if given.batch:
            return self.tr("Your batch {0}").format(os.path.basename(given.batch))
        return self.tr("The recorded batch, computed again")

    @Slot()
    def _show(self) -> None:
        shown = self._session.probes.shown
        if shown is None:
            self._remove()
        self.bar.set_theme(self._window.theme)
        self.bar.show_probe(shown, self._session.state.frame)

    @Slot(object, object)
    def _follow_state(self, state: ViewState, before: ViewState) -> None:
        if state.frame != before.frame and self._session.probes.shown is not None:
            self._show()

    def _remove(self) -> None:
        path, self._path = self._path, ""
        if path:
            _remove(path)


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)
