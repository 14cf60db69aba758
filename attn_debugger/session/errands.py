"""Reading that can wait: done in small steps behind what the user looks at, one at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from attn_debugger.core.frame import GridFrame
from attn_debugger.core.source import RunSource


class Errand(Protocol):
    """What the worker does when nothing more urgent is to be done."""

    @property
    def is_over(self) -> bool: ...

    def step(self, source: RunSource) -> object | None:
        """Do a little, a few milliseconds, and return what is ready to be shown, if anything."""
        ...


@dataclass
class PinnedGrid:
    """Reads the grid of the step that others are compared with."""

    frame_index: int
    sample: int
    tile: int
    is_over: bool = False

    def step(self, source: RunSource) -> GridFrame:
        frame = source.grid(self.frame_index, self.sample, self.tile)
        self.is_over = True
        return frame
