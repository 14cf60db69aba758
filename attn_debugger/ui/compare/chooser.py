"""Which run to compare with: one of the last ones, or a file of the user's."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.ui.start.recent import RecentEntry


class RunChooser(QDialog):
    """Offers the recent runs; knows nothing of files."""

    path_chosen = Signal(str)
    file_wanted = Signal()  # the user wants to look for another file

    def __init__(self, name: str, recent: Sequence[RecentEntry], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Compare with another run"))
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Recent runs"))
        for entry in recent:
            item = QListWidgetItem(f"{entry.path}\n{entry.detail}")
            item.setData(Qt.ItemDataRole.UserRole, entry.path)
            if not entry.exists:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)
        self.list.itemActivated.connect(self._choose)
        box = QDialogButtonBox(self)
        self.file_button = QPushButton(self.tr("Another file…"), self)
        self.open_button = QPushButton(self.tr("Compare"), self)
        box.addButton(self.file_button, QDialogButtonBox.ButtonRole.ActionRole)
        box.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        cancel = box.addButton(QDialogButtonBox.StandardButton.Cancel)
        cancel.clicked.connect(self.reject)
        self.file_button.clicked.connect(self._want_file)
        self.open_button.clicked.connect(lambda: self._choose(self.list.currentItem()))
        self.open_button.setEnabled(False)
        self.list.itemSelectionChanged.connect(
            lambda: self.open_button.setEnabled(bool(self.list.selectedItems()))
        )
        text = QLabel(self.tr("A is {0}. Which run is B?").format(name), self)
        column = QVBoxLayout(self)
        column.addWidget(text)
        column.addWidget(self.list, 1)
        column.addWidget(box)
        self.resize(560, 360)

    @Slot(object)
    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.accept()
            self.path_chosen.emit(item.data(Qt.ItemDataRole.UserRole))

    @Slot()
    def _want_file(self) -> None:
        self.accept()
        self.file_wanted.emit()
