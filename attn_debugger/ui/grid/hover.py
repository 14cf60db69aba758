"""What the pointer is over: the message both the head grid and the head view send."""

from __future__ import annotations

from dataclasses import dataclass

from attn_debugger.core.heads import HeadRef


@dataclass(frozen=True, slots=True)
class Hover:
    """One cell under the pointer.

    `value` is its weight: NaN where it is not finite, `None` where nothing is known. `exact` tells
    whether that is the stored value or read off an overview code (right to about 3 %). Where a
    pixel stands for several cells, `query` and `key` are the first of them, `n_cells` says how
    many, and `value` is their largest. `masked`: masked on purpose and without weight, drawn in
    grey; weight that leaks through a mask is shown and counts as a value.
    """

    head: HeadRef
    query: int
    key: int
    value: float | None
    exact: bool = False
    n_cells: int = 1
    masked: bool = False
