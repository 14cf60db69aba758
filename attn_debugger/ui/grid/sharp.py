"""Tiles made of full maps, painted over the mosaic where they are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtGui import QTransform

from attn_debugger.core.frame import NONFINITE_CODE, TOP_CODE, SharpTile, SharpTiles
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.atlas import AtlasItem
from attn_debugger.ui.grid.codes import BACKGROUND_CODE, Codes, lowest_codes
from attn_debugger.ui.grid.geometry import GridGeometry
from attn_debugger.ui.grid.hover import Hover
from attn_debugger.ui.grid.tile_size import MAX_MOSAIC_PIXELS


class SharpLayer:
    """A second, see-through picture over the first: as large as the heads in sight need."""

    def __init__(self, item: AtlasItem) -> None:
        self._item = item
        self._known: dict[HeadRef, SharpTile] = {}
        self._geometry: GridGeometry | None = None
        item.setVisible(False)

    def paint(
        self, tiles: SharpTiles, mosaic: GridGeometry, codes_of: Callable[[SharpTile], Codes]
    ) -> None:
        """Paint what is known; `codes_of` stretches a tile to the range of its head."""
        slots = {tile.head: mosaic.slot_of(tile.head) for tile in tiles.tiles}
        placed = [slot for slot in slots.values() if slot is not None]
        geometry = replace(mosaic, tile=tiles.tile)
        if not placed:
            return self.hide()
        (top, left), (bottom, right) = np.min(placed, axis=0), np.max(placed, axis=0) + 1
        width, height = (right - left) * geometry.pitch, (bottom - top) * geometry.pitch
        if width * height > 2 * MAX_MOSAIC_PIXELS:
            return self.hide()  # scattered by an order of the heads
        self._item.allocate(int(width), int(height))
        pixels = self._item.pixels
        pixels[...] = BACKGROUND_CODE
        for tile in tiles.tiles:
            slot = slots[tile.head]
            if slot is not None:
                y, x = (slot[0] - top) * geometry.pitch, (slot[1] - left) * geometry.pitch
                raised = np.maximum(codes_of(tile), lowest_codes(tile.masked))
                pixels[y : y + tiles.tile, x : x + tiles.tile] = raised
        place = QTransform.fromTranslate(float(left), float(top))
        self._item.setTransform(place.scale(1 / geometry.pitch, 1 / geometry.pitch))
        self._item.changed()
        self._item.setVisible(True)
        self._known = {tile.head: tile for tile in tiles.tiles}
        self._geometry = geometry
        return None

    def hide(self) -> None:
        """Let the mosaic below be seen."""
        self._known, self._geometry = {}, None
        self._item.setVisible(False)

    def hover_at(self, x: float, y: float, mosaic: GridGeometry) -> Hover | None:
        """Return what lies under a point, in pixels of the mosaic; `None` where it is not sharp."""
        if self._geometry is None:
            return None
        finer = self._geometry.pitch / mosaic.pitch
        x, y = x * finer, y * finer
        cells = self._geometry.cells_at(x, y)
        tile = None if cells is None else self._known.get(cells.head)
        if cells is None or tile is None:
            return None
        row, column = int(y) % self._geometry.pitch, int(x) % self._geometry.pitch
        code = int(tile.codes[row, column])
        value = float("nan") if code == NONFINITE_CODE else (code / TOP_CODE) ** 4
        masked = value == 0 and bool(tile.masked[row, column])
        return Hover(
            cells.head,
            cells.queries[0],
            cells.keys[0],
            value,
            n_cells=cells.n_cells,
            masked=masked,
        )
