"""The demo trainings, one line each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from attn_debugger.session.translated import translated
from attn_debugger.ui.start.row_button import RowButton
from attn_debugger.ui.theme import LIGHT, Theme


class DemoList(QWidget):
    """A row a demo; a click asks for it to be recorded."""

    demo_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme = LIGHT
        self._demos: tuple[tuple[str, str, str], ...] = ()
        self._rows: list[RowButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._waiting = QLabel(self.tr("The list is on its way…"))
        self._waiting.setProperty("role", "muted")
        self._waiting.setContentsMargins(8, 4, 8, 4)
        self._column.addWidget(self._waiting)
        self._column.addStretch(1)

    def show_demos(self, demos: Sequence[tuple[str, str, str]]) -> None:
        """Show (name, title, line) of each demo."""
        if tuple(demos) == self._demos:
            return
        self._demos = tuple(demos)
        self._waiting.setVisible(not self._demos)
        for row in self._rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = []
        for name, title, line in self._demos:
            line = translated(line)
            row = RowButton(translated(title), line[:1].upper() + line[1:], "demo")
            row.setToolTip(self.tr("Train and record it now:  --demo {name}").format(name=name))
            row.clicked.connect(lambda _=False, name=name: self.demo_requested.emit(name))
            row.set_theme(self._theme)
            self._column.insertWidget(self._column.count() - 1, row)
            self._rows.append(row)

    def rows(self) -> tuple[RowButton, ...]:
        return tuple(self._rows)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for row in self._rows:
            row.set_theme(theme)
