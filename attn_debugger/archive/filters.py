"""Compression filters: which ones a dataset needs, and which package brings a missing one."""

from __future__ import annotations

from typing import Any

import h5py

from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError

# Registered HDF5 filter identifiers that the optional package hdf5plugin brings.
_PLUGIN_FILTERS = {
    307: "bzip2",
    32001: "blosc",
    32004: "lz4",
    32008: "bitshuffle",
    32013: "zfp",
    32015: "zstandard",
    32017: "sz",
    32018: "fcidecomp",
    32024: "sz3",
    32026: "blosc2",
}


def check(path: str, properties: Any) -> None:
    """Raise `ArchiveError` when a filter cannot be had here; loads hdf5plugin where it helps.

    `properties` are those the dataset at `path` was created with.
    """
    for position in range(properties.get_nfilters()):
        code, _, _, name = properties.get_filter(position)
        if _available(code) or (code in _PLUGIN_FILTERS and _plugin_brings(code)):
            continue
        known = _PLUGIN_FILTERS.get(code) or name.decode("utf-8", "replace") or say("unknown")
        advice = (
            say("install it with: pip install hdf5plugin")
            if code in _PLUGIN_FILTERS
            else say("install the HDF5 plugin for it")
        )
        raise ArchiveError(
            say(
                "{path} is compressed with {known} (HDF5 filter {code}), which this "
                "machine cannot unpack; {advice}.",
                path=path,
                known=known,
                code=code,
                advice=advice,
            )
        )


def _plugin_brings(code: int) -> bool:
    try:
        import hdf5plugin  # noqa: F401  (importing it registers its filters)
    except ImportError:
        return False
    return _available(code)


def _available(code: int) -> bool:
    return bool(h5py.h5z.filter_avail(code))
