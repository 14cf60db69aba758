"""Attributes of HDF5 as plain Python values."""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np

UNREADABLE = object()  # stands for a value that cannot be read or has no plain form


def text_of(value: Any) -> str:
    """Text as `str`; bytes that are not UTF-8 become replacement characters."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def plain(value: Any) -> object:
    """An attribute's value as bool, int, float, str, or a tuple of them; None for empty."""
    if isinstance(value, h5py.Empty):
        return None
    if isinstance(value, bytes):
        return text_of(value)
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, np.ndarray):
        if value.ndim == 0:
            return plain(value.item())
        return tuple(plain(item) for item in value.ravel())
    return value if isinstance(value, str | bool | int | float) else UNREADABLE
