"""Open an HDF5 file for reading whatever state its writer left it in; the file is never changed."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass

import h5py

from attn_debugger.archive.lock import writer_of
from attn_debugger.archive.superblock import closed_superblock, read_superblock
from attn_debugger.errors import ArchiveError


@dataclass(frozen=True, slots=True)
class Opened:
    """An open file. `damage` is a sentence when its end is missing, else empty."""

    file: h5py.File
    damage: str = ""
    left_open: bool = False  # the writer has not (yet) closed it
    writer: str = "unknown"  # "held", "free" or "unknown": the state of the writer's lock


class MendedFile(io.RawIOBase):
    """The bytes of a file as if its writer had closed it: only the superblock differs.

    Lets HDF5 read a file whose writer was killed or whose end is missing, without writing to it
    and without copying it.
    """

    def __init__(self, path: str, head: bytes) -> None:
        super().__init__()
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115  (closed by close())
        self._head = head
        self._size = os.fstat(self._file.fileno()).st_size
        self._place = 0

    def readable(self) -> bool:  # noqa: D102
        return True

    def seekable(self) -> bool:  # noqa: D102
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:  # noqa: D102
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self._size}[whence]
        self._place = start + offset
        return self._place

    def tell(self) -> int:  # noqa: D102
        return self._place

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # noqa: D102
        view = memoryview(buffer).cast("B")
        count = os.preadv(self._file.fileno(), [view], self._place)
        if self._place < len(self._head):
            patch = self._head[self._place : self._place + count]
            view[: len(patch)] = patch
        self._place += count
        return count

    def close(self) -> None:  # noqa: D102
        if not self.closed:
            self._file.close()
        super().close()


def open_hdf5(path: str) -> Opened:
    """Open `path` for reading. Raises `ArchiveError` with a sentence when that cannot be."""
    try:
        size = os.path.getsize(path)
        if os.path.isdir(path):
            raise ArchiveError(f"{path} is a folder; name the archive in it.")
        if size == 0:
            raise ArchiveError(
                f"{path} is empty (0 bytes); nothing was recorded yet, or the disk was full."
            )
        block = read_superblock(path)
    except FileNotFoundError:
        raise ArchiveError(f"{path} does not exist; check the path.") from None
    except PermissionError:
        raise ArchiveError(f"{path} may not be read; check its permissions.") from None
    except OSError as error:
        raise ArchiveError(f"{path} cannot be read: {error.strerror or error}.") from None
    if block is None and not _is_hdf5(path):
        raise ArchiveError(
            f"{path} is not an HDF5 file; archives are written by record(model, 'run.h5'), and "
            "`main.py import` turns .pt, .npy and .npz dumps into one."
        )
    writer = writer_of(path)
    left_open = block is not None and block.open_for_writing
    first: OSError | None = None
    for swmr in (True,) if left_open else (False, True):
        try:
            return Opened(_open(path, swmr), left_open=left_open, writer=writer)
        except (OSError, RuntimeError) as error:
            first = first or OSError(str(error))
    return _open_mended(path, left_open, writer, str(first))


def _open(path: str, swmr: bool) -> h5py.File:
    # rdcc_nbytes=0: whole chunks are read once each; a chunk cache only costs copies.
    return h5py.File(path, "r", swmr=swmr, locking=False, rdcc_nbytes=0)


def _open_mended(path: str, left_open: bool, writer: str, reason: str) -> Opened:
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        head = file.read(128)
    block = read_superblock(path)
    mended = closed_superblock(head, size)
    if block is None or mended is None:
        raise ArchiveError(f"{path} is damaged beyond reading: {reason}")
    try:
        file = h5py.File(MendedFile(path, mended), "r", rdcc_nbytes=0)
    except (OSError, RuntimeError) as error:
        raise ArchiveError(
            f"{path} is damaged before its first whole frame: {_short(error)}; record it again, or "
            "look for an earlier copy."
        ) from None
    damage = ""
    if size < block.end_of_file and not left_open:
        damage = (
            f"the file is cut short: {size:,} of {block.end_of_file:,} bytes are there; "
            "`main.py repair` saves what is left."
        )
    return Opened(file, damage, left_open, writer)


def _short(error: BaseException) -> str:
    return str(error).splitlines()[0][:200]


def _is_hdf5(path: str) -> bool:
    try:
        return bool(h5py.is_hdf5(path))
    except (OSError, RuntimeError):
        return False
