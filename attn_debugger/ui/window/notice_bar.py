"""A sentence in the window that stays until it was read: what went wrong, and what to do."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from attn_debugger.ui.icons import icon, pixmap
from attn_debugger.ui.theme import LIGHT, Theme
from attn_debugger.ui.window.readout import sentence_case


class NoticeBar(QFrame):
    """Shows one sentence at a time, as an error or as a hint; hidden when there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme = LIGHT
        self._is_error = False
        self._sign = QLabel(self)
        self._sign.setFixedSize(QSize(18, 18))
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._close = QToolButton(self)
        self._close.setAutoRaise(True)
        self._close.setToolTip(self.tr("Dismiss this message"))
        self._close.setAccessibleName(self.tr("Dismiss this message"))
        self._close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._close.clicked.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 4, 6, 4)
        row.setSpacing(8)
        row.addWidget(self._sign)
        row.addWidget(self._text, 1)
        row.addWidget(self._close)
        self.setAutoFillBackground(True)
        self.hide()

    @property
    def text(self) -> str:
        """What the bar says; empty when it is hidden."""
        return self._text.text()

    def show_error(self, sentence: str) -> None:
        """Say what went wrong."""
        self._show(sentence, is_error=True)

    def show_hint(self, sentence: str) -> None:
        """Say what the user should know; an error that is not yet dismissed stays."""
        if not (self._is_error and self.text):
            self._show(sentence, is_error=False)

    def dismiss(self) -> None:
        self._text.clear()
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._draw()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._draw()

    def _show(self, sentence: str, *, is_error: bool) -> None:
        self._is_error = is_error
        self._text.setText(sentence_case(sentence))
        self.setAccessibleName(sentence)
        self._draw()
        self.show()

    def _draw(self) -> None:
        theme = self._theme
        name, colour = ("critical", theme.critical) if self._is_error else ("notice", theme.notice)
        palette = theme.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(theme.tint(colour)))
        palette.setColor(QPalette.ColorRole.WindowText, QColor(theme.text))
        self.setPalette(palette)
        self._sign.setPixmap(pixmap(name, colour, 18, self.devicePixelRatioF()))
        self._close.setIcon(icon("close", theme))
