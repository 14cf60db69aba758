"""What moves over the timeline's picture: the cursor, the loop, the selected head's row."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from attn_debugger.ui.theme import Theme
from attn_debugger.ui.timeline.lanes import Lanes


def paint_loop(painter: QPainter, left: float, right: float, where: Lanes, theme: Theme) -> None:
    """Shade the frames that are played over and over, from pixel `left` to `right`."""
    shade = QColor(theme.accent)
    shade.setAlpha(40)
    box = QRectF(left, where.curve.top(), right - left, where.strip.bottom() - where.curve.top())
    painter.fillRect(box, shade)
    painter.setPen(QPen(QColor(theme.accent), 1.0))
    painter.drawLine(box.topLeft(), box.bottomLeft())
    painter.drawLine(box.topRight(), box.bottomRight())


def paint_selected_row(
    painter: QPainter, row: int, n_rows: int, where: Lanes, theme: Theme
) -> None:
    """Point at the selected head's row of the strip from both sides."""
    box = where.strip
    y = box.top() + (row + 0.5) / n_rows * box.height()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.text))
    for x, side in ((box.left(), -1), (box.right(), 1)):
        across = [QPointF(x, y), QPointF(x + 5 * side, y - 4), QPointF(x + 5 * side, y + 4)]
        painter.drawPolygon(QPolygonF(across))


def paint_cursor(painter: QPainter, x: float, where: Lanes, theme: Theme) -> None:
    """Draw the line where the window stands, with a handle on the axis."""
    if not where.axis.left() - 1 <= x <= where.axis.right() + 1:
        return
    top, bottom = where.severity.top(), where.axis.top() + 4
    for colour, width in ((theme.background, 3.0), (theme.text, 1.4)):
        painter.setPen(QPen(QColor(colour), width))
        painter.drawLine(QPointF(x, top), QPointF(x, bottom))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QColor(theme.text))
    handle = [QPointF(x, bottom - 2), QPointF(x - 5, bottom + 6), QPointF(x + 5, bottom + 6)]
    painter.drawPolygon(QPolygonF(handle))
