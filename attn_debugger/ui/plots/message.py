"""What a plot says when it has no curve to draw."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from attn_debugger.ui.theme import LIGHT, Theme


class Message(QWidget):
    """Wrapped text in the middle. A wrapped QLabel would ask for height and push plots apart."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._theme: Theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)

    def show_text(self, text: str) -> None:
        self._text = text
        self.setAccessibleName(text)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.surface))
        painter.setPen(QColor(self._theme.muted))
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(self.rect().adjusted(8, 4, -8, -4), int(flags), self._text)
