"""The one place where the view state is kept, and replaced whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

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
    hinted = Signal(str)  # a sentence in passing
    said = Signal(str)  # a sentence that the user should read
    failed = Signal(str)  # a sentence that must not be missed

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._state = EMPTY_STATE
        self._run: Run | None = None
        self._frames: NDArray[np.int64] = np.empty(0, np.int64)
        self._looks: Trail[Look] = Trail()

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

    def set_look(self, look: Look) -> None:
        """Show maps another way; `undo` returns."""
        if look != self._state.look:
            self._looks.leave(self._state.look)
            self._become(replace(self._state, look=look))

    def undo(self) -> None:
        look = self._looks.back(self._state.look)
        if look is not None:
            self._become(replace(self._state, look=look))

    def redo(self) -> None:
        look = self._looks.forward(self._state.look)
        if look is not None:
            self._become(replace(self._state, look=look))

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
