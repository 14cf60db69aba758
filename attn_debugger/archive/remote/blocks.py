"""What is known here of a remote file's bytes: blocks for HDF5's index, exact pieces for its data.

A *look* is a view of the file from one moment on: whatever is read belongs to that moment or later,
never to an earlier one. That is what a file that grows demands: all of a frame is written before
the file says that the frame exists, so what is read after the number of frames is whole. With the
next look everything is forgotten.
"""

from __future__ import annotations

import gc
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable

from attn_debugger.archive.remote.wire import FileStatus, Range, Wire
from attn_debugger.errors import ArchiveError, LinkError

BLOCK = 64 << 10  # of what HDF5 reads in small bites: headers and indices
MOST_AHEAD = 16  # blocks read at once where they are read in order
# A read that HDF5 waits for can only be put off at the price of opening the file anew from what is
# here, which takes a tenth of a second.
PATIENCE_SECONDS = 0.4
AHEAD_SECONDS = 0.25  # what is read ahead takes no longer than that
STREAMS = 8  # places at which reading in order may go on
FIRST_BYTES = 1 << 20  # where the recorder puts all that is created before the first frame
MOST_BYTES = 128 << 20  # of pieces and blocks each


class Blocks:
    """Bytes of the file behind a `Wire`, as of the last `begin_look`."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.status = FileStatus(0, 0)  # when the look began
        self.seen = self.status  # when something was last read
        self.reads_on = False  # whether the file is read from end to end just now
        self.failure: Exception | None = None  # of a read by HDF5, which would say something vague
        self._blocks: dict[int, bytes] = {}
        self._pieces: dict[int, bytes] = {}
        self._offsets: list[int] = []  # of the pieces, ascending
        self._piece_bytes = 0
        # For each purpose of a look, the blocks that it asked for the last time.
        self._needed: dict[str, set[int]] = {}
        self._noted: set[int] | None = None
        # Block that a reader in order would want next -> how many it got at the last time.
        self._streams: OrderedDict[int, int] = OrderedDict()

    @property
    def has_changed(self) -> bool:
        """Whether the file was written to since the look began, as far as is known."""
        return self.seen != self.status

    def begin_look(self, purpose: str) -> FileStatus:
        """Forget everything; what the last look of this purpose needed is read at once."""
        self.forget()
        self.status = self.seen = self.wire.reopen()
        last = (self.status.size - 1) // BLOCK
        first = set(range(FIRST_BYTES // BLOCK))
        known = {block for block in self._needed.get(purpose, first) if block <= last}
        self._noted = self._needed[purpose] = set()
        if self.status.size:
            self._fetch_blocks(sorted(known))
        return self.status

    def end_opening(self) -> None:
        """What is read from here on need not be read at once at the next look."""
        self._noted = None

    def forget(self) -> None:
        """Forget all bytes."""
        self.failure = None
        self._blocks.clear()
        self._streams.clear()
        self._pieces.clear()
        self._offsets.clear()
        self._piece_bytes = 0

    def fetch(self, ranges: Iterable[Range]) -> None:
        """Have ranges here that lie far apart, in one go.

        Raises `LinkError`, also `LinkPausedError`; what has come by then is kept.
        """
        missing = [r for r in dict.fromkeys(ranges) if r[1] > 0 and not self._holds(*r)]
        missing = [(o, min(n, self.status.size - o)) for o, n in missing if o < self.status.size]
        if not missing:
            return
        if self._piece_bytes > MOST_BYTES:
            self._pieces.clear()
            self._offsets.clear()
            self._piece_bytes = 0
        parts: dict[int, bytes] = {}
        try:
            self.seen = self.wire.read(missing, parts.__setitem__, pause_after=0.0)
        finally:
            for offset, size in missing:
                self._keep(offset, size, parts)

    def read_into(self, view: memoryview, place: int) -> int:
        """Fill `view` with the bytes at `place`; called by HDF5, which holds its lock meanwhile."""
        piece = self._piece_around(place, len(view))
        if piece is not None:
            view[:] = piece
            return len(view)
        last = (place + len(view) - 1) // BLOCK
        blocks = range(place // BLOCK, last + 1)
        if self._noted is not None:
            self._noted.update(blocks)
        missing = [block for block in blocks if block not in self._blocks]
        if missing:
            self._fetch_blocks([*missing, *self._ahead_of(missing[0], last)])
        done = 0
        for block in blocks:
            data = self._blocks.get(block, b"")
            start = place + done - block * BLOCK
            count = min(len(data) - start, len(view) - done)
            if count <= 0:
                raise OSError("the file is cut off here")
            view[done : done + count] = data[start : start + count]
            done += count
        return done

    def _ahead_of(self, first: int, last: int) -> list[int]:
        """Blocks behind `last` to read along, where the file is read in order: more each time."""
        ahead = min(MOST_AHEAD, max(1, int(self.wire.rate * AHEAD_SECONDS) // BLOCK))
        before = self._streams.pop(first, MOST_AHEAD if self.reads_on else 0)
        ahead = min(ahead, 2 * before or 1)
        end = (self.status.size - 1) // BLOCK
        found = [b for b in range(last + 1, min(last + ahead, end + 1)) if b not in self._blocks]
        self._streams[max(last, last + ahead - 1) + 1] = ahead
        while len(self._streams) > STREAMS:
            self._streams.popitem(last=False)
        return found

    def _fetch_blocks(self, blocks: list[int]) -> None:
        size = self.status.size
        ranges = [(b * BLOCK, min(BLOCK, size - b * BLOCK)) for b in blocks]

        def arrived(offset: int, data: bytes) -> None:
            self._blocks[offset // BLOCK] = data

        if ranges:
            pause_after = PATIENCE_SECONDS if self._noted is None else None
            self.seen = self.wire.read(ranges, arrived, pause_after=pause_after)
        for block in list(self._blocks):
            if len(self._blocks) * BLOCK <= MOST_BYTES:
                break
            if block not in self._needed.get("open", ()):  # what opens the file stays
                del self._blocks[block]

    def _keep(self, offset: int, size: int, parts: dict[int, bytes]) -> None:
        """Put a range together from its parts, if all have come."""
        whole = bytearray()
        while len(whole) < size:
            part = parts.get(offset + len(whole))
            if part is None:
                return
            whole += part[: size - len(whole)]
        self._offsets.insert(bisect_right(self._offsets, offset), offset)
        self._pieces[offset] = bytes(whole)
        self._piece_bytes += size

    def _holds(self, offset: int, size: int) -> bool:
        if self._piece_around(offset, size) is not None:
            return True
        blocks = range(offset // BLOCK, (offset + size - 1) // BLOCK + 1)
        return all(block in self._blocks for block in blocks)

    def _piece_around(self, offset: int, size: int) -> memoryview | None:
        at = bisect_right(self._offsets, offset) - 1
        if at < 0:
            return None
        start = self._offsets[at]
        piece = self._pieces[start]
        if offset + size > start + len(piece):
            return None
        return memoryview(piece)[offset - start : offset - start + size]


class RemoteBytes:
    """A remote file's bytes for `opening.MendedFile`."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks

    def read_into(self, view: memoryview, place: int) -> int:
        """Fill `view`. Whatever fails is noted too: HDF5 would make something vague of it."""
        # HDF5's lock is held. Were the collector to run in another thread meanwhile and find an
        # object of h5py, that thread would wait for us: the window, or the one that serves the
        # connection, for which we wait.
        collects = gc.isenabled()
        gc.disable()
        try:
            return self._blocks.read_into(view, place)
        except (LinkError, ArchiveError) as error:
            self._blocks.failure = error
            raise OSError(str(error)) from error
        finally:
            if collects:
                gc.enable()

    def close(self) -> None:
        """Nothing is open here."""
