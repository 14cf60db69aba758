"""What the window knows of the link to a run on another machine, and what it can do about it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from attn_debugger.core.link import LinkState
from attn_debugger.session.messages import Asked, LinkChanged
from attn_debugger.session.worker import ArchiveWorker


class Distance(QObject):
    """Tells what the link does; `state` None = no link was needed so far."""

    changed = Signal(object)  # LinkState | None
    lost = Signal(object)  # LinkState with the reason
    found_again = Signal()
    asked = Signal(object)  # Question: `reply` to it

    def __init__(self, worker: ArchiveWorker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self.state: LinkState | None = None
        self.is_lost = False

    def receive(self, answer: LinkChanged | Asked) -> None:
        """Pass on what the worker says."""
        if isinstance(answer, Asked):
            self.asked.emit(answer.question)
            return
        self.state = state = answer.state
        self.changed.emit(state)
        if state.phase == "lost":
            self.is_lost = True
            self.lost.emit(state)
        elif self.is_lost and state.phase != "connecting":
            self.is_lost = False
            self.found_again.emit()

    def reply(self, text: str | None) -> None:
        """Answer what the host asked; None = the user does not want to. It is kept nowhere."""
        self._worker.reply(text)

    def reconnect(self) -> None:
        """Try a lost link at once."""
        self._worker.reconnect()

    def end_opening(self) -> None:
        """Forget a link that did not come about."""
        if self.state is not None and self.state.phase == "connecting" and not self.is_lost:
            self.forget()

    def forget(self) -> None:
        """Start over, for another run."""
        self.is_lost = False
        if self.state is not None:
            self.state = None
            self.changed.emit(None)
