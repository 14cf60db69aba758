"""The small window in which a note is written."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.core.notes import Note
from attn_debugger.ui.notes.words import spot_words


class NoteText(QPlainTextEdit):
    """A text in which Enter begins a line and Ctrl+Enter is the end of it."""

    finished = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.finished.emit()
        else:
            super().keyPressEvent(event)


class NoteEditor(QDialog):
    """Edits the text of one note; Ctrl+Enter saves, Esc leaves it as it was."""

    written = Signal(object, str)  # Spot, text

    def __init__(self, note: Note, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spot = note.spot
        self.setWindowTitle(self.tr("Note"))
        place = QLabel(spot_words(note.spot))
        self.text = NoteText(note.text)
        self.text.finished.connect(self._save)
        self.text.setAccessibleName(self.tr("Text of the note"))
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(self.tr("What do you see here? An empty text is no note."))
        save = QDialogButtonBox.StandardButton.Save
        buttons = QDialogButtonBox(save | QDialogButtonBox.StandardButton.Cancel)
        buttons.button(save).setToolTip(self.tr("Keep the note (Ctrl+Enter)"))
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(place)
        column.addWidget(self.text, 1)
        column.addWidget(buttons)
        self.resize(460, 240)
        self.text.setFocus()
        self.text.moveCursor(self.text.textCursor().MoveOperation.End)

    def _save(self) -> None:
        self.written.emit(self._spot, self.text.toPlainText())
        self.accept()
