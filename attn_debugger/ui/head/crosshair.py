"""Row, column and ring of the cell that is pointed at or selected."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from attn_debugger.ui.head.stage import Stage
from attn_debugger.ui.theme import Theme

SMALLEST_RING = 7.0  # a cell of one pixel still gets a visible ring


def paint_crosshair(painter: QPainter, stage: Stage, cell: tuple[int, int], theme: Theme) -> None:
    """Frame a cell's row and column, and ring the cell. `cell` is (query, key)."""
    box, matrix = stage.cell_box(*cell), stage.matrix
    painter.save()
    painter.setClipRect(QRectF(matrix.left, matrix.top, matrix.width, matrix.height))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    # Dark beside light: one of the two shows on any colour map.
    for colour, out in ((QColor(0, 0, 0, 90), 1.0), (QColor(255, 255, 255, 150), 0.0)):
        painter.setPen(QPen(colour, 1.0))
        row = QRectF(matrix.left, box.top, matrix.width, box.height)
        column = QRectF(box.left, matrix.top, box.width, matrix.height)
        painter.drawRect(row.adjusted(0, -out, 0, out))
        painter.drawRect(column.adjusted(-out, 0, out, 0))
    painter.restore()
    paint_ring(painter, stage, cell, theme)


def paint_breaks(
    painter: QPainter, stage: Stage, queries: Sequence[int], keys: Sequence[int]
) -> None:
    """Draw a dashed line where another document begins: attention across it is a leak."""
    matrix = stage.matrix
    painter.save()
    painter.setClipRect(QRectF(matrix.left, matrix.top, matrix.width, matrix.height))
    for colour, style in (
        (QColor(0, 0, 0, 150), Qt.PenStyle.SolidLine),
        (QColor(255, 255, 255, 220), Qt.PenStyle.DashLine),
    ):
        painter.setPen(QPen(colour, 1.0, style))
        for query in queries:
            y = stage.query_y(query)
            painter.drawLine(QPointF(matrix.left, y), QPointF(matrix.right, y))
        for key in keys:
            x = stage.key_x(key)
            painter.drawLine(QPointF(x, matrix.top), QPointF(x, matrix.bottom))
    painter.restore()


def paint_ring(painter: QPainter, stage: Stage, cell: tuple[int, int], theme: Theme) -> None:
    """Ring a cell in the accent colour, where it is in sight."""
    if cell[0] not in stage.visible_queries() or cell[1] not in stage.visible_keys():
        return
    box = stage.cell_box(*cell)
    grown = max(0.0, (SMALLEST_RING - min(box.width, box.height)) / 2)
    ring = QRectF(box.left, box.top, box.width, box.height)
    ring.adjust(-grown, -grown, grown, grown)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((theme.background, 3.5), (theme.accent, 2.0)):
        painter.setPen(QPen(QColor(colour), width))
        painter.drawRect(ring)
