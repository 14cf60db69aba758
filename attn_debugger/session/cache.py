"""Frames of the grid and single tiles kept for going back and forth, within a budget of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from attn_debugger.core.frame import GridFrame, SharpTile

Kept = GridFrame | SharpTile


class FrameCache:
    """The most recently used frames and tiles whose arrays together stay within `budget` bytes.

    The last one put in is always kept, even if it alone is larger than the budget.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.n_bytes = 0
        self._frames: OrderedDict[Hashable, Kept] = OrderedDict()

    def __len__(self) -> int:
        return len(self._frames)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._frames

    def get(self, key: Hashable) -> Kept | None:
        """Return what is kept under `key` and mark it as used."""
        frame = self._frames.get(key)
        if frame is not None:
            self._frames.move_to_end(key)
        return frame

    def put(self, key: Hashable, frame: Kept) -> None:
        """Keep a frame or tile; what was used longest ago goes when the budget is spent."""
        old = self._frames.pop(key, None)
        if old is not None:
            self.n_bytes -= _size(old)
        self._frames[key] = frame
        self.n_bytes += _size(frame)
        self._make_room()

    def shrink_to(self, budget: int) -> None:
        """Keep within another budget from now on."""
        self.budget = budget
        self._make_room()

    def _make_room(self) -> None:
        while self.n_bytes > self.budget and len(self._frames) > 1:
            _, oldest = self._frames.popitem(last=False)
            self.n_bytes -= _size(oldest)

    def clear(self) -> None:
        self._frames.clear()
        self.n_bytes = 0


def _size(frame: Kept) -> int:
    if isinstance(frame, SharpTile):
        return frame.codes.nbytes  # the heads of a layer share their mask
    return frame.codes.nbytes + frame.known.nbytes + frame.masked.nbytes
