"""A run on another machine, in the window: typing its address, the link's signs, its questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QDialog

from attn_debugger.core.address import is_remote
from attn_debugger.core.link import LinkState, Question
from attn_debugger.session.findings import ScanProgress
from attn_debugger.session.translated import translated
from attn_debugger.ui.window.link_bar import LinkBar
from attn_debugger.ui.window.open_remote import OpenRemoteDialog, SecretDialog

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow

_MEGABYTE = 1_000_000


class RemoteRun(QObject):
    """Keeps what the window shows of the link, and passes the user's answers on."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = session = window.session
        self._question: SecretDialog | None = None
        self._told_of = ""  # the run that was said to be far away
        self.bar = LinkBar(window)
        self.bar.set_theme(window.theme)
        self.bar.retry_requested.connect(session.distance.reconnect)
        window.add_bar(self.bar)
        session.distance.changed.connect(self._show)
        session.distance.asked.connect(self._ask)
        session.findings.progress_changed.connect(self._tell_of_distance)
        if session.distance.state is not None:
            self._show(session.distance.state)

    def open(self) -> None:
        """Let the user type an address."""
        recent = [run.path for run in self._window.settings.recent if is_remote(run.path)]
        dialog = OpenRemoteDialog(recent, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(self._window.commands.open_path)
        dialog.open()

    @Slot(object)
    def _show(self, state: LinkState | None) -> None:
        self._window.status.show_link(self._words(state))
        if state is None:
            self.bar.hide()
        elif state.phase == "lost":
            self.bar.show_loss(translated(state.sentence), state.retry_seconds)
        elif state.phase == "connecting":
            if self.bar.isVisible():
                self.bar.show_trying()
        else:
            self.bar.hide()
        if state is None or state.phase != "connecting":
            self._end_question()

    def _words(self, state: LinkState | None) -> str:
        if state is None:
            return ""
        if state.phase == "connecting":
            return self.tr("connecting to {0}…").format(state.place)
        if state.phase == "lost":
            return self.tr("{0}: no connection").format(state.place)
        total = f"{state.total_bytes / _MEGABYTE:.1f}"
        if state.phase == "reading" and state.wanted:
            return self.tr("{0}: reading {1} of {2} kB").format(
                state.place, state.got // 1000, state.wanted // 1000
            )
        if not state.total_bytes:
            return state.place
        return self.tr("{0}: {1} MB read").format(state.place, total)

    @Slot(object)
    def _ask(self, question: Question) -> None:
        self._end_question()
        dialog = SecretDialog(
            question.place, question.what, shown=question.shown, parent=self._window
        )
        self._question = dialog
        dialog.finished.connect(self._answer)
        dialog.open()

    @Slot(int)
    def _answer(self, result: int) -> None:
        dialog, self._question = self._question, None
        if dialog is None:
            return
        accepted = result == QDialog.DialogCode.Accepted
        self._session.distance.reply(dialog.field.text() if accepted else None)
        dialog.field.clear()
        dialog.deleteLater()

    def _end_question(self) -> None:
        """Close a question that nobody waits for any more."""
        dialog, self._question = self._question, None
        if dialog is not None:
            dialog.close()
            dialog.deleteLater()

    @Slot(object)
    def _tell_of_distance(self, progress: ScanProgress) -> None:
        """Say once why a run on another machine is not examined by itself."""
        run = self._session.run
        if run is None or not is_remote(run.path) or self._told_of == run.path:
            return
        if progress.n_frames and not progress.running and not progress.n_scanned:
            self._told_of = run.path
            self._window.say(
                self.tr(
                    "this run lies on another machine: steps are fetched as you go to them. "
                    "“Check the rest” in the menu Heads examines all of it, and fetches the "
                    "whole file"
                )
            )
