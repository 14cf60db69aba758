"""How the grid is coloured, as one frozen value: scale, range, colour map, theme."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import GridFrame
from attn_debugger.ui.colour_maps import DEFAULT_DIVERGING_MAP, NAN_BLACK
from attn_debugger.ui.grid.codes import (
    Codes,
    highest_finite_codes,
    stretch_codes,
    weights_of_codes,
)
from attn_debugger.ui.grid.colouring import (
    RANGE_MODES,
    SCALE_NAMES,
    ColourRange,
    ReservedColours,
    ScaleName,
    grid_table,
    level_table,
    lower_end,
)
from attn_debugger.ui.theme import LIGHT, Theme, colour_table

FULL_RANGE = ColourRange()


def checked_scale(name: str) -> ScaleName:
    """Return a scale by its name. Raises `ValueError` that lists the scales there are."""
    for scale in SCALE_NAMES:
        if scale == name:
            return scale
    raise ValueError(f"no scale {name!r}; choose one of {', '.join(SCALE_NAMES)}")


def checked_range(mode: str, low: float | None, high: float) -> ColourRange:
    """Return a range by its mode. Raises `ValueError` that lists the modes there are."""
    for known in RANGE_MODES:
        if known == mode:
            return ColourRange(known, low, high)
    raise ValueError(f"no range {mode!r}; choose one of {', '.join(RANGE_MODES)}")


def reserved_colours(theme: Theme) -> ReservedColours:
    """Return the colours of a theme that stand for something other than a weight."""
    colours = (theme.background, theme.gap, theme.masked, theme.nan)
    return ReservedColours(*(int(colour.removeprefix("#"), 16) for colour in colours))


@dataclass(frozen=True, slots=True)
class GridLook:
    """How codes become colours. `only_nonfinite` mutes every weight to grey.

    `special` in its methods is (layer, tile column): True where a sink or special token lies.
    """

    scale: ScaleName = "log"
    range: ColourRange = FULL_RANGE
    colour_map: str = "viridis"
    only_nonfinite: bool = False
    without_special: bool = False  # a range from the data ignores sinks and special tokens
    theme: Theme = LIGHT

    def with_scale(self, name: str) -> GridLook:
        return replace(self, scale=checked_scale(name))

    def with_colour_map(self, name: str) -> GridLook:
        """Return this look on another map. Raises `ValueError` for one that is not on offer."""
        colour_table(name)
        return replace(self, colour_map=name)

    @property
    def stretches(self) -> bool:
        """Whether each head or layer has a range of its own: its codes are then rescaled."""
        return self.range.mode in ("head", "layer")

    def colours(self) -> NDArray[np.uint8]:
        """Return the colour map from low to high, (256, 3) RGB."""
        if self.only_nonfinite:
            return np.asarray(colour_table("gray") // 2 + 50, dtype=np.uint8)
        return colour_table(self.colour_map)

    def highest(self, frame: GridFrame, special: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """Return the code that a range from the data ends at, for each (layer, head)."""
        return highest_finite_codes(frame.codes, special if self.without_special else None)

    def codes(self, frame: GridFrame, special: NDArray[np.bool_] | None = None) -> Codes:
        """Return the codes to paint, (layer, head, tile, tile): the frame's own or rescaled."""
        if not self.stretches:
            return frame.codes
        return stretch_codes(frame.codes, self.tops(frame, special))

    def tops(self, frame: GridFrame, special: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """Return the code that is the top of each head's own range, (layer, head)."""
        highest = self.highest(frame, special)
        if self.range.mode == "layer":
            highest = np.broadcast_to(highest.max(axis=1, keepdims=True), highest.shape)
        return highest

    def ends(
        self, n_keys: int, frame: GridFrame | None, special: NDArray[np.bool_] | None = None
    ) -> tuple[float, float]:
        """Return the weights at the two ends of the colour bar."""
        high = self.range.high if self.range.mode == "fixed" else 1.0
        if self.range.mode == "data" and frame is not None and frame.codes.size:
            top = int(self.highest(frame, special).max())
            high = float(weights_of_codes()[top]) or 1.0
        low = lower_end(self.scale, self.range, n_keys)
        return low, max(high, low * 1.01)

    def difference_table(self) -> NDArray[np.uint32]:
        """Return the colours of level codes of a signed difference: NaN is black, as magenta would
        be taken for a large change.
        """
        black = int(NAN_BLACK.removeprefix("#"), 16)
        reserved = replace(reserved_colours(self.theme), nonfinite=black)
        return level_table(colour_table(DEFAULT_DIVERGING_MAP), reserved)

    def table(self, low: float, high: float) -> NDArray[np.uint32]:
        """Return the colour of each of the 256 codes."""
        reserved = reserved_colours(self.theme)
        return grid_table(self.colours(), reserved, scale=self.scale, low=low, high=high)
