"""Who is writing this file: a lock that dies with its process, beside HDF5's own.

HDF5 drops its lock once SWMR writing starts and leaves only a flag in the file, which survives
`kill -9`. An open-file-description lock on one byte far past the end tells a living writer from a
dead one, takes part in none of HDF5's locking, and hinders no reader.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from contextlib import suppress
from typing import Literal

from attn_debugger.core.words import say

# Elsewhere (Windows, macOS) the age of the file has to do.
SUPPORTED = sys.platform == "linux" and sys.maxsize > 2**32
if sys.platform == "linux":
    import fcntl

Held = Literal["held", "free", "unknown"]

_HERE: set[tuple[int, int]] = set()  # (device, inode) of every file this process writes

_BYTE = 1 << 61  # no archive is that long
_BUSY = {errno.EAGAIN, errno.EACCES}
# struct flock of 64-bit Linux: l_type, l_whence, l_start, l_len, l_pid.
_FLOCK = "hhxxxxqqixxxx"


def _request(kind: int) -> bytes:
    return struct.pack(_FLOCK, kind, os.SEEK_SET, _BYTE, 1, 0)


class WriterLock:
    """Held from construction to `release()`. `supported` is False where locking is denied.

    Raises `BlockingIOError` when another writer holds it.
    """

    def __init__(self, path: str) -> None:
        self.supported = False
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        status = os.fstat(self._descriptor)
        self._file = (status.st_dev, status.st_ino)
        if self._file in _HERE:
            os.close(self._descriptor)
            raise BlockingIOError(errno.EAGAIN, say("this process is writing"), path)
        self._lock(path)
        _HERE.add(self._file)

    def _lock(self, path: str) -> None:
        if sys.platform != "linux" or not SUPPORTED:
            return
        try:
            fcntl.fcntl(self._descriptor, fcntl.F_OFD_SETLK, _request(fcntl.F_WRLCK))
            self.supported = True
        except OSError as error:
            if error.errno in _BUSY:
                os.close(self._descriptor)
                raise BlockingIOError(
                    error.errno, say("another process is writing"), path
                ) from None

    def release(self) -> None:
        """Give the lock up; may be called twice."""
        if self._descriptor < 0:
            return
        _HERE.discard(self._file)
        if sys.platform == "linux" and self.supported:
            # Closing would not do: forked data loaders share the description and keep it locked.
            with suppress(OSError):
                fcntl.fcntl(self._descriptor, fcntl.F_OFD_SETLK, _request(fcntl.F_UNLCK))
        os.close(self._descriptor)
        self._descriptor = -1


def is_written_here(path: str) -> bool:
    """Whether this very process has the file open for writing."""
    try:
        status = os.stat(path)
    except OSError:
        return False
    return (status.st_dev, status.st_ino) in _HERE


def writer_of(path: str) -> Held:
    """Whether somebody holds the writer's lock; `unknown` where that cannot be asked."""
    if sys.platform != "linux" or not SUPPORTED:
        return "unknown"
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return "unknown"
    try:
        # Asking on behalf of a reader: a read lock is what a read-only descriptor may ask for.
        answer = fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, _request(fcntl.F_RDLCK))
    except OSError:
        return "unknown"
    finally:
        os.close(descriptor)
    kind = struct.unpack(_FLOCK, answer)[0]
    return "free" if kind == fcntl.F_UNLCK else "held"
