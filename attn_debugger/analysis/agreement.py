"""How two maps of the same attention differ, head by head: recorded and computed again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.words import say

TOLERANCE = 1e-3
# What the storage itself rounds a weight by, at most.
_STORAGE = {"uint8": 0.5 / 255, "uint8-sqrt": 1 / 255, "bfloat16": 2.0**-9, "float16": 2.0**-12}


def tolerance_of(storage: str) -> float:
    """Return how far recorded and recomputed weights may be apart, as they were stored."""
    return TOLERANCE + _STORAGE.get(storage, 0.0)


def head_differences(
    recorded: LayerFrame, weights: NDArray[np.floating] | None
) -> tuple[list[float | None], str]:
    """Return the largest |difference| of each head over real queries, and why there is none.

    `weights` is (head, query, key). Cells that are not finite in both agree; None = not comparable.
    """
    heads = len(recorded.heads)
    maps = recorded.weights
    if maps is None or not recorded.present:
        return [None] * heads, say("no full map was recorded at this step")
    if weights is None:
        return [None] * heads, say("the model's own weights could not be captured")
    if weights.shape != maps.shape:
        return [None] * heads, say(
            "maps of different shape: recorded {recorded}, recomputed {recomputed} "
            "(head, query, key)",
            recorded=maps.shape,
            recomputed=weights.shape,
        )
    rows = np.ones(maps.shape[1], bool)
    if recorded.query_padding is not None and len(recorded.query_padding) == len(rows):
        rows = ~recorded.query_padding
    if not rows.any():
        return [None] * heads, say("every query of this sample is padding")
    one, two = maps[:, rows], weights[:, rows]
    broken = ~np.isfinite(one) & ~np.isfinite(two)
    off = np.where(broken, 0, np.abs(np.nan_to_num(one, nan=2.0) - np.nan_to_num(two, nan=2.0)))
    return [float(value) for value in off.max((1, 2))], ""
