"""The open run on the worker's thread: reads what is asked of it and keeps what was read."""

from __future__ import annotations

from collections import deque

from attn_debugger.core.frame import GridFrame
from attn_debugger.core.run import Run
from attn_debugger.core.source import DoubtsOverviews, RunSource
from attn_debugger.errors import AttnDebuggerError, LinkError
from attn_debugger.session.cache import FrameCache
from attn_debugger.session.examining import Examining
from attn_debugger.session.film import FilmReading
from attn_debugger.session.messages import (
    FilmRead,
    GridRead,
    GridRequest,
    HeadRead,
    HeadRequest,
    SharpRead,
)
from attn_debugger.session.sentences import sentence_of
from attn_debugger.session.sharpening import Sharpening

PREFETCHED_FRAMES = 8


class OpenRun:
    """A source with its opening's number, its examination, and a cache that it fills."""

    def __init__(
        self, opening: int, source: RunSource, cache: FrameCache, examining: Examining
    ) -> None:
        self.opening = opening
        self.source = source
        self.examining = examining
        self._cache = cache
        self._ahead: deque[GridRequest] = deque()
        self._last_frame = 0
        self.is_new = True  # no grid was asked for yet
        self._doubt = self._overview_problem()
        self.link_error: LinkError | None = None  # what kept the last request from being read

    @property
    def reads_ahead(self) -> bool:
        """Whether there are grids in the direction of motion that are still to be read."""
        return bool(self._ahead)

    def read_grid(self, request: GridRequest) -> GridRead:
        self.is_new = False
        try:
            frame = self._grid(request)
        except Exception as error:  # noqa: BLE001 - the thread's edge: told to the user
            lost = isinstance(error, LinkError)
            self.link_error = error if isinstance(error, LinkError) else None
            return GridRead(self.opening, request, None, sentence_of(error), lost)
        direction = 1 if request.frame_index >= self._last_frame else -1
        self._last_frame = request.frame_index
        ahead = [request.frame_index + direction * n for n in range(1, PREFETCHED_FRAMES + 1)]
        self._ahead = deque(
            GridRequest(request.ticket, frame_index, request.sample, request.tile)
            for frame_index in ahead
            if 0 <= frame_index < self.source.run.n_frames
        )
        return GridRead(self.opening, request, frame)

    def read_ahead(self) -> None:
        """Read the next grid in the direction of motion into the cache."""
        try:
            self._grid(self._ahead[0])
            self._ahead.popleft()
        except (AttnDebuggerError, OSError):
            # Nobody asked for this frame yet; who does is told then.
            self._ahead.clear()

    def stop_reading_ahead(self) -> None:
        self._ahead.clear()

    def read_head(self, request: HeadRequest) -> HeadRead:
        try:
            frame = self.source.head(request.frame_index, request.head, request.sample)
        except Exception as error:  # noqa: BLE001 - as in read_grid
            self.link_error = error if isinstance(error, LinkError) else None
            return HeadRead(self.opening, request, None, sentence_of(error))
        return HeadRead(self.opening, request, frame)

    def read_film(self, film: FilmReading) -> FilmRead | None:
        """Read one more frame of a film; the answer once it has all."""
        if not film.is_over:
            film.step(self.source)
        if not film.is_over:
            return None
        return FilmRead(self.opening, film.request, tuple(film.frames))

    def sharpen(self, sharpening: Sharpening) -> SharpRead:
        """Read some more heads of a frame in full."""
        tiles = sharpening.step(self.source, self._cache)
        return SharpRead(self.opening, sharpening.request, tiles)

    def refresh(self) -> bool:
        """Look for new frames; what is kept of a file that was built anew is forgotten."""
        before = self.source.run
        if not self.source.refresh():
            return False
        if not _goes_on(before, self.source.run):
            self._cache.clear()
        self.examining.grow()
        return True

    def new_doubt(self) -> str:
        """Return why the archive's overviews are no longer used, once; what is kept of them is
        forgotten. Empty = nothing new.
        """
        before, self._doubt = self._doubt, self._overview_problem()
        if self._doubt == before or not self._doubt:
            return ""
        self._cache.clear()
        return self._doubt

    def _overview_problem(self) -> str:
        return self.source.overview_problem if isinstance(self.source, DoubtsOverviews) else ""

    def close(self) -> None:
        self._ahead.clear()
        self._cache.clear()
        self.source.close()

    def _grid(self, request: GridRequest) -> GridFrame:
        key = (request.frame_index, request.sample, request.tile)
        frame = self._cache.get(key)
        if not isinstance(frame, GridFrame):
            frame = self.source.grid(request.frame_index, request.sample, request.tile)
            self._cache.put(key, frame)
        return frame


def _goes_on(before: Run, after: Run) -> bool:
    """Whether frames of `before` are the same ones in `after`: not of a file written anew."""
    return (
        before.generation == after.generation
        and before.attributes.get("created") == after.attributes.get("created")
        and before.n_frames <= after.n_frames
        and int(before.steps[0]) == int(after.steps[0])
    )
