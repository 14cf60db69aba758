"""`repair("run.h5", "copy.h5")`: save what a damaged archive still holds; the original stays as is.

Everything that can be read is copied, frame by frame, up to the last whole frame. A frame of which
a map is lost in the middle becomes a gap. The copy is a plain file, properly closed, that can be
appended to if the original could.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.opening import open_hdf5
from attn_debugger.archive.plain_values import UNREADABLE
from attn_debugger.archive.run_index import Index, build_index
from attn_debugger.archive.schema import layer_path
from attn_debugger.archive.speaking import speaking
from attn_debugger.archive.store import Store, is_stored, read
from attn_debugger.archive.strings import set_attribute
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError

_BLOCK_BYTES = 1 << 24  # copied at a time
# Datasets whose first axis is not that of the frames.
_WHOLE = (schema.CURVES, schema.CHECKPOINTS, schema.EVENTS, schema.CRASH)


def repair(path: str | os.PathLike[str], out: str | os.PathLike[str]) -> list[str]:
    """Copy what can be read of `path` into the new archive `out`; returns what is to be told.

    Raises `ArchiveError` when there is nothing to save or the copy cannot be written.
    """
    source, target = os.fspath(path), os.fspath(out)
    if os.path.exists(target) and os.path.samefile(source, target):
        raise ArchiveError(
            say("{target} is the archive itself; name another file for the copy.", target=target)
        )
    opened = open_hdf5(source)
    try:
        store = Store(opened.file, source)
        index = build_index(store, opened)
        try:
            # The formats that every HDF5 from 1.10 on reads, and that SWMR can append to.
            with h5py.File(target, "w", libver=("v110", "v110"), locking=False) as copy:
                return _Copier(store, index, copy).run()
        except OSError as error:
            raise ArchiveError(
                say("{target} cannot be written: {error}", target=target, error=error)
            ) from error
    finally:
        opened.file.close()


class _Copier:
    """Copies one open archive into an empty HDF5 file."""

    def __init__(self, store: Store, index: Index, copy: h5py.File) -> None:
        self._store = store
        self._index = index
        self._copy = copy
        self._frames = index.run.n_frames
        self._lost: list[str] = []

    def run(self) -> list[str]:
        """Copy everything; returns sentences."""
        self._attributes("/")
        for path in self._paths():
            self._item(path)
        self._mark_gaps()
        set_attribute(self._copy, schema.STATE_ATTRIBUTE, schema.STATE_CLOSED)
        run = self._index.run
        saved = say(
            "saved {frames} frames, steps {first} to {last}, of {n_layers} layers.",
            frames=self._frames,
            first=int(run.steps.min()),
            last=int(run.steps.max()),
            n_layers=len(run.layers),
        )
        return [saved, *dict.fromkeys((*run.missing, *self._lost))]

    def _paths(self) -> Iterator[str]:
        """Every group and dataset that can be reached, groups first; each group only once."""
        waiting = [""]
        seen: set[Any] = set()
        while waiting:
            group = waiting.pop(0)
            for name in self._names(group):
                path = f"{group}/{name}".strip("/")
                if self._is_group(path):
                    address = h5py.h5o.get_info(self._store.group(path).id).addr  # type: ignore[union-attr]
                    if address in seen:
                        continue
                    seen.add(address)
                    waiting.append(path)
                yield path

    def _names(self, group: str) -> tuple[str, ...]:
        try:
            return self._store.children(group)
        except ArchiveError as error:
            self._lost.append(say("{group} is lost: {error}", group=group, error=error))
            return ()

    def _is_group(self, path: str) -> bool:
        try:
            return self._store.group(path) is not None
        except ArchiveError:
            return False

    def _item(self, path: str) -> None:
        try:
            if self._is_group(path):
                self._copy.require_group(path)
                self._attributes(path)
            else:
                self._dataset(path)
        except ArchiveError as error:
            self._lost.append(say("{path} is lost: {error}", path=path, error=error))

    def _attributes(self, path: str) -> None:
        try:
            values = self._store.attributes(path)
        except ArchiveError as error:
            self._lost.append(
                say("the attributes of {path} are lost: {error}", path=path, error=error)
            )
            return
        for name, value in values.items():
            if value is not UNREADABLE:
                set_attribute(self._copy[path], name, value)

    def _dataset(self, path: str) -> None:
        source = self._store.dataset(path)
        if source is None or source.shape is None:
            return
        if path.startswith(schema.DERIVED) and source.shape[0] == 0:
            return
        rows = source.shape[0] if source.ndim else 0
        if source.ndim and not path.startswith(_WHOLE):
            rows = min(rows, self._frames)
        with speaking(path):
            properties = source.id.get_create_plist()
            target = self._copy.create_dataset(
                path,
                shape=(rows, *source.shape[1:]) if source.ndim else (),
                maxshape=source.maxshape if source.chunks else None,
                dtype=source.dtype,
                chunks=source.chunks,
                fillvalue=source.fillvalue if properties.fill_value_defined() else None,
                **_filters(source),
            )
            for name, value in source.attrs.items():
                target.attrs[name] = value
        if source.ndim == 0:
            target[()] = read(path, source)
        else:
            self._rows(path, source, target, rows)

    def _rows(self, path: str, source: h5py.Dataset, target: h5py.Dataset, rows: int) -> None:
        row_bytes = max(1, int(np.prod(source.shape[1:], dtype=np.int64)) * source.dtype.itemsize)
        # Rows of their own chunk are told apart: one never written must stay so in the copy.
        step = 1 if source.chunks and source.chunks[0] == 1 else max(1, _BLOCK_BYTES // row_bytes)
        lost: list[int] = []
        for start in range(0, rows, step):
            block = slice(start, min(rows, start + step))
            try:
                values = read(path, source, (block,))
                if step > 1 or _is_there(path, source, start, values):
                    target[block] = values
            except ArchiveError:
                lost += self._one_by_one(path, source, target, block)
        if lost:
            self._lost.append(
                say("{path}: {lost} of {rows} rows are lost.", path=path, lost=len(lost), rows=rows)
            )

    def _one_by_one(
        self, path: str, source: h5py.Dataset, target: h5py.Dataset, block: slice
    ) -> list[int]:
        lost = []
        for row in range(block.start, block.stop):
            try:
                target[row] = read(path, source, (row,))
            except ArchiveError:
                lost.append(row)
        return lost

    def _mark_gaps(self) -> None:
        """A frame whose weights are lost must not come out as zeros."""
        for layer in self._index.layers:
            path = layer_path(layer.info.index, schema.WEIGHTS)
            dataset = layer.maps.get(schema.WEIGHTS)
            if dataset is None or path not in self._copy:
                continue
            present = np.ones(self._frames, bool)
            if layer.present is not None and len(layer.present) == self._frames:
                present = layer.present.copy()
            for frame in range(self._frames):
                row = layer.row_of(schema.WEIGHTS, frame)
                if row is not None and present[frame]:
                    present[frame] = self._row_is_there(path, dataset, row)
            if present.all() and layer.present is None:
                continue
            where = layer_path(layer.info.index, schema.PRESENT)
            if where in self._copy:
                self._copy[where][: self._frames] = present
            else:
                self._copy[where] = present

    def _row_is_there(self, path: str, dataset: h5py.Dataset, row: int) -> bool:
        try:
            read(path, dataset, (row,))
        except ArchiveError:
            return False
        return True


def _is_there(path: str, source: h5py.Dataset, row: int, values: NDArray[Any]) -> bool:
    if values.dtype.kind == "f":
        filled = np.array_equal(values, np.broadcast_to(source.fillvalue, values.shape), True)
    else:
        filled = bool((values == source.fillvalue).all())
    return not filled or is_stored(path, source, (row,))


def _filters(source: h5py.Dataset) -> dict[str, Any]:
    """The same compression, where h5py can write it; else its own."""
    if source.chunks is None or source.compression is None:
        known = bool(source.chunks) and source.id.get_create_plist().get_nfilters() > 0
        return {"compression": "lzf", "shuffle": True} if known else {}
    return {
        "compression": source.compression,
        "compression_opts": source.compression_opts,
        "shuffle": source.shuffle,
    }
