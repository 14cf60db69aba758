"""Runs and frames for the tests of the grid, made of plain arrays."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import NONFINITE_CODE, TOP_CODE, GridFrame
from attn_debugger.core.run import LayerFacts, LayerInfo, Run


def make_run(
    heads: Sequence[int], n_tokens: int = 8, *, path: str = "run.h5", n_keys: int | None = None
) -> Run:
    facts = LayerFacts()
    layers = tuple(
        LayerInfo(
            index=index,
            facts=facts,
            n_samples=1,
            n_heads=count,
            n_queries=n_tokens,
            n_keys=n_keys or n_tokens,
            storage="float32",
            maps=frozenset({"weights"}),
            stats=frozenset(),
        )
        for index, count in enumerate(heads)
    )
    return Run(
        path=path,
        version=1,
        steps=np.array([0, 100, 200]),
        streams=("train",) * 3,
        times=None,
        scalars={},
        curves={},
        layers=layers,
        facts=facts,
        attributes={},
    )


def pooled(values: NDArray[Any], tile: int) -> NDArray[Any]:
    """Max-pool or repeat the last two axes to `tile` cells, as an archive's overviews do."""
    for axis in (-2, -1):
        length = values.shape[axis]
        if length > tile:
            starts = -(-np.arange(tile) * length // tile)
            values = np.maximum.reduceat(values, starts, axis=axis)
        else:
            counts = np.diff(np.arange(length + 1) * tile // length)
            values = np.repeat(values, counts, axis=axis)
    return values


def encoded(weights: NDArray[Any]) -> NDArray[np.uint8]:
    finite = np.isfinite(weights)
    codes = np.rint(TOP_CODE * np.where(finite, weights, 0.0) ** 0.25)
    return np.where(finite, codes, NONFINITE_CODE).astype(np.uint8)


def make_frame(
    weights: NDArray[Any],
    tile: int = 32,
    *,
    known: NDArray[np.bool_] | None = None,
    masked: NDArray[np.bool_] | None = None,
    **fields: Any,
) -> GridFrame:
    """A frame of `weights` (layer, head, query, key); `masked` (query, key)."""
    n_layers, n_heads, n_queries, n_keys = weights.shape
    if masked is None:
        hidden = np.zeros((tile, tile), np.bool_)
    else:
        hidden = pooled((~masked).astype(np.uint8), tile) == 0
    return GridFrame(
        frame_index=0,
        sample=0,
        tile=tile,
        codes=pooled(encoded(weights), tile),
        known=np.ones((n_layers, n_heads), np.bool_) if known is None else known,
        masked=np.broadcast_to(hidden, (n_layers, tile, tile)),
        shapes=((n_queries, n_keys),) * n_layers,
        **fields,
    )
