"""The command palette: any action by typing a part of its name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

WIDTH, HEIGHT = 560, 380


class CommandPalette(QDialog):
    """Lists all actions with their keys, the fitting ones while typing; Enter triggers one."""

    chosen = Signal(object)  # QAction

    def __init__(self, actions: Sequence[QAction], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(self.tr("Command palette"))
        self._actions = list(actions)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Type a part of a command"))
        self.field.setAccessibleName(self.tr("Command"))
        self.field.installEventFilter(self)
        self.list = QTreeWidget(self)
        self.list.setColumnCount(2)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setAccessibleName(self.tr("Commands"))
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.resize(WIDTH, HEIGHT)
        self.field.textChanged.connect(self._fill)
        self.field.returnPressed.connect(self._choose)
        self.list.itemClicked.connect(lambda _item, _column: self._choose())
        self._fill("")
        self.list.setColumnWidth(0, WIDTH - 180)
        self.move(parent.mapToGlobal(QPoint((parent.width() - WIDTH) // 2, 80)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        moves = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -8,
            Qt.Key.Key_PageDown: 8,
        }
        if (
            watched is self.field
            and event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() in moves
        ):
            self._select(self.list.currentIndex().row() + moves[Qt.Key(event.key())])
            return True
        return super().eventFilter(watched, event)

    def _fill(self, text: str) -> None:
        self.list.clear()
        for action in self._actions:
            name = action.text().replace("&", "")
            if not fits(text, name):
                continue
            keys = "  ".join(
                key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts()
            )
            item = QTreeWidgetItem([name, keys])
            item.setToolTip(0, action.toolTip())
            item.setData(0, Qt.ItemDataRole.UserRole, action)
            item.setDisabled(not action.isEnabled())
            self.list.addTopLevelItem(item)
        self._select(0)

    def _select(self, row: int) -> None:
        item = self.list.topLevelItem(max(0, min(row, self.list.topLevelItemCount() - 1)))
        if item is not None:
            self.list.setCurrentItem(item)

    def _choose(self) -> None:
        item = self.list.currentItem()
        if item is None or item.isDisabled():
            return
        action = item.data(0, Qt.ItemDataRole.UserRole)
        self.close()
        self.chosen.emit(action)


def fits(typed: str, name: str) -> bool:
    """Tell whether every typed word occurs in a name, whatever the order and the case."""
    return all(word in name.casefold() for word in typed.casefold().split())
