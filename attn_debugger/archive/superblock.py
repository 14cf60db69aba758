"""The first bytes of an HDF5 file: was it closed properly, and where does it end.

A killed writer leaves the flag "open for writing" and a stale end of file behind; HDF5 then
refuses the file although every byte is there. Written after the HDF5 File Format Specification,
sections II.A (superblock versions 0 to 3) and its checksum, Bob Jenkins' lookup3.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass

SIGNATURE = b"\x89HDF\r\n\x1a\n"
_WRITE_FLAG = 1
_SWMR_FLAG = 4
LONGEST_SUPERBLOCK = 128  # bytes: no superblock is longer


@dataclass(frozen=True, slots=True)
class Superblock:
    """What the first bytes say. Flags exist from version 3 on (`libver` v110 and later)."""

    version: int
    flags: int
    end_of_file: int  # as written down; stale while somebody writes
    raw: bytes

    @property
    def has_flags(self) -> bool:
        """Whether this version of the format says that a writer has the file open."""
        return self.version == 3

    @property
    def open_for_writing(self) -> bool:
        return bool(self.flags & (_WRITE_FLAG | _SWMR_FLAG))

    @property
    def swmr(self) -> bool:
        return bool(self.flags & _SWMR_FLAG)


def read_superblock(path: str | os.PathLike[str]) -> Superblock | None:
    """None when `path` does not start as an HDF5 file does. Raises `OSError`."""
    with open(path, "rb") as file:
        return parse_superblock(file.read(LONGEST_SUPERBLOCK))


def parse_superblock(head: bytes) -> Superblock | None:
    """The superblock at the start of `head`, or None when there is no sound one.

    HDF5 itself never gives up on an unsound one: reading beside a writer it waits for the checksum
    to come right, twice as long each time.
    """
    if len(head) < 48 or head[:8] != SIGNATURE or head[8] > 3:
        return None
    place = _end_of_file_at(head)
    if place is None:
        return None
    if head[8] >= 2 and struct.unpack_from("<I", head, 44)[0] != lookup3(head[:44]):
        return None
    flags = head[11] if head[8] == 3 else 0
    return Superblock(head[8], flags, int(struct.unpack_from("<Q", head, place)[0]), head)


def _end_of_file_at(head: bytes) -> int | None:
    """Offset of the field "end of file address"; only files with 8-byte offsets are understood."""
    version = head[8]
    if version >= 2:
        return 28 if head[9] == 8 else None
    if head[13] != 8:
        return None
    return 40 if version == 0 else 44


def closed_superblock(head: bytes, file_size: int) -> bytes | None:
    """The same superblock as a proper close would have left it, for a file of `file_size` bytes.

    None when `head` holds no superblock that can be understood. The result is as long as what it
    replaces at the start of the file.
    """
    block = parse_superblock(head)
    place = _end_of_file_at(head) if block is not None else None
    if block is None or place is None:
        return None
    data = bytearray(head)
    struct.pack_into("<Q", data, place, file_size)
    if block.version < 2:
        return bytes(data[: place + 8])
    data[11] = 0
    struct.pack_into("<I", data, 44, lookup3(bytes(data[:44])))
    return bytes(data[:48])


def mark_closed(path: str | os.PathLike[str]) -> None:
    """Clear the flag of a file whose writer is dead, in place, so that it can be appended to."""
    size = os.path.getsize(path)
    with open(path, "r+b") as file:
        block = closed_superblock(file.read(LONGEST_SUPERBLOCK), size)
        if block is not None:
            file.seek(0)
            file.write(block)


def lookup3(data: bytes) -> int:
    """Bob Jenkins' hash, as HDF5 uses it for its checksums (initial value 0)."""
    mask = 0xFFFFFFFF
    a: int
    b: int
    c: int

    def rotated(value: int, by: int) -> int:
        return ((value << by) | (value >> (32 - by))) & mask

    a = b = c = (0xDEADBEEF + len(data)) & mask
    while len(data) > 12:
        x, y, z = struct.unpack_from("<III", data)
        a, b, c = (a + x) & mask, (b + y) & mask, (c + z) & mask
        a = ((a - c) & mask) ^ rotated(c, 4)
        c = (c + b) & mask
        b = ((b - a) & mask) ^ rotated(a, 6)
        a = (a + c) & mask
        c = ((c - b) & mask) ^ rotated(b, 8)
        b = (b + a) & mask
        a = ((a - c) & mask) ^ rotated(c, 16)
        c = (c + b) & mask
        b = ((b - a) & mask) ^ rotated(a, 19)
        a = (a + c) & mask
        c = ((c - b) & mask) ^ rotated(b, 4)
        b = (b + a) & mask
        data = data[12:]
    if not data:
        return c
    x, y, z = struct.unpack("<III", data.ljust(12, b"\0"))
    a, b, c = (a + x) & mask, (b + y) & mask, (c + z) & mask
    c = ((c ^ b) - rotated(b, 14)) & mask
    a = ((a ^ c) - rotated(c, 11)) & mask
    b = ((b ^ a) - rotated(a, 25)) & mask
    c = ((c ^ b) - rotated(b, 16)) & mask
    a = ((a ^ c) - rotated(c, 4)) & mask
    b = ((b ^ a) - rotated(a, 14)) & mask
    return ((c ^ b) - rotated(b, 24)) & mask
