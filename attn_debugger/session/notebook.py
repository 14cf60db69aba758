"""Keeps the notes of the open run in their file, on a thread of its own: folders can be slow."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot

from attn_debugger.core.notes import EMPTY_NOTES, Notes, merged
from attn_debugger.core.run import Run
from attn_debugger.session.notes_file import NotesFile, NotesRead
from attn_debugger.session.session import Session


@dataclass(frozen=True, slots=True)
class _Done:
    """What the thread has done for one opening of a run: notes read or written, or an error."""

    opening: int
    path: str
    asked: Notes | None  # what was to be written; None = it was a reading
    found: NotesRead | None
    error: str = ""


class Notebook(QObject):
    """Reads notes when a run is opened and writes them whenever the user has changed one.

    `shutdown` waits until everything is on the disk.
    """

    said = Signal(str)  # a sentence that the user should read
    failed = Signal(str)  # the notes could not be kept
    _done = Signal(object)

    def __init__(self, session: Session, user_folder: Path) -> None:
        super().__init__(session)
        self._session = session
        self._user_folder = user_folder
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="notes of a run")
        self._file: NotesFile | None = None
        self._path = ""
        self._opening = 0
        self._is_read = True
        self._is_shut = False
        self._n_pending = 0
        self._unkept: dict[str, Notes] = {}  # by path: what no disk would take
        # From the thread; the window's own thread takes it.
        self._done.connect(self._take, Qt.ConnectionType.QueuedConnection)
        session.run_opened.connect(self._open)
        session.run_closed.connect(self._close)
        session.notes_changed.connect(self._keep)
        if session.run is not None:
            self._open(session.run)

    @property
    def is_busy(self) -> bool:
        """Whether something is still to be read or written."""
        return self._n_pending > 0

    def shutdown(self) -> None:
        """Wait until all is written, and do no more."""
        self._close()
        self._is_shut = True
        self._thread.shutdown(wait=True)

    @Slot(object)
    def _open(self, run: Run) -> None:
        if self._is_shut:
            return
        self._opening += 1
        self._path = run.path
        self._is_read = False
        self._file = file = NotesFile(run, self._user_folder)
        self._do(None, file.read)

    @Slot()
    def _close(self) -> None:
        self._opening += 1
        self._file = None

    @Slot(object, bool)
    def _keep(self, notes: Notes, changed_here: bool) -> None:
        file = self._file
        if changed_here and file is not None and self._is_read:
            self._do(notes, lambda: file.write(notes))

    def _do(self, asked: Notes | None, work: Callable[[], NotesRead]) -> None:
        opening, path = self._opening, self._path

        def tell(future: Future[NotesRead]) -> None:
            error = future.exception()
            if error is None:
                self._done.emit(_Done(opening, path, asked, future.result()))
            else:
                reason = getattr(error, "strerror", None) or str(error)
                self._done.emit(_Done(opening, path, asked, None, reason))

        self._n_pending += 1
        self._thread.submit(work).add_done_callback(tell)

    @Slot(object)
    def _take(self, done: _Done) -> None:
        self._n_pending -= 1
        if done.found is None:
            self._note_failure(done)
            return
        for sentence in done.found.sentences:
            self.said.emit(sentence)
        if done.asked is not None:
            self._unkept.pop(done.path, None)
        if done.opening != self._opening:
            return
        now = self._session.notes
        if done.asked is None:
            # What the user wrote while the file was still being read, and what no disk took before.
            self._is_read = True
            earlier = self._unkept.get(done.path, EMPTY_NOTES)
            notes = merged(EMPTY_NOTES, merged(EMPTY_NOTES, done.found.notes, earlier), now)
            self._session.take_notes(notes)
            if notes != done.found.notes:
                self._keep(notes, changed_here=True)
        elif done.found.notes != done.asked:
            # Somebody else has the run open too, and has written.
            self._session.take_notes(merged(done.asked, now, done.found.notes))

    def _note_failure(self, done: _Done) -> None:
        if done.opening == self._opening:
            self._is_read = True
        if done.asked is not None:
            self._unkept[done.path] = done.asked
        self.failed.emit(
            self.tr(
                "the notes of {0} cannot be kept: {1}. They stay in this window and are tried "
                "again at the next change"
            ).format(done.path, done.error)
        )
