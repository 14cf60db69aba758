"""What every row of a layer's maps sums up to, in one walk over them.

The maps are taken in blocks that stay in the processor's cache, so that memory is read once for
all the sums of a row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from attn_debugger.analysis.arrays import Floats

# Floats of a block: it and its logarithm stay in the second-level cache.
_BLOCK = 65536
TINY = np.float32(1e-37)


def _quicker_logarithm() -> tuple[np.ufunc, np.float32]:
    """Return a logarithm and the natural logarithm of its base.

    Where numpy has vector code for both, the one to base 2 takes half the time; elsewhere only the
    natural one has any.
    """
    try:
        known = np.lib.introspect.opt_func_info("^log2$", "float32")
        vectorised = not known["log2"]["ff"]["current"].startswith("baseline")
    except (AttributeError, KeyError):  # numpy 1, or no such choice on this processor
        vectorised = False
    return (np.log2, np.float32(np.log(2))) if vectorised else (np.log, np.float32(1))


_log, _LOG_OF_BASE = _quicker_logarithm()


class RowNumbers(NamedTuple):
    """Numbers of each row, all (head, query) and over all keys."""

    total: Floats  # sum; non-finite where any weight of the row is
    largest: Floats  # maximum; rows with a NaN give NaN or the maximum of the rest
    weighted_log: Floats  # sum of w ln w, with 0 ln 0 = 0
    leaked: Floats | None  # sum over forbidden keys; None where nothing is forbidden


def row_numbers(maps: Floats, forbidden: Floats | None = None) -> RowNumbers:
    """Sum up maps of (head, query, key); `forbidden` is (1 or head, query, key) of 1.0 or 0.0."""
    heads, queries, keys = maps.shape
    total, largest, weighted, leaked = np.zeros((4, heads, queries), np.float32)
    numbers = RowNumbers(total, largest, weighted, None if forbidden is None else leaked)
    if 0 in maps.shape:
        return numbers
    whole = np.ascontiguousarray(maps, np.float32)
    scratch = np.empty(min(max(_BLOCK, keys), whole.size), np.float32)
    starts, ones = np.arange(0, scratch.size, keys), np.ones(keys, np.float32)
    for some, rows in _blocks(heads, queries, keys):
        block = whole[some, rows]
        flat = block.reshape(-1, keys)
        logs = scratch[: flat.size].reshape(flat.shape)
        _dots(flat, ones, total[some, rows].reshape(-1))
        _maxima(flat, starts[: len(flat)], largest[some, rows].reshape(-1))
        if forbidden is not None:
            plane = forbidden[0, rows] if len(forbidden) == 1 else forbidden[some, rows]
            _dots(block, plane, leaked[some, rows])
        np.add(flat, TINY, out=logs)  # changes no weight above 1e-30, keeps 0 from the logarithm
        _log(logs, out=logs)
        _dots(flat, logs, weighted[some, rows].reshape(-1))
    weighted *= _LOG_OF_BASE
    return numbers


def _dots(first: Floats, second: Floats, out: Floats) -> None:
    """Sum of products over keys."""
    if hasattr(np, "vecdot"):
        np.vecdot(first, second, out=out)
    else:  # numpy 1
        np.einsum("...k,...k->...", first, second, out=out)


def row_maxima(maps: Floats) -> Floats:
    """(head, query): maximum over keys; rows with a NaN give NaN or the maximum of the rest."""
    heads, queries, keys = maps.shape
    largest = np.zeros((heads, queries), np.float32)
    if largest.size and keys:
        flat = np.ascontiguousarray(maps, np.float32).reshape(-1, keys)
        _maxima(flat, np.arange(0, flat.size, keys), largest.reshape(-1))
    return largest


def _maxima(flat: Floats, starts: np.ndarray[tuple[int], np.dtype[np.int_]], out: Floats) -> None:
    """Maximum of each row, by its bits.

    Floats that are not negative order as their bits do, and numpy reduces integers five times
    quicker. Negative weights are no probabilities: where all of a row are, the result is one of
    them, and the row's sum tells of NaN.
    """
    np.maximum.reduceat(flat.reshape(-1).view(np.int32), starts, out=out.view(np.int32))


def _blocks(heads: int, queries: int, keys: int) -> Iterator[tuple[slice, slice]]:
    """Slices of heads and of queries that lie in one piece in memory."""
    if queries * keys <= _BLOCK:
        step = _BLOCK // (queries * keys)
        for first in range(0, heads, step):
            yield slice(first, min(heads, first + step)), slice(0, queries)
        return
    step = max(1, _BLOCK // keys)
    for head in range(heads):
        for first in range(0, queries, step):
            yield slice(head, head + 1), slice(first, min(queries, first + step))
