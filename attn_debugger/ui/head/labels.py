"""Token labels along both sides: thinned so that they never touch, never so that they lie."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from attn_debugger.ui.head.stage import Stage, label_stride
from attn_debugger.ui.theme import Theme

LONGEST = 120.0  # pixels; longer tokens are cut with an ellipsis, and whole on hover
FONT_PIXELS = 11
UPRIGHT_GAP = 6.0


def label_font(font: QFont) -> QFont:
    """Return the font of token labels."""
    small = QFont(font)
    small.setPixelSize(FONT_PIXELS)
    return small


@dataclass(frozen=True, slots=True)
class LabelRoom:
    """What the labels need: `left` for queries, `top` for keys, and whether keys stand upright."""

    left: float
    top: float


def label_room(
    query_labels: Sequence[str], key_labels: Sequence[str], font: QFont, key_pitch: float
) -> LabelRoom:
    """Return the room that labels need, given roughly how wide a key's column will be."""
    metrics = QFontMetricsF(label_font(font))
    left = min(LONGEST, _widest(query_labels, metrics)) + 10
    widest = min(LONGEST, _widest(key_labels, metrics))
    level = _lies_level(widest, metrics, key_pitch)
    return LabelRoom(left, metrics.height() + 6 if level else widest + 10)


def _lies_level(widest: float, metrics: QFontMetricsF, pitch: float) -> bool:
    """Tell whether as many labels fit side by side as would fit if they were turned."""
    turned = label_stride(metrics.height(), pitch)
    return label_stride(widest + UPRIGHT_GAP, pitch) <= turned


def _widest(labels: Sequence[str], metrics: QFontMetricsF) -> float:
    # The longest strings are the widest ones near enough; measuring thousands would be slow.
    longest = sorted(labels, key=len)[-12:]
    return max((metrics.horizontalAdvance(label) for label in longest), default=0.0)


def shown_labels(visible: range, extent: float, pitch: float) -> range:
    """Return which of the visible positions get a label: all, or every 2nd, 4th, 5th, ..."""
    stride = label_stride(extent, pitch)
    return range(-(-visible.start // stride) * stride, visible.stop, stride)


def paint_labels(
    painter: QPainter,
    stage: Stage,
    query_labels: Sequence[str],
    key_labels: Sequence[str],
    padded: tuple[Collection[int], Collection[int]],
    theme: Theme,
    font: QFont,
) -> None:
    """Write the labels; `padded` are the queries and keys that are padding, written faintly."""
    small = label_font(font)
    painter.setFont(small)
    metrics = QFontMetricsF(small)
    for query in shown_labels(stage.visible_queries(), metrics.height(), stage.cell_height):
        colour = theme.band if query in padded[0] else theme.muted
        _write_query(painter, stage, query, query_labels[query], QColor(colour), metrics)
    level = keys_lie_level(stage, key_labels, metrics)
    extent = metrics.height()
    if level:
        extent = _widest(key_labels, metrics) + UPRIGHT_GAP
    for key in shown_labels(stage.visible_keys(), extent, stage.cell_width):
        colour = theme.band if key in padded[1] else theme.muted
        _write_key(painter, stage, key, key_labels[key], QColor(colour), metrics, level=level)


def keys_lie_level(stage: Stage, key_labels: Sequence[str], metrics: QFontMetricsF) -> bool:
    """Return whether key labels fit side by side; else they are turned to read upwards."""
    return _lies_level(min(LONGEST, _widest(key_labels, metrics)), metrics, stage.cell_width)


def paint_cell_labels(
    painter: QPainter,
    stage: Stage,
    cell: tuple[int, int],
    query_labels: Sequence[str],
    key_labels: Sequence[str],
    theme: Theme,
    font: QFont,
) -> None:
    """Write the labels of one cell's row and column over the others, on the accent colour."""
    small = label_font(font)
    small.setBold(True)
    painter.setFont(small)
    metrics = QFontMetricsF(small)
    query, key = cell
    ink = QColor(theme.on_accent)
    if query in stage.visible_queries():
        text = metrics.elidedText(query_labels[query], Qt.TextElideMode.ElideRight, LONGEST)
        box = _query_box(stage, query, metrics.horizontalAdvance(text), metrics.height())
        _ground(painter, box, theme)
        _write_query(painter, stage, query, query_labels[query], ink, metrics)
    if key in stage.visible_keys():
        level = keys_lie_level(stage, key_labels, metrics)
        text = metrics.elidedText(key_labels[key], Qt.TextElideMode.ElideRight, LONGEST)
        long, high = metrics.horizontalAdvance(text) + 6, metrics.height() + 2
        middle = stage.key_x(key + 0.5)
        width, height = (long, high) if level else (high, long)
        _ground(
            painter, QRectF(middle - width / 2, stage.matrix.top - height - 2, width, height), theme
        )
        _write_key(painter, stage, key, key_labels[key], ink, metrics, level=level)


def _ground(painter: QPainter, box: QRectF, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.accent))
    painter.drawRoundedRect(box, 2.5, 2.5)


def _query_box(stage: Stage, query: int, width: float, height: float) -> QRectF:
    middle = stage.query_y(query + 0.5)
    return QRectF(stage.matrix.left - width - 9, middle - height / 2 - 1, width + 6, height + 2)


def _write_query(
    painter: QPainter, stage: Stage, query: int, label: str, colour: QColor, metrics: QFontMetricsF
) -> None:
    middle = stage.query_y(query + 0.5)
    if not stage.matrix.top - 2 <= middle <= stage.matrix.bottom + 2:
        return
    painter.setPen(colour)
    text = metrics.elidedText(label, Qt.TextElideMode.ElideRight, LONGEST)
    box = QRectF(stage.matrix.left - LONGEST - 16, middle - 10, LONGEST + 10, 20)
    painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


def _write_key(
    painter: QPainter,
    stage: Stage,
    key: int,
    label: str,
    colour: QColor,
    metrics: QFontMetricsF,
    *,
    level: bool,
) -> None:
    middle = stage.key_x(key + 0.5)
    if not stage.matrix.left - 2 <= middle <= stage.matrix.right + 2:
        return
    painter.setPen(colour)
    text = metrics.elidedText(label, Qt.TextElideMode.ElideRight, LONGEST)
    if level:
        box = QRectF(middle - LONGEST, stage.matrix.top - 22, 2 * LONGEST, 18)
        painter.drawText(box, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, text)
        return
    painter.save()
    painter.translate(QPointF(middle, stage.matrix.top - 5))
    painter.rotate(-90)
    line = QRectF(0, -10, LONGEST + 10, 20)
    painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
    painter.restore()
