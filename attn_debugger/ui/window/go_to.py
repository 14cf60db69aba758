"""The small field in which a step or a head is typed."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QWidget


class GoToField(QDialog):
    """Takes `1200`, `L4H7` or both; Enter goes there, Esc closes it."""

    typed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(self.tr("Go to step or head"))
        self.field = QLineEdit(self)
        self.field.setPlaceholderText("1200   L4H7   1200 L4H7")
        self.field.setAccessibleName(self.tr("Step or head"))
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 8, 10, 8)
        row.addWidget(QLabel(self.tr("Go to"), self))
        row.addWidget(self.field)
        self.field.returnPressed.connect(self._accept_text)
        self.resize(320, self.sizeHint().height())
        self.move(parent.mapToGlobal(QPoint((parent.width() - 320) // 2, 80)))

    def _accept_text(self) -> None:
        text = self.field.text().strip()
        self.close()
        if text:
            self.typed.emit(text)
