"""Closing a file that can no longer be written.

HDF5 keeps what it could not flush and tries again at every close, also at the end of the process,
where the failure becomes a segmentation fault. So before such a file is closed its descriptor is
pointed at the null device: what is left to flush goes there and is forgotten. The file itself keeps
what was flushed before, as after a kill.
"""

from __future__ import annotations

import os

import h5py


def divert_writes(file: h5py.File) -> None:
    """Let everything HDF5 still wants to write into `file` go to the null device instead."""
    try:
        descriptor = file.id.get_vfd_handle()
        # Not a scratch file: the limit that stopped the archive may hold for that one too.
        target = os.open(os.devnull, os.O_RDWR)
    except (OSError, ValueError, RuntimeError, NotImplementedError):
        return  # not a plain file, or already closed: there is nothing to divert
    try:
        os.dup2(target, descriptor)
    finally:
        os.close(target)
