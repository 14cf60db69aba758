"""Asking the worker for what the view state shows, and letting only fresh answers through."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.core.view_state import ViewState
from attn_debugger.session.gaps import unread_grid
from attn_debugger.session.messages import (
    FilmRead,
    FilmRequest,
    GridRead,
    GridRequest,
    HeadRead,
    HeadRequest,
    SharpRead,
    SharpRequest,
)
from attn_debugger.session.worker import ArchiveWorker

if TYPE_CHECKING:
    from attn_debugger.session.probes import Probes

DEFAULT_TILE = 32
# A frame that was overtaken by a newer request is dropped, unless the screen has stood still for
# this long: on a slow disk a drag still shows where it is.
STANDSTILL_SECONDS = 0.25
REST_MS = 150  # so long a frame must stand before full maps are read for it


class Reading(QObject):
    """Turns states into requests and answers into frames for the views."""

    grid_ready = Signal(object)  # GridFrame
    head_ready = Signal(object, str)  # LayerFrame, or None and a sentence
    sharp_ready = Signal(object)  # SharpTiles of the frame that grid_ready told of last
    film_ready = Signal(object, int)  # tuple of LayerFrame, the current frame's index
    failed = Signal(str)

    def __init__(self, worker: ArchiveWorker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._tile = DEFAULT_TILE
        self._ticket = 0
        self._grid_ticket = 0
        self._head_ticket = 0
        self._film_ticket = 0
        self._film_frame = 0
        self._shown_ticket = 0
        self._shown_at = 0.0
        self.probes: Probes | None = None
        self._sharp_ticket = 0
        self._sight: tuple[int, tuple[HeadRef, ...]] = (0, ())  # tile, heads
        self._here: ViewState | None = None  # what the newest grid was asked for
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._sharpen)

    @property
    def tile(self) -> int:
        """The tile size that is asked for."""
        return self._tile

    @property
    def is_loading(self) -> bool:
        """Whether the newest grid that was asked for is still to come."""
        return self._grid_ticket > self._shown_ticket

    def set_tile(self, tile: int, state: ViewState) -> None:
        """Ask for tiles of `tile` pixels from now on: what the grid has room for."""
        if tile != self._tile:
            self._tile = tile
            self.request_grid(state)

    def request_grid(self, state: ViewState) -> None:
        """Ask for the grid of the state's frame, or of the probe that stands in for it."""
        self._ticket += 1
        self._leave()
        if self.probes is not None and self.probes.takes(state):
            # What is on its way from the archive is not to be painted over the probe.
            self._grid_ticket = self._shown_ticket = self._ticket
            self.probes.request_grid(state, self._tile)
            return
        self._grid_ticket = self._ticket
        self._here = state
        self.rest(state)
        self._worker.read_grid(GridRequest(self._ticket, state.frame, state.sample, self._tile))

    def set_sight(self, tile: int, heads: tuple[HeadRef, ...], state: ViewState) -> None:
        """Read the full maps of `heads` too once the view rests, as tiles of `tile` pixels; none =
        the grid shows all there is to see in it.
        """
        if (tile, heads) != self._sight:
            self._sight = tile, heads
            self.rest(state)

    def rest(self, state: ViewState) -> None:
        """Read what is in sight in full if nothing moves for a while."""
        self._rest.stop()
        if self._sight[1] and not state.playing:
            self._rest.start()

    def _leave(self) -> None:
        """Let no full map through of what was shown before."""
        self._sharp_ticket, self._here = self._ticket, None
        self._rest.stop()

    @Slot()
    def _sharpen(self) -> None:
        state, (tile, heads) = self._here, self._sight
        if state is None or not heads:
            return
        self._ticket += 1
        self._sharp_ticket = self._ticket
        self._worker.sharpen(SharpRequest(self._ticket, state.frame, state.sample, tile, heads))

    def receive_sharp(self, answer: SharpRead) -> None:
        """Pass tiles on unless the view has moved on or looks elsewhere."""
        if answer.request.ticket == self._sharp_ticket:
            self.sharp_ready.emit(answer.tiles)

    def request_head(self, state: ViewState) -> None:
        """Ask for the state's head at full resolution; nothing when no head is selected."""
        if state.head is None:
            return
        self._ticket += 1
        self._head_ticket = self._ticket
        if self.probes is not None and self.probes.takes(state):
            self.probes.request_head(state)
            return
        self._worker.read_head(HeadRequest(self._ticket, state.frame, state.head, state.sample))

    def request_film(self, state: ViewState, frame_indices: tuple[int, ...]) -> None:
        """Ask for the state's head at several frames; nothing when no head is selected."""
        if state.head is None:
            return
        self._ticket += 1
        self._film_ticket = self._ticket
        self._film_frame = state.frame
        self._worker.read_film(FilmRequest(self._ticket, frame_indices, state.head, state.sample))

    def receive_film(self, answer: FilmRead) -> None:
        """Pass the film on if no newer one was asked for."""
        if answer.request.ticket == self._film_ticket:
            self.film_ready.emit(answer.frames, self._film_frame)

    def forget(self) -> None:
        """Let no answer through that was asked for before now."""
        self._ticket += 1
        self._grid_ticket = self._head_ticket = self._film_ticket = self._ticket
        self._shown_ticket = self._ticket
        self._leave()

    def receive_grid(self, answer: GridRead, run: Run) -> None:
        """Pass the grid on unless a newer one is shown or on its way."""
        ticket, now = answer.request.ticket, time.monotonic()
        if ticket <= self._shown_ticket:
            return
        if ticket != self._grid_ticket and now - self._shown_at < STANDSTILL_SECONDS:
            return
        self._shown_ticket, self._shown_at = ticket, now
        frame = answer.frame
        if frame is None:
            if not answer.lost:
                self.failed.emit(answer.sentence)
            frame = unread_grid(run, answer.request, answer.sentence)
        self.grid_ready.emit(frame)

    def receive_head(self, answer: HeadRead) -> None:
        """Pass the head on if no newer one was asked for."""
        if answer.request.ticket == self._head_ticket:
            self.head_ready.emit(answer.frame, answer.sentence)
