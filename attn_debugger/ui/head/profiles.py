"""Two profiles along the matrix: one row of it below, one column to its right."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from attn_debugger.ui.grid.legend import number_text
from attn_debugger.ui.head.stage import CAPTION, Box, Stage
from attn_debugger.ui.theme import Theme

Values = NDArray[np.floating]


def attention_received(weights: Values) -> Values:
    """Return how much weight each key gets on average, (key,): its mean over the queries.

    Rows that hold anything non-finite say nothing and are left out; NaN when none is left.
    """
    finite = np.isfinite(weights).all(axis=1)
    if finite.all():
        return np.asarray(weights.mean(axis=0, dtype=np.float64))
    if not finite.any():
        return np.full(weights.shape[1], np.nan)
    return np.asarray(weights[finite].mean(axis=0, dtype=np.float64))


def largest_weights(weights: Values) -> Values:
    """Return the largest weight of each query, (query,); NaN where its row holds one."""
    return np.asarray(weights.max(axis=1))


def paint_row_profile(
    painter: QPainter, stage: Stage, values: Values, caption: str, theme: Theme, font: QFont
) -> None:
    """Paint one value a key below the matrix, aligned with its columns."""
    box = stage.row_profile
    if box is None or not len(values):
        return
    _ground(painter, box, theme)
    top = _top(values)
    keys = stage.visible_keys()
    painter.save()
    painter.setClipRect(QRectF(box.left, box.top, box.width, box.height))
    points = [QPointF(stage.key_x(keys.start), box.bottom)]
    for key in keys:
        height = _share(values[key], top) * (box.height - 2)
        left, right = stage.key_x(key), stage.key_x(key + 1)
        points += [QPointF(left, box.bottom - height), QPointF(right, box.bottom - height)]
        if not np.isfinite(values[key]):
            painter.fillRect(QRectF(left, box.top, right - left, box.height), QColor(theme.nan))
    points.append(QPointF(stage.key_x(keys.stop), box.bottom))
    _fill(painter, points, theme)
    painter.restore()
    _caption(painter, QPointF(box.left, box.top - CAPTION), box.width, caption, top, theme, font)


def paint_column_profile(
    painter: QPainter, stage: Stage, values: Values, caption: str, theme: Theme, font: QFont
) -> None:
    """Paint one value a query right of the matrix, aligned with its rows."""
    box = stage.column_profile
    if box is None or not len(values):
        return
    _ground(painter, box, theme)
    top = _top(values)
    queries = stage.visible_queries()
    painter.save()
    painter.setClipRect(QRectF(box.left, box.top, box.width, box.height))
    points = [QPointF(box.left, stage.query_y(queries.start))]
    for query in queries:
        width = _share(values[query], top) * (box.width - 2)
        upper, lower = stage.query_y(query), stage.query_y(query + 1)
        points += [QPointF(box.left + width, upper), QPointF(box.left + width, lower)]
        if not np.isfinite(values[query]):
            painter.fillRect(QRectF(box.left, upper, box.width, lower - upper), QColor(theme.nan))
    points.append(QPointF(box.left, stage.query_y(queries.stop)))
    _fill(painter, points, theme)
    painter.restore()
    start = QPointF(box.left, box.top - CAPTION)
    _caption(painter, start, box.width, caption, top, theme, font)


def _top(values: Values) -> float:
    finite = values[np.isfinite(values)]
    return float(finite.max()) if finite.size else 0.0


def _share(value: float, top: float) -> float:
    return float(value) / top if top > 0 and np.isfinite(value) else 0.0


def _ground(painter: QPainter, box: Box, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.fillRect(QRectF(box.left, box.top, box.width, box.height), QColor(theme.surface))


def _fill(painter: QPainter, points: list[QPointF], theme: Theme) -> None:
    ground = QColor(theme.accent)
    ground.setAlpha(90)
    painter.setBrush(ground)
    painter.setPen(QPen(QColor(theme.accent), 1.0))
    painter.drawPolygon(QPolygonF(points))


def _caption(
    painter: QPainter,
    start: QPointF,
    width: float,
    caption: str,
    top: float,
    theme: Theme,
    font: QFont,
) -> None:
    small = QFont(font)
    small.setPixelSize(10)
    painter.setFont(small)
    painter.setPen(QColor(theme.muted))
    metrics = QFontMetricsF(small)
    number = number_text(top)
    line = QRectF(start.x(), start.y(), width, CAPTION)
    painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, number)
    room = width - metrics.horizontalAdvance(number) - 6
    text = metrics.elidedText(caption, Qt.TextElideMode.ElideRight, room)
    painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
