"""Which head: the pair every view, flag and file agrees on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class HeadRef(NamedTuple):
    """One attention head. Layers and heads count from zero everywhere."""

    layer: int
    head: int

    def __str__(self) -> str:
        return f"L{self.layer}.H{self.head}"


def head_table(rows: Sequence[Sequence[float | None]], n_heads: int = 0) -> NDArray[np.float64]:
    """Return a number of each head as (layer, head), from a row of them for each layer.

    NaN where there is none, and where a layer has fewer heads than another, or than `n_heads`.
    """
    table = np.full((len(rows), max(n_heads, *map(len, rows), 0)), np.nan)
    for layer, row in enumerate(rows):
        table[layer, : len(row)] = [np.nan if number is None else number for number in row]
    return table
