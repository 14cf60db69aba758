"""What became of every finding: four groups, a click leads to where the finding began."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QVBoxLayout, QWidget

from attn_debugger.analysis.compare import Compared
from attn_debugger.core.flags import Severity
from attn_debugger.session.translated import translated
from attn_debugger.ui.compare.words import STATES, state_words
from attn_debugger.ui.flags.list_view import FlagListView
from attn_debugger.ui.flags.words import one_line, severity_words
from attn_debugger.ui.icons import icon
from attn_debugger.ui.theme import LIGHT, Theme

ITEM_ROLE = 0x0100  # Qt.UserRole: the Compared


class ComparedList(QWidget):
    """Labels are left out: they describe, nothing about them is to be resolved."""

    flag_activated = Signal(object)  # Compared

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme = LIGHT
        self._items: tuple[Compared, ...] = ()
        self.model = QStandardItemModel(self)
        self.view = FlagListView(self)
        self.view.setModel(self.model)
        self.view.setUniformRowHeights(False)  # a reason stands below its finding
        self.view.setAccessibleName(self.tr("What became of the findings"))
        self.view.chosen.connect(self._choose)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)

    def show_items(self, items: tuple[Compared, ...]) -> None:
        """Show findings by what became of them; the groups that were closed stay closed."""
        shown = tuple(item for item in items if item.flag.severity > Severity.LABEL)
        if shown == self._items:
            return
        self._items = shown
        self._fill()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._fill()

    def _fill(self) -> None:
        closed = {
            self.model.item(row).data(ITEM_ROLE)
            for row in range(self.model.rowCount())
            if not self.view.isExpanded(self.model.index(row, 0))
        }
        self.model.clear()
        for state in STATES:
            items = [item for item in self._items if item.state == state]
            if not items:
                continue
            group = QStandardItem(f"{state_words(state)} ({len(items)})")
            group.setData(state, ITEM_ROLE)
            for item in items:
                group.appendRow(self._row(item))
            self.model.appendRow(group)
            self.view.setExpanded(group.index(), state not in closed)

    def _row(self, item: Compared) -> QStandardItem:
        flag = item.flag
        words = one_line(flag)
        if item.reason:
            words += f"\n{translated(item.reason)}"
        colour = self._theme.severity_colour(flag.severity)
        row = QStandardItem(icon(flag.severity.word, self._theme, colour), words)
        row.setToolTip("\n".join(filter(None, (translated(flag.message), translated(item.reason)))))
        row.setAccessibleText(
            f"{state_words(item.state)}, {severity_words(flag.severity)}, {words}"
        )
        row.setData(item, ITEM_ROLE)
        return row

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        item = index.data(ITEM_ROLE)
        if isinstance(item, Compared):
            self.flag_activated.emit(item)
        else:
            self.view.setExpanded(index, not self.view.isExpanded(index))
