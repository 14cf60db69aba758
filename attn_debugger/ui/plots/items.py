"""What is drawn in a plot. Each item keeps its picture, so that a moving cursor costs nothing.

Qt repaints a graphics item only when it changes once it has a device cache; without one, every
move of the cursor would stroke every curve it crosses (17 ms a frame for 144 curves, measured).
A picture is made of what is in view, thinned to the pixels there are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QWidget

from attn_debugger.ui.plots.series import Floats, segments, thin_band, thin_line, visible

_TICK = 4  # height of a tick in pixels
_PER_PIXEL = 1.5  # points drawn for a pixel of width
_NOTHING: Floats = np.zeros(0)


class _Cached(pg.GraphicsObject):
    """A picture in data coordinates, drawn once and then blitted."""

    def __init__(self) -> None:
        super().__init__()
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self._rect: QRectF | None = None  # of the data; None = nothing to draw
        self._bounds: QRectF | None = None  # asked for on every paint of the plot, so kept

    def _become(self, x: Floats, *edges: Floats) -> None:
        """Take the room of all finite points."""
        self.prepareGeometryChange()
        self._rect = self._bounds = None
        known = np.isfinite(sum(edges))
        if known.any():
            low, high = min(e[known].min() for e in edges), max(e[known].max() for e in edges)
            left, right = x[known].min(), x[known].max()
            self._rect = QRectF(left, low, right - left, high - low)
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802
        if self._rect is None:
            return QRectF()
        if self._bounds is None:
            along, across = self._pixel()
            # Pens are as wide on screen as they are told, so the room for them is in pixels.
            self._bounds = self._rect.adjusted(-4 * along, -4 * across, 4 * along, 4 * across)
        return self._bounds

    def viewTransformChanged(self) -> None:  # noqa: N802
        super().viewTransformChanged()  # forgets the view's rectangle
        self.prepareGeometryChange()
        self._bounds = None
        self.update()

    def _pixel(self) -> tuple[float, float]:
        """Return the width and height of a pixel in data coordinates."""
        along = self.pixelLength(pg.Point(1, 0)) or 0.0
        return along, self.pixelLength(pg.Point(0, 1)) or 0.0

    def _in_view(self, x: Floats) -> tuple[slice, int]:
        """Return the points in view, and how many of them are worth drawing."""
        view = self.viewRect()
        along, _ = self._pixel()
        pixels = view.width() / along if along else 1000.0
        return visible(x, view.left(), view.right()), max(int(pixels * _PER_PIXEL), 64)


def _pen(painter: QPainter, colour: QColor, width: float) -> QPen:
    """Return a pen of `width` logical pixels: a cosmetic pen alone counts those of the screen."""
    pen = QPen(colour, width * painter.device().devicePixelRatio())
    pen.setCosmetic(True)
    pen.setJoinStyle(Qt.PenJoinStyle.BevelJoin)
    return pen


class BandItem(_Cached):
    """The area between two curves; a single frame between gaps shows as a short bar."""

    def __init__(self) -> None:
        super().__init__()
        self._colour = QColor(Qt.GlobalColor.gray)
        self._band = (_NOTHING, _NOTHING, _NOTHING)

    def show_band(self, x: Floats, low: Floats, high: Floats, colour: QColor) -> None:
        self._colour, self._band = colour, (x, low, high)
        self._become(x, low, high)

    def paint(self, painter: QPainter, option: Any, widget: QWidget | None = None) -> None:
        x, low, high = self._band
        part, most = self._in_view(x)
        x, low, high = thin_band(x[part], low[part], high[part], most)
        single = _pen(painter, self._colour, 3)
        painter.setBrush(self._colour)
        for first, stop in segments(low + high):
            if stop == first + 1:
                painter.setPen(single)
                painter.drawLine(QPointF(x[first], low[first]), QPointF(x[first], high[first]))
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawPolygon(
                pg.functions.arrayToQPolygonF(
                    np.concatenate((x[first:stop], x[first:stop][::-1])),
                    np.concatenate((high[first:stop], low[first:stop][::-1])),
                )
            )


class LineItem(_Cached):
    """A curve with its gaps; a single frame between gaps shows as a dot."""

    def __init__(self, *, dashed: bool = False) -> None:
        super().__init__()
        self._dashed = dashed
        self._colour = QColor(Qt.GlobalColor.gray)
        self._width = 1.0
        self._line = (_NOTHING, _NOTHING)

    def show_line(self, x: Floats, y: Floats, colour: QColor, width: float) -> None:
        self._colour, self._width = colour, width
        self._line = (x, y)
        self._become(x, y)

    def paint(self, painter: QPainter, option: Any, widget: QWidget | None = None) -> None:
        part, most = self._in_view(self._line[0])
        x, y = thin_line(self._line[0][part], self._line[1][part], most)
        path, dots = QPainterPath(), []
        for first, stop in segments(y):
            if stop == first + 1:
                dots.append(QPointF(x[first], y[first]))
            else:
                path.addPolygon(pg.functions.arrayToQPolygonF(x[first:stop], y[first:stop]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = _pen(painter, self._colour, self._width)
        if self._dashed:
            pen.setDashPattern([4.0, 3.0])
        painter.setPen(pen)
        painter.drawPath(path)
        if dots:
            pen = _pen(painter, self._colour, self._width + 4)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawPoints(QPolygonF(dots))


class TickItem(_Cached):
    """Ticks along the lower edge: the frames in which this head holds NaN or infinity."""

    def __init__(self) -> None:
        super().__init__()
        self._x = _NOTHING
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
            # Data coordinates grow upwards: the rectangle's top is the plot's lower edge.
            self._bounds = QRectF(view.left(), view.top(), view.width(), _TICK * self._pixel()[1])
        return self._bounds

    def paint(self, painter: QPainter, option: Any, widget: QWidget | None = None) -> None:
        painter.setPen(_pen(painter, self._colour, 2))
        room = self.boundingRect()
        part, most = self._in_view(self._x)
        x = self._x[part]
        if len(x) > most:
            x = x[:: len(x) // most + 1]
        painter.drawLines([QLineF(step, room.top(), step, room.bottom()) for step in x])
