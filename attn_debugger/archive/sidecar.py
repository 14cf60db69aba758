"""Derived data for archives without any (written by hand, imported): a side file in a cache folder.

    builder = SideFileBuilder(archive, folder)       # folder: the user's cache
    while builder.advance():                         # one layer at a time, between other work
        show(builder.n_done, archive.run.n_frames)
    archive.use_side_file(folder)

The name of a side file comes from the archive's identity, so a changed archive is never served
stale; what was derived before an interruption is kept.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.derive import Deriver, special_queries
from attn_debugger.archive.frame_rows import name_columns
from attn_debugger.archive.layout import column_for, create_column, widen_column
from attn_debugger.archive.lock import WriterLock
from attn_debugger.archive.records import LayerRecord
from attn_debugger.archive.rows import Rows
from attn_debugger.archive.strings import set_attribute
from attn_debugger.core.address import is_remote
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import Run
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError

if TYPE_CHECKING:
    from attn_debugger.archive.reader import Archive

_SUFFIX = ".overview.h5"
_IDENTITY = "identity"
_DONE = "frames"  # attribute: frames derived so far, written after their rows
_FLUSH_EVERY = 32  # frames that an interruption may cost
_FLOAT = np.dtype(np.float32)

RowsOfFrame = dict[str, NDArray[Any]]  # path under derived/ -> one row of it


def side_file_path(run: Run, folder: str | os.PathLike[str]) -> Path:
    """Where the side file of this very state of an archive lives; it need not exist."""
    place = run.path if is_remote(run.path) else os.path.realpath(run.path)
    key = f"{place}|{run.identity}|{schema.DERIVED_VERSION}"
    return Path(folder) / (hashlib.sha256(key.encode()).hexdigest()[:32] + _SUFFIX)


def forget_side_file(run: Run, folder: str | os.PathLike[str]) -> None:
    """Remove a side file that contradicts its archive: it is to be built anew, not gone on with."""
    with suppress(OSError):
        side_file_path(run, folder).unlink()


class SideFileBuilder:
    """Derives frame after frame into a side file; goes on where an earlier one stopped.

    Raises `ArchiveError` when the folder cannot be written, the disk is full, or another process
    derives the same file.
    """

    def __init__(self, archive: Archive, folder: str | os.PathLike[str]) -> None:
        self._archive = archive
        self.path = side_file_path(archive.run, folder)
        self._deriver = Deriver()
        self._specials = special_queries(layer.facts for layer in archive.run.layers)
        self._rows: dict[str, Rows] = {}
        self._parts: list[RowsOfFrame] = []  # of the layers of the frame that is being derived
        lock: WriterLock | None = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = WriterLock(str(self.path))
            self._file = self._open()
        except BlockingIOError:
            raise ArchiveError(
                say(
                    "{path} is being written: another window derives overviews of "
                    "{archive} already.",
                    path=self.path,
                    archive=archive.run.path,
                )
            ) from None
        except OSError as error:
            if lock is not None:
                lock.release()
            raise ArchiveError(
                say("{path} cannot be written: {error}", path=self.path, error=error)
            ) from error
        self._lock = lock
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
        """Derive the next layer; False when all frames are done (the file is then closed)."""
        if self.n_done >= self._archive.run.n_frames:
            self.close()
            return False
        try:
            self._parts.append(self._derive(self.n_done, len(self._parts)))
            if len(self._parts) == len(self._archive.run.layers):
                self._put(self.n_done, _joined(self._parts))
                self._parts = []
                self.n_done += 1
                if self.n_done % _FLUSH_EVERY == 0:
                    self._commit()
        except (OSError, RuntimeError) as error:
            raise ArchiveError(
                say("{path} cannot be written: {error}", path=self.path, error=error)
            ) from error
        return True

    def close(self) -> None:
        """Keep what was derived; may be called twice."""
        if self._file:
            self._commit()
            self._file.close()
        self._lock.release()

    def _commit(self) -> None:
        self._file.flush()
        self._file.attrs[_DONE] = self.n_done
        self._file.flush()

    def _derive(self, frame: int, layer: int) -> RowsOfFrame:
        views = self._views(frame, layer)
        return self._deriver.rows_of([views], [_record(views)], self._specials)

    def _put(self, frame: int, rows: RowsOfFrame) -> None:
        for path, row in rows.items():
            if path not in self._rows or not self._rows[path].takes(row.shape):
                self._make_room(path, row)
            self._rows[path].put(frame, row)

    def _views(self, frame: int, layer: int) -> list[LayerFrame]:
        samples = range(self._archive.run.layers[layer].n_samples)
        maps = (schema.WEIGHTS, schema.SCORES)
        views = [self._archive.layer(frame, layer, sample, maps=maps) for sample in samples]
        return [view for view in views if view.weights is not None]

    def _make_room(self, path: str, row: Any) -> None:
        if path in self._file:
            widen_column(self._file, path, row, _FLOAT, {"compression": "lzf"})
        else:
            column = column_for(path, row, _FLOAT)
            dataset = create_column(self._file, path, column, {"compression": "lzf"})
            name_columns(path, dataset, self._specials)
        self._bind()


def _joined(parts: Sequence[RowsOfFrame]) -> RowsOfFrame:
    """The rows of single layers in one, along their second axis (sample, layer, ...).

    What a layer does not reach stays unknown: NaN, or 0 in the codes of overviews.
    """
    joined: RowsOfFrame = {}
    for path in dict.fromkeys(path for part in parts for path in part):
        # A layer of short maps has no smaller overview: the large one is as small.
        known = [part.get(path, part.get(schema.OVERVIEW_64)) for part in parts]
        if path != schema.OVERVIEW_32:
            known = [part.get(path) for part in parts]
        shapes = [row.shape for row in known if row is not None]
        largest = [max(sizes) for sizes in zip(*shapes, strict=True)]
        dtype = next(row.dtype for row in known if row is not None)
        fill = np.nan if dtype.kind == "f" else 0
        out = np.full((largest[0], len(parts), *largest[2:]), fill, dtype)
        for layer, row in enumerate(known):
            if row is not None:
                inside = out[
                    tuple(slice(length) for length in (row.shape[0], None, *row.shape[2:]))
                ]
                inside[:, layer] = row[:, 0]
        joined[path] = out
    return joined


def _record(views: list[LayerFrame]) -> LayerRecord:
    """The samples of a layer in one array, shorter ones padded."""
    maps = {view.sample: view.weights for view in views if view.weights is not None}
    if not maps:
        return LayerRecord()
    if list(maps) == [0]:
        return LayerRecord(weights=maps[0][None])
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
    """Remove the side files that were not used for longest until the rest fits.

    The one that was used last stays, however large it is: it is in use.
    """
    files = sorted(Path(folder).glob(f"*{_SUFFIX}"), key=lambda f: -f.stat().st_mtime)
    total = 0
    for place, file in enumerate(files):
        total += file.stat().st_size
        if place and total > most_bytes:
            with suppress(OSError):
                file.unlink()
