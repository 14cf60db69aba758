"""Shows one Markdown page and finds a heading in it."""

from __future__ import annotations

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextBrowser, QWidget

from attn_debugger.ui.help.dress import dress
from attn_debugger.ui.help.pages import best_heading
from attn_debugger.ui.resources import resource_path
from attn_debugger.ui.theme import LIGHT, Theme


class HelpBrowser(QTextBrowser):
    """Links to other pages are emitted as `link_followed`; web links open in the web browser."""

    link_followed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme = LIGHT
        self._markdown = ""
        self.setOpenLinks(False)
        self.setSearchPaths([str(resource_path("help"))])
        self.document().setDocumentMargin(22)
        self.anchorClicked.connect(self._follow)

    def show_markdown(self, text: str) -> None:
        self._markdown = text
        self.document().setMarkdown(text, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        self.document().setDocumentMargin(22)
        dress(self.document(), self._theme)
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._markdown:
            place = self.verticalScrollBar().value()
            self.show_markdown(self._markdown)
            self.verticalScrollBar().setValue(place)

    def go_to(self, anchor: str) -> bool:
        """Put a heading on top: its anchor, else one that holds the word, else the text itself.

        Returns False when the page has no such place.
        """
        headings = []
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel():
                headings.append(block)
            block = block.next()
        place = best_heading([heading.text() for heading in headings], anchor)
        if place is not None:
            return self._put_on_top(QTextCursor(headings[place]))
        found = self.document().find(anchor)
        return False if found.isNull() else self._put_on_top(found)

    def find_next(self, text: str) -> None:
        """Mark the next occurrence, from the top again after the last."""
        if text and not self.find(text):
            self.moveCursor(QTextCursor.MoveOperation.Start)
            self.find(text)

    def _put_on_top(self, cursor: QTextCursor) -> bool:
        cursor.clearSelection()
        self.setTextCursor(cursor)
        layout = self.document().documentLayout()
        top = layout.blockBoundingRect(cursor.block()).top()
        self.verticalScrollBar().setValue(max(int(top) - 12, 0))
        return True

    def _follow(self, url: QUrl) -> None:
        if url.scheme() in ("http", "https", "mailto"):
            QDesktopServices.openUrl(url)
        else:
            self.link_followed.emit(url.toString())
