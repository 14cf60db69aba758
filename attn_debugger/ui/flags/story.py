"""The story of the run in a few sentences, in the order in which things broke."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QToolButton, QVBoxLayout, QWidget

from attn_debugger.ui.theme import LIGHT, Theme

_SHORT = 3


class StoryCard(QFrame):
    """Hidden while there is nothing to tell; more than three sentences unfold on demand."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._sentences: tuple[str, ...] = ()
        self._unfolded = False
        self._theme: Theme = LIGHT
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.RichText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._more = QToolButton()
        self._more.setProperty("role", "link")
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._more.clicked.connect(self._toggle)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 8, 10, 8)
        column.setSpacing(2)
        column.addWidget(self._text)
        column.addWidget(self._more)
        self._draw()

    def show_sentences(self, sentences: tuple[str, ...]) -> None:
        if sentences != self._sentences:
            self._sentences = sentences
            self._draw()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._draw()

    def _toggle(self) -> None:
        self._unfolded = not self._unfolded
        self._draw()

    def _draw(self) -> None:
        self.setVisible(bool(self._sentences))
        shown = self._sentences if self._unfolded else self._sentences[:_SHORT]
        self._text.setText(
            "".join(f"<p style='margin:0 0 3px 0'>{escape(sentence)}</p>" for sentence in shown)
        )
        rest = len(self._sentences) - _SHORT
        self._more.setVisible(rest > 0)
        text = self.tr("Show less") if self._unfolded else self.tr("{n} more").format(n=rest)
        self._more.setText(text)
        self._more.setAccessibleName(self.tr("More or less of the story"))
