"""Bookmarks and notes in the window: keys, list and timeline, bound to session and file."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStandardPaths, Qt, Slot

from attn_debugger.core.notes import Note, Notes, Spot, frame_of, head_in, spot_of
from attn_debugger.session.notebook import Notebook
from attn_debugger.ui.notes.words import first_line, spot_words

if TYPE_CHECKING:
    from attn_debugger.ui.notes.notes_tab import NotesTab
    from attn_debugger.ui.window.main_window import MainWindow
    from attn_debugger.ui.window.sides import SideViews
    from attn_debugger.ui.window.views import RunViews

N_KEYS = 9


def notes_folder() -> Path:
    """Return where notes are kept whose run lies in a folder that cannot be written to."""
    data = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(data) / "notes"


class Noting(QObject):
    """What the user does with bookmarks and notes, and where they are shown."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self.tab: NotesTab | None = None
        self._views: RunViews | None = None
        self.notebook = Notebook(window.session, notes_folder())
        self.notebook.said.connect(window.say)
        self.notebook.failed.connect(self._fail)
        self._session.notes_changed.connect(self._show)
        self._session.run_opened.connect(self._show_run)
        self._session.run_grown.connect(self._show_run)
        self._session.run_closed.connect(self._show_run)

    def by_name(self) -> dict[str, Callable[[], None]]:
        """Return what each action of the table does that concerns notes."""
        return {
            "bookmark": self.toggle,
            "note": self.write,
            **{
                f"bookmark_{number}": lambda number=number: self.jump(number)  # type: ignore[misc]
                for number in range(1, N_KEYS + 1)
            },
        }

    def connect_views(self, views: RunViews) -> None:
        """Mark notes on the timeline, once there is one."""
        self._views = views
        self._show_run()

    def connect_sides(self, sides: SideViews) -> None:
        """Put the list beside the flags, once they are there."""
        from attn_debugger.ui.notes.notes_tab import NotesTab

        self.tab = tab = NotesTab()
        tab.note_activated.connect(self.go)
        tab.edit_requested.connect(self.edit)
        tab.delete_requested.connect(self.delete)
        tab.bookmark_requested.connect(self.toggle)
        tab.note_requested.connect(self.write)
        sides.flags.add_tab(tab, self.tr("Bookmarks && notes"))
        self._show_run()

    def finish(self) -> None:
        """Wait until the notes are on the disk: the window closes."""
        self.notebook.shutdown()

    # What the user does.

    @Slot()
    def toggle(self) -> None:
        """Set a bookmark on where the view is, or take it away."""
        spot = self._here()
        if spot is None:
            return
        note = self._session.notes.at(spot).toggled(time.time())
        self._session.put_note(note)
        words = self.tr("bookmark set: {0}") if note.bookmarked else self.tr("bookmark gone: {0}")
        self._window.status.say(words.format(spot_words(spot)))

    @Slot()
    def write(self) -> None:
        """Let the user write a note on where the view is."""
        spot = self._here()
        if spot is not None:
            self.edit(self._session.notes.at(spot))

    @Slot(object)
    def edit(self, note: Note) -> None:
        """Let the user change a note's text."""
        from attn_debugger.ui.notes.note_editor import NoteEditor

        editor = NoteEditor(note, self._window)
        editor.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        editor.written.connect(self._write)
        editor.open()

    @Slot(object)
    def delete(self, note: Note) -> None:
        """Take a note and its bookmark away; undo brings them back."""
        self._session.put_note(Note(spot=note.spot))
        self._window.status.say(self.tr("deleted; Ctrl+Z brings it back"))

    def jump(self, number: int) -> None:
        """Go to a bookmark, counted from 1 in the order of steps."""
        bookmarks = self._session.notes.bookmarks
        if number <= len(bookmarks):
            self.go(bookmarks[number - 1])
        elif bookmarks:
            words = self.tr("there is no bookmark {0}, only {1}")
            self._window.status.say(words.format(number, len(bookmarks)))
        else:
            self._window.status.say(self.tr("there is no bookmark yet: Ctrl+B sets one"))

    @Slot(object)
    def go(self, note: Note) -> None:
        """Show the step, head and cell of a note; say so where they are not in this run."""
        run, session, spot = self._session.run, self._session, note.spot
        if run is None:
            return
        session.pause()
        if spot.sample < run.n_samples:
            session.show_sample(spot.sample)
        if session.state.stream not in (None, spot.stream):
            session.show_stream(None)
        frame, head = frame_of(run, spot), head_in(run, spot)
        session.jump(frame, head, spot.cell if head is not None else None)
        step = int(run.steps[frame])
        if step != spot.step:
            words = self.tr("step {0} is not in this run, showing {1}")
            self._window.say(words.format(spot.step, step))
        elif spot.head is not None and head is None:
            self._window.say(self.tr("this run has no head {0}").format(spot.head))
        elif note.text:
            self._window.status.say(first_line(note.text))

    @Slot(object, str)
    def _write(self, spot: Spot, text: str) -> None:
        self._session.put_note(self._session.notes.at(spot).with_text(text, time.time()))

    def _here(self) -> Spot | None:
        run = self._session.run
        return None if run is None else spot_of(run, self._session.state)

    @Slot(str)
    def _fail(self, sentence: str) -> None:
        self._window.notice.show_error(sentence)

    # Where they are shown.

    @Slot()
    def _show_run(self) -> None:
        self._show(self._session.notes)

    @Slot(object)
    def _show(self, notes: Notes) -> None:
        run = self._session.run
        if self.tab is not None:
            self.tab.show_notes(notes)
            self.tab.enable(run is not None)
        if self._views is not None and run is not None:
            marks = tuple((frame_of(run, note.spot), note) for note in notes.notes)
            self._views.timeline.show_notes(marks)
