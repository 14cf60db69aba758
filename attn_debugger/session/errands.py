"""Reading that can wait: done in small steps behind what the user looks at, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from attn_debugger.core.frame import GridFrame, LayerFrame
from attn_debugger.core.heads import HeadRef
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
        self.is_over = True
        return source.grid(self.frame_index, self.sample, self.tile)


class Film:
    """Reads one head at several frames; hands over all of them at once."""

    def __init__(
        self,
        frame_indices: Sequence[int],
        head: HeadRef,
        sample: int,
        known: Sequence[LayerFrame] = (),
    ) -> None:
        self._wanted = tuple(frame_indices)
        self._head, self._sample = head, sample
        self._frames = {
            frame.frame_index: frame
            for frame in known
            if frame.info.index == head.layer
            and (frame.heads, frame.sample) == ((head.head,), sample)
        }

    @property
    def is_over(self) -> bool:
        return all(index in self._frames for index in self._wanted)

    def step(self, source: RunSource) -> tuple[LayerFrame, ...] | None:
        missing = [index for index in self._wanted if index not in self._frames]
        if missing:
            self._frames[missing[0]] = source.head(missing[0], self._head, self._sample)
        if len(missing) > 1:
            return None
        return tuple(self._frames[index] for index in self._wanted)


def film_frames(frames: Sequence[int], current: int, most: int) -> tuple[int, ...]:
    """Return up to `most` of the ascending `frames`, in the middle of them the current one."""
    if not frames:
        return ()
    here = min(range(len(frames)), key=lambda place: abs(frames[place] - current))
    first = max(0, min(here - most // 2, len(frames) - most))
    return tuple(int(frame) for frame in frames[first : first + most])
