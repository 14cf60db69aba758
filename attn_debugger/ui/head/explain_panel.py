"""The panel that explains the selected cell, with a button to copy the text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from attn_debugger.ui.theme import fixed_font


class ExplainPanel(QWidget):
    """Shows one explanation; the text can be selected, searched and copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setAccessibleName(self.tr("How the selected weight came about"))
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        title = QLabel(self.tr("Where this weight comes from"), self)
        title.setProperty("role", "heading")
        self.copy_button = QPushButton(self.tr("Copy"), self)
        self.copy_button.setToolTip(self.tr("Copy the explanation as text"))
        self.copy_button.clicked.connect(self.copy)
        header = QHBoxLayout()
        header.addWidget(title, 1)
        header.addWidget(self.copy_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 6, 12, 4)
        layout.setSpacing(4)
        layout.addLayout(header)
        layout.addWidget(self.text, 1)

    def set_theme(self) -> None:
        """Take over the size of the program's text; all colours come by themselves."""
        self.text.setFont(fixed_font(0.95))

    def show_text(self, text: str, *, can_copy: bool = True) -> None:
        self.copy_button.setEnabled(can_copy)
        if text != self.text.toPlainText():
            self.text.setPlainText(text)

    def copy(self) -> None:
        """Put the explanation on the clipboard."""
        QGuiApplication.clipboard().setText(self.text.toPlainText())
