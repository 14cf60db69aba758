"""The signed difference of two maps of the same head, ready to be painted. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attn_debugger.ui.grid.colouring import levels
from attn_debugger.ui.head.picture import HeadMap

SMALLEST_LIMIT = 1e-12  # two equal maps: everything is neutral, nothing is divided by zero


@dataclass(frozen=True)
class Difference:
    """`values` = after - before, (query, key); NaN where either is not finite.

    Colours run from -`limit` to +`limit`, so that no change is always the neutral middle.
    """

    values: NDArray[np.float32]
    limit: float
    codes: NDArray[np.uint8]

    @property
    def n_nonfinite(self) -> int:
        return int((~np.isfinite(self.values)).sum())


def difference(before: HeadMap, after: HeadMap) -> Difference:
    """Return after - before. Raises `ValueError` for maps of different shape."""
    if before.weights.shape != after.weights.shape:
        raise ValueError(f"maps of {_shape(before)} and {_shape(after)} cells cannot be subtracted")
    with np.errstate(invalid="ignore"):
        values = after.weights - before.weights
    values = np.where(np.isfinite(values), values, np.float32(np.nan))
    finite = np.abs(values[np.isfinite(values)])
    limit = max(float(finite.max()) if finite.size else 0.0, SMALLEST_LIMIT)
    masked = None
    if before.masked is not None and after.masked is not None:
        masked = before.masked & after.masked
    codes = levels(values, masked, scale="linear", low=-limit, high=limit)
    return Difference(values, limit, codes)


def _shape(head_map: HeadMap) -> str:
    return f"{head_map.n_queries} x {head_map.n_keys}"
