"""The timeline's picture, of which only the parts that changed are painted anew.

While a long run is examined its findings grow several times a second; over 10,000 frames of 144
heads the strip and the curve would each hold the window up for longer than everything else.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPixmap

from attn_debugger.ui.theme import Theme
from attn_debugger.ui.timeline.axis import TimelineAxis
from attn_debugger.ui.timeline.columns import Columns, columns
from attn_debugger.ui.timeline.content import TimelineContent
from attn_debugger.ui.timeline.lanes import Lanes
from attn_debugger.ui.timeline.painting import (
    paint_axis,
    paint_curve,
    paint_over,
    paint_severity,
    paint_strip,
)
from attn_debugger.ui.timeline.raster import SEVERITY

_VALUES = (int, float, str, tuple, list, type(None))


@dataclass(frozen=True, eq=False, kw_only=True)
class Canvas:
    """What a picture is painted on: its size in pixels of the window, and how text looks."""

    size: QSize
    ratio: float  # device pixels in a pixel of the window
    font: QFont
    theme: Theme

    def equals(self, other: Canvas | None) -> bool:
        return (
            other is not None
            and self.theme is other.theme
            and (self.size, self.ratio, self.font) == (other.size, other.ratio, other.font)
        )


@dataclass(frozen=True, eq=False)
class Part:
    """A piece of the picture, what it is made of, and how it is painted there."""

    name: str
    box: QRectF
    made_of: tuple[object, ...]
    paint: Callable[[QPainter], None]
    is_opaque: bool = True


class TimelinePicture:
    """Paints everything under the cursor and remembers each part with what it was made of."""

    def __init__(self) -> None:
        self.paint_seconds = 0.0  # what the last change cost
        self._canvas: Canvas | None = None
        self._kept: dict[str, tuple[tuple[object, ...], QPixmap]] = {}
        self._columns: tuple[TimelineAxis, Columns] | None = None
        self._whole: QPixmap | None = None

    def painted(
        self, content: TimelineContent, axis: TimelineAxis, where: Lanes, canvas: Canvas
    ) -> QPixmap:
        """Return the picture of `content`; the same one as the last time if nothing changed."""
        if not canvas.equals(self._canvas):
            self._kept.clear()
            self._whole, self._canvas = None, canvas
        started = time.perf_counter()
        parts = self._parts(content, axis, where, canvas)
        changed = [part for part in parts if not self._has(part)]
        for part in changed:
            self._kept[part.name] = part.made_of, _paint(part, canvas)
        if changed or self._whole is None:
            self._whole = self._put_together(parts, canvas)
            self.paint_seconds = time.perf_counter() - started
        return self._whole

    def _parts(
        self, content: TimelineContent, axis: TimelineAxis, where: Lanes, canvas: Canvas
    ) -> list[Part]:
        """Return all parts, those on top last."""
        theme, run = canvas.theme, content.run
        width, height = canvas.size.width(), canvas.size.height()
        curve = QRectF(0, where.curve.top(), width, where.curve.height())
        below = QRectF(0, where.axis.top(), width, where.axis.height())
        rows_of = content.diagnosis if content.strip == SEVERITY else content.history

        def columns_of() -> Columns:
            if self._columns is None or self._columns[0] is not axis:
                self._columns = axis, columns(axis, max(1, round(where.strip.width())))
            return self._columns[1]

        return [
            Part(
                "severity",
                where.severity,
                (axis, content.diagnosis, content.n_scanned),
                lambda it: paint_severity(it, content, columns_of(), where.severity, theme),
            ),
            Part(
                "strip",
                where.strip,
                (axis, content.strip, rows_of, content.rows),
                lambda it: paint_strip(it, content, columns_of(), where.strip, theme),
            ),
            Part(
                "curve",
                curve,
                (axis, content.curve, content.axis_mode, run),
                lambda it: paint_curve(it, content, axis, where.curve, theme),
            ),
            Part(
                "axis",
                below,
                (axis, content.axis_mode),
                lambda it: paint_axis(it, content, axis, where.axis, theme),
            ),
            Part(
                "over",
                QRectF(0, 0, width, height),
                (axis, content.flag_marks, content.notes, run.checkpoints, where.strip.top()),
                lambda it: paint_over(it, content, axis, where, theme),
                is_opaque=False,
            ),
        ]

    def _has(self, part: Part) -> bool:
        kept = self._kept.get(part.name)
        if kept is None or part.box.size() != kept[1].deviceIndependentSize():
            return False
        return _are_same(kept[0], part.made_of)

    def _put_together(self, parts: list[Part], canvas: Canvas) -> QPixmap:
        picture = _blank(QSizeF(canvas.size), QColor(canvas.theme.background), canvas.ratio)
        painter = QPainter(picture)
        for part in parts:
            painter.drawPixmap(part.box.topLeft(), self._kept[part.name][1])
        painter.end()
        return picture


def _paint(part: Part, canvas: Canvas) -> QPixmap:
    """Paint a part in the coordinates of the whole picture."""
    background = QColor(canvas.theme.background) if part.is_opaque else Qt.GlobalColor.transparent
    picture = _blank(part.box.size(), QColor(background), canvas.ratio)
    painter = QPainter(picture)
    painter.setFont(canvas.font)
    painter.translate(-part.box.topLeft())
    part.paint(painter)
    painter.end()
    return picture


def _blank(size: QSizeF, colour: QColor, ratio: float) -> QPixmap:
    picture = QPixmap((size * ratio).toSize().expandedTo(QSize(1, 1)))
    picture.setDevicePixelRatio(ratio)
    picture.fill(colour)
    return picture


def _are_same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Compare plain values by value, all else by identity: a history is not looked through."""
    return all(
        a is b or (isinstance(a, _VALUES) and type(a) is type(b) and a == b)
        for a, b in zip(one, other, strict=True)
    )
