"""What is followed over the frames of one layer, stream and sample, and concluded at the end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attn_debugger.analysis.arrays import Bools
from attn_debugger.analysis.signals.findings import Finding


@dataclass(frozen=True, slots=True)
class Moment:
    """A frame, as far as a history needs to know it."""

    frame_index: int
    step: int


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A finding about a stretch of frames of one layer."""

    finding: Finding
    first: Moment
    last: Moment
    frames: int


class Streaks:
    """For each head, since which frame a condition has held without a break."""

    def __init__(self, n_heads: int) -> None:
        self.length = np.zeros(n_heads, np.int64)
        self.start: list[Moment | None] = [None] * n_heads

    def update(self, holds: Bools, moment: Moment) -> None:
        """Take in one frame's (head,) condition."""
        for head in np.flatnonzero(holds & (self.length == 0)):
            self.start[int(head)] = moment
        self.length = np.where(holds, self.length + 1, 0)

    def common_start(self, heads: Bools) -> Moment:
        """The latest start among `heads`: since then all of them hold."""
        starts = [self.start[int(head)] for head in np.flatnonzero(heads)]
        known = [start for start in starts if start is not None]
        return max(known, key=lambda moment: moment.frame_index)
