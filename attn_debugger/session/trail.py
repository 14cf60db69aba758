"""Going back: to places visited before, and to looks and notes of before."""

from __future__ import annotations

from typing import Generic, TypeVar

Thing = TypeVar("Thing")

KEPT = 200


class Trail(Generic[Thing]):
    """A linear history: leaving a thing remembers it, and a new way forgets the old one ahead."""

    def __init__(self) -> None:
        self._behind: list[Thing] = []
        self._ahead: list[Thing] = []

    def leave(self, thing: Thing) -> None:
        """Remember `thing` as the one to come back to."""
        if not self._behind or self._behind[-1] != thing:
            self._behind.append(thing)
            del self._behind[:-KEPT]
        self._ahead.clear()

    def back(self, here: Thing) -> Thing | None:
        """Return what was left last and remember `here` as the way forward; None at the start."""
        if not self._behind:
            return None
        self._ahead.append(here)
        return self._behind.pop()

    def forward(self, here: Thing) -> Thing | None:
        """Undo one `back`; None when there is nothing ahead."""
        if not self._ahead:
            return None
        self._behind.append(here)
        return self._ahead.pop()

    @property
    def behind(self) -> Thing | None:
        """What `back` would return."""
        return self._behind[-1] if self._behind else None

    @property
    def ahead(self) -> Thing | None:
        """What `forward` would return."""
        return self._ahead[-1] if self._ahead else None

    def clear(self) -> None:
        self._behind.clear()
        self._ahead.clear()
