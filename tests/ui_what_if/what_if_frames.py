"""Frames for the what-if panel."""

from __future__ import annotations

import numpy as np

from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import LayerFacts, LayerInfo


def head_frame(length: int = 10, *, with_scores: bool = True, **facts: object) -> LayerFrame:
    """One causal head with a sink at key 0."""
    scores = np.random.default_rng(0).standard_normal((1, length, length)).astype(np.float32)
    scores[..., 0] += 3
    weights = np.where(np.tril(np.ones((length, length), bool)), np.exp(scores), 0)
    weights = (weights / weights.sum(-1, keepdims=True)).astype(np.float32)
    info = LayerInfo(
        index=1,
        facts=LayerFacts(causal=True, **facts),  # type: ignore[arg-type]
        n_samples=1,
        n_heads=4,
        n_queries=length,
        n_keys=length,
        storage="float32",
        maps=frozenset(("weights", "scores")),
        stats=frozenset(),
    )
    return LayerFrame(
        frame_index=2,
        step=200,
        stream="train",
        sample=0,
        info=info,
        heads=(3,),
        weights=weights,
        scores=scores if with_scores else None,
    )
