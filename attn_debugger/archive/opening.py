"""Open an HDF5 file for reading whatever state its writer left it in; the file is never changed."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import h5py

from attn_debugger.archive.lock import Held, is_written_here, writer_of
from attn_debugger.archive.superblock import (
    LONGEST_SUPERBLOCK,
    SIGNATURE,
    Superblock,
    closed_superblock,
    parse_superblock,
    read_superblock,
)
from attn_debugger.core.words import first_line, say
from attn_debugger.errors import ArchiveError

# Without a lock to ask, a file that changed this recently is taken to be still written.
_FRESH_SECONDS = 120.0
_ATTEMPTS = 100  # while a live writer changes the structure of its file
_PAUSE = 0.02  # seconds between them


@dataclass(frozen=True, slots=True)
class Opened:
    """An open file. `damage` is a sentence when its end is missing, else empty."""

    file: h5py.File
    damage: str = ""
    left_open: bool = False  # its writer has not (yet) closed it
    writer: Held = "unknown"  # state of the writer's lock
    fresh: bool = False  # written to a moment ago
    swmr: bool = False  # the file keeps up with its writer; else it is seen as it was when opened
    status: tuple[object, ...] = ()  # what tells this state of the file from others; () = ask

    def being_written(self, declared_open: bool, *, locked: bool) -> bool:
        """Whether a writer is at work.

        The archive says whether it was `declared_open` and whether its writer `locked` it; without
        a lock only the age of the file can tell.
        """
        if self.writer == "unknown" or not locked:
            return (self.left_open or declared_open) and self.fresh
        return self.writer == "held"


class Bytes(Protocol):
    """Where the bytes of a file come from."""

    def read_into(self, view: memoryview, place: int) -> int:
        """Fill `view` with the bytes at `place`; fewer only where the file ends. Raises OSError."""
        ...

    def close(self) -> None: ...  # noqa: D102


class LocalBytes:
    """Those of a file on this machine."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115  (closed by close())

    def read_into(self, view: memoryview, place: int) -> int:  # noqa: D102
        return os.preadv(self._file.fileno(), [view], place)

    def close(self) -> None:  # noqa: D102
        self._file.close()


class MendedFile(io.RawIOBase):
    """The bytes of a file as if its writer had closed it: only the superblock differs.

    Lets HDF5 read a file whose writer was killed or whose end is missing, without writing to it
    and without copying it. What lies behind the end cannot be read: that is an error, not zeros.
    """

    def __init__(self, source: Bytes, head: bytes, length: int) -> None:
        super().__init__()
        self._source = source
        self._head = head
        self._length = length  # as the superblock declares it; the file may be shorter
        self._place = 0

    def readable(self) -> bool:  # noqa: D102
        return True

    def seekable(self) -> bool:  # noqa: D102
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:  # noqa: D102
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self._length}[whence]
        self._place = start + offset
        return self._place

    def tell(self) -> int:  # noqa: D102
        return self._place

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # noqa: D102
        view = memoryview(buffer).cast("B")
        count = self._source.read_into(view, self._place)
        if count < len(view):
            raise OSError(say("the file is cut off here"))
        if self._place < len(self._head):
            patch = self._head[self._place : self._place + count]
            view[: len(patch)] = patch
        self._place += count
        return count

    def close(self) -> None:  # noqa: D102
        if not self.closed:
            self._source.close()
        super().close()


def open_hdf5(path: str) -> Opened:
    """Open `path` for reading. Raises `ArchiveError` with a sentence when that cannot be."""
    block = _sound_superblock(path)
    writer = writer_of(path)
    fresh = time.time() - os.path.getmtime(path) < _FRESH_SECONDS
    if block is None:  # a user block in front, or a driver of its own
        return Opened(_open(path), writer=writer, fresh=fresh)
    here = is_written_here(path)
    reason = ""
    if writer == "held" and not here and block.has_flags:
        for _ in range(_ATTEMPTS):
            if block.swmr:
                try:
                    file = _open(path, swmr=True)
                    return Opened(file, left_open=True, writer=writer, fresh=fresh, swmr=True)
                except (OSError, RuntimeError) as error:
                    reason = _short(error)
            time.sleep(_PAUSE)
            block = read_superblock(path) or block
    elif not block.open_for_writing and not here:
        try:
            return Opened(_open(path), writer=writer, fresh=fresh)
        except (OSError, RuntimeError) as error:
            reason = _short(error)
    # Not SWMR where no living writer is certain: HDF5 would wait for ever at a damaged place. And
    # not HDF5's own driver beside our own writer: it keeps one state of a file per process.
    left_open = block.open_for_writing or here
    file, damage = _open_mended(path, left_open, reason)
    return Opened(file, damage, left_open, writer, fresh)


def is_changing_structure(path: str) -> bool:
    """Whether a live writer has the file open, but not (yet again) in a way others can read."""
    if writer_of(path) != "held" or is_written_here(path):
        return False
    block = read_superblock(path)
    return block is not None and block.has_flags and not block.swmr


def _sound_superblock(path: str) -> Superblock | None:
    try:
        if os.path.isdir(path):
            raise ArchiveError(say("{path} is a folder; name the archive in it.", path=path))
        if os.path.getsize(path) == 0:
            raise ArchiveError(
                say(
                    "{path} is empty (0 bytes); nothing was recorded yet, or the disk was full.",
                    path=path,
                )
            )
        with open(path, "rb") as file:
            head = file.read(len(SIGNATURE))
        block = read_superblock(path)
    except FileNotFoundError:
        raise ArchiveError(say("{path} does not exist; check the path.", path=path)) from None
    except PermissionError:
        raise ArchiveError(
            say("{path} may not be read; check its permissions.", path=path)
        ) from None
    except OSError as error:
        raise ArchiveError(
            say("{path} cannot be read: {why}.", path=path, why=error.strerror or error)
        ) from None
    if block is None and head == SIGNATURE:
        raise ArchiveError(
            say(
                "{path} is damaged in its very first bytes, nothing can be read; "
                "look for an earlier copy, or record it again.",
                path=path,
            )
        )
    if block is None and not _is_hdf5(path):
        raise ArchiveError(
            say(
                "{path} is not an HDF5 file; archives are written by record(model, "
                "'run.h5'), and `main.py import` turns .pt, .npy and .npz dumps into "
                "one.",
                path=path,
            )
        )
    return block


def _open(path: str, *, swmr: bool = False) -> h5py.File:
    # rdcc_nbytes=0: whole chunks are read once each; a chunk cache only costs copies.
    return h5py.File(path, "r", swmr=swmr, locking=False, rdcc_nbytes=0)


def _open_mended(path: str, left_open: bool, reason: str) -> tuple[h5py.File, str]:
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        head = file.read(LONGEST_SUPERBLOCK)
    return open_mended(path, lambda: LocalBytes(path), size, head, left_open, reason)


def open_mended(
    path: str,
    source: Callable[[], Bytes],
    size: int,
    head: bytes,
    left_open: bool,
    reason: str = "",
) -> tuple[h5py.File, str]:
    """Open a file of `size` bytes that begins with `head` as if it had been closed properly.

    Returns a sentence when its end is missing. Raises `ArchiveError` when it cannot be opened.
    """
    block = parse_superblock(head)
    # A killed writer leaves a stale length behind. One that closed its file wrote the true one:
    # HDF5 opens no dataset that reaches beyond the end, so a file cut short must seem whole.
    length = size if block is None or left_open else max(size, block.end_of_file)
    mended = closed_superblock(head, length)
    if block is None or mended is None:
        raise ArchiveError(
            say("{path} is damaged beyond reading: {reason}", path=path, reason=reason)
        )
    try:
        opened = open_object(MendedFile(source(), mended, length))
    except (OSError, RuntimeError) as error:
        raise ArchiveError(
            say(
                "{path} is damaged before its first whole frame ({why}); look for an "
                "earlier copy, or record it again.",
                path=path,
                why=_short(error),
            )
        ) from None
    if size == length:
        return opened, ""
    return opened, (
        say(
            "the file is cut short: {size:,} of {length:,} bytes are there; "
            "`main.py repair` saves what is left.",
            size=size,
            length=length,
        )
    )


def open_object(source: MendedFile) -> h5py.File:
    """Open a file through Python; `source` is closed with it. Raises what h5py raises."""
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_fclose_degree(h5py.h5f.CLOSE_STRONG)
    access.set_cache(0, 521, 0, 0.75)
    # No reading ahead: it would run into the missing end for values that are still there.
    access.set_sieve_buf_size(0)
    access.set_fileobj_driver(h5py.h5fd.fileobj_driver, source)
    try:
        identifier = h5py.h5f.open(repr(source).encode(), h5py.h5f.ACC_RDONLY, fapl=access)
    except BaseException:
        source.close()
        raise
    return h5py.File(identifier)


def _short(error: BaseException) -> str:
    said = first_line(str(error))
    return said if len(said) <= 200 else said[:200]


def _is_hdf5(path: str) -> bool:
    try:
        return bool(h5py.is_hdf5(path))
    except (OSError, RuntimeError):
        return False
