"""The line that says that a link is lost, and lets the user try it again."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from attn_debugger.ui.signed_line import SignedLine
from attn_debugger.ui.window.readout import sentence_case


class LinkBar(SignedLine):
    """Shown as long as the link is lost."""

    retry_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        self._text = QLabel()
        self.retry = QToolButton()
        super().__init__(self._text, self.retry, parent)
        self._text.setWordWrap(True)
        self.retry.setText(self.tr("Reconnect now"))
        self.retry.clicked.connect(self.retry_requested)
        self.hide()

    @property
    def text(self) -> str:
        return self._text.text()

    def show_loss(self, sentence: str, seconds: float) -> None:
        """Say why the link is lost and when it is tried again; 0 = not by itself."""
        words = [sentence_case(sentence) + ".", self.tr("What was loaded can still be looked at.")]
        if seconds > 0:
            words.append(self.tr("It is tried again in {0} s.").format(max(1, round(seconds))))
        self._text.setText(" ".join(words))
        self.setAccessibleName(self._text.text())
        self.retry.setEnabled(True)
        self._draw()
        self.show()

    def show_trying(self) -> None:
        """Say that the link is being tried."""
        self.retry.setEnabled(False)
        self._text.setText(self.tr("Connecting again…"))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._draw()

    def _draw(self) -> None:
        colour = self._theme.warning
        self._colour("warning", colour, self._theme.tint(colour), self._theme.text)
