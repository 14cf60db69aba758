"""The row in which the watched tokens are typed."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from attn_debugger.ui.elided_label import ElidedLabel

SELECTED = "selected"  # from the query that is selected at that moment
LEAST_FIELD = 240


class WatchField(QLineEdit):
    """Escape ends the watch here, whatever else it means in the window."""

    escaped = Signal()

    def event(self, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)


class WatchBar(QWidget):
    """Says what the user wants watched; knows no tokens."""

    watch_wanted = Signal(str, str)  # text, from which query: first, last, all, selected
    ended = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = WatchField(self)
        self.field.setPlaceholderText(self.tr("[PAD], words, /expression/, #4-9"))
        self.field.setToolTip(
            self.tr(
                "Enter: sort and number the heads by their weight on these keys.<br>"
                "Words, also of several tokens; /expression/ over tokens and words; "
                "#4-9 positions; doc 2 a packed document; header = #4-9 gives it a name"
            )
        )
        self.field.setAccessibleName(self.tr("Tokens to watch"))
        self.field.setClearButtonEnabled(True)
        needs = self.field.fontMetrics().horizontalAdvance(self.field.placeholderText()) + 40
        self.field.setMinimumWidth(max(LEAST_FIELD, needs))
        self.queries = QComboBox(self)
        self.queries.setAccessibleName(self.tr("From which query"))
        self.queries.setToolTip(self.tr("Whose attention on these keys is summed"))
        for text, name in (
            (self.tr("the first token (CLS)"), "first"),
            (self.tr("the last token"), "last"),
            (self.tr("every query, mean"), "all"),
            (self.tr("the selected query"), SELECTED),
        ):
            self.queries.addItem(text, name)
        self.status = ElidedLabel("", self)
        self.close_button = QToolButton(self)
        self.close_button.setText("✕")
        self.close_button.setAutoRaise(True)
        self.close_button.setToolTip(self.tr("Stop watching (Esc in the field)"))
        self.close_button.setAccessibleName(self.tr("Stop watching"))
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 4, 6, 4)
        row.setSpacing(8)
        row.addWidget(QLabel(self.tr("Watch"), self))
        row.addWidget(self.field)
        row.addWidget(QLabel(self.tr("seen from"), self))
        row.addWidget(self.queries)
        row.addWidget(self.status, 1)
        row.addWidget(self.close_button)
        self.field.returnPressed.connect(self._want)
        self.queries.activated.connect(self._want)
        self.close_button.clicked.connect(self.ended)
        self.field.escaped.connect(self.ended)

    def choose_queries(self, name: str) -> None:
        """Choose from where tokens are watched. Emits nothing."""
        self.queries.setCurrentIndex(self.queries.findData(name))

    def say(self, words: str) -> None:
        """Say what was found, or why nothing can be."""
        self.status.set_text(words)

    @Slot()
    def _want(self) -> None:
        if self.field.text().strip() or self.sender() is self.field:
            self.watch_wanted.emit(self.field.text(), cast(str, self.queries.currentData()))
