"""Read an archive: `with open_archive("run.h5") as archive: archive.layer(0, 0).weights`.

The file is opened read-only and without locks, also while it is being written or after its writer
was killed. Everything that grows with the maps is read on demand; damaged parts are named in
`Run.missing` and `LayerFrame.problems`, and nothing else is lost for them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

import h5py
import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.derived import LARGE, Derived
from attn_debugger.archive.grid import grid_from_maps, grid_from_overview, sharp_tiles
from attn_debugger.archive.intended import MaskedTiles
from attn_debugger.archive.layer_index import LayerIndex
from attn_debugger.archive.layer_reading import LayerReader, extent
from attn_debugger.archive.opening import Opened, is_changing_structure, open_hdf5
from attn_debugger.archive.run_index import Index, build_index, has_changed
from attn_debugger.archive.speaking import speaking
from attn_debugger.archive.store import Store
from attn_debugger.core.address import is_remote
from attn_debugger.core.frame import GridFrame, LayerFrame, SharpTile
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import Run
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError

_ATTEMPTS = 10
_PAUSE = 0.05  # seconds


def open_archive(path: str | os.PathLike[str]) -> Archive:
    """Open an archive of format 1. Raises `ArchiveError` when not one frame of it can be shown."""
    if is_remote(os.fspath(path)):
        raise ArchiveError(
            say(
                "{path} lies on another machine, where this does not reach; copy the file here "
                "first (`scp`).",
                path=os.fspath(path),
            )
        )
    return Archive(path)


class Archive:
    """An open archive: a `core.source.RunSource`, and a context manager. One thread uses it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        self._masked = MaskedTiles()
        self._file: h5py.File | None = None
        self._side_file: h5py.File | None = None
        self._closed = False
        self._open()

    def _open(self, at_most: int | None = None) -> None:
        opened = self._open_file()
        try:
            with self._naming_the_file():
                store = self._store_of(opened.file)
                self._index: Index = build_index(store, opened, at_most)
                self._reader = LayerReader(store, self._index.root_names)
                self._derived = self._own = Derived(store, self._index.layers, self.run.n_frames)
        except BaseException:
            opened.file.close()
            raise
        self._file = opened.file
        if at_most is None and self.run.ended == "writing" and not opened.swmr:
            # The file may have grown while it was opened. What was committed at the first look is
            # whole at the second.
            self._close_file()
            self._open(self.run.n_frames)

    def _open_file(self) -> Opened:
        return open_hdf5(self._path)

    def _store_of(self, file: h5py.File) -> Store:
        return Store(file, self._path)

    @contextmanager
    def _naming_the_file(self) -> Iterator[None]:
        """Whatever HDF5 raises at a damaged place comes out as a sentence that names the file."""
        try:
            with speaking(say("a part of it")):
                yield
        except ArchiveError as error:
            if self._path in str(error):
                raise
            raise ArchiveError(say("{path}: {error}", path=self._path, error=error)) from error

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def run(self) -> Run:
        """The index as of the last `refresh`."""
        return self._index.run

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._closed = True
        self._close_file()

    def _close_file(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._side_file is not None:
            self._side_file.close()
            self._side_file = None

    def refresh(self) -> bool:
        """Look for frames that a trainer has added; True when `run` changed.

        Reopens the file: HDF5 keeps what it knows of an open one, and the writer may have added
        layers. When that fails the error says so, and the next call tries again.
        """
        before = self.run
        if self._file is not None and not self._is_worth_reopening():
            return False
        self._close_file()
        self._reopen()
        return self.run.identity != before.identity or self.run.ended != before.ended

    def _is_worth_reopening(self) -> bool:
        return has_changed(self.run) and not is_changing_structure(self._path)

    def _reopen(self) -> None:
        """Open again; a file that is being written may be between two states for a moment."""
        for attempt in range(_ATTEMPTS):
            try:
                return self._open()
            except ArchiveError:
                if self.run.ended != "writing" or attempt == _ATTEMPTS - 1:
                    raise
            time.sleep(_PAUSE)
        return None

    @property
    def has_overviews(self) -> bool:
        """Whether tiles can be had without reading full maps, from the archive or a side file."""
        return self._derived.has_overviews

    def use_side_file(self, folder: str | os.PathLike[str]) -> bool:
        """Use what a `SideFileBuilder` derived of this very archive; True when there is some."""
        if self.has_overviews:
            return True
        # Only archives without overviews need it, and it brings all that derives them.
        from attn_debugger.archive.sidecar import open_side_file

        found = open_side_file(self.run, folder)
        if found is None:
            return False
        self._side_file, n_done = found
        store = Store(self._side_file, str(folder))
        self._derived = Derived(store, self._index.layers, self.run.n_frames, n_done)
        return self.has_overviews

    @property
    def n_overviews(self) -> int:
        """How many frames have overviews, counted from the first."""
        return self._derived.n_derived if self.has_overviews else 0

    @property
    def overview_problem(self) -> str:
        """Why overviews are not used; empty = nothing speaks against them."""
        return self._derived.problem or self._own.problem

    def drop_side_file(self) -> None:
        """Use the archive's own derived data again."""
        if self._side_file is not None:
            self._derived = self._own
            self._side_file.close()
            self._side_file = None

    def grid(self, frame_index: int, sample: int, tile: int) -> GridFrame:
        """All heads as tiles of `tile` pixels, from the overviews or else the full maps."""
        self._check(frame_index)
        layers = self._index.layers
        with self._naming_the_file():
            masked = [self._masked_tile(frame_index, sample, tile, layer) for layer in layers]
            codes = self._derived.codes(frame_index, sample, tile)
            note = ""
            if codes is None and self._lacks_maps(frame_index, sample):
                codes = self._derived.codes(frame_index, sample, LARGE)
                note = say("No full maps were stored at this step; the overview is enlarged.")
            if codes is not None:
                return grid_from_overview(layers, codes, frame_index, sample, tile, masked, note)
            note = self._derived.problem
            return grid_from_maps(layers, frame_index, sample, tile, masked, note)

    def sharp_tiles(
        self, frame_index: int, layer: int, heads: Sequence[int], sample: int, tile: int
    ) -> tuple[SharpTile, ...]:
        """Some heads of a layer from their full maps; none where no full map was stored."""
        self._check(frame_index)
        index = self._layer(layer)
        for head in heads:
            self._check_head(index, head)
        with self._naming_the_file():
            masked = self._masked_tile(frame_index, sample, tile, index)
            return sharp_tiles(index, frame_index, heads, sample, tile, masked)

    def layer(
        self,
        frame_index: int,
        layer: int,
        sample: int = 0,
        *,
        maps: Collection[str] = schema.MAPS,
    ) -> LayerFrame:
        """One layer with all its heads; `maps` names which of the stored maps to read."""
        self._check(frame_index)
        return self._frame(frame_index, self._layer(layer), sample, maps)

    def head(self, frame_index: int, head: HeadRef, sample: int = 0) -> LayerFrame:
        """One head at full resolution: a `LayerFrame` whose head axis has length 1."""
        self._check(frame_index)
        layer = self._layer(head.layer)
        self._check_head(layer, head.head)
        return self._frame(frame_index, layer, sample, schema.MAPS, head.head)

    def scan(self, frame_index: int) -> Iterator[LayerFrame]:
        """Every sample, and of it every layer in forward order, one at a time, for analysis."""
        self._check(frame_index)
        for sample in range(self.run.n_samples):
            for layer in self._index.layers:
                if sample < layer.info.n_samples:
                    yield self.examined(frame_index, layer.info.index, sample)

    def examined(self, frame_index: int, layer: int, sample: int) -> LayerFrame:
        """One layer on the way through all; one of each frame is held against its overview."""
        frame = self.layer(frame_index, layer, sample)
        heads = len(frame.heads)
        if heads and layer == frame_index % len(self._index.layers):
            with self._naming_the_file():
                self._derived.doubt(frame, frame_index % heads)
        return frame

    def history(self, sample: int = 0, first: int = 0) -> History | None:
        """Per-head numbers of the frames from `first` on, as the recorder saw them; None = none."""
        with self._naming_the_file():
            return self._derived.history(sample, first)

    def column_means(self, frame_index: int, sample: int = 0) -> NDArray[np.float32] | None:
        """(layer, head, key): attention each key receives; None when the recorder kept none."""
        self._check(frame_index)
        with self._naming_the_file():
            return self._derived.column_means(frame_index, sample)

    def special_rows(
        self, frame_index: int, sample: int = 0
    ) -> tuple[tuple[int, ...], NDArray[np.float32]] | None:
        """Declared special queries and what they look at: (layer, head, special, key)."""
        self._check(frame_index)
        with self._naming_the_file():
            return self._derived.special_rows(frame_index, sample)

    def image(self, frame_index: int, sample: int = 0) -> NDArray[np.uint8] | None:
        """(height, width, 3): what the tokens of a vision model are cut from; None = not stored."""
        self._check(frame_index)
        with self._naming_the_file():
            return self._reader.image(frame_index, sample)

    def _frame(
        self,
        index: int,
        layer: LayerIndex,
        sample: int,
        maps: Collection[str],
        head: int | None = None,
    ) -> LayerFrame:
        with self._naming_the_file():
            return self._reader.read(layer, self._place(index), sample, maps, head)

    def _lacks_maps(self, index: int, sample: int) -> bool:
        return any(
            layer.row_of(schema.WEIGHTS, index) is None and extent(layer, index, sample) != (0, 0)
            for layer in self._index.layers
        )

    def _place(self, index: int) -> tuple[int, int, str]:
        return index, int(self.run.steps[index]), self.run.streams[index]

    def _masked_tile(
        self, index: int, sample: int, tile: int, layer: LayerIndex
    ) -> NDArray[np.bool_] | None:
        shape = extent(layer, index, sample)
        if shape == (0, 0):
            return None
        return self._masked.of(self._reader.bare(layer, self._place(index), sample), shape, tile)

    def _check_head(self, layer: LayerIndex, head: int) -> None:
        if not 0 <= head < layer.info.n_heads:
            raise ArchiveError(
                say(
                    "{path}: layer {layer} has {n_heads} heads, counted from 0; there is "
                    "no head {head}.",
                    path=self._path,
                    layer=layer.info.index,
                    n_heads=layer.info.n_heads,
                    head=head,
                )
            )

    def _check(self, frame_index: int) -> None:
        if self._closed:
            raise ArchiveError(say("{path} is not open; open it again.", path=self._path))
        if self._file is None:
            self._reopen()
        if not 0 <= frame_index < self.run.n_frames:
            raise ArchiveError(
                say(
                    "{path} has {n_frames} frames, counted from 0; there is no frame "
                    "{frame_index}.",
                    path=self._path,
                    n_frames=self.run.n_frames,
                    frame_index=frame_index,
                )
            )

    def _layer(self, index: int) -> LayerIndex:
        if not 0 <= index < len(self._index.layers):
            raise ArchiveError(
                say(
                    "{path} has {n_layers} layers, counted from 0; there is no layer {index}.",
                    path=self._path,
                    n_layers=len(self._index.layers),
                    index=index,
                )
            )
        return self._index.layers[index]
