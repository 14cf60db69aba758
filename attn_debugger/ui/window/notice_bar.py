"""A sentence in the window that stays until it was read: what went wrong, and what to do."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from attn_debugger.ui.icons import icon
from attn_debugger.ui.signed_line import SignedLine
from attn_debugger.ui.window.readout import sentence_case


class NoticeBar(SignedLine):
    """Shows one sentence at a time, as an error or as a hint; hidden when there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._text = QLabel()
        self._close = QToolButton()
        super().__init__(self._text, self._close, parent)
        self._is_error = False
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._close.setAutoRaise(True)
        self._close.setToolTip(self.tr("Dismiss this message"))
        self._close.setAccessibleName(self.tr("Dismiss this message"))
        self._close.clicked.connect(self.dismiss)
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
        self._colour(name, colour, theme.tint(colour), theme.text)
        self._close.setIcon(icon("close", theme))
