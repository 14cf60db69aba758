"""What all canvases share: telling a click from a drag, and showing where the focus is."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from attn_debugger.ui.theme import Theme

DRAG_STARTS_AT = 4.0  # pixels; below, a press with a trembling hand is still a click
WHEEL_STEP = 1.2  # zoom factor of one notch


def paint_focus(painter: QPainter, canvas: QWidget, theme: Theme) -> None:
    """Frame a canvas that has the keyboard's focus; `painter` works in its screen pixels."""
    if canvas.hasFocus():
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(theme.accent), 1.0))
        painter.drawRect(QRectF(canvas.rect()).adjusted(0.5, 0.5, -0.5, -0.5))


class Drag:
    """Follows the pointer from press to release."""

    def __init__(self) -> None:
        self._pressed_at: QPointF | None = None
        self._last: QPointF | None = None

    @property
    def is_dragging(self) -> bool:
        return self._last is not None

    def press(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._pressed_at, self._last = event.position(), None

    def move(self, event: QMouseEvent) -> QPointF | None:
        """Return how far the pointer was dragged since the last call; `None` if it is not."""
        here = event.position()
        if self._pressed_at is None:
            return None
        if self._last is None:
            if (here - self._pressed_at).manhattanLength() < DRAG_STARTS_AT:
                return None
            self._last = self._pressed_at
        step = here - self._last
        self._last = here
        return step

    def release(self, event: QMouseEvent) -> bool:
        """Return whether this was a click of the left button."""
        clicked = self._pressed_at is not None and self._last is None
        self.cancel()
        return clicked and event.button() == Qt.MouseButton.LeftButton

    def cancel(self) -> None:
        self._pressed_at = self._last = None
