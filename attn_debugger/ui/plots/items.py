"""What is drawn in a plot. Each item keeps its picture, so that a moving cursor costs nothing.

Qt repaints a graphics item only when it changes once it has a device cache; without one, every
move of the cursor would stroke every curve it crosses (17 ms a frame for 144 curves, measured).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QWidget

from attn_debugger.ui.plots.series import Floats, segments


class _Cached(pg.GraphicsObject):
    """A path in data coordinates, drawn once and then blitted."""

    def __init__(self) -> None:
        super().__init__()
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self._path = QPainterPath()
        self._rect = QRectF()
        self._empty = True

    def _become(self, path: QPainterPath, x: Floats, *edges: Floats) -> None:
        self.prepareGeometryChange()
        self._path = path
        known = np.isfinite(sum(edges))
        self._empty = not known.any()
        if not self._empty:
            low, high = min(e[known].min() for e in edges), max(e[known].max() for e in edges)
            left, right = x[known].min(), x[known].max()
            self._rect = QRectF(left, low, right - left, high - low)
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802
        if self._empty:
            return QRectF()
        along = self.pixelLength(pg.Point(1, 0)) or 0.0
        across = self.pixelLength(pg.Point(0, 1)) or 0.0
        # Pens are as wide on screen as they are told, so the room for them is in pixels.
        return self._rect.adjusted(-4 * along, -4 * across, 4 * along, 4 * across)

    def viewTransformChanged(self) -> None:  # noqa: N802
        self.prepareGeometryChange()
        self.update()


class BandItem(_Cached):
    """The area between two curves; a single frame between gaps shows as a short bar."""

    def __init__(self) -> None:
        super().__init__()
        self._colour = QColor(Qt.GlobalColor.gray)

    def show_band(self, x: Floats, low: Floats, high: Floats, colour: QColor) -> None:
        self._colour = colour
        path = QPainterPath()
        for first, stop in segments(low + high):
            forth = [QPointF(x[i], high[i]) for i in range(first, stop)]
            back = [QPointF(x[i], low[i]) for i in range(stop - 1, first - 1, -1)]
            path.addPolygon(QPolygonF([*forth, *back]))
            path.closeSubpath()
        self._become(path, x, low, high)

    def paint(self, painter: QPainter, option: Any, widget: QWidget | None = None) -> None:
        outline = QPen(self._colour, 1)
        outline.setCosmetic(True)
        painter.setPen(outline)
        painter.setBrush(self._colour)
        painter.drawPath(self._path)


class LineItem(_Cached):
    """A curve with its gaps; a single frame between gaps shows as a dot."""

    def __init__(self) -> None:
        super().__init__()
        self._pen = QPen()
        self._dots = QPolygonF()

    def show_line(self, x: Floats, y: Floats, colour: QColor, width: float) -> None:
        self._pen = QPen(colour, width)
        self._pen.setCosmetic(True)
        self._pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        self._pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        path = QPainterPath()
        dots = []
        for first, stop in segments(y):
            path.moveTo(x[first], y[first])
            if stop == first + 1:
                dots.append(QPointF(x[first], y[first]))
            for i in range(first + 1, stop):
                path.lineTo(x[i], y[i])
        self._dots = QPolygonF(dots)
        self._become(path, x, y)

    def paint(self, painter: QPainter, option: Any, widget: QWidget | None = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._pen)
        painter.drawPath(self._path)
        if not self._dots.isEmpty():
            pen = QPen(self._pen)
            pen.setWidthF(self._pen.widthF() + 4)
            painter.setPen(pen)
            painter.drawPoints(self._dots)


class TickItem(pg.GraphicsObject):
    """Ticks along the lower edge: the frames in which this head holds NaN or infinity."""

    def __init__(self) -> None:
        super().__init__()
        self._x: NDArray[np.float64] = np.zeros(0)
        self._colour = QColor("#FF00FF")

    def show_ticks(self, x: Floats, colour: QColor) -> None:
        self.prepareGeometryChange()
        self._x, self._colour = x, colour
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802
        view = self.viewRect()
        return QRectF() if view is None or not self._x.size else QRectF(view)

    def dataBounds(self, axis: int, *_: object, **__: object) -> tuple[None, None]:  # noqa: N802
        return (None, None)

    def viewTransformChanged(self) -> None:  # noqa: N802
        self.prepareGeometryChange()
        self.update()

    def paint(self, painter: QPainter, option: Any, widget: QWidget | None = None) -> None:
        pen = QPen(self._colour, 2)
        pen.setCosmetic(True)
        painter.setPen(pen)
        view = self.viewRect()
        bottom = view.top()  # data coordinates grow upwards
        height = 4 * (self.pixelLength(pg.Point(0, 1)) or 0.0)
        for x in self._x[(self._x >= view.left()) & (self._x <= view.right())]:
            painter.drawLine(QPointF(x, bottom), QPointF(x, bottom + height))
