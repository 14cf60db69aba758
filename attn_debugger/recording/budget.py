"""How large an archive may grow, and what is given up first when it comes near."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

_DEFAULT_LIMIT = 20 * 10**9
_FREE_SHARE = 10
_SPARE = 64 * 1024  # tables, curves and the end of the file
_LAST_SHARE = 0.95  # from here on no full maps are stored


def default_limit(path: Path) -> int:
    """Return the smaller of 20 GB and a tenth of the free disk."""
    return min(_DEFAULT_LIMIT, shutil.disk_usage(path.parent).free // _FREE_SHARE)


class DiskBudget:
    """Decides which frames store full maps.

    Each time half of what was left is used up, full maps are stored half as often; in the last
    twentieth only overviews and statistics are. Nothing written is ever removed.
    """

    def __init__(self, limit_bytes: int, full_every: int) -> None:
        self.limit_bytes = limit_bytes
        self._every = full_every
        self._threshold = 0.5
        self._maps = True
        self._seen: dict[str, int] = {}

    def full(self, stream: str) -> bool:
        """Return whether the next frame of this stream stores full maps."""
        count = self._seen.get(stream, 0)
        self._seen[stream] = count + 1
        return self._maps and count % self._every == 0

    def grew(self, size: int) -> str | None:
        """Take note of the archive's size; return a sentence when something changes from now on."""
        used = size / self.limit_bytes
        if not self._maps or used < self._threshold:
            return None
        if used >= _LAST_SHARE:
            self._maps = False
            return (
                f"{_megabytes(size)} of {_megabytes(self.limit_bytes)} (limit_bytes) are used: "
                "from here on overviews and statistics only, no full maps"
            )
        while used >= self._threshold:
            self._threshold = (1 + self._threshold) / 2
            self._every *= 2
        return (
            f"{_megabytes(size)} of {_megabytes(self.limit_bytes)} (limit_bytes) are used: full "
            f"maps are stored every {self._every}th recorded frame from here on"
        )


class DiskRoom:
    """Tells whether the disk has room for another frame, so that a recording ends well in time.

    HDF5 cannot be stopped in the middle of a write without loss; it is asked before.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._largest = 0
        self._size = 0

    def grew(self, size: int) -> None:
        """Take note of the archive's size after a frame."""
        self._largest = max(self._largest, size - self._size)
        self._size = size

    def is_short(self) -> bool:
        """Return whether less than two frames, and a little, would still fit."""
        return self._free() < _SPARE + 2 * self._largest

    def _free(self) -> int:
        try:
            free = shutil.disk_usage(self._path.parent).free
        except OSError:
            return sys.maxsize  # it cannot be asked: the write itself will tell
        if sys.platform != "win32":
            import resource

            limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
            if limit != resource.RLIM_INFINITY:
                free = min(free, limit - self._size)
        return free


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
