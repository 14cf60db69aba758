"""Where the tiles lie on the canvas, in screen pixels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.camera import Camera
from attn_debugger.ui.grid.geometry import GridGeometry


@dataclass(frozen=True)
class Placement:
    """Where the mosaic lies on the canvas, in screen pixels."""

    geometry: GridGeometry
    camera: Camera
    width: float
    height: float
    left: float  # header margins
    top: float

    @property
    def tile_side(self) -> float:
        return self.camera.scale * self.geometry.tile / self.geometry.pitch

    def tile(self, row: int, column: int) -> QRectF:
        x, y = self.camera.to_screen(column, row)
        return QRectF(x, y, self.tile_side, self.tile_side)

    def cell(self, head: HeadRef, query: int, key: int) -> QRectF | None:
        """Return where one cell lies; `None` when it is not shown."""
        found = self.geometry.cell_rectangle(head, query, key)
        if found is None:
            return None
        unit = self.camera.scale / self.geometry.pitch
        x, y = self.camera.to_screen(found[0] / self.geometry.pitch, found[1] / self.geometry.pitch)
        return QRectF(x, y, found[2] * unit, found[3] * unit)

    def visible(self) -> Iterator[tuple[HeadRef, QRectF]]:
        """Yield the heads that are at least partly on the canvas, with their tiles."""
        side = self.tile_side
        columns = self._within(self.geometry.n_columns, self.camera.x, self.width)
        for row in self._within(self.geometry.n_rows, self.camera.y, self.height):
            slots = self.geometry.slots[row]
            for column in columns:
                head = slots[column]
                if head is not None:
                    x, y = self.camera.to_screen(column, row)
                    yield head, QRectF(x, y, side, side)

    def _within(self, count: int, origin: float, length: float) -> range:
        first = max(0, math.floor(origin))
        return range(first, min(count, math.ceil(origin + length / self.camera.scale)))


def faded(colour: str, alpha: int) -> QColor:
    """Return a colour with an opacity of `alpha`, 0 to 255."""
    ink = QColor(colour)
    ink.setAlpha(alpha)
    return ink
