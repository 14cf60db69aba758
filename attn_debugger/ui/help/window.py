"""The help window: contents on the left, a page on the right, a search over all pages."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.analysis.texts.page import signals_page
from attn_debugger.session.translated import translated
from attn_debugger.ui.help.browser import HelpBrowser
from attn_debugger.ui.help.keys import PLACEHOLDER, keys_markdown
from attn_debugger.ui.help.pages import (
    HOME,
    SIGNALS_PAGE,
    HelpPage,
    matches,
    read_pages,
    split_target,
)
from attn_debugger.ui.icons import icon
from attn_debugger.ui.language import shown_language
from attn_debugger.ui.resources import resource_path
from attn_debugger.ui.theme import DARK, LIGHT, Theme


class HelpWindow(QWidget):
    """Stays open beside the window: `help.show_page("signals.md#nan_weights")`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(self.tr("Attention Debugger: help"))
        self._theme: Theme = LIGHT
        pages = read_pages(resource_path("help"), shown_language())
        self._pages = {page.name: _with_keys(_translated(page)) for page in pages}
        self._trail: list[str] = []  # targets shown before, the last one is shown now
        self._ahead: list[str] = []
        self._back = self._tool(self.tr("Back"), "Alt+Left")
        self._back.clicked.connect(self.back)
        self._forward = self._tool(self.tr("Forward"), "Alt+Right")
        self._forward.clicked.connect(self.forward)
        self._search = QLineEdit()
        self._search.setPlaceholderText(self.tr("Search in the help"))
        self._search.setAccessibleName(self.tr("Search in the help"))
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self._filter)
        self._search.returnPressed.connect(self._search_on)
        self._contents = QListWidget()
        self._contents.setAccessibleName(self.tr("Pages of the help"))
        self._contents.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for page in self._pages.values():
            item = QListWidgetItem(page.title)
            item.setData(Qt.ItemDataRole.UserRole, page.name)
            item.setSizeHint(QSize(0, self.fontMetrics().height() + 12))
            self._contents.addItem(item)
        self._contents.itemClicked.connect(self._choose)
        self._contents.itemActivated.connect(self._choose)
        self.browser = HelpBrowser()
        self.browser.setAccessibleName(self.tr("Help page"))
        self.browser.link_followed.connect(self._follow)
        self._only_english = QLabel(self.tr("This page is in English only, for now."))
        self._only_english.setProperty("role", "muted")
        self._only_english.setContentsMargins(12, 2, 12, 2)
        for keys, slot in (("Esc", self.close), ("Ctrl+F", self._search.setFocus)):
            QShortcut(QKeySequence(keys), self).activated.connect(slot)
        self._lay_out()
        self.resize(940, 700)

    @property
    def page(self) -> str:
        """The target that is shown, e.g. `signals.md#nan_weights`; empty before the first."""
        return self._trail[-1] if self._trail else ""

    def show_page(self, target: str = "") -> None:
        """Open a page, at a heading if one is named, and bring the window to the front."""
        was_hidden = not self.isVisible()
        self._go(target or HOME)
        self.show()
        if was_hidden:
            # A heading's place is known only once the page has the width of the window.
            QTimer.singleShot(0, self, self._draw)
            self.browser.setFocus()
        self.raise_()
        self.activateWindow()

    def back(self) -> None:
        if len(self._trail) > 1:
            self._ahead.append(self._trail.pop())
            self._draw()

    def forward(self) -> None:
        if self._ahead:
            self._trail.append(self._ahead.pop())
            self._draw()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._back.setIcon(icon("step-back", theme))
        self._forward.setIcon(icon("step-forward", theme))
        self.browser.set_theme(theme)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Follow the program's light or dark without being told: the window may be long open."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            theme = DARK if self.palette().window().color().lightness() < 128 else LIGHT
            if theme is not self._theme:
                self.set_theme(theme)

    def _go(self, target: str) -> None:
        if not self._trail or target != self._trail[-1]:
            self._trail.append(target)
            self._ahead.clear()
        self._draw()

    def _draw(self) -> None:
        name, anchor = split_target(self._trail[-1])
        page = self._pages.get(name)
        if page is None:
            text = self.tr("# No such page\n\nThe help has no page `{name}`.").format(name=name)
            self.browser.show_markdown(text)
        else:
            self.browser.show_markdown(page.text)
            if anchor:
                self.browser.go_to(anchor)
        self._only_english.setVisible(page is not None and page.language != shown_language())
        for row in range(self._contents.count()):
            if self._contents.item(row).data(Qt.ItemDataRole.UserRole) == name:
                self._contents.setCurrentRow(row)
        self._back.setEnabled(len(self._trail) > 1)
        self._forward.setEnabled(bool(self._ahead))

    def _follow(self, link: str) -> None:
        here = split_target(self.page)[0]
        self._go(f"{here}{link}" if link.startswith("#") else link)

    def _choose(self, item: QListWidgetItem) -> None:
        self._go(str(item.data(Qt.ItemDataRole.UserRole)))

    def _filter(self, words: str) -> None:
        for row in range(self._contents.count()):
            item = self._contents.item(row)
            page = self._pages[str(item.data(Qt.ItemDataRole.UserRole))]
            item.setHidden(not matches(page, words))

    def _search_on(self) -> None:
        """Enter: the next occurrence here, or else the first page that has the words."""
        words = self._search.text()
        shown = self._pages.get(split_target(self.page)[0])
        if shown is None or not matches(shown, words):
            for page in self._pages.values():
                if matches(page, words):
                    self._go(page.name)
                    break
        self.browser.find_next(words)

    def _tool(self, text: str, keys: str) -> QToolButton:
        button = QToolButton()
        button.setAutoRaise(True)
        button.setAccessibleName(text)
        button.setToolTip(f"{text}  ({keys})")
        button.setShortcut(QKeySequence(keys))
        return button

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 6, 8, 2)
        bar.setSpacing(4)
        bar.addWidget(self._back)
        bar.addWidget(self._forward)
        bar.addStretch(1)
        self._search.setMinimumWidth(240)
        bar.addWidget(self._search)
        splitter = QSplitter()
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self._contents)
        right = QWidget()
        beside = QVBoxLayout(right)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(0)
        beside.addWidget(self._only_english)
        beside.addWidget(self.browser, 1)
        splitter.addWidget(right)
        splitter.setStretchFactor(0, 0)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([210, 730])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(bar)
        column.addWidget(splitter, 1)


def _with_keys(page: HelpPage) -> HelpPage:
    if PLACEHOLDER not in page.text:
        return page
    return replace(page, text=page.text.replace(PLACEHOLDER, keys_markdown()))


def _translated(page: HelpPage) -> HelpPage:
    """Make the page of the signals anew of the words the flags panel shows, in their language."""
    if page.name != SIGNALS_PAGE or shown_language() == "en":
        return page
    return replace(
        page,
        title=translated(page.title),
        text=signals_page(translated),
        language=shown_language(),
    )
