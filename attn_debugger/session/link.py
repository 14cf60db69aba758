"""The worker's end of a link to another machine: progress, questions, and what after a loss."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event

from attn_debugger.core.link import LinkState, Question
from attn_debugger.errors import LinkError
from attn_debugger.session.messages import Answer, Asked, LinkChanged
from attn_debugger.session.sentences import sentence_of

FIRST_RETRY_SECONDS = 1.0
LONGEST_RETRY_SECONDS = 30.0
_POLL_SECONDS = 0.05


class WorkerLink:
    """A `core.link.LinkWatcher` of one opening; tells the window what happens.

    `is_over` says that nobody waits for the opening, or for anything; `is_urgent` that what the
    thread does can wait.
    """

    def __init__(
        self,
        opening: int,
        answer: Callable[[Answer], None],
        is_over: Callable[[int], bool],
        is_urgent: Callable[[], bool],
    ) -> None:
        self.opening = opening
        self._answer = answer
        self._is_over = is_over
        self._is_urgent = is_urgent
        self._replied = Event()
        self._reply: str | None = None

    def tell(self, state: LinkState) -> None:
        self._answer(LinkChanged(self.opening, state))

    def ask(self, question: Question) -> str | None:
        self._replied.clear()
        self._answer(Asked(self.opening, question))
        while not self._replied.wait(_POLL_SECONDS):
            if self.gives_up:
                return None
        reply, self._reply = self._reply, None  # kept by nobody
        return reply

    def reply(self, text: str | None) -> None:
        """Take the user's answer, on the window's thread; None = no."""
        self._reply = text
        self._replied.set()

    @property
    def gives_up(self) -> bool:
        return self._is_over(self.opening)

    @property
    def is_wanted_elsewhere(self) -> bool:
        return self._is_urgent()


class Loss:
    """A link that is lost: when to try again, later each time, or not without the user."""

    def __init__(self, place: str, error: LinkError) -> None:
        self.place = place
        self._pause = FIRST_RETRY_SECONDS
        self.sentence = sentence_of(error)
        self.next_try = self._after(error)

    def fail_again(self, error: LinkError) -> None:
        """Note that another attempt failed."""
        self._pause = min(LONGEST_RETRY_SECONDS, 2 * self._pause)
        self.sentence = sentence_of(error)
        self.next_try = self._after(error)

    def hurry(self) -> None:
        """Try at once: the user says so."""
        self._pause = FIRST_RETRY_SECONDS
        self.next_try = time.monotonic()

    @property
    def state(self) -> LinkState:
        pause = 0.0 if self.next_try is None else max(0.1, self.next_try - time.monotonic())
        return LinkState(self.place, "lost", sentence=self.sentence, retry_seconds=pause)

    def _after(self, error: LinkError) -> float | None:
        return time.monotonic() + self._pause if error.may_retry else None
