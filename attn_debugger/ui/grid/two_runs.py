"""Two runs in one grid: which of them the tiles show, or their difference. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.beside import GridBeside
from attn_debugger.core.frame import GridFrame

Shown = Literal["a", "b", "difference"]

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True, eq=False)
class TwoRuns:
    """Run A, whose frames the grid is shown, and run B beside it; `beside` None = on its way.

    `swapped` shows A - B in place of B - A.
    """

    beside: GridBeside | None = None
    shown: Shown = "difference"
    swapped: bool = False

    def is_waiting(self, frame: GridFrame | None) -> bool:
        """Whether what is to be shown beside `frame` has not arrived yet."""
        if self.shown == "a" or frame is None:
            return False
        if self.beside is None or self.beside.for_frame != frame.frame_index:
            return True
        # Of another tile size or sample: the right one is being read.
        theirs = self.beside.frame
        return theirs is not None and (theirs.tile, theirs.sample) != (frame.tile, frame.sample)

    def frame_beside(self, frame: GridFrame | None) -> GridFrame | None:
        """Return B's frame of the same step; None = there is none, or not yet."""
        if frame is None or self.beside is None or self.beside.frame is None:
            return None
        theirs = self.beside.frame
        fits = (self.beside.for_frame, theirs.tile, theirs.sample) == (
            frame.frame_index,
            frame.tile,
            frame.sample,
        )
        return theirs if fits and theirs.codes.shape == frame.codes.shape else None

    def pair(self, frame: GridFrame | None) -> tuple[GridFrame, GridFrame] | None:
        """Return what is subtracted and from what."""
        theirs = self.frame_beside(frame)
        if frame is None or theirs is None:
            return None
        return (theirs, frame) if self.swapped else (frame, theirs)

    def why_not(self, frame: GridFrame | None) -> str:
        """Say why B has nothing to show beside `frame`; empty = it has, or is not asked for."""
        if self.shown == "a" or self.beside is None or frame is None:
            return ""
        if self.beside.for_frame != frame.frame_index or self.beside.frame is not None:
            return ""
        return self.beside.why

    @property
    def difference_words(self) -> str:
        """Return what the colours of the difference mean, beside its legend."""
        what = translate("TwoRuns", "A − B") if self.swapped else translate("TwoRuns", "B − A")
        words = translate(
            "TwoRuns", "{0} at the same step, max-pooled tiles; black = NaN in either"
        )
        return words.format(what)


def moved_words(change: float) -> str:
    """Return how much of a head's attention lies elsewhere in B; `change` is 0 to 1."""
    percent = f"{100 * change:.0f}" if change >= 0.01 else f"{100 * change:.1g}"
    return translate("TwoRuns", "≈ {0} % of its attention lies elsewhere in B").format(percent)
