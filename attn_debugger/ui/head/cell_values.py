"""The weights written into their cells, wherever the cells are large enough to read them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from attn_debugger.ui.grid.codes import MASKED_CODE
from attn_debugger.ui.head.stage import Stage

MOST_VALUES = 1500  # painting more would cost more than a frame, and nobody reads them
SMALLEST_WRITTEN = 0.005
SMALLEST_FONT, LARGEST_FONT = 9, 15


def cell_text(value: float) -> str:
    """Return a weight in two decimals; what is not zero never reads as zero."""
    if not np.isfinite(value):
        return str(value).replace("nan", "NaN")
    if value == 0:
        return "0"
    if 0 < value < SMALLEST_WRITTEN:
        return "<.01"
    return f"{value:.2f}".removeprefix("0") if abs(value) < 1 else f"{value:.2f}"


def value_font(stage: Stage, font: QFont) -> QFont | None:
    """Return the largest font in which every value fits its cell; `None` when none is readable."""
    if len(stage.visible_keys()) * len(stage.visible_queries()) > MOST_VALUES:
        return None
    sized = QFont(font)
    for pixels in range(LARGEST_FONT, SMALLEST_FONT - 1, -1):
        sized.setPixelSize(pixels)
        metrics = QFontMetricsF(sized)
        if (
            metrics.horizontalAdvance("<.00") + 4 <= stage.cell_width
            and metrics.height() + 2 <= stage.cell_height
        ):
            return sized
    return None


def paint_values(
    painter: QPainter,
    stage: Stage,
    weights: NDArray[np.floating],
    codes: NDArray[np.uint8],
    table: NDArray[np.uint32],
    font: QFont,
) -> None:
    """Write the weight into each visible cell, black or white as its colour asks for."""
    sized = value_font(stage, font)
    if sized is None:
        return
    painter.setFont(sized)
    dark_ink = _needs_dark_ink(table)
    black, white = QColor(0, 0, 0, 215), QColor(255, 255, 255, 230)
    for query in stage.visible_queries():
        for key in stage.visible_keys():
            code = codes[query, key]
            if code == MASKED_CODE:
                continue
            cell = stage.cell_box(query, key)
            if not stage.matrix.contains(cell.left + cell.width / 2, cell.top + cell.height / 2):
                continue
            ink = black if dark_ink[code] else white
            if 0 < weights[query, key] < SMALLEST_WRITTEN:
                ink = QColor(ink.red(), ink.green(), ink.blue(), 110)  # there, but not to be read
            painter.setPen(ink)
            box = QRectF(cell.left, cell.top, cell.width, cell.height)
            text = cell_text(float(weights[query, key]))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _needs_dark_ink(table: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Return for each code whether black reads better on its colour than white (Rec. 601 luma)."""
    red, green, blue = (table >> 16) & 255, (table >> 8) & 255, table & 255
    return np.asarray(0.299 * red + 0.587 * green + 0.114 * blue > 135)
