"""One head made ready for painting: weights, codes, labels and why it is empty. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from attn_debugger.analysis.layout import make_layout
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.head.tokens import readable_tokens

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


def head_map(frame: LayerFrame, head: int | None = None) -> HeadMap:
    """Return the map of `head` (a head number), by default of the first that `frame` holds.

    `NO_MAP` with the right head when the frame has no full map of it.
    """
    number = frame.heads[0] if head is None and frame.heads else (head or 0)
    reference = HeadRef(frame.info.index, number)
    if frame.weights is None or not frame.present or number not in frame.heads:
        return HeadMap(reference, EMPTY_MAP, None, (), ())
    place = frame.heads.index(number)
    weights = frame.weights[place]
    allowed = make_layout(frame).allowed
    masked = None if allowed is None else ~allowed[place if len(allowed) > 1 else 0]
    n_queries, n_keys = weights.shape
    return HeadMap(
        head=reference,
        weights=weights,
        masked=masked,
        query_labels=_labels(frame.query_tokens, n_queries),
        key_labels=_labels(frame.tokens, n_keys),
        padded_queries=_indices(frame.query_padding),
        padded_keys=_indices(frame.key_padding),
    )


def _labels(tokens: tuple[str, ...] | None, length: int) -> tuple[str, ...]:
    """Return one label a position: its token, or its number where the archive has no tokens."""
    if tokens is None or len(tokens) != length:
        return tuple(str(position) for position in range(length))
    return readable_tokens(tokens)


def _indices(flags: NDArray[np.bool_] | None) -> frozenset[int]:
    return frozenset() if flags is None else frozenset(np.flatnonzero(flags).tolist())


def row_entropy(row: NDArray[np.floating]) -> float:
    """Return the Shannon entropy of one row of weights in nats; NaN if it is not all finite."""
    weights = np.asarray(row, np.float64)
    if not np.isfinite(weights).all():
        return float("nan")
    positive = weights[weights > 0]
    return float(-(positive * np.log(positive)).sum()) + 0.0


def shrunk_codes(codes: NDArray[np.uint8], n_rows: int, n_columns: int) -> NDArray[np.uint8]:
    """Return codes max-pooled to at most (n_rows, n_columns): thin lines and NaN survive."""
    for axis, length in ((1, n_columns), (0, n_rows)):
        if codes.shape[axis] > max(1, length):
            starts = -(-np.arange(max(1, length)) * codes.shape[axis] // max(1, length))
            codes = np.maximum.reduceat(codes, starts, axis=axis)
    return codes
