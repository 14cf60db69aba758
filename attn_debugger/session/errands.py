"""Reading that can wait: done in small steps behind what the user looks at, one at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from attn_debugger.core.source import RunSource


class Errand(Protocol):
    """What the worker does when nothing more urgent is to be done."""

    @property
    def is_over(self) -> bool: ...

    def step(self, source: RunSource) -> object | None:
        """Do a little, a few milliseconds, and return what is ready to be shown, if anything."""
        ...


@dataclass
class ReadOnce:
    """Reads one thing whole, in a single step: a grid or a head that is not waited for."""

    read: Callable[[RunSource], object]
    is_over: bool = False

    def step(self, source: RunSource) -> object:
        found = self.read(source)
        self.is_over = True
        return found
