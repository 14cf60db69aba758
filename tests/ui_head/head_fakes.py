"""Layer frames for the tests of the head view, made of plain arrays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import LayerFacts, LayerInfo


def make_layer_frame(
    weights: NDArray[Any] | None,
    *,
    heads: tuple[int, ...] | None = None,
    layer: int = 0,
    facts: LayerFacts | None = None,
    frame_index: int = 3,
    **fields: Any,
) -> LayerFrame:
    """A frame of `weights` (head, query, key)."""
    shape = (1, 0, 0) if weights is None else weights.shape
    info = LayerInfo(
        index=layer,
        facts=facts or LayerFacts(),
        n_samples=1,
        n_heads=shape[0],
        n_queries=shape[1],
        n_keys=shape[2],
        storage="float32",
        maps=frozenset({"weights"}),
        stats=frozenset(),
    )
    return LayerFrame(
        frame_index=frame_index,
        step=100 * frame_index,
        stream="train",
        sample=0,
        info=info,
        heads=tuple(range(shape[0])) if heads is None else heads,
        weights=None if weights is None else weights.astype(np.float32),
        **fields,
    )


def softmax_map(n_queries: int, n_keys: int, seed: int = 0) -> NDArray[np.float32]:
    """(1, query, key): random rows that sum to 1."""
    scores = np.random.default_rng(seed).standard_normal((1, n_queries, n_keys))
    weights = np.exp(scores)
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)
