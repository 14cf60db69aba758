"""One head made ready for painting: weights, codes, labels and why it is empty. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from attn_debugger.analysis.layout import LayoutCache, make_layout
from attn_debugger.core.frame import TOP_CODE, LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.codes import MASKED_CODE, ZERO_CODE, Codes
from attn_debugger.ui.head.patches import PatchGrid, patch_grid
from attn_debugger.ui.head.tokens import readable_tokens

_SHORT = 32  # cells a pixel up to which taking them one after the other is faster
EMPTY_MAP = np.zeros((0, 0), np.float32)


@dataclass(frozen=True)
class HeadMap:
    """The map of one head and what stands beside it.

    `weights` and `masked` are (query, key); `masked` = on purpose, `None` = no mask is known.
    """

    head: HeadRef
    weights: NDArray[np.float32]
    masked: NDArray[np.bool_] | None
    query_labels: tuple[str, ...]
    key_labels: tuple[str, ...]
    padded_queries: frozenset[int] = field(default_factory=frozenset)
    padded_keys: frozenset[int] = field(default_factory=frozenset)
    query_breaks: tuple[int, ...] = ()  # queries and keys with which another document begins
    key_breaks: tuple[int, ...] = ()

    @property
    def n_queries(self) -> int:
        return int(self.weights.shape[0])

    @property
    def n_keys(self) -> int:
        return int(self.weights.shape[1])

    @property
    def is_empty(self) -> bool:
        return not self.weights.size


NO_MAP = HeadMap(HeadRef(0, 0), EMPTY_MAP, None, (), ())


def head_map(
    frame: LayerFrame, head: int | None = None, layouts: LayoutCache | None = None
) -> HeadMap:
    """Return the map of `head` (a head number), by default of the first that `frame` holds.

    `NO_MAP` with the right head when the frame has no full map of it. `layouts` remembers masks
    from frame to frame.
    """
    number = frame.heads[0] if head is None and frame.heads else (head or 0)
    reference = HeadRef(frame.info.index, number)
    if frame.weights is None or not frame.present or number not in frame.heads:
        return HeadMap(reference, EMPTY_MAP, None, (), ())
    place = frame.heads.index(number)
    weights = frame.weights[place]
    layout = make_layout(frame) if layouts is None else layouts.of(frame)
    allowed = layout.allowed
    masked = None if allowed is None else ~allowed[place if len(allowed) > 1 else 0]
    n_queries, n_keys = weights.shape
    return HeadMap(
        head=reference,
        weights=weights,
        masked=masked,
        query_labels=_labels(
            frame.query_tokens, n_queries, query_patches(frame, n_queries, n_keys)
        ),
        key_labels=_labels(frame.tokens, n_keys, patch_grid(frame.info.facts, n_keys)),
        padded_queries=_indices(frame.query_padding),
        padded_keys=_indices(frame.key_padding),
        query_breaks=breaks(frame.query_documents, n_queries),
        key_breaks=breaks(frame.key_documents, n_keys),
    )


def query_patches(frame: LayerFrame, n_queries: int, n_keys: int) -> PatchGrid | None:
    """Return which queries are patches: in cross-attention only the keys are."""
    if frame.info.facts.kind != "self" or n_queries != n_keys:
        return None
    return patch_grid(frame.info.facts, n_queries)


def _labels(
    tokens: tuple[str, ...] | None, length: int, patches: PatchGrid | None
) -> tuple[str, ...]:
    """Return one label a position: its token, else its patch, else its number."""
    if tokens is not None and len(tokens) == length:
        return readable_tokens(tokens)
    if patches is not None:
        return tuple(patches.label(position) for position in range(length))
    return tuple(str(position) for position in range(length))


def breaks(documents: NDArray[np.integer] | None, length: int) -> tuple[int, ...]:
    """Return the positions with which another packed document begins; none if not recorded."""
    if documents is None or documents.shape != (length,):
        return ()
    return tuple((np.flatnonzero(np.diff(documents)) + 1).tolist())


def _indices(flags: NDArray[np.bool_] | None) -> frozenset[int]:
    return frozenset() if flags is None else frozenset(np.flatnonzero(flags).tolist())


def row_entropy(row: NDArray[np.floating]) -> float:
    """Return the Shannon entropy of one row of weights in nats; NaN if it is not all finite."""
    weights = np.asarray(row, np.float64)
    if not np.isfinite(weights).all():
        return float("nan")
    positive = weights[weights > 0]
    return float(-(positive * np.log(positive)).sum()) + 0.0


def shrunk_codes(codes: Codes, n_rows: int, n_columns: int) -> Codes:
    """Return codes max-pooled to at most (n_rows, n_columns): thin lines and NaN survive."""
    return _pooled(np.maximum, codes, n_rows, n_columns)


def shrunk_signed_codes(codes: Codes, n_rows: int, n_columns: int) -> Codes:
    """Return codes pooled to what lies farthest from the middle: falls survive as rises do.

    NaN wins over everything; masked cells only show where there is nothing else.
    """
    middle = (ZERO_CODE + TOP_CODE + 1) // 2
    unmasked = np.where(codes == MASKED_CODE, middle, codes).astype(np.uint8)
    highest = shrunk_codes(unmasked, n_rows, n_columns)
    lowest = _pooled(np.minimum, unmasked, n_rows, n_columns)
    farthest = np.where(
        highest.astype(int) - middle >= middle - lowest.astype(int), highest, lowest
    )
    all_masked = shrunk_codes(codes, n_rows, n_columns) == MASKED_CODE
    return np.where(all_masked, MASKED_CODE, farthest).astype(np.uint8)


def _pooled(pick: np.ufunc, codes: Codes, n_rows: int, n_columns: int) -> Codes:
    for axis, length in ((0, max(1, n_rows)), (1, max(1, n_columns))):
        size = codes.shape[axis]
        if size <= length:
            continue
        starts = -(-np.arange(length) * size // length)
        ends = np.append(starts[1:], size)
        widest = int((ends - starts).max())
        if widest > _SHORT:
            codes = pick.reduceat(codes, starts, axis=axis)
            continue
        # Whole rows at once: reduceat pays for each short group (16 times slower, measured).
        pooled = codes.take(starts, axis=axis)
        for place in range(1, widest):
            pick(pooled, codes.take(np.minimum(starts + place, ends - 1), axis=axis), out=pooled)
        codes = pooled
    return codes
