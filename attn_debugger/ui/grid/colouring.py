"""From weight to colour: scale, range and colour map, baked into one table of 256 entries.

Changing any of them changes the table and touches no pixel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import NONFINITE_CODE, TOP_CODE
from attn_debugger.ui.grid.codes import (
    BACKGROUND_CODE,
    GAP_CODE,
    MASKED_CODE,
    N_LEVELS,
    ZERO_CODE,
    weights_of_codes,
)

ScaleName = Literal["linear", "sqrt", "log"]
SCALE_NAMES: tuple[ScaleName, ...] = ("linear", "sqrt", "log")
RangeMode = Literal["fixed", "data", "layer", "head"]
RANGE_MODES: tuple[RangeMode, ...] = ("fixed", "data", "layer", "head")
LEAST_KEYS = 2  # a log range needs a lower end below its upper one


@dataclass(frozen=True, slots=True)
class ColourRange:
    """Which weights the two ends of the colour bar stand for.

    `fixed` runs from `low` to `high`; the others run to the largest finite weight of the frame, of
    the layer or of the head. `low=None` is 0, or 1/(10 keys) on a logarithmic scale.
    """

    mode: RangeMode = "fixed"
    low: float | None = None
    high: float = 1.0


def lower_end(scale: ScaleName, colour_range: ColourRange, n_keys: int) -> float:
    """Return the weight at the lower end of the colour bar.

    On a logarithmic scale it is a tenth of what a uniform row gives each of `n_keys` keys: a
    uniform head then stands clear of the background, at any length.
    """
    if colour_range.low is not None and (scale != "log" or colour_range.low > 0):
        return colour_range.low
    return 0.1 / max(n_keys, LEAST_KEYS) if scale == "log" else 0.0


def positions(
    weights: NDArray[np.floating], scale: ScaleName, low: float, high: float
) -> NDArray[np.floating]:
    """Return where weights lie on the colour bar, 0 to 1, clipped; NaN stays NaN.

    The result has the dtype of `weights`. On a logarithmic scale `low` must be above 0.
    """
    if high <= low:  # an empty range: everything above it is "at the top"
        return np.where(np.isnan(weights), weights, (weights > low).astype(weights.dtype))
    with np.errstate(divide="ignore", invalid="ignore"):
        if scale == "log":
            part = np.log(weights / low) / math.log(high / low)
        else:
            part = (weights - low) / (high - low)
        part = np.clip(part, 0.0, 1.0)
    return np.asarray(np.sqrt(part) if scale == "sqrt" else part)


@dataclass(frozen=True, slots=True)
class ReservedColours:
    """Colours that mean something other than a weight, as 0xRRGGBB."""

    background: int
    gap: int
    masked: int
    nonfinite: int


def packed(rgb: NDArray[np.integer]) -> NDArray[np.uint32]:
    """Return (n, 3) red, green, blue as 0xFFRRGGBB."""
    red, green, blue = np.asarray(rgb, dtype=np.uint32).T
    return np.asarray(0xFF000000 | red << 16 | green << 8 | blue, dtype=np.uint32)


def grid_table(
    colours: NDArray[np.uint8],
    reserved: ReservedColours,
    *,
    scale: ScaleName,
    low: float,
    high: float,
) -> NDArray[np.uint32]:
    """Return the 256 colours of quarter-root codes. `colours` is a colour map, (n, 3)."""
    where = positions(weights_of_codes()[:NONFINITE_CODE], scale, low, high)
    return _with_reserved(_sampled(colours, where), reserved)


def level_table(colours: NDArray[np.uint8], reserved: ReservedColours) -> NDArray[np.uint32]:
    """Return the 256 colours of level codes: `ZERO_CODE` + position * `N_LEVELS` (see `levels`)."""
    where = np.clip((np.arange(NONFINITE_CODE) - ZERO_CODE) / N_LEVELS, 0.0, 1.0)
    return _with_reserved(_sampled(colours, where), reserved)


def levels(
    weights: NDArray[np.floating],
    masked: NDArray[np.bool_] | None,
    *,
    scale: ScaleName,
    low: float,
    high: float,
) -> NDArray[np.uint8]:
    """Return level codes of full-resolution weights: any shape, `masked` broadcasts to it.

    Weight that leaks into a masked cell keeps its colour: it is the evidence.
    """
    finite = np.isfinite(weights)
    where = positions(weights, scale, low, high)
    where *= N_LEVELS
    where += ZERO_CODE + 0.5
    where[~finite] = 0.0
    codes = where.astype(np.uint8)
    if masked is not None:
        codes[masked & (weights == 0)] = MASKED_CODE
    codes[~finite] = NONFINITE_CODE
    return codes


def _sampled(colours: NDArray[np.uint8], where: NDArray[np.floating]) -> NDArray[np.uint32]:
    table = np.zeros(256, dtype=np.uint32)
    nearest = np.rint(where * (len(colours) - 1)).astype(np.intp)
    table[: TOP_CODE + 1] = packed(colours[nearest, :3])
    return table


def _with_reserved(table: NDArray[np.uint32], reserved: ReservedColours) -> NDArray[np.uint32]:
    for code, colour in (
        (BACKGROUND_CODE, reserved.background),
        (GAP_CODE, reserved.gap),
        (MASKED_CODE, reserved.masked),
        (NONFINITE_CODE, reserved.nonfinite),
    ):
        table[code] = 0xFF000000 | colour
    return table
