"""Two profiles along the matrix: one row of it below, one column to its right."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from attn_debugger.ui.grid.legend import number_text
from attn_debugger.ui.head.stage import CAPTION, Stage
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
    ratio = painter.device().devicePixelRatioF()
    along = per_pixel(values, stage.first_key, stage.cell_width * ratio, round(box.width * ratio))
    top = _top(values)
    bars = bar_picture(along / top if top else along * 0, round(box.height * ratio), theme)
    painter.drawImage(QRectF(box.left, box.top, box.width, box.height), _image(bars))
    _caption(painter, QPointF(box.left, box.top - CAPTION), box.width, caption, top, theme, font)


def paint_column_profile(
    painter: QPainter, stage: Stage, values: Values, caption: str, theme: Theme, font: QFont
) -> None:
    """Paint one value a query right of the matrix, aligned with its rows."""
    box = stage.column_profile
    if box is None or not len(values):
        return
    ratio = painter.device().devicePixelRatioF()
    height = round(box.height * ratio)
    along = per_pixel(values, stage.first_query, stage.cell_height * ratio, height)
    top = _top(values)
    bars = bar_picture(along / top if top else along * 0, round(box.width * ratio), theme)
    # Bars that rise become bars that reach to the right, the first query on top.
    picture = _image(np.ascontiguousarray(bars[::-1].T))
    painter.drawImage(QRectF(box.left, box.top, box.width, box.height), picture)
    start = QPointF(box.left, box.top - CAPTION)
    _caption(painter, start, box.width, caption, top, theme, font)


def per_pixel(values: Values, first: float, cell: float, n_pixels: int) -> Values:
    """Return the value at each pixel along an axis, (n_pixels,): the largest where cells share one.

    `first` is the fractional cell at pixel 0, `cell` the pixels a cell takes. NaN wins.
    """
    starts = np.floor(first + np.arange(n_pixels) / cell + 1e-9).astype(np.intp)
    starts = np.clip(starts, 0, len(values) - 1)
    # Pixels after the last visible cell must not pool what lies beyond it.
    stop = min(len(values), int(np.ceil(first + n_pixels / cell - 1e-9)))
    return np.asarray(np.maximum.reduceat(values[: max(stop, 1)], np.minimum(starts, stop - 1)))


def bar_picture(shares: Values, height: int, theme: Theme) -> NDArray[np.uint32]:
    """Return bars as 0xFFRRGGBB, (row, column): `shares` of the full height, NaN in its colour."""
    accent, ground = _rgb(theme.accent), _rgb(theme.surface)
    soft = tuple(round(0.4 * a + 0.6 * g) for a, g in zip(accent, ground, strict=True))
    bad = ~np.isfinite(shares)
    tops = height - np.rint(np.where(bad, 0.0, shares) * (height - 1)).astype(np.intp)
    before = np.concatenate((tops[:1], tops[:-1]))
    rows = np.arange(height)[:, None]
    picture = np.full((height, len(shares)), _packed(ground), np.uint32)
    picture[rows >= tops] = _packed(soft)
    # The outline: the top of each bar, and the flank where the next one is higher or lower.
    edge = (rows >= np.minimum(tops, before)) & (rows <= np.maximum(tops, before))
    picture[edge] = _packed(accent)
    picture[:, bad] = _packed(_rgb(theme.nan))
    return picture


def _rgb(colour: str) -> tuple[int, int, int]:
    parsed = QColor(colour)
    return parsed.red(), parsed.green(), parsed.blue()


def _packed(colour: tuple[int, ...]) -> int:
    return 0xFF000000 | colour[0] << 16 | colour[1] << 8 | colour[2]


def _image(pixels: NDArray[np.uint32]) -> QImage:
    rows, columns = pixels.shape
    picture = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGB32)
    return picture.copy()  # the memory belongs to the array


def _top(values: Values) -> float:
    finite = values[np.isfinite(values)]
    return float(finite.max()) if finite.size else 0.0


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
    if metrics.horizontalAdvance(caption) > room:  # what stands in brackets can be spared
        caption = re.split(r" ?[(（]", caption)[0]
    text = metrics.elidedText(caption, Qt.TextElideMode.ElideRight, room)
    painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
