"""The runs that were open before, newest first; what has gone is greyed and can be removed."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from attn_debugger.ui.icons import icon
from attn_debugger.ui.start.row_button import RowButton
from attn_debugger.ui.theme import LIGHT, Theme


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentEntry:
    """A run to come back to. `detail` is a few words: frames, last flag, when."""

    path: str
    detail: str = ""
    exists: bool = True


class RecentList(QWidget):
    """A row a run: open it, or take it off the list."""

    path_opened = Signal(str)
    remove_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme = LIGHT
        self._entries: tuple[RecentEntry, ...] = ()
        self._rows: list[tuple[RowButton, QToolButton]] = []
        self._nothing = QLabel(self.tr("Runs that you open are listed here."))
        self._nothing.setProperty("role", "muted")
        self._nothing.setContentsMargins(8, 4, 8, 4)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._nothing)

    def show_entries(self, entries: tuple[RecentEntry, ...]) -> None:
        if entries == self._entries:
            return
        self._entries = entries
        for button, remove in self._rows:
            for widget in (button, remove):
                widget.hide()
                widget.deleteLater()
        while self._column.count() > 1:
            self._column.takeAt(1)
        self._rows = [self._add(entry) for entry in entries]
        self._nothing.setVisible(not entries)
        self.set_theme(self._theme)

    def rows(self) -> tuple[RowButton, ...]:
        return tuple(button for button, _ in self._rows)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for button, remove in self._rows:
            button.set_theme(theme)
            remove.setIcon(icon("close", theme, theme.muted))

    def _add(self, entry: RecentEntry) -> tuple[RowButton, QToolButton]:
        name = entry.path.replace("\\", "/").rsplit("/", 1)[-1]
        # A path has no spaces to break at; invisible ones let a long one wrap between folders.
        folder = entry.path[: -len(name) - 1].replace("/", "/\u200b")
        parts = [folder, entry.detail if entry.exists else self.tr("not there any more")]
        button = RowButton(name, "  ·  ".join(part for part in parts if part), "recent")
        button.setEnabled(entry.exists)
        button.setToolTip(entry.path)
        button.clicked.connect(lambda: self.path_opened.emit(entry.path))
        remove = QToolButton()
        remove.setAutoRaise(True)
        text = self.tr("Remove {name} from this list").format(name=name)
        remove.setToolTip(text)
        remove.setAccessibleName(text)
        remove.clicked.connect(lambda: self.remove_requested.emit(entry.path))
        row = QHBoxLayout()
        row.setSpacing(2)
        row.addWidget(button, 1)
        row.addWidget(remove)
        self._column.addLayout(row)
        return button, remove
