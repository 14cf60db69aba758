"""What changed in every head since a pinned step: signed tiles, and one number a head. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import GridFrame
from attn_debugger.ui.grid.codes import Codes, weights_of_codes
from attn_debugger.ui.grid.colouring import levels

SMALLEST_LIMIT = 1e-3  # below, what is seen is the rounding of the overviews


@dataclass(frozen=True)
class GridDifference:
    """`after` - `before`, tile by tile, of max-pooled weights.

    `frame` is the later frame with `known` only where both have the head, with maps of the same
    shape. Colours run from -`limit` to +`limit`; `codes` are level codes, non-finite where either
    is. `change` (layer, head) is the share of each query's attention that moved, 0 to 1, as the
    mean over queries; NaN = not known.
    """

    frame: GridFrame
    codes: Codes  # (layer, head, tile, tile)
    limit: float
    change: NDArray[np.float64]


def grid_difference(before: GridFrame, after: GridFrame) -> GridDifference:
    """Return what changed. Raises `ValueError` for frames of other runs or tile sizes."""
    if before.codes.shape != after.codes.shape:
        raise ValueError(f"tiles {before.codes.shape} and {after.codes.shape} cannot be compared")
    table = weights_of_codes().astype(np.float32)
    values = table[after.codes]
    values -= table[before.codes]
    same_shape = [a == b for a, b in zip(before.shapes, after.shapes, strict=True)]
    known = before.known & after.known & np.array(same_shape, np.bool_)[:, None]
    finite = np.isfinite(values)
    finite &= known[..., None, None]
    moved = np.abs(values, where=finite, out=np.zeros_like(values))
    limit = round_limit(float(moved.max(initial=0.0)))
    masked = (before.masked & after.masked)[:, None]
    return GridDifference(
        frame=replace(after, known=known),
        codes=levels(values, masked, scale="linear", low=-limit, high=limit),
        limit=limit,
        change=_change(moved, finite, known, after.shapes, after.tile),
    )


def round_limit(largest: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at least `largest`: it stays while stepping on."""
    largest = max(largest, SMALLEST_LIMIT)
    power = 10.0 ** math.floor(math.log10(largest) + 1e-9)
    return next(step * power for step in (1, 2, 5, 10) if step * power >= largest * (1 - 1e-9))


def _change(
    moved: NDArray[np.float32],
    finite: NDArray[np.bool_],
    known: NDArray[np.bool_],
    shapes: tuple[tuple[int, int], ...],
    tile: int,
) -> NDArray[np.float64]:
    """Return half the sum of a row's absolute differences, the mean over rows, (layer, head).

    That is the total variation distance of the two distributions; of pooled tiles an estimate. A
    tile that repeats cells counts each of them `tile / keys` times. Rows with anything non-finite
    are left out.
    """
    whole_rows = finite.all(axis=-1)  # (layer, head, row)
    rows = np.where(whole_rows, moved.sum(axis=-1, dtype=np.float64), 0.0)
    counted = whole_rows.sum(axis=-1)
    means = rows.sum(axis=-1) / np.maximum(counted, 1) / 2
    repeats = np.array([min(1.0, n_keys / tile) for _, n_keys in shapes])[:, None]
    return np.where(known & (counted > 0), np.minimum(means * repeats, 1.0), np.nan)
