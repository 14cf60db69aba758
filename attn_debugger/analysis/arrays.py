"""The kinds of arrays the analysis passes around."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Bools = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]


def heads_of_a_layer(n_heads: int, share: float) -> float:
    """How many heads make a finding of the whole layer: that share, and two where there are two."""
    return max(min(2.0, n_heads), share * n_heads)


def any_over(values: Bools, axis: int | tuple[int, ...]) -> Bools:
    """`values.any(axis)` as the array it is."""
    result: Bools = np.asarray(values.any(axis))
    return result
