"""Everything the grid shows over its heatmaps: labels, outlines, badges, numbers and tags.

It is painted in screen pixels, sharp at any zoom, into a pixmap that the canvas caches: stepping
through frames repaints it only when what it shows has changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from attn_debugger.core.flags import Severity
from attn_debugger.core.heads import HeadRef
from attn_debugger.session.translated import translated
from attn_debugger.ui.grid.groups import paint_groups
from attn_debugger.ui.grid.headers import paint_headers
from attn_debugger.ui.grid.pills import PillCache, pill_size
from attn_debugger.ui.grid.placement import Placement, faded
from attn_debugger.ui.theme import Theme

SMALLEST_TILE_FOR_BADGES = 20.0  # screen pixels; below, the outline alone has to say it
SMALLEST_TILE_FOR_NUMBERS = 34.0
SMALLEST_TILE_FOR_TAGS = 56.0


@dataclass(frozen=True)
class OverlayContent:
    """What is said about the heads, apart from their maps."""

    flags: Mapping[HeadRef, Severity] = field(default_factory=dict)
    tags: Mapping[HeadRef, tuple[str, ...]] = field(default_factory=dict)
    numbers: Mapping[HeadRef, str] = field(default_factory=dict)
    nonfinite: frozenset[HeadRef] = frozenset()
    gaps: frozenset[HeadRef] = frozenset()
    dimmed: frozenset[HeadRef] = frozenset()
    groups: Mapping[HeadRef, tuple[int, int]] = field(default_factory=dict)  # key head, group size

    @property
    def marked(self) -> frozenset[HeadRef]:
        """Every head of which something is said besides its number and its group."""
        return self.nonfinite | self.gaps | self.dimmed | self.flags.keys() | self.tags.keys()

    def differs_only_in_numbers(self, other: OverlayContent) -> bool:
        """Whether the cached picture of `other` serves for this one too."""
        return replace(self, numbers=other.numbers) == other


def paint_overlay(
    painter: QPainter,
    place: Placement,
    content: OverlayContent,
    theme: Theme,
    font: QFont,
    pills: PillCache,
) -> None:
    """Paint everything but the numbers, which change at every step, and the selection."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    small = _small_font(font, place.tile_side)
    marked = content.marked
    for head, tile in place.visible():
        if head not in marked:
            continue
        if head in content.gaps:
            _paint_gap(painter, tile, theme)
        if head in content.dimmed:
            painter.fillRect(tile, faded(theme.background, 170))
        _paint_outline(painter, tile, head, content, theme)
        _paint_words(painter, tile, head, content, theme, small, pills)
    paint_headers(painter, place, theme, font)
    paint_groups(painter, place, content.groups, theme)


def paint_selection(painter: QPainter, tile: QRectF, theme: Theme) -> None:
    """Frame the selected head in the accent colour, with a halo that parts it from any outline."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _frame(painter, tile.adjusted(-3.5, -3.5, 3.5, 3.5), theme.background, 4.0)
    _frame(painter, tile.adjusted(-3.0, -3.0, 3.0, 3.0), theme.accent, 2.4)


def paint_cell(
    painter: QPainter, place: Placement, cell: tuple[HeadRef, int, int], theme: Theme
) -> None:
    """Ring one cell, (head, query, key)."""
    box = place.cell(*cell)
    if box is None:
        return
    grown = max(0.0, (7.0 - box.width()) / 2)  # a cell of one pixel still gets a visible ring
    box.adjust(-grown - 1, -grown - 1, grown + 1, grown + 1)
    _frame(painter, box, theme.background, 3.0)
    _frame(painter, box, theme.accent, 1.5)


def _frame(painter: QPainter, rectangle: QRectF, colour: str, width: float) -> None:
    pen = QPen(QColor(colour), width)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rectangle)


def _paint_gap(painter: QPainter, tile: QRectF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(faded(theme.muted, 110), Qt.BrushStyle.BDiagPattern))
    painter.drawRect(tile)


def _paint_outline(
    painter: QPainter, tile: QRectF, head: HeadRef, content: OverlayContent, theme: Theme
) -> None:
    severity = content.flags.get(head, Severity.LABEL)
    bad = head in content.nonfinite
    if bad or severity > Severity.LABEL:
        colour = theme.nan if bad else theme.severity_colour(severity)
        width = 2.0 if tile.width() >= SMALLEST_TILE_FOR_BADGES else 1.3
        if severity == Severity.NOTICE and not bad:
            width = 1.3
        elif severity == Severity.LABEL:
            # Where all neighbours are bad too, their outlines must not run into one another.
            width = min(width, max(1.0, tile.width() / 42))
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
    small: QFont,
    pills: PillCache,
) -> None:
    if head in content.nonfinite and tile.width() >= SMALLEST_TILE_FOR_BADGES:
        has_badge = content.flags.get(head, Severity.LABEL) > Severity.LABEL
        needed = SMALLEST_TILE_FOR_NUMBERS + (14.0 if has_badge else 0.0)
        words = "NaN" if tile.width() >= needed else ""
        _paint_nonfinite(painter, tile, words, theme, small)
    tags = content.tags.get(head)
    if tags and tile.width() >= SMALLEST_TILE_FOR_TAGS:
        room = tile.width() - 4
        if head in content.numbers:
            room -= pill_size("00.00", small)[0] + 4
        text = QFontMetricsF(small).elidedText(
            ", ".join(map(translated, tags)), Qt.TextElideMode.ElideRight, room - 6
        )
        if len(text) > 2:
            height = pill_size(text, small)[1]
            corner = QPointF(tile.left() + 1, tile.bottom() - height - 1)
            ratio = painter.device().devicePixelRatioF()
            painter.drawPixmap(corner, pills.get(text, small, theme, ratio))


def paint_numbers(
    painter: QPainter,
    place: Placement,
    numbers: Mapping[HeadRef, str],
    theme: Theme,
    font: QFont,
    pills: PillCache,
) -> None:
    """Write each tile's number into its bottom right corner."""
    if place.tile_side < SMALLEST_TILE_FOR_NUMBERS or not numbers:
        return
    small = _small_font(font, place.tile_side)
    ratio = painter.device().devicePixelRatioF()
    for head, tile in place.visible():
        number = numbers.get(head)
        if number:
            pill = pills.get(number, small, theme, ratio)
            width, height = pill.width() / ratio, pill.height() / ratio
            corner = QPointF(tile.right() - width - 1, tile.bottom() - height - 1)
            painter.drawPixmap(corner, pill)


def _small_font(font: QFont, tile_side: float) -> QFont:
    small = QFont(font)
    small.setPixelSize(9 if tile_side < SMALLEST_TILE_FOR_TAGS else 11)
    return small


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


def _ink_on(colour: str) -> QColor:
    """Return black or white, whichever reads better on a ground of `colour`."""
    ground = QColor(colour)
    bright = 0.299 * ground.red() + 0.587 * ground.green() + 0.114 * ground.blue()
    return QColor(Qt.GlobalColor.black if bright > 140 else Qt.GlobalColor.white)
