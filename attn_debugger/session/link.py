"""The worker's end of a link to another machine: progress, questions, and what after a loss."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Condition, Event

from attn_debugger.core.address import place_of
from attn_debugger.core.link import LinkState, OverALink, Question
from attn_debugger.errors import LinkError
from attn_debugger.session.messages import Answer, Asked, LinkChanged
from attn_debugger.session.open_run import OpenRun
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


class Links:
    """The link of the run that is open or being opened, shared between threads.

    Attributes and `hurry`, `forget` are used under the worker's `condition`; the other methods
    take it themselves.
    """

    def __init__(self, condition: Condition, answer: Callable[[Answer], None]) -> None:
        self._condition = condition
        self._answer = answer
        self.current: WorkerLink | None = None
        self._loss: Loss | None = None  # that link is lost

    @property
    def is_lost(self) -> bool:
        return self._loss is not None

    @property
    def next_try(self) -> float | None:
        """When to try a lost link again; None = it is not lost, or the user must say when."""
        return None if self._loss is None else self._loss.next_try

    def hurry(self) -> None:
        """Try a lost link again at once."""
        if self._loss is not None:
            self._loss.hurry()

    def forget(self) -> None:
        """Forget the link of a run that is closed."""
        self.current = self._loss = None

    def reply(self, text: str | None) -> None:
        """Hand on the user's answer to a question; None = no."""
        with self._condition:
            link = self.current
        if link is not None:
            link.reply(text)

    def lose(self, run: OpenRun, error: LinkError) -> None:
        """Note that the link of `run` is lost, and say when it is tried again."""
        with self._condition:
            if self._loss is None:
                self._loss = Loss(place_of(run.source.run.path), error)
            state = self._loss.state
        run.stop_reading_ahead()
        self._answer(LinkChanged(run.opening, state))

    def reconnect(self, run: OpenRun) -> None:
        """Try the lost link of `run` again, and say what came of it."""
        loss = self._loss
        if loss is None or not isinstance(run.source, OverALink):
            return
        try:
            run.source.reconnect()
        except LinkError as error:
            with self._condition:
                loss.fail_again(error)
            self._answer(LinkChanged(run.opening, loss.state))
            return
        with self._condition:
            self._loss = None
        self._answer(LinkChanged(run.opening, LinkState(loss.place, "still")))
