"""A coloured line across the window: a sign, a sentence and a button."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from attn_debugger.ui.icons import pixmap
from attn_debugger.ui.theme import LIGHT, Theme

SIGN = 18  # pixels


class SignedLine(QFrame):
    """Lays out what it is given and colours it; what it says is up to the line itself."""

    def __init__(self, text: QWidget, button: QToolButton, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme = LIGHT
        self._sign = QLabel(self)
        self._sign.setFixedSize(QSize(SIGN, SIGN))
        self._text_widget = text
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 4, 6, 4)
        row.setSpacing(8)
        row.addWidget(self._sign)
        row.addWidget(text, 1)
        row.addWidget(button)
        self.setAutoFillBackground(True)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._draw()

    def _draw(self) -> None:
        """Colour the line anew, by `_colour`."""
        raise NotImplementedError

    def _colour(self, sign: str, colour: str, ground: str, ink: str) -> None:
        """Show a sign of a colour, and the text in `ink` on `ground`."""
        palette = self._theme.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(ground))
        palette.setColor(QPalette.ColorRole.WindowText, QColor(ink))
        self.setPalette(palette)
        self._text_widget.setPalette(palette)
        self._sign.setPixmap(pixmap(sign, colour, SIGN, self.devicePixelRatioF()))
