"""A line for the path of a file, with a button to choose one."""

from __future__ import annotations

import os

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget


class FileField(QWidget):
    """`path` is what stands in the line; empty = none."""

    def __init__(self, name: str, kinds: str, parent: QWidget | None = None) -> None:
        """`kinds` is a filter of file dialogs: `CSV (*.csv)`."""
        super().__init__(parent)
        self._name, self._kinds, self._folder = name, kinds, ""
        self.line = QLineEdit(self)
        self.line.setAccessibleName(name)
        self._choose = QPushButton(self.tr("Choose…"), self)
        self._choose.setAccessibleName(self.tr("Choose a file: {0}").format(name))
        self._choose.clicked.connect(self._browse)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.line, 1)
        row.addWidget(self._choose)
        self.setFocusProxy(self.line)

    @property
    def path(self) -> str:
        return self.line.text().strip()

    def start_in(self, folder: str) -> None:
        """Let the file dialog begin there while nothing is chosen."""
        self._folder = folder

    @Slot()
    def _browse(self) -> None:
        start = os.path.dirname(self.path) or self._folder
        path, _ = QFileDialog.getOpenFileName(self, self._name, start, self._kinds)
        if path:
            self.line.setText(path)
