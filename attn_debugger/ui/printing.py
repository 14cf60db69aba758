"""Painting a view for a file instead of the screen: sharper than the screen is, or as vectors.

Views keep what they painted as pictures as sharp as their screen. While a file is painted they ask
here how sharp it shall be, and whether to keep a picture at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget


@dataclass
class _Printing:
    ratio: float | None = None  # None = for the screen
    as_vectors: bool = False


_now = _Printing()


@contextmanager
def printing(ratio: float, *, as_vectors: bool) -> Iterator[None]:
    """Let views paint with `ratio` pixels for one of theirs until the end of the block."""
    _now.ratio, _now.as_vectors = ratio, as_vectors
    try:
        yield
    finally:
        _now.ratio, _now.as_vectors = None, False


def picture_ratio(view: QWidget) -> float:
    """Return how many pixels of a picture stand for one of the view's."""
    return float(view.devicePixelRatioF()) if _now.ratio is None else _now.ratio


def paints_vectors() -> bool:
    """Tell whether lines and letters shall be painted as such, not as a picture of them."""
    return _now.as_vectors
