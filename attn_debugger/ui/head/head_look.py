"""How one map is coloured, as one frozen value: scale, range, colour map, theme."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from attn_debugger.ui.grid.colouring import (
    ColourRange,
    ScaleName,
    level_table,
    levels,
    lower_end,
)
from attn_debugger.ui.grid.legend import LegendContent
from attn_debugger.ui.grid.look import FULL_RANGE, reserved_colours
from attn_debugger.ui.head.picture import HeadMap
from attn_debugger.ui.theme import LIGHT, Theme, colour_table

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class HeadLook:
    """Any range but `fixed` reaches up to the largest finite weight of the map."""

    scale: ScaleName = "linear"
    range: ColourRange = FULL_RANGE
    colour_map: str = "viridis"
    theme: Theme = LIGHT

    def ends(self, shown: HeadMap) -> tuple[float, float]:
        """Return the weights at the two ends of the colour bar."""
        high = self.range.high
        if self.range.mode != "fixed" and not shown.is_empty:
            finite = shown.weights[np.isfinite(shown.weights)]
            high = float(finite.max()) if finite.size else 1.0
        low = lower_end(self.scale, self.range, shown.n_keys)
        return low, max(high, low * 1.01, 1e-30)

    def codes(self, shown: HeadMap) -> NDArray[np.uint8]:
        """Return the level code of every cell, (query, key)."""
        low, high = self.ends(shown)
        return levels(shown.weights, shown.masked, scale=self.scale, low=low, high=high)

    def table(self) -> NDArray[np.uint32]:
        """Return the colour of each of the 256 codes."""
        return level_table(colour_table(self.colour_map), reserved_colours(self.theme))

    def legend(self, shown: HeadMap) -> LegendContent:
        """Return what the colours of a map mean."""
        low, high = self.ends(shown)
        relative = words = ""
        if self.range.mode != "fixed":
            relative = translate("HeadView", "up to this head's largest weight")
        if not shown.is_empty:
            size = translate("HeadView", "full map, {0} queries x {1} keys")
            words = size.format(*shown.weights.shape)
        colours = colour_table(self.colour_map)
        return LegendContent(colours, self.scale, low, high, relative, words, with_gap=False)
