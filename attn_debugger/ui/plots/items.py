"""What is drawn in a plot. Each item keeps its picture, so that a moving cursor costs nothing.

Qt repaints a graphics item only when it changes once it has a device cache; without one, every
move of the cursor would stroke every curve it crosses (17 ms a frame for 144 curves, measured).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QWidget

from attn_debugger.ui.plots.series import Floats, segments

_TICK = 4  # height of a tick in pixels


class _Cached(pg.GraphicsObject):
    """A path in data coordinates, drawn once and then blitted."""

    def __init__(self) -> None:
        super().__init__()
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self._path = QPainterPath()
        self._rect = QRectF()
        self._empty = True
        self._bounds: QRectF | None = None  # asked for on every paint of the plot, so kept

    def _become(self, path: QPainterPath, x: Floats, *edges: Floats) -> None:
        self.prepareGeometryChange()
        self._path, self._bounds = path, None
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
        if self._bounds is None:
            along = self.pixelLength(pg.Point(1, 0)) or 0.0
            across = self.pixelLength(pg.Point(0, 1)) or 0.0
            # Pens are as wide on screen as they are told, so the room for them is in pixels.
            self._bounds = self._rect.adjusted(-4 * along, -4 * across, 4 * along, 4 * across)
        return self._bounds

    def viewTransformChanged(self) -> None:  # noqa: N802
        self.prepareGeometryChange()
        self._bounds = None
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
            part = slice(first, stop)
            path.addPolygon(
                pg.functions.arrayToQPolygonF(
                    np.concatenate((x[part], x[part][::-1])),
                    np.concatenate((high[part], low[part][::-1])),
                )
            )
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
            if stop == first + 1:
                dots.append(QPointF(x[first], y[first]))
            else:
                path.addPolygon(pg.functions.arrayToQPolygonF(x[first:stop], y[first:stop]))
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


class TickItem(_Cached):
    """Ticks along the lower edge: the frames in which this head holds NaN or infinity."""

    def __init__(self) -> None:
        super().__init__()
        self._x: Floats = np.zeros(0)
        self._colour = QColor("#FF00FF")

    def show_ticks(self, x: Floats, colour: QColor) -> None:
        self.prepareGeometryChange()
        self._x, self._colour = x, colour
        self._bounds = None
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802
        if not self._x.size:
            return QRectF()
        if self._bounds is None:
            view = self.viewRect()
            height = _TICK * (self.pixelLength(pg.Point(0, 1)) or 0.0)
            # Data coordinates grow upwards: the rectangle's top is the plot's lower edge.
            self._bounds = QRectF(view.left(), view.top(), view.width(), height)
        return self._bounds

    def paint(self, painter: QPainter, option: Any, widget: QWidget | None = None) -> None:
        pen = QPen(self._colour, 2)
        pen.setCosmetic(True)
        painter.setPen(pen)
        room = self.boundingRect()
        inside = self._x[(self._x >= room.left()) & (self._x <= room.right())]
        painter.drawLines([QLineF(x, room.top(), x, room.bottom()) for x in inside])
