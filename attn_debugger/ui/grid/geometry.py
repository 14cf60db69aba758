"""Where everything lies in the mosaic: pixel <-> (layer, head, query, key). Pure arithmetic.

Mosaic pixels count from the top left; x runs right, y runs down. Tiles are `tile` pixels wide and
`pitch` apart. One *world unit* is one pitch, so that the camera stays put when the tile size
changes under it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.heads import HeadRef

Slots = tuple[tuple[HeadRef | None, ...], ...]


@dataclass(frozen=True, slots=True)
class CellRange:
    """The cells of one head under a mosaic pixel: more than one where the tile is pooled.

    `queries` and `keys` are (first, last + 1).
    """

    head: HeadRef
    queries: tuple[int, int]
    keys: tuple[int, int]

    @property
    def n_cells(self) -> int:
        return (self.queries[1] - self.queries[0]) * (self.keys[1] - self.keys[0])


def cells_under(pixel: int, tile: int, n_cells: int) -> tuple[int, int]:
    """Return (first, last + 1) of the cells along one axis that tile pixel `pixel` shows.

    Fewer cells than pixels repeat: cell c covers pixels `c * tile // n` up to
    `(c + 1) * tile // n`. More cells than pixels are pooled: cell c lies in pixel
    `c * tile // n` (as in the archive's overviews).
    """
    if n_cells <= tile:
        cell = ((pixel + 1) * n_cells - 1) // tile
        return cell, cell + 1
    return -(-pixel * n_cells // tile), -(-(pixel + 1) * n_cells // tile)


def pixels_of(cell: int, tile: int, n_cells: int) -> tuple[int, int]:
    """Return (first, last + 1) of the tile pixels along one axis that show `cell`."""
    first = cell * tile // n_cells
    return first, (cell + 1) * tile // n_cells if n_cells <= tile else first + 1


def layers_by_heads(heads_per_layer: tuple[int, ...]) -> Slots:
    """Arrange heads as the model has them: layers down, heads right, `None` where there is none."""
    width = max(heads_per_layer, default=0)
    return tuple(
        tuple(HeadRef(layer, head) if head < count else None for head in range(width))
        for layer, count in enumerate(heads_per_layer)
    )


@dataclass(frozen=True, slots=True)
class SlotArrays:
    """The slots as arrays (row, column): whose layer and head stands there, and whether any."""

    layers: NDArray[np.intp]
    heads: NDArray[np.intp]
    filled: NDArray[np.bool_]
    in_model_order: bool  # each head stands in the row of its layer and the column of its number


@dataclass(frozen=True)
class GridGeometry:
    """The mosaic of one frame.

    `slots[row][column]` says which head stands where (`None` = nothing), `shapes[layer]` is the
    (Q, K) of its maps in this frame, (0, 0) for a gap.
    """

    slots: Slots
    shapes: tuple[tuple[int, int], ...]
    tile: int = 64

    @property
    def gap(self) -> int:
        """Pixels between tiles: a sixteenth, room for an outline that covers no cell."""
        return max(1, self.tile // 16)

    @property
    def pitch(self) -> int:
        return self.tile + self.gap

    @property
    def n_rows(self) -> int:
        return len(self.slots)

    @property
    def n_columns(self) -> int:
        return len(self.slots[0]) if self.slots else 0

    @property
    def width(self) -> int:
        """Mosaic pixels across, the gap right of the last column included."""
        return self.n_columns * self.pitch

    @property
    def height(self) -> int:
        """Mosaic pixels down, the gap under the last row included."""
        return self.n_rows * self.pitch

    @cached_property
    def _slot_of_head(self) -> dict[HeadRef, tuple[int, int]]:
        return {
            head: (row, column)
            for row, heads in enumerate(self.slots)
            for column, head in enumerate(heads)
            if head is not None
        }

    @cached_property
    def slot_arrays(self) -> SlotArrays:
        """The slots as index arrays."""
        shape = (self.n_rows, self.n_columns)
        layers, heads = np.zeros(shape, np.intp), np.zeros(shape, np.intp)
        filled = np.zeros(shape, np.bool_)
        for head, slot in self._slot_of_head.items():
            layers[slot], heads[slot], filled[slot] = head.layer, head.head, True
        rows, columns = np.indices(shape)
        moved = filled & ((layers != rows) | (heads != columns))
        return SlotArrays(layers, heads, filled, in_model_order=not moved.any())

    def heads(self) -> tuple[HeadRef, ...]:
        """Every head shown, in reading order."""
        return tuple(self._slot_of_head)

    def slot_of(self, head: HeadRef) -> tuple[int, int] | None:
        """Return (row, column) of a head, `None` when it is not shown."""
        return self._slot_of_head.get(head)

    def tile_origin(self, row: int, column: int) -> tuple[int, int]:
        """Return (x, y) of a slot's top left mosaic pixel."""
        return column * self.pitch, row * self.pitch

    def head_at(self, x: float, y: float) -> HeadRef | None:
        """Return the head whose tile covers mosaic point (x, y); `None` in gaps and outside."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            return None
        column, x_in_tile = divmod(math.floor(x), self.pitch)
        row, y_in_tile = divmod(math.floor(y), self.pitch)
        if x_in_tile >= self.tile or y_in_tile >= self.tile:
            return None
        return self.slots[row][column]

    def cells_at(self, x: float, y: float) -> CellRange | None:
        """Return the cells under mosaic point (x, y); `None` in gaps, outside and in empty maps."""
        head = self.head_at(x, y)
        if head is None:
            return None
        n_queries, n_keys = self.shape_of(head)
        if not n_queries or not n_keys:
            return None
        return CellRange(
            head,
            cells_under(math.floor(y) % self.pitch, self.tile, n_queries),
            cells_under(math.floor(x) % self.pitch, self.tile, n_keys),
        )

    def shape_of(self, head: HeadRef) -> tuple[int, int]:
        """Return (Q, K) of the head's layer in this frame; (0, 0) when unknown."""
        return self.shapes[head.layer] if head.layer < len(self.shapes) else (0, 0)

    def cell_rectangle(
        self, head: HeadRef, query: int, key: int
    ) -> tuple[int, int, int, int] | None:
        """Return (x, y, width, height) in mosaic pixels of one cell; `None` = not shown."""
        slot = self.slot_of(head)
        n_queries, n_keys = self.shape_of(head)
        if slot is None or not (0 <= query < n_queries and 0 <= key < n_keys):
            return None
        left, top = self.tile_origin(*slot)
        first_x, last_x = pixels_of(key, self.tile, n_keys)
        first_y, last_y = pixels_of(query, self.tile, n_queries)
        return left + first_x, top + first_y, last_x - first_x, last_y - first_y
