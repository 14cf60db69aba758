"""Read an archive: `with open_archive("run.h5") as archive: archive.layer(0, 0).weights`.

The file is opened read-only and without locks, also while it is being written or after its writer
was killed. Everything that grows with the maps is read on demand; damaged parts are named in
`Run.missing` and `LayerFrame.problems`, and nothing else is lost for them.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.grid import live_grid
from attn_debugger.archive.intended import MaskedTiles
from attn_debugger.archive.layer_index import LayerIndex
from attn_debugger.archive.layer_reading import extent, read_layer
from attn_debugger.archive.opening import open_hdf5
from attn_debugger.archive.run_index import Index, build_index
from attn_debugger.archive.store import Store
from attn_debugger.archive.token_arrays import TokenArrays
from attn_debugger.core.frame import GridFrame, LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.errors import ArchiveError


def open_archive(path: str | os.PathLike[str]) -> Archive:
    """Open an archive of format 1. Raises `ArchiveError` when not one frame of it can be shown."""
    return Archive(os.fspath(path))


class Archive:
    """An open archive: a `core.source.RunSource`, and a context manager. One thread uses it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._open()

    def _open(self) -> None:
        opened = open_hdf5(self._path)
        try:
            self._store = Store(opened.file, self._path)
            self._index: Index = build_index(self._store, opened)
        except BaseException:
            opened.file.close()
            raise
        self._tokens = TokenArrays(self._store, self._index.root_names)
        self._masked = MaskedTiles()

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
        self._store.file.close()

    def refresh(self) -> bool:
        """Look for frames that a trainer has added; True when `run` changed."""
        before = self.run
        old = self._store.file
        self._open()
        old.close()
        return self.run.identity != before.identity or self.run.ended != before.ended

    def grid(self, frame_index: int, sample: int, tile: int) -> GridFrame:
        """All heads as tiles of `tile` pixels, from the overviews or else the full maps."""
        self._check(frame_index)
        masked = [
            self._masked_tile(frame_index, sample, tile, layer) for layer in self._index.layers
        ]
        return live_grid(self._index.layers, frame_index, sample, tile, masked)

    def _masked_tile(
        self, index: int, sample: int, tile: int, layer: LayerIndex
    ) -> NDArray[np.bool_] | None:
        shape = extent(layer, index, sample)
        if shape == (0, 0):
            return None
        return self._masked.of(self._frame(index, layer, sample, ()), shape, tile)

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
        if not 0 <= head.head < layer.info.n_heads:
            raise ArchiveError(
                f"{self._path}: layer {head.layer} has {layer.info.n_heads} heads, counted from 0; "
                f"there is no head {head.head}."
            )
        return self._frame(frame_index, layer, sample, schema.MAPS, head.head)

    def scan(self, frame_index: int) -> Iterator[LayerFrame]:
        """Every sample, and of it every layer in forward order, one at a time, for analysis."""
        self._check(frame_index)
        for sample in range(self.run.n_samples):
            for layer in self._index.layers:
                if sample < layer.info.n_samples:
                    yield self._frame(frame_index, layer, sample, schema.MAPS)

    def _frame(
        self,
        index: int,
        layer: LayerIndex,
        sample: int,
        maps: Collection[str],
        head: int | None = None,
    ) -> LayerFrame:
        frame = (index, int(self.run.steps[index]), self.run.streams[index])
        return read_layer(self._store, layer, self._tokens, frame, sample, maps, head)

    def _check(self, frame_index: int) -> None:
        if not 0 <= frame_index < self.run.n_frames:
            raise ArchiveError(
                f"{self._path} has {self.run.n_frames} frames, counted from 0; there is no frame "
                f"{frame_index}."
            )

    def _layer(self, index: int) -> LayerIndex:
        if not 0 <= index < len(self._index.layers):
            raise ArchiveError(
                f"{self._path} has {len(self._index.layers)} layers, counted from 0; there is no "
                f"layer {index}."
            )
        return self._index.layers[index]
