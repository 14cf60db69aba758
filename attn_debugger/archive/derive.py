"""What is derived from a frame's maps at record time: one overview of all heads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import overview, schema
from attn_debugger.archive.records import LayerRecord

LARGE, SMALL = 64, 32


def derived_rows(layers: Sequence[LayerRecord]) -> dict[str, NDArray[Any]]:
    """Path under `derived/` -> one row of it, with axes (sample, layer, head, ...).

    Layers with fewer heads or shorter maps leave fill behind. A map of up to 64 x 64 is kept cell
    by cell; `max32` is only written when some map is longer than 32. Empty when nothing was
    captured in this frame.
    """
    codes = [_codes(layer) for layer in layers]
    known = [c for c in codes if c is not None]
    if not known:
        return {}
    large = _stack(codes, LARGE)
    rows = {schema.OVERVIEW_64: large}
    if max(large.shape[-2:]) > SMALL:
        rows[schema.OVERVIEW_32] = _stack(
            [None if c is None else [overview.pool_max(one, SMALL) for one in c] for c in codes],
            SMALL,
        )
    return rows


def _codes(layer: LayerRecord) -> list[NDArray[np.uint8]] | None:
    """Per sample (head, rows <= 64, columns <= 64), cut to the sample's own lengths."""
    if layer.weights is None or 0 in layer.weights.shape:
        return None
    if layer.lengths is None:
        return list(overview.encode(overview.pool_max(layer.weights, LARGE)))
    codes = []
    for weights, (n_queries, n_keys) in zip(layer.weights, layer.lengths, strict=True):
        cut = weights[:, :n_queries, :n_keys]
        codes.append(
            overview.encode(overview.pool_max(cut, LARGE))
            if cut.size
            else np.zeros((len(weights), 0, 0), np.uint8)
        )
    return codes


def _stack(codes: Sequence[Sequence[NDArray[np.uint8]] | None], tile: int) -> NDArray[np.uint8]:
    """(sample, layer, head, row, column); only as large as the largest needs."""
    shapes = [one.shape for layer in codes if layer is not None for one in layer]
    samples = max(len(layer) for layer in codes if layer is not None)
    heads, rows, columns = (max(shape[axis] for shape in shapes) for axis in range(3))
    out = np.zeros((samples, len(codes), heads, min(rows, tile), min(columns, tile)), np.uint8)
    for index, layer in enumerate(codes):
        for sample, one in enumerate(layer or ()):
            out[sample, index, : one.shape[0], : one.shape[1], : one.shape[2]] = one
    return out
