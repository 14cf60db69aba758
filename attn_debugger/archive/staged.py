"""Changing the structure of an HDF5 file so that a kill in the middle leaves it as it was.

    with staged(path) as source, h5py.File(source, "r+", libver=...) as file:
        file.create_dataset(...)

SWMR writes in an order that survives a kill, but cannot add a dataset or an attribute. Without it
HDF5 writes what it changed in the order of addresses: a group is written before the dataset that
it now names, and who is killed in between leaves a group that cannot be read, with all that was
recorded in it. So whatever lands on bytes that were there before is held back until the rest is
on the disk, and then written at once, pages next to each other together, the first page last.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager

PAGE = 4096  # bytes


class StagedFile(io.RawIOBase):
    """A file whose old bytes stay as they are until `apply`; new space is written right away."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._descriptor = os.open(path, os.O_RDWR)
        self._size = os.fstat(self._descriptor).st_size
        self._n_old = -(-self._size // PAGE)  # pages with anything that was there before
        self._pages: dict[int, bytearray] = {}  # number -> its new content
        self._place = 0

    def readable(self) -> bool:  # noqa: D102
        return True

    def writable(self) -> bool:  # noqa: D102
        return True

    def seekable(self) -> bool:  # noqa: D102
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:  # noqa: D102
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self._size}[whence]
        self._place = start + offset
        return self._place

    def tell(self) -> int:  # noqa: D102
        return self._place

    def truncate(self, size: int | None = None) -> int:
        """Set where the file ends for who reads it here; on the disk it only grows."""
        self._size = self._place if size is None else size
        return self._size

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # noqa: D102
        view = memoryview(buffer).cast("B")
        count = max(0, min(len(view), self._size - self._place))
        view = view[:count]
        got = os.preadv(self._descriptor, [view], self._place)
        view[got:] = bytes(count - got)  # space that was reserved and never written
        for page, start, end in _pieces(self._place, count):
            known = self._pages.get(page)
            if known is not None:
                at = page * PAGE + start - self._place
                view[at : at + end - start] = known[start:end]
        self._place += count
        return count

    def write(self, data: memoryview) -> int:  # type: ignore[override]  # noqa: D102
        view = memoryview(data).cast("B")
        old_end = self._n_old * PAGE
        n_old = max(0, min(len(view), old_end - self._place))
        for page, start, end in _pieces(self._place, n_old):
            at = page * PAGE + start - self._place
            self._page(page)[start:end] = view[at : at + end - start]
        _write_all(self._descriptor, view[n_old:], self._place + n_old)
        self._place += len(view)
        self._size = max(self._size, self._place)
        return len(view)

    def apply(self) -> None:
        """Put the changed pages in place of the old ones."""
        runs: list[tuple[int, bytearray]] = []
        for number in sorted(self._pages):
            if runs and runs[-1][0] * PAGE + len(runs[-1][1]) == number * PAGE:
                runs[-1][1].extend(self._pages[number])
            else:
                runs.append((number, bytearray(self._pages[number])))
        if os.fstat(self._descriptor).st_size < self._size:
            os.ftruncate(self._descriptor, self._size)
        for number, content in reversed(runs):
            end = min(number * PAGE + len(content), self._size)
            _write_all(self._descriptor, memoryview(content)[: end - number * PAGE], number * PAGE)
        self._pages.clear()

    def close(self) -> None:  # noqa: D102
        if not self.closed:
            os.close(self._descriptor)
        super().close()

    def _page(self, number: int) -> bytearray:
        if number not in self._pages:
            content = bytearray(os.pread(self._descriptor, PAGE, number * PAGE))
            content.extend(bytes(PAGE - len(content)))
            self._pages[number] = content
        return self._pages[number]


@contextmanager
def staged(path: str) -> Iterator[StagedFile]:
    """Open a file whose changes come into effect together when the block ends without an error."""
    source = StagedFile(path)
    try:
        yield source
        source.apply()
    finally:
        source.close()


def _pieces(place: int, count: int) -> Iterator[tuple[int, int, int]]:
    """Yield page, first and last + 1 byte in it of each page that a stretch touches."""
    end = place + count
    while place < end:
        page, start = divmod(place, PAGE)
        stop = min(PAGE, start + end - place)
        yield page, start, stop
        place += stop - start


def _write_all(descriptor: int, view: memoryview, place: int) -> None:
    while len(view):
        written = os.pwrite(descriptor, view, place)
        view, place = view[written:], place + written
