"""How an archive on another machine is opened, again and again while it grows, and let go of."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import h5py
import numpy as np

from attn_debugger.archive import schema
from attn_debugger.archive.cached import CachedArchive
from attn_debugger.archive.opening import Opened, open_mended
from attn_debugger.archive.remote.blocks import Blocks, RemoteBytes
from attn_debugger.archive.remote.plan import scattered_ranges
from attn_debugger.archive.remote.wire import FileStatus, Wire
from attn_debugger.archive.store import Store, stored_bytes
from attn_debugger.archive.superblock import LONGEST_SUPERBLOCK, SIGNATURE, parse_superblock
from attn_debugger.archive.typed_values import numbers
from attn_debugger.core.address import parse_address
from attn_debugger.core.link import FETCHED_UNASKED_BYTES, LinkWatcher
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError, LinkError

FRESH_SECONDS = 120.0
USUAL_INTERVALS = 10  # without a frame: the trainer is gone
UNCHECKED_BYTES = 64 << 20  # of one read, however little may be stored of it
SECOND = 1.1  # seconds; clocks differ
_EVERYTHING = 1 << 62  # frames: as many as there are, without a second opening
_TRIES = 4  # to see a file that is being written in one state
_PAUSE = 0.1  # seconds between them


class FarArchive(CachedArchive):
    """An archive behind a `Wire`: looked at from one moment on, then from a later one."""

    def __init__(self, path: str, watcher: LinkWatcher, folder: str) -> None:
        self._wire = Wire(parse_address(path), watcher)
        self._blocks = Blocks(self._wire)
        self._listed = FileStatus(0, 0)  # when the frames were last counted
        self._counted_at = 0.0
        self._index_is_known = False
        self._is_sure = False  # that nothing was written in the second of the count
        try:
            super().__init__(path, folder)
        except BaseException:
            self._wire.drop()
            raise

    # The link.

    @property
    def is_connected(self) -> bool:
        return self._wire.is_connected

    @property
    def n_bytes(self) -> int:
        return self._blocks.status.size

    @property
    def round_trips(self) -> int:
        """How often something was waited for since the link was made."""
        return self._wire.round_trips

    @property
    def total_bytes(self) -> int:
        """What came over the link so far."""
        return self._wire.total_bytes

    @property
    def wants_overviews(self) -> bool:
        """Only where fetching all maps for them takes no time worth speaking of."""
        if self._file is None and not self._closed:
            self._restore()
        return self.n_bytes <= FETCHED_UNASKED_BYTES and super().wants_overviews

    @property
    def overview_problem(self) -> str:
        """Never the link: what failed with it is read anew."""
        return "" if self._file is None else super().overview_problem

    def reconnect(self) -> None:
        """Log in again. Raises `LinkError`."""
        self._wire.connect()
        self._blocks.seen = self._wire.reopen()  # which may be another file than before

    def close(self) -> None:  # noqa: D102
        super().close()
        self._wire.drop()

    # Opening.

    def _open(self, at_most: int | None = None) -> None:
        with self._keeping_what_is_known():
            self._open_whole(at_most)

    @contextmanager
    def _keeping_what_is_known(self) -> Iterator[None]:
        """What a failing link left half read must not stand for the run."""
        known = self._index if self._index_is_known else None
        try:
            yield
        except BaseException:
            if known is not None:
                self._index = known
            raise

    def _open_whole(self, at_most: int | None) -> None:
        said: tuple[str, ...] | None = None
        for attempt in range(_TRIES):
            is_last = attempt == _TRIES - 1
            try:
                self._look(at_most)
            except ArchiveError:
                self._close_file()
                self._raise_failure()
                if is_last or not self._blocks.has_changed:
                    raise
            else:
                self._raise_failure()
                missing = self.run.missing
                # What looks damaged may be half written: then it looks whole the next time.
                if is_last or missing in ((), said) or not self._blocks.has_changed:
                    return
                said = missing
                self._close_file()
            time.sleep(_PAUSE)

    def _look(self, at_most: int | None) -> None:
        """Open the file as it is from now on."""
        counts, grows = at_most is None, self._index_is_known and self.run.ended == "writing"
        self._begin_look("glance" if counts and grows else "open")
        counted = self._blocks.status
        if counts and (grows or self._may_grow):
            # What is committed at this first glance is whole in all that is read later.
            at_most = self._glance()
            self._begin_look("open")
        super()._open(at_most if at_most is not None else _EVERYTHING)
        self._blocks.end_opening()
        self._index_is_known = True
        if counts:
            # What was added since the glance is still to be told of.
            self._is_sure = counted == self._listed
            self._listed, self._counted_at = counted, time.monotonic()

    def _begin_look(self, purpose: str) -> None:
        size = self._blocks.begin_look(purpose).size
        if size == 0:
            raise ArchiveError(
                say(
                    "{path} is empty (0 bytes); nothing was recorded yet, or the disk was full.",
                    path=self._path,
                )
            )

    @property
    def _may_grow(self) -> bool:
        block = parse_superblock(self._head())
        is_flagged = block is not None and block.open_for_writing
        return is_flagged or self._age < FRESH_SECONDS

    @property
    def _age(self) -> float:
        """Seconds since the file was changed, as far as two clocks agree."""
        return abs(time.time() - self._blocks.status.changed)

    def _head(self) -> bytes:
        head = bytearray(min(LONGEST_SUPERBLOCK, self._blocks.status.size))
        self._blocks.read_into(memoryview(head), 0)
        return bytes(head)

    def _glance(self) -> int | None:
        """How many frames are committed now; None = cannot be told."""
        opened = self._open_file()
        try:
            dataset = self._store_of(opened.file).dataset(schema.STEPS)
            return None if dataset is None or dataset.ndim != 1 else int(dataset.shape[0])
        finally:
            opened.file.close()

    def _open_file(self) -> Opened:
        head = self._head()
        block = parse_superblock(head)
        if block is None:
            raise ArchiveError(_about_no_archive(self._path, head))
        status = self._blocks.status
        file, damage = open_mended(
            self._path,
            lambda: RemoteBytes(self._blocks),
            status.size,
            head,
            left_open=block.open_for_writing,
        )
        try:
            is_fresh = self._age < self._patience(file)
        except BaseException:
            file.close()
            raise
        return Opened(
            file,
            damage,
            left_open=block.open_for_writing,
            fresh=is_fresh,
            status=(status.size, status.changed),
        )

    def _patience(self, file: h5py.File) -> float:
        """How old a file that a trainer writes may get between two of its frames."""
        try:
            dataset = Store(file, self._path).dataset(schema.TIME)
            if dataset is None:
                return FRESH_SECONDS
            times = numbers(schema.TIME, dataset, "f", (slice(-20, None),))
        except ArchiveError:
            return FRESH_SECONDS
        intervals = np.diff(times[np.isfinite(times)])
        usual = float(np.median(intervals)) if len(intervals) else 0.0
        return max(FRESH_SECONDS, USUAL_INTERVALS * usual)

    def _store_of(self, file: h5py.File) -> Store:
        return Store(file, self._path, self._fetch)

    def _fetch(self, dataset: h5py.Dataset, selection: Any, n_bytes: int) -> int:
        ranges = scattered_ranges(dataset, selection)
        self._blocks.fetch(ranges)
        if n_bytes <= UNCHECKED_BYTES:
            # Adding up what is stored reads the whole index, which takes as long as all the rest.
            return self.n_bytes
        return stored_bytes(dataset)

    # Following.

    def _is_worth_reopening(self) -> bool:
        if not self._wire.is_connected:
            raise LinkError(
                say("there is no connection to {place}", place=self._wire.address.place)
            )
        if self._wire.status() != self._listed:
            return True
        # SFTP tells times in seconds: what was written in the same one is seen a second later.
        return not self._is_sure and time.monotonic() > self._counted_at + SECOND

    def _restore(self) -> None:
        """Open anew with the frames that are known; `refresh` tells of more."""
        if self._wire.is_connected and self._blocks.has_changed:
            self._open(self.run.n_frames)
            return
        # What was read is still here: without a link, too, it can be looked at.
        with self._keeping_what_is_known():
            super()._open(self.run.n_frames)
            self._raise_failure()
        if super().wants_overviews and os.path.isdir(self._folder):
            self.use_side_file(self._folder)

    def _refuse_another_file(self) -> None:
        """Raise when what was just read belongs to a file written anew since it was opened."""
        shrunk = self._blocks.seen.size < self._blocks.status.size
        if shrunk or (self._blocks.has_changed and self.run.ended != "writing"):
            self._close_file()
            raise ArchiveError(
                say(
                    "{path} was written to since it was opened; reload it to see it as it is now.",
                    path=self._path,
                )
            )

    def _raise_failure(self) -> None:
        """Raise what kept HDF5 from reading. It has seen errors where there are none: reopen."""
        failure, self._blocks.failure = self._blocks.failure, None
        if failure is not None:
            self._close_file()
            raise failure


def _about_no_archive(path: str, head: bytes) -> str:
    if head.startswith(SIGNATURE):
        return say(
            "{path} is damaged in its very first bytes, nothing can be read; look for an earlier "
            "copy, or record it again.",
            path=path,
        )
    return say(
        "{path} is not an HDF5 file; archives are written by record(model, 'run.h5').", path=path
    )
