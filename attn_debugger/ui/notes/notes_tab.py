"""The list of bookmarks and notes beside the flags: go there, edit, delete."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.core.notes import EMPTY_NOTES, Note, Notes
from attn_debugger.ui.help.context import set_help
from attn_debugger.ui.icons import icon
from attn_debugger.ui.notes.words import note_line
from attn_debugger.ui.theme import LIGHT, Theme


class NoteList(QListWidget):
    """The rows; Delete on one asks to delete it."""

    delete_pressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Delete:
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)


class NotesTab(QWidget):
    """Shows the notes of the open run and says what the user wants with one of them."""

    note_activated = Signal(object)  # Note: go there
    edit_requested = Signal(object)  # Note
    delete_requested = Signal(object)  # Note
    bookmark_requested = Signal()  # on the current place
    note_requested = Signal()  # on the current place

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_help(self, "window.md#notes")
        self._notes: Notes = EMPTY_NOTES
        self._theme: Theme = LIGHT
        self._empty = QLabel(
            self.tr(
                "Ctrl+B marks this step and head, M writes a note on it. Both are kept in a file "
                "beside the run; the run itself stays as it is."
            )
        )
        self._empty.setWordWrap(True)
        self._empty.setProperty("role", "muted")
        self._empty.setContentsMargins(8, 8, 8, 8)
        self.list = NoteList()
        self.list.setAccessibleName(self.tr("Bookmarks and notes"))
        self.list.setWordWrap(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # One click goes there, as in the list of flags; Enter does where a click would not reach.
        self.list.itemClicked.connect(self._go)
        self.list.itemActivated.connect(self._go)
        self.list.currentRowChanged.connect(self._show_buttons)
        self.list.delete_pressed.connect(self._delete)
        self.mark = QPushButton(self.tr("Bookmark"))
        self.mark.setToolTip(self.tr("Mark this step and head, or take the mark away (Ctrl+B)"))
        self.mark.clicked.connect(self.bookmark_requested)
        self.write = QPushButton(self.tr("Note…"))
        self.write.setToolTip(self.tr("Write a note on this step and head (M)"))
        self.write.clicked.connect(self.note_requested)
        self.edit = QPushButton(self.tr("Edit…"))
        self.edit.setToolTip(self.tr("Change the text of the selected note"))
        self.edit.clicked.connect(self._edit)
        self.delete = QPushButton(self.tr("Delete"))
        self.delete.setToolTip(self.tr("Delete the selected note (Ctrl+Z brings it back)"))
        self.delete.clicked.connect(self._delete)
        buttons = QHBoxLayout()
        for button in (self.mark, self.write, self.edit, self.delete):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.addWidget(self._empty)
        column.addWidget(self.list, 1)
        column.addLayout(buttons)
        self.show_notes(EMPTY_NOTES)

    def show_notes(self, notes: Notes) -> None:
        """List these notes; the one that was selected stays so."""
        selected = self.selected
        self._notes = notes
        self.list.blockSignals(True)  # the rows are made anew, the user has chosen nothing
        self.list.clear()
        for note in notes.notes:
            item = QListWidgetItem(note_line(notes, note))
            item.setToolTip(note.text)
            item.setIcon(icon("bookmark" if note.bookmarked else "note", self._theme))
            self.list.addItem(item)
            if selected is not None and note.spot == selected.spot:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        self._empty.setVisible(not notes.notes)
        self._show_buttons()

    def enable(self, has_run: bool) -> None:
        """Without a run there is nothing to mark."""
        for button in (self.mark, self.write):
            button.setEnabled(has_run)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.show_notes(self._notes)

    @property
    def selected(self) -> Note | None:
        """The selected note, if one is."""
        row = self.list.currentRow()
        return self._notes.notes[row] if 0 <= row < len(self._notes.notes) else None

    def _show_buttons(self) -> None:
        for button in (self.edit, self.delete):
            button.setEnabled(self.selected is not None)

    def _go(self, item: QListWidgetItem) -> None:
        self.note_activated.emit(self._notes.notes[self.list.row(item)])

    def _edit(self) -> None:
        if self.selected is not None:
            self.edit_requested.emit(self.selected)

    def _delete(self) -> None:
        if self.selected is not None:
            self.delete_requested.emit(self.selected)
