"""An archive whose missing overviews are derived bit by bit into the user's cache folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from attn_debugger.archive.reader import Archive

if TYPE_CHECKING:  # what derives overviews is imported when there are none: it takes its time
    from attn_debugger.archive.sidecar import SideFileBuilder

SIDE_FILES_BYTES = 4 << 30  # of all runs together; those not used for longest go first
WORTH_CELLS = 1 << 18  # of a frame's maps: what is smaller is pooled as fast as it is read


class CachedArchive(Archive):
    """A `core.source.DerivesOverviews`: `derive_some` again and again, between other work."""

    def __init__(self, path: str, folder: str, most_bytes: int = SIDE_FILES_BYTES) -> None:
        self._folder = folder
        self._most_bytes = most_bytes
        self._builder: SideFileBuilder | None = None
        super().__init__(path)
        if self.wants_overviews and os.path.isdir(folder):
            self.use_side_file(folder)

    @property
    def wants_overviews(self) -> bool:
        """Whether there are maps that are worth it, all written, and no overviews of them."""
        cells = sum(x.n_samples and x.n_heads * x.n_queries * x.n_keys for x in self.run.layers)
        if self.run.ended == "writing" or cells < WORTH_CELLS:
            return False
        return self.n_overviews < self.run.n_frames

    def derive_some(self) -> tuple[int, int]:
        """Derive one more layer; return how many frames are done, and of how many.

        Raises `ArchiveError` when the cache cannot be written.
        """
        if self._builder is None:
            from attn_debugger.archive.sidecar import SideFileBuilder, forget_side_file

            # HDF5 does not open a file for writing that is open for reading.
            is_spoilt = self._side_file is not None and bool(self._derived.problem)
            self.drop_side_file()
            if is_spoilt:
                forget_side_file(self.run, self._folder)
            self._builder = SideFileBuilder(self, self._folder)
        if not self._builder.advance():
            self.stop_deriving()
        total = self.run.n_frames
        return total if self._builder is None else self._builder.n_done, total

    def stop_deriving(self) -> None:
        """Keep what was derived, and use it."""
        if self._builder is not None:
            self._builder.close()
            self._builder = None
            from attn_debugger.archive.sidecar import prune

            prune(self._folder, self._most_bytes)
            self.use_side_file(self._folder)

    def _close_file(self) -> None:
        if self._builder is not None:
            self._builder.close()
            self._builder = None
        super()._close_file()
