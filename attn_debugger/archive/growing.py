"""The open HDF5 file behind a writer: SWMR, structure added later, the lock, flushing.

Under SWMR a new group, dataset or attribute raises nothing but breaks readers that are already
open. So all that a frame needs is created before SWMR is switched on; when something new appears
later the file is closed, extended, its `generation` raised, and opened again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.drain import divert_writes
from attn_debugger.archive.layout import CHECKPOINT_TYPE, EVENT_TYPE, create_table
from attn_debugger.archive.lock import WriterLock
from attn_debugger.archive.rows import Rows
from attn_debugger.archive.staged import staged
from attn_debugger.archive.strings import set_attribute
from attn_debugger.archive.superblock import mark_closed, read_superblock
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError

# What SWMR needs; readable by HDF5 1.10 and later.
Change = Callable[[h5py.File], None]

_FORMAT = ("v110", "v110")


class GrowingFile:
    """Owns the h5py file and the lock.

    SWMR is kept up where locks are denied (network folders): its order of writing is what survives
    a kill. HDF5's own locks are never used: they bar readers, and end where SWMR begins.
    """

    def __init__(self, path: str, *, append: bool, check: Change | None = None) -> None:
        self.path = path
        self.rows: dict[str, Rows] = {}  # every dataset that grows, by path
        self.closed = False
        self._live = False
        self._lock = WriterLock(path)
        self._denied = False  # SWMR cannot be had here; flushing has to do
        try:
            if append and os.path.getsize(path) > 0:
                self.file = self._reopen(check)
            else:
                self.file = self._create()
            self._bind()
        except BaseException:
            self._lock.release()
            raise

    @property
    def n_frames(self) -> int:
        """Frames committed: the length of `steps`."""
        return self.rows[schema.STEPS].shape[0]

    def _create(self) -> h5py.File:
        # Space that is given up is never used again: a reader that still holds the file as it was
        # finds the old values there and not somebody else's.
        file = h5py.File(self.path, "w", libver=_FORMAT, locking=False, fs_strategy="none")
        set_attribute(file, schema.FORMAT_ATTRIBUTE, schema.FORMAT_NAME)
        file.attrs[schema.VERSION_ATTRIBUTE] = schema.VERSION
        set_attribute(file, schema.GENERATION_ATTRIBUTE, 0)
        self._declare_open(file)
        file.create_dataset(schema.STEPS, (0,), np.int64, maxshape=(None,), chunks=(1024,))
        create_table(file, schema.EVENTS, EVENT_TYPE)
        create_table(file, schema.CHECKPOINTS, CHECKPOINT_TYPE)
        for name in (schema.SCALARS, schema.CURVES, schema.LAYERS):
            file.create_group(name)
        derived = file.create_group(schema.DERIVED)
        derived.attrs[schema.VERSION_ATTRIBUTE] = schema.DERIVED_VERSION
        return file

    def _reopen(self, check: Change | None) -> h5py.File:
        """Open an archive to go on with it, also one whose writer was killed.

        `check` may look at it and raise: nothing of it has been changed by then.
        """
        block = read_superblock(self.path)
        if block is None:
            raise ArchiveError(
                say("{path} is not an HDF5 file; record into another file.", path=self.path)
            )
        if block.open_for_writing:
            mark_closed(self.path)  # we hold the lock: whoever set the flag is dead

        def declare(file: h5py.File) -> None:
            _check_growable(file, self.path)
            if check is not None:
                check(file)
            self._declare_open(file)

        self._alter_staged(declare)
        return self._open()

    def _declare_open(self, file: h5py.File) -> None:
        set_attribute(file, schema.STATE_ATTRIBUTE, schema.STATE_OPEN)
        set_attribute(file, schema.LOCKED_ATTRIBUTE, self._lock.supported)

    def _open(self) -> h5py.File:
        return h5py.File(self.path, "r+", libver=_FORMAT, locking=False)

    def _bind(self) -> None:
        """Hold a prepared handle of every dataset that grows."""
        self.rows.clear()

        def visit(path: str, item: Any) -> None:
            if isinstance(item, h5py.Dataset) and item.maxshape[:1] == (None,):
                self.rows[path] = Rows(item)

        self.file.visititems(visit)

    def change(self, alter: Change) -> None:
        """Alter the file's structure; readers that are open learn of it by `generation`.

        A kill on the way leaves the file as it was. One without frames has nothing to lose.
        """
        if schema.STEPS in self.rows and self.n_frames:
            self._live = False
            self.file.close()
            try:
                self._alter_staged(alter)
            finally:
                self.file = self._open()
        else:
            _alter(self.file, alter)
            self.file.flush()
        self._bind()

    def _alter_staged(self, alter: Change) -> None:
        with staged(self.path) as source, h5py.File(source, "r+", libver=_FORMAT) as file:
            _alter(file, alter)

    def go_live(self) -> None:
        """From here on readers may follow; nothing may be created until the next `change`."""
        if self._live or self._denied:
            return
        self.file.flush()
        try:
            self.file.swmr_mode = True
            self._live = True
        except (OSError, RuntimeError):
            self._denied = True

    def commit(self, step: int) -> None:
        """Make the next frame exist: all else is handed to the system before `steps` grows."""
        self.go_live()  # a change may have come in between
        self.file.flush()
        steps = self.rows[schema.STEPS]
        steps.put_many(steps.shape[0], np.array([step], np.int64))
        if self._live:
            steps.flush()
        else:
            self.file.flush()

    def extend(self, path: str, rows: NDArray[Any]) -> None:
        """Add rows at the end of a table or a curve."""
        target = self.rows[path]
        target.put_many(target.shape[0], rows)

    def flush(self) -> None:
        """Hand everything to the operating system."""
        self.file.flush()

    def close(self) -> None:
        """Close, and say in the file that the recording ended as it should."""
        self.file.close()
        with self._open() as file:
            set_attribute(file, schema.STATE_ATTRIBUTE, schema.STATE_CLOSED)
        self.closed = True
        self._lock.release()

    def abandon(self) -> None:
        """Let go of a file that can no longer be written (disk full); never raises.

        The file on the disk stays as it was when the last frame was committed.
        """
        if self.closed:
            return
        self.closed = True
        with suppress(OSError, RuntimeError, ValueError):
            divert_writes(self.file)
            self.file.close()
        self._lock.release()


def _alter(file: h5py.File, alter: Change) -> None:
    alter(file)
    set_attribute(file, schema.GENERATION_ATTRIBUTE, _generation(file) + 1)


def _generation(file: h5py.File) -> int:
    return int(file.attrs.get(schema.GENERATION_ATTRIBUTE, 0))


def _check_growable(file: h5py.File, path: str) -> None:
    if file.attrs.get(schema.FORMAT_ATTRIBUTE) not in (
        schema.FORMAT_NAME,
        schema.FORMAT_NAME.encode(),
    ):
        raise ArchiveError(
            say("{path} is not an archive of ours; record into another file.", path=path)
        )
    if int(file.attrs.get(schema.VERSION_ATTRIBUTE, 0)) != schema.VERSION:
        raise ArchiveError(
            say("{path} has another format version; record into another file.", path=path)
        )
    steps = file.get(schema.STEPS)
    if not isinstance(steps, h5py.Dataset) or steps.maxshape != (None,):
        raise ArchiveError(
            say(
                "{path} was not written by the recorder and cannot grow; record into another file.",
                path=path,
            )
        )
    for index in range(len(file[schema.LAYERS])):
        weights = file.get(schema.layer_path(index, schema.WEIGHTS))
        grows = isinstance(weights, h5py.Dataset) and weights.maxshape[0] is None
        if not grows or weights.ndim != 5:
            raise ArchiveError(
                say(
                    "{path}: layer {index} cannot grow; record into another file.",
                    path=path,
                    index=index,
                )
            )


def write_attributes(attributes: Mapping[str, object], path: str) -> Change:
    """A change that sets attributes of the group at `path` ("/" for the run)."""

    def alter(file: h5py.File) -> None:
        for name, value in attributes.items():
            set_attribute(file[path], name, value)

    return alter


def write_crash(facts: Mapping[str, object]) -> Change:
    """A change that writes the group `crash/`, replacing an earlier one."""

    def alter(file: h5py.File) -> None:
        if schema.CRASH in file:
            del file[schema.CRASH]
        group = file.create_group(schema.CRASH)
        for name, value in facts.items():
            set_attribute(group, name, value)

    return alter
