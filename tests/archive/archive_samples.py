"""Maps and records that many tests of the archive start from."""

from __future__ import annotations

from typing import Any

import numpy as np

from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec


def softmax_maps(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Random rows that sum to 1, float32."""
    scores = rng.normal(size=shape)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def specs(layers: int = 2, heads: int = 3, length: int = 8, **more: Any) -> list[LayerSpec]:
    return [
        LayerSpec(name=f"block.{i}", heads=heads, queries=length, keys=length, **more)
        for i in range(layers)
    ]


def frame(step: int, maps: list[np.ndarray | None], **more: Any) -> FrameRecord:
    """A frame of (sample, head, query, key) maps; None = a gap."""
    layers = tuple(LayerRecord(weights=w, captures=int(w is not None)) for w in maps)
    return FrameRecord(step=step, layers=layers, **more)
