"""The names along the mosaic: layers down the left, heads along the top, or one on each tile."""

from __future__ import annotations

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from attn_debugger.ui.grid.geometry import GridGeometry
from attn_debugger.ui.grid.placement import Placement, faded
from attn_debugger.ui.theme import Theme

SMALLEST_TILE_FOR_NAMES = 56.0  # screen pixels


def row_label(geometry: GridGeometry, row: int) -> str:
    """Return `L4` when all heads of a row belong to layer 4, else nothing."""
    layers = {head.layer for head in geometry.slots[row] if head is not None}
    return f"L{layers.pop()}" if len(layers) == 1 else ""


def column_label(geometry: GridGeometry, column: int) -> str:
    """Return `H7` when all heads of a column are a layer's head 7, else nothing."""
    heads = {head.head for row in geometry.slots if (head := row[column]) is not None}
    return f"H{heads.pop()}" if len(heads) == 1 else ""


def paint_headers(painter: QPainter, place: Placement, theme: Theme, font: QFont) -> None:
    """Write the layers down the left and the heads along the top; they stay in sight."""
    geometry, camera = place.geometry, place.camera
    rows = [row_label(geometry, row) for row in range(geometry.n_rows)]
    columns = [column_label(geometry, column) for column in range(geometry.n_columns)]
    if not geometry.slot_arrays.in_model_order:
        # Some rows or columns may be of one layer or head by chance; most tiles would stay unnamed.
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
        painter.setBrush(faded(theme.background, 200))
        painter.drawRoundedRect(box, 2.5, 2.5)
        painter.setPen(QColor(theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _stride(label: float, pitch: float) -> int:
    """Return every how many labels fit; a round number, so that they are easy to count between."""
    need = math.ceil(label / max(pitch, 1e-6))
    return next(
        (step for step in (1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100) if step >= need), need
    )
