"""Fixed-length UTF-8: variable-length strings cannot be written while others read (SWMR)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray


def string_type(n_bytes: int) -> np.dtype[Any]:
    """HDF5's fixed-length UTF-8 string of `n_bytes` bytes, padded with zeros."""
    kind: np.dtype[Any] = h5py.string_dtype("utf-8", n_bytes)
    return kind


def cut_text(text: str, n_bytes: int) -> bytes:
    """UTF-8 of `text` in at most `n_bytes` bytes, never cut inside a character."""
    # Zero bytes end a fixed-length string; a token may well hold one.
    data = text.replace("\0", "␀").encode("utf-8", "replace")
    if len(data) <= n_bytes:
        return data
    return data[:n_bytes].decode("utf-8", "ignore").encode()


def set_attribute(target: Any, name: str, value: object) -> None:
    """Write one attribute in a form every HDF5 reader understands; None is left out.

    Text becomes fixed-length UTF-8, sequences become arrays, everything unknown its `repr`.
    """
    if value is None:
        return
    if isinstance(value, Mapping):
        for key, item in value.items():
            set_attribute(target, f"{name}.{key}", item)
        return
    stored = storable(value)
    array = np.array(stored) if isinstance(stored, bytes) else stored
    kind = string_type(max(1, array.dtype.itemsize)) if array.dtype.kind == "S" else array.dtype
    old = target.attrs.get_id(name) if name in target.attrs else None
    if old is not None and old.shape == array.shape and old.dtype == kind:
        # In place: a new attribute may move to the end of the file, where a cut loses the root.
        target.attrs.modify(name, array.astype(kind))
    else:
        target.attrs.create(name, array.astype(kind), dtype=kind)


def storable(value: object) -> bytes | NDArray[Any]:
    """Text as UTF-8 bytes, numbers and sequences as an array of numbers or of bytes."""
    if isinstance(value, bytes):
        return value.replace(b"\0", b"")
    if isinstance(value, str):
        return cut_text(value, 60_000)  # an attribute holds at most 64 KB
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)
    if isinstance(value, list | tuple) and any(isinstance(item, str) for item in value):
        data = [cut_text(str(item), 1_000) for item in value]
        return np.array(data, dtype=f"S{max(1, *map(len, data))}")
    try:
        array = np.asarray(value)
    except (ValueError, TypeError):
        return cut_text(repr(value), 60_000)
    if array.dtype.kind in "US":
        return storable([str(item) for item in array.ravel().tolist()])
    if array.dtype.kind not in "biuf" or array.nbytes > 60_000:
        return cut_text(repr(value), 60_000)
    return array
