"""The one place where the view state is kept, and replaced whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from attn_debugger.core.notes import EMPTY_NOTES, Note, Notes
from attn_debugger.core.run import Run
from attn_debugger.core.view_state import EMPTY_STATE, Look, ViewState
from attn_debugger.session.trail import Trail


class StateOwner(QObject):
    """Holds a `ViewState` and says what changed. Subclasses fulfil what a new state asks for."""

    state_changed = Signal(object, object)  # after, before: ViewState
    frame_changed = Signal(int)
    head_changed = Signal(object)  # HeadRef | None
    cell_changed = Signal(object)  # (query, key) | None
    look_changed = Signal(object)  # Look
    notes_changed = Signal(object, bool)  # Notes; whether the user changed them: keep them
    hinted = Signal(str)  # a sentence in passing
    said = Signal(str)  # a sentence that the user should read
    failed = Signal(str)  # a sentence that must not be missed

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = EMPTY_STATE
        self._run: Run | None = None
        self._frames: NDArray[np.int64] = np.empty(0, np.int64)
        self._notes = EMPTY_NOTES
        # Looks and notes are undone in the order in which they were changed.
        self._changes: Trail[Look | Note] = Trail()

    @property
    def state(self) -> ViewState:
        return self._state

    @property
    def run(self) -> Run | None:
        """The run that is open, as of its last refresh."""
        return self._run

    @property
    def frames(self) -> NDArray[np.int64]:
        """Indices of the frames that stepping visits: all, or those of the chosen stream."""
        return self._frames

    @property
    def step(self) -> int | None:
        """The training step of the current frame."""
        return None if self._run is None else int(self._run.steps[self._state.frame])

    @property
    def notes(self) -> Notes:
        """Bookmarks and notes of the open run."""
        return self._notes

    def set_look(self, look: Look) -> None:
        """Show maps another way; `undo` returns."""
        if look != self._state.look:
            self._changes.leave(self._state.look)
            self._become(replace(self._state, look=look))

    def put_note(self, note: Note) -> None:
        """Set the note on a spot, or take it away with an empty one; `undo` returns."""
        old = self._notes.at(note.spot)
        if self._run is not None and note != old:
            self._changes.leave(old)
            self._hold(self._notes.put(note), changed_here=True)

    def take_notes(self, notes: Notes) -> None:
        """Show the notes that were read for the open run; nothing is there to be undone."""
        if notes != self._notes:
            self._hold(notes, changed_here=False)

    def undo(self) -> None:
        """Take back the last change of the look, or of a note."""
        self._return_to(self._changes.back(self._like(self._changes.behind)))

    def redo(self) -> None:
        self._return_to(self._changes.forward(self._like(self._changes.ahead)))

    def _like(self, change: Look | Note | None) -> Look | Note:
        """Return what a change would replace: the look, or the note on the same spot."""
        return self._notes.at(change.spot) if isinstance(change, Note) else self._state.look

    def _return_to(self, change: Look | Note | None) -> None:
        if isinstance(change, Note):
            self._hold(self._notes.put(change), changed_here=True)
        elif change is not None:
            self._become(replace(self._state, look=change))

    def _hold(self, notes: Notes, *, changed_here: bool) -> None:
        self._notes = notes
        self.notes_changed.emit(notes, changed_here)

    def _forget_notes(self) -> None:
        """Forget the notes of a run that is closed; undoing must not bring them into another."""
        self._changes.clear()
        self.take_notes(EMPTY_NOTES)

    def _become(self, new: ViewState) -> None:
        old, self._state = self._state, new
        if new == old:
            return
        self._fulfil(new, old)
        if new.frame != old.frame:
            self.frame_changed.emit(new.frame)
        if new.head != old.head:
            self.head_changed.emit(new.head)
        if new.cell != old.cell or new.head != old.head:
            self.cell_changed.emit(new.cell)
        if new.look != old.look:
            self.look_changed.emit(new.look)
        self.state_changed.emit(new, old)

    def _fulfil(self, new: ViewState, old: ViewState) -> None:
        """Ask for what the new state shows; called before anyone is told of the change."""
