"""The story of the run in a few sentences, in the order in which things broke."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QToolButton, QVBoxLayout, QWidget

from attn_debugger.session.translated import translated
from attn_debugger.ui.theme import LIGHT, Theme

_SHORT = 2
_MOST_LINES = 14  # of an unfolded story; the rest scrolls
_SIDE = 11  # from the text to the card's edge
_EDGE = 2  # the edge itself, with room for rounding


class StoryCard(QFrame):
    """Hidden while there is nothing to tell; more than two sentences unfold on demand."""

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
        self._text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._text)
        self._more = QToolButton()
        self._more.setProperty("role", "link")
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._more.setAccessibleName(self.tr("More or less of the story"))
        self._more.clicked.connect(self._toggle)
        column = QVBoxLayout(self)
        column.setContentsMargins(_SIDE, 7, _SIDE, 5)
        column.setSpacing(0)
        column.addWidget(self._scroll)
        column.addWidget(self._more)
        self._draw()

    def show_sentences(self, sentences: tuple[str, ...]) -> None:
        if sentences != self._sentences:
            self._sentences = sentences
            self._draw()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        # A scroll area paints the window's ground; the text stands on the card's.
        self._scroll.setStyleSheet(f"background: {theme.surface};")
        self._draw()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._claim_height()

    def _claim_height(self) -> None:
        """Claim the height that the wrapped text needs: a layout under pressure would cut it."""
        needed = self._text.heightForWidth(max(self.width() - 2 * (_SIDE + _EDGE), 80))
        most = _MOST_LINES * self.fontMetrics().lineSpacing()
        # Left to itself the area keeps its bar: beside it the text is narrower and needs the bar.
        bar = Qt.ScrollBarPolicy
        self._scroll.setVerticalScrollBarPolicy(
            bar.ScrollBarAsNeeded if needed > most else bar.ScrollBarAlwaysOff
        )
        self._scroll.setFixedHeight(min(max(needed, 0), most))

    def _toggle(self) -> None:
        self._unfolded = not self._unfolded
        self._draw()

    def _draw(self) -> None:
        self.setVisible(bool(self._sentences))
        shown = self._sentences if self._unfolded else self._sentences[:_SHORT]
        self._text.setText(
            "".join(
                f"<p style='margin:0 0 3px 0'>{escape(translated(sentence))}</p>"
                for sentence in shown
            )
        )
        rest = len(self._sentences) - _SHORT
        self._more.setVisible(rest > 0)
        text = self.tr("Show less") if self._unfolded else self.tr("{n} more").format(n=rest)
        self._more.setText(text)
        self._claim_height()
