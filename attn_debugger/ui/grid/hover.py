"""What the pointer is over: the message both the head grid and the head view send."""

from __future__ import annotations

from dataclasses import dataclass

from attn_debugger.core.frame import NONFINITE_CODE, TOP_CODE, GridFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.geometry import GridGeometry


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


def hover_in(frame: GridFrame, geometry: GridGeometry, x: float, y: float) -> Hover | None:
    """Return what lies under a point of the mosaic, in mosaic pixels; `None` over no cell."""
    cells = geometry.cells_at(x, y)
    if cells is None:
        return None
    head = cells.head
    if head.layer >= len(frame.known) or head.head >= len(frame.known[head.layer]):
        return None
    value: float | None = None
    masked = False
    if frame.known[head]:
        row, column = int(y) % geometry.pitch, int(x) % geometry.pitch
        code = int(frame.codes[(*head, row, column)])
        value = float("nan") if code == NONFINITE_CODE else (code / TOP_CODE) ** 4
        masked = value == 0 and bool(frame.masked[head.layer, row, column])
    return Hover(head, cells.queries[0], cells.keys[0], value, n_cells=cells.n_cells, masked=masked)
