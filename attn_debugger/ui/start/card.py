"""A framed part of the start page under a heading."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget


class Card(QFrame):
    """Widgets are added to `body`, top to bottom."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        heading = QLabel(title)
        heading.setProperty("role", "heading")
        heading.setContentsMargins(8, 0, 0, 2)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(8, 12, 8, 10)
        self.body.setSpacing(2)
        self.body.addWidget(heading)
