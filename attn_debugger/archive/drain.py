"""Closing a file that can no longer be written.

HDF5 keeps what it could not flush and tries again at every close, also at the end of the process,
where the failure becomes a segmentation fault. So before such a file is closed its descriptor is
pointed at an anonymous file: what is left to flush goes there and is forgotten. The file itself
keeps what was flushed before, as after a kill.
"""

from __future__ import annotations

import os
import tempfile

import h5py


def divert_writes(file: h5py.File) -> None:
    """Let everything HDF5 still wants to write into `file` go to an anonymous file instead."""
    try:
        descriptor = file.id.get_vfd_handle()
        target = _anonymous()
    except (OSError, ValueError, RuntimeError, NotImplementedError):
        return  # not a plain file, or already closed: there is nothing to divert
    try:
        os.dup2(target, descriptor)
    finally:
        os.close(target)


def _anonymous() -> int:
    if hasattr(os, "memfd_create"):
        return os.memfd_create("attention archive")
    with tempfile.TemporaryFile() as scratch:
        return os.dup(scratch.fileno())
