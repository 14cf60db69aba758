"""Values on their way from the worker thread to the window's, newest of each kind only."""

from __future__ import annotations

from threading import Lock

from attn_debugger.session.messages import Answer, Brought


class Mailbox:
    """Where the worker leaves answers for the window's thread to fetch.

    An answer replaces an unfetched one of its kind, so a busy window never lags behind a queue.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._answers: dict[tuple[type[Answer], str], Answer] = {}

    def put(self, answer: Answer) -> bool:
        """Leave `answer`; True when the box was empty, that is, when the window must be woken."""
        with self._lock:
            was_empty = not self._answers
            # Taken out first: the order of fetching is the order of the last arrivals.
            kind = _kind(answer)
            self._answers.pop(kind, None)
            self._answers[kind] = answer
            return was_empty

    def take_all(self) -> list[Answer]:
        """Fetch everything, oldest first."""
        with self._lock:
            answers, self._answers = list(self._answers.values()), {}
            return answers

    @property
    def is_empty(self) -> bool:
        with self._lock:
            return not self._answers


def _kind(answer: Answer) -> tuple[type[Answer], str]:
    """Return what an answer replaces: those of its type, and of errands those of its name."""
    return type(answer), answer.name if isinstance(answer, Brought) else ""
