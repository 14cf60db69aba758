"""Everything the grid shows over its heatmaps: labels, outlines, badges, numbers and tags.

It is painted in screen pixels, sharp at any zoom, into a pixmap that the canvas caches: stepping
through frames repaints it only when what it shows has changed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from attn_debugger.core.flags import Severity
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.camera import Camera
from attn_debugger.ui.grid.geometry import GridGeometry
from attn_debugger.ui.theme import Theme

SMALLEST_TILE_FOR_BADGES = 20.0  # screen pixels; below, the outline alone has to say it
SMALLEST_TILE_FOR_NUMBERS = 34.0
SMALLEST_TILE_FOR_TAGS = 56.0
SMALLEST_TILE_FOR_NAMES = 56.0


@dataclass(frozen=True)
class OverlayContent:
    """What is said about the heads, apart from their maps."""

    flags: Mapping[HeadRef, Severity] = field(default_factory=dict)
    tags: Mapping[HeadRef, tuple[str, ...]] = field(default_factory=dict)
    numbers: Mapping[HeadRef, str] = field(default_factory=dict)
    nonfinite: frozenset[HeadRef] = frozenset()
    gaps: frozenset[HeadRef] = frozenset()
    dimmed: frozenset[HeadRef] = frozenset()


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

    def visible(self) -> Iterator[tuple[HeadRef, QRectF]]:
        """Yield the heads that are at least partly on the canvas, with their tiles."""
        for row in self._within(self.geometry.n_rows, self.camera.y, self.height):
            for column in self._within(self.geometry.n_columns, self.camera.x, self.width):
                head = self.geometry.slots[row][column]
                if head is not None:
                    yield head, self.tile(row, column)

    def _within(self, count: int, origin: float, length: float) -> range:
        first = max(0, math.floor(origin))
        return range(first, min(count, math.ceil(origin + length / self.camera.scale)))


def paint_overlay(
    painter: QPainter, place: Placement, content: OverlayContent, theme: Theme, font: QFont
) -> None:
    """Paint everything but the selection and what follows the pointer."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for head, tile in place.visible():
        if head in content.gaps:
            _paint_gap(painter, tile, theme)
        if head in content.dimmed:
            painter.fillRect(tile, _faded(theme.background, 170))
        _paint_outline(painter, tile, head, content, theme)
        _paint_words(painter, tile, head, content, theme, font)
    _paint_headers(painter, place, theme, font)


def paint_selection(painter: QPainter, tile: QRectF, theme: Theme) -> None:
    """Frame the selected head in the accent colour, with a halo that parts it from any outline."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _frame(painter, tile.adjusted(-3.5, -3.5, 3.5, 3.5), theme.background, 4.0)
    _frame(painter, tile.adjusted(-3.0, -3.0, 3.0, 3.0), theme.accent, 2.4)


def _frame(painter: QPainter, rectangle: QRectF, colour: str, width: float) -> None:
    pen = QPen(QColor(colour), width)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rectangle)


def _paint_gap(painter: QPainter, tile: QRectF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(_faded(theme.muted, 110), Qt.BrushStyle.BDiagPattern))
    painter.drawRect(tile)


def _paint_outline(
    painter: QPainter, tile: QRectF, head: HeadRef, content: OverlayContent, theme: Theme
) -> None:
    severity = content.flags.get(head, Severity.LABEL)
    bad = head in content.nonfinite
    if bad or severity > Severity.LABEL:
        colour = theme.nan if bad else theme.severity_colour(severity)
        width = 1.3 if severity == Severity.NOTICE and not bad else 2.0
        if tile.width() < SMALLEST_TILE_FOR_BADGES:
            width = 1.3
        _frame(painter, tile.adjusted(-width / 2, -width / 2, width / 2, width / 2), colour, width)
    if tile.width() >= SMALLEST_TILE_FOR_BADGES and severity > Severity.LABEL:
        side = min(15.0, max(9.0, tile.width() * 0.2))
        corner = QRectF(tile.right() - side - 1.5, tile.top() + 1.5, side, side)
        paint_badge(painter, corner, severity, theme)


def paint_badge(painter: QPainter, box: QRectF, severity: Severity, theme: Theme) -> None:
    """Paint the sign of a severity: its shape tells it apart without its colour.

    A cross in a disc is critical, an exclamation mark in a triangle a warning, an i in a disc a
    notice.
    """
    painter.setPen(QPen(QColor(theme.background), 1.0))
    painter.setBrush(QColor(theme.severity_colour(severity)))
    ink = QPen(_ink_on(theme.severity_colour(severity)), max(1.2, box.width() * 0.13))
    ink.setCapStyle(Qt.PenCapStyle.RoundCap)
    centre, unit = box.center(), box.width() / 2
    if severity == Severity.WARNING:
        top = QPointF(centre.x(), box.top())
        painter.drawPolygon(QPolygonF([top, box.bottomRight(), box.bottomLeft()]))
        painter.setPen(ink)
        painter.drawLine(centre + QPointF(0, -unit * 0.25), centre + QPointF(0, unit * 0.3))
        painter.drawPoint(centre + QPointF(0, unit * 0.68))
        return
    painter.drawEllipse(box)
    painter.setPen(ink)
    if severity == Severity.CRITICAL:
        arm = unit * 0.4
        painter.drawLine(centre + QPointF(-arm, -arm), centre + QPointF(arm, arm))
        painter.drawLine(centre + QPointF(-arm, arm), centre + QPointF(arm, -arm))
    else:
        painter.drawPoint(centre + QPointF(0, -unit * 0.5))
        painter.drawLine(centre + QPointF(0, -unit * 0.05), centre + QPointF(0, unit * 0.5))


def _paint_words(
    painter: QPainter,
    tile: QRectF,
    head: HeadRef,
    content: OverlayContent,
    theme: Theme,
    font: QFont,
) -> None:
    small = QFont(font)
    small.setPixelSize(9 if tile.width() < SMALLEST_TILE_FOR_TAGS else 11)
    if head in content.nonfinite and tile.width() >= SMALLEST_TILE_FOR_BADGES:
        words = "NaN" if tile.width() >= SMALLEST_TILE_FOR_NUMBERS else ""
        _paint_nonfinite(painter, tile, words, theme, small)
    number = content.numbers.get(head)
    if number and tile.width() >= SMALLEST_TILE_FOR_NUMBERS:
        _paint_pill(painter, tile, number, theme, small, right=True)
    tags = content.tags.get(head)
    if tags and tile.width() >= SMALLEST_TILE_FOR_TAGS:
        room = tile.width() - 4
        if number:
            room -= QFontMetricsF(small).horizontalAdvance(number) + 10
        text = QFontMetricsF(small).elidedText(
            ", ".join(tags), Qt.TextElideMode.ElideRight, room - 6
        )
        if len(text) > 2:
            _paint_pill(painter, tile, text, theme, small, right=False)


def _paint_nonfinite(
    painter: QPainter, tile: QRectF, words: str, theme: Theme, font: QFont
) -> None:
    """Mark the top left corner: one bad cell among four million must not need looking for."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.nan))
    if not words:
        side = tile.width() * 0.35
        corner = tile.topLeft()
        painter.drawPolygon(
            QPolygonF([corner, corner + QPointF(side, 0), corner + QPointF(0, side)])
        )
        return
    bold = QFont(font)
    bold.setBold(True)
    metrics = QFontMetricsF(bold)
    box = QRectF(tile.left(), tile.top(), metrics.horizontalAdvance(words) + 6, metrics.height())
    painter.drawRect(box)
    painter.setPen(_ink_on(theme.nan))
    painter.setFont(bold)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


def _paint_pill(
    painter: QPainter, tile: QRectF, text: str, theme: Theme, font: QFont, *, right: bool
) -> None:
    """Write at the bottom of a tile, on a ground that keeps it readable on any heatmap."""
    metrics = QFontMetricsF(font)
    width, height = metrics.horizontalAdvance(text) + 6, metrics.height()
    left = tile.right() - width - 1 if right else tile.left() + 1
    box = QRectF(left, tile.bottom() - height - 1, width, height)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_faded(theme.background, 215))
    painter.drawRoundedRect(box, 2.5, 2.5)
    painter.setPen(QColor(theme.text))
    painter.setFont(font)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def row_label(geometry: GridGeometry, row: int) -> str:
    """Return `L4` when all heads of a row belong to layer 4, else nothing."""
    layers = {head.layer for head in geometry.slots[row] if head is not None}
    return f"L{layers.pop()}" if len(layers) == 1 else ""


def column_label(geometry: GridGeometry, column: int) -> str:
    """Return `H7` when all heads of a column are a layer's head 7, else nothing."""
    heads = {head.head for row in geometry.slots if (head := row[column]) is not None}
    return f"H{heads.pop()}" if len(heads) == 1 else ""


def _paint_headers(painter: QPainter, place: Placement, theme: Theme, font: QFont) -> None:
    """Write the layers down the left and the heads along the top; they stay in sight."""
    geometry, camera = place.geometry, place.camera
    rows = [row_label(geometry, row) for row in range(geometry.n_rows)]
    columns = [column_label(geometry, column) for column in range(geometry.n_columns)]
    if not any(rows) and not any(columns):
        _paint_names(painter, place, theme, font)
        return
    mosaic_x, mosaic_y = camera.to_screen(0.0, 0.0)
    edge_x, edge_y = max(place.left, mosaic_x), max(place.top, mosaic_y)
    painter.fillRect(QRectF(0, 0, place.width, edge_y - 3), QColor(theme.background))
    painter.fillRect(QRectF(0, 0, edge_x - 3, place.height), QColor(theme.background))
    header = QFont(font)
    header.setPixelSize(12 if place.tile_side >= 16 else 10)
    painter.setFont(header)
    painter.setPen(QColor(theme.muted))
    metrics = QFontMetricsF(header)
    stride = _stride(metrics.height(), camera.scale)
    for row in range(0, geometry.n_rows, stride):
        middle = place.tile(row, 0).center().y()
        if edge_y - 2 <= middle <= place.height:
            box = QRectF(edge_x - place.left, middle - 10, place.left - 7, 20)
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, right, rows[row])
    widest = max((metrics.horizontalAdvance(label) for label in columns), default=0.0)
    stride = _stride(widest + 5, camera.scale)
    for column in range(0, geometry.n_columns, stride):
        middle = place.tile(0, column).center().x()
        if edge_x - 2 <= middle <= place.width:
            box = QRectF(middle - 40, edge_y - place.top, 80, place.top - 5)
            middle_bottom = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
            painter.drawText(box, middle_bottom, columns[column])


def _paint_names(painter: QPainter, place: Placement, theme: Theme, font: QFont) -> None:
    """Name each tile itself: in a sorted grid rows and columns mean nothing."""
    if place.tile_side < SMALLEST_TILE_FOR_NAMES:
        return
    small = QFont(font)
    small.setPixelSize(10)
    metrics = QFontMetricsF(small)
    painter.setFont(small)
    for head, tile in place.visible():
        text = f"L{head.layer}.H{head.head}"
        width = metrics.horizontalAdvance(text) + 6
        middle = tile.center().x()
        box = QRectF(middle - width / 2, tile.top() + 1, width, metrics.height())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_faded(theme.background, 200))
        painter.drawRoundedRect(box, 2.5, 2.5)
        painter.setPen(QColor(theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _stride(label: float, pitch: float) -> int:
    """Return every how many labels fit; a round number, so that they are easy to count between."""
    need = math.ceil(label / max(pitch, 1e-6))
    return next(
        (step for step in (1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100) if step >= need), need
    )


def _faded(colour: str, alpha: int) -> QColor:
    faded = QColor(colour)
    faded.setAlpha(alpha)
    return faded


def _ink_on(colour: str) -> QColor:
    """Return black or white, whichever reads better on a ground of `colour`."""
    ground = QColor(colour)
    bright = 0.299 * ground.red() + 0.587 * ground.green() + 0.114 * ground.blue()
    return QColor(Qt.GlobalColor.black if bright > 140 else Qt.GlobalColor.white)
