"""The link to a file on another machine, as the rest of the program sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

# A longer file is not fetched as a whole unless the user says so.
FETCHED_UNASKED_BYTES = 64 << 20

Phase = Literal["connecting", "reading", "still", "lost"]


@dataclass(frozen=True, slots=True)
class LinkState:
    """What the link does. `wanted` bytes are being read now, `got` of them have come.

    `sentence` says why the link is lost; `retry_seconds` when it is tried again, 0 = not by itself.
    """

    place: str
    phase: Phase
    total_bytes: int = 0  # since the archive was opened
    got: int = 0
    wanted: int = 0
    sentence: str = ""
    retry_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Question:
    """A secret that the host wants: `what` is the host's or our own wording."""

    place: str
    what: str
    shown: bool = False  # whether what is typed may be seen


class LinkWatcher(Protocol):
    """Whom a link talks to while the thread that reads waits; called from several threads."""

    def tell(self, state: LinkState) -> None:
        """Take note of what the link does; called many times a second."""
        ...

    def ask(self, question: Question) -> str | None:
        """Let the user answer; None = the user does not want to. Blocks. Nothing is kept."""
        ...

    @property
    def gives_up(self) -> bool:
        """Whether nobody waits for this any more: stop at once."""
        ...

    @property
    def is_wanted_elsewhere(self) -> bool:
        """Whether something more urgent waits: what can be put off should stop."""
        ...


@runtime_checkable
class OverALink(Protocol):
    """A source whose bytes come over a link that may be slow, or drop."""

    @property
    def is_connected(self) -> bool: ...

    @property
    def n_bytes(self) -> int:
        """Length of the file: what examining all of it may have to fetch."""
        ...

    def reconnect(self) -> None:
        """Try once more. Raises `LinkError` when that fails."""
        ...
