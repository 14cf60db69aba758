"""Derived data for archives without any (written by hand, imported): a side file in a cache folder.

    builder = SideFileBuilder(archive, folder)       # folder: the user's cache
    while builder.advance():                         # one frame at a time, between other work
        show(builder.n_done, archive.run.n_frames)
    archive.use_side_file(folder)

The name of a side file comes from the archive's identity, so a changed archive is never served
stale; what was derived before an interruption is kept.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np

from attn_debugger.archive import schema
from attn_debugger.archive.derive import Deriver, special_queries
from attn_debugger.archive.frame_rows import name_columns
from attn_debugger.archive.layout import column_for, create_column, widen_column
from attn_debugger.archive.records import LayerRecord
from attn_debugger.archive.rows import Rows
from attn_debugger.archive.strings import set_attribute
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import Run
from attn_debugger.errors import ArchiveError

if TYPE_CHECKING:
    from attn_debugger.archive.reader import Archive

_SUFFIX = ".overview.h5"
_IDENTITY = "identity"
_DONE = "frames"  # attribute: frames derived so far, written after their rows
_FLUSH_EVERY = 32  # frames that an interruption may cost
_FLOAT = np.dtype(np.float32)


def side_file_path(run: Run, folder: str | os.PathLike[str]) -> Path:
    """Where the side file of this very state of an archive lives; it need not exist."""
    key = f"{os.path.realpath(run.path)}|{run.identity}|{schema.DERIVED_VERSION}"
    return Path(folder) / (hashlib.sha256(key.encode()).hexdigest()[:32] + _SUFFIX)


class SideFileBuilder:
    """Derives frame after frame into a side file; goes on where an earlier one stopped.

    Raises `ArchiveError` when the folder cannot be written or the disk is full.
    """

    def __init__(self, archive: Archive, folder: str | os.PathLike[str]) -> None:
        self._archive = archive
        self.path = side_file_path(archive.run, folder)
        self._deriver = Deriver()
        self._specials = special_queries(layer.facts for layer in archive.run.layers)
        self._rows: dict[str, Rows] = {}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._open()
        except OSError as error:
            raise ArchiveError(f"{self.path} cannot be written: {error}") from error
        self.n_done = int(self._file.attrs[_DONE])
        self._bind()

    def _open(self) -> h5py.File:
        try:
            file = h5py.File(self.path, "r+", locking=False)
            if file.attrs.get(_IDENTITY) == self._archive.run.identity and _DONE in file.attrs:
                return file
            file.close()
        except OSError:
            pass  # there is none, or an interrupted one that cannot be read
        file = h5py.File(self.path, "w", locking=False)
        file.attrs[_IDENTITY] = self._archive.run.identity
        file.attrs[_DONE] = 0
        derived = file.create_group(schema.DERIVED)
        set_attribute(derived, schema.VERSION_ATTRIBUTE, schema.DERIVED_VERSION)
        return file

    def _bind(self) -> None:
        self._rows.clear()
        for path in schema.DERIVED_DATASETS:
            if path in self._file:
                self._rows[path] = Rows(self._file[path])

    def advance(self) -> bool:
        """Derive the next frame; False when all are done (the file is then closed)."""
        if self.n_done >= self._archive.run.n_frames:
            self.close()
            return False
        try:
            self._derive(self.n_done)
            self.n_done += 1
            if self.n_done % _FLUSH_EVERY == 0:
                self._commit()
        except (OSError, RuntimeError) as error:
            raise ArchiveError(f"{self.path} cannot be written: {error}") from error
        return True

    def close(self) -> None:
        """Keep what was derived; may be called twice."""
        if self._file:
            self._commit()
            self._file.close()

    def _commit(self) -> None:
        self._file.flush()
        self._file.attrs[_DONE] = self.n_done
        self._file.flush()

    def _derive(self, frame: int) -> None:
        views = [self._views(frame, layer.index) for layer in self._archive.run.layers]
        rows = self._deriver.rows_of(views, [_record(v) for v in views], self._specials)
        for path, row in rows.items():
            if path not in self._rows or not self._rows[path].takes(row.shape):
                self._make_room(path, row)
            self._rows[path].put(frame, row)

    def _views(self, frame: int, layer: int) -> list[LayerFrame]:
        samples = range(self._archive.run.layers[layer].n_samples)
        views = [self._archive.layer(frame, layer, sample) for sample in samples]
        return [view for view in views if view.weights is not None]

    def _make_room(self, path: str, row: Any) -> None:
        if path in self._file:
            widen_column(self._file, path, row, _FLOAT, {"compression": "lzf"})
        else:
            column = column_for(path, row, _FLOAT)
            dataset = create_column(self._file, path, column, {"compression": "lzf"})
            name_columns(path, dataset, self._specials)
        self._bind()


def _record(views: list[LayerFrame]) -> LayerRecord:
    """The samples of a layer in one array, shorter ones padded."""
    maps = {view.sample: view.weights for view in views if view.weights is not None}
    if not maps:
        return LayerRecord()
    samples = max(maps) + 1
    heads, queries, keys = (max(w.shape[axis] for w in maps.values()) for axis in range(3))
    weights = np.zeros((samples, heads, queries, keys), np.float32)
    lengths = np.zeros((samples, 2), np.int64)
    for sample, one in maps.items():
        weights[sample, :, : one.shape[1], : one.shape[2]] = one
        lengths[sample] = one.shape[1:]
    return LayerRecord(weights=weights, lengths=lengths)


def open_side_file(run: Run, folder: str | os.PathLike[str]) -> tuple[h5py.File, int] | None:
    """The side file of `run` and how many frames it covers; None when there is none to use."""
    path = side_file_path(run, folder)
    with suppress(OSError, KeyError, ValueError):
        file = h5py.File(path, "r", locking=False, rdcc_nbytes=0)
        if file.attrs.get(_IDENTITY) == run.identity:
            with suppress(OSError):
                os.utime(path)  # for `prune`: it was used
            return file, int(file.attrs[_DONE])
        file.close()
    return None


def prune(folder: str | os.PathLike[str], most_bytes: int) -> None:
    """Remove the side files that were not used for longest until the rest fits."""
    files = sorted(Path(folder).glob(f"*{_SUFFIX}"), key=lambda f: -f.stat().st_mtime)
    total = 0
    for file in files:
        total += file.stat().st_size
        if total > most_bytes:
            with suppress(OSError):
                file.unlink()
