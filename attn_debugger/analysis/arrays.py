"""The kinds of arrays the analysis passes around."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Bools = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]


def any_over(values: Bools, axis: int | tuple[int, ...]) -> Bools:
    """`values.any(axis)` as the array it is."""
    result: Bools = np.asarray(values.any(axis))
    return result
