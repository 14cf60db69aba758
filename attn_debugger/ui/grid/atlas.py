"""One picture for all heads: a persistent index buffer, a cached colour table, one blit.

pyqtgraph's own item rebuilds its 256-entry colour table in Python at every render, and Qt draws
indexed images several times slower than RGB32 ones. This item builds the table when the colours
change, writes new data straight into the picture's memory and converts once per change.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

Codes = NDArray[np.uint8]


class AtlasItem(pg.ImageItem):
    """An image of codes (row, column) with one colour a code; row 0 is on top.

    `see_through`: code 0 has no colour, what lies below shows.
    """

    def __init__(self, *, see_through: bool = False) -> None:
        super().__init__(axisOrder="row-major")
        self._format = QImage.Format.Format_RGB32
        if see_through:
            self._format = QImage.Format.Format_ARGB32_Premultiplied
        self._see_through = see_through
        self._table: list[int] = [0xFF000000] * 256
        self._indexed = QImage()
        self.pixels: Codes = np.zeros((0, 0), np.uint8)  # (row, column), the picture's own memory
        self._picture: QImage | None = None  # in true colours, made when first painted
        self.allocate(1, 1)

    def allocate(self, width: int, height: int) -> None:
        """Make room for a picture of this size, all codes 0. No effect when it already has it."""
        if (self._indexed.width(), self._indexed.height()) == (width, height):
            return
        self.prepareGeometryChange()
        self._indexed = QImage(max(width, 1), max(height, 1), QImage.Format.Format_Indexed8)
        self._indexed.setColorTable(self._table)
        self._indexed.fill(0)
        rows = np.frombuffer(self._indexed.bits(), np.uint8)
        self.pixels = rows.reshape(self._indexed.height(), -1)[:, : self._indexed.width()]
        self.image = self.pixels  # what pyqtgraph's exporters and tests look at
        self.changed()

    def set_table(self, table: NDArray[np.uint32]) -> None:
        """Give each of the 256 codes a colour, 0xFFRRGGBB. No pixel is touched."""
        colours = table.tolist()
        if self._see_through:
            colours[0] = 0
        if colours != self._table:
            self._table = colours
            self._indexed.setColorTable(colours)
            self.changed()

    @property
    def table(self) -> NDArray[np.uint32]:
        return np.array(self._table, np.uint32)

    def changed(self) -> None:
        """Say that `pixels` were written to."""
        self._picture = None
        self.update()

    def picture(self) -> QImage:
        """Return the coloured picture, one pixel a code."""
        if self._picture is None:
            self._picture = self._indexed.convertToFormat(self._format)
        return self._picture

    def width(self) -> int:
        return self._indexed.width()

    def height(self) -> int:
        return self._indexed.height()

    def boundingRect(self) -> QRectF:  # noqa: N802
        return QRectF(0.0, 0.0, float(self.width()), float(self.height()))

    def render(self) -> None:
        self.qimage = self.picture()

    def paint(self, painter: QPainter, *_: Any) -> None:
        # Shrunk without filtering, whole rows of cells would fall out between screen pixels.
        shrunk = abs(painter.deviceTransform().m11()) < 1.0
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, shrunk)
        painter.drawImage(self.boundingRect(), self.picture())

    def viewTransformChanged(self) -> None:  # noqa: N802
        """Nothing to recompute: the picture does not depend on the view."""
