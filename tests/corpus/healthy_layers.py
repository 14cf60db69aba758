"""Random healthy layers: any shape, mask and storage, with the structure of trained heads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import LayerFacts, LayerInfo, Run

STORAGES = ("float32", "float16", "bfloat16", "uint8-sqrt", "uint8")


def stored(weights: NDArray[np.float32], storage: str) -> NDArray[np.float32]:
    """What a reader decodes from weights that were kept in `storage`."""
    if storage == "float16":
        return weights.astype(np.float16).astype(np.float32)
    if storage == "bfloat16":
        bits = weights.view(np.uint32)
        rounded = bits + 0x7FFF + ((bits >> 16) & 1)
        return (rounded & np.uint32(0xFFFF0000)).view(np.float32)
    if storage == "uint8-sqrt":
        return (np.round(np.sqrt(weights) * 255) / 255).astype(np.float32) ** 2
    if storage == "uint8":
        return (np.round(weights * 255) / 255).astype(np.float32)
    return weights


class Draw:
    """One random healthy layer; the same seed gives the same layer."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.kind = "cross" if self.random.random() < 0.15 else "self"
        self.heads = int(self.random.choice([1, 2, 3, 4, 6, 8, 12]))
        self.queries = int(self.random.choice([1, 2, 3, 5, 8, 13, 24, 40, 64, 100]))
        self.offset = 0
        self.keys = self.queries
        if self.kind == "cross":
            self.keys = int(self.random.integers(1, 90))
        self.causal = self.kind == "self" and bool(self.random.random() < 0.5)
        if self.causal and self.random.random() < 0.2:
            self.offset = int(self.random.integers(1, 40))
            self.keys += self.offset
        self.facts: dict[str, Any] = {
            "kind": self.kind,
            "causal": self.causal,
            "q_offset": self.offset,
            "trained": bool(self.random.random() < 0.7),
        }
        self.arrays: dict[str, Any] = {}
        self.storage = str(self.random.choice(STORAGES, p=[0.4, 0.25, 0.15, 0.1, 0.1]))

    def allowed(self) -> NDArray[np.bool_]:
        """The mask that is applied and intended; every query keeps a key."""
        positions = np.arange(self.queries) + self.offset
        distance = positions[:, None] - np.arange(self.keys)[None]
        allowed = np.ones((self.queries, self.keys), bool)
        if self.causal:
            allowed &= distance >= 0
        choice = self.random.random()
        if self.kind == "self" and choice < 0.2 and self.keys > 4:
            window = int(self.random.integers(2, self.keys))
            self.facts["window"] = window
            allowed &= (distance if self.causal else np.abs(distance)) < window
        elif choice < 0.5 and self.keys > 3:
            self._pad(allowed)
        elif choice < 0.6 and self.kind == "self" and self.offset == 0 and self.keys > 6:
            documents = np.sort(self.random.integers(0, 3, self.keys))
            self.arrays["key_documents"] = documents
            self.arrays["query_documents"] = documents
            allowed &= documents[:, None] == documents[None]
        if self.random.random() < 0.5:
            self.arrays["mask"] = allowed.copy()
        return allowed

    def _pad(self, allowed: NDArray[np.bool_]) -> None:
        count = int(self.random.integers(1, max(2, self.keys // 2)))
        padding = np.zeros(self.keys, bool)
        left = self.random.random() < 0.3
        padding[:count] = left
        padding[self.keys - count :] = not left
        self.arrays["key_padding"] = padding
        allowed &= ~padding

    def scores(self) -> NDArray[np.float32]:
        """Content, sinks, fixed offsets and local heads in a random mixture."""
        positions = np.arange(self.queries) + self.offset
        distance = positions[:, None] - np.arange(self.keys)[None]
        shape = (self.queries, self.keys)
        planes = []
        for _ in range(self.heads):
            plane = self.random.standard_normal(shape) * self.random.uniform(0.4, 3.0)
            role = self.random.random()
            if role < 0.2:
                plane[:, 0] += self.random.uniform(2, 8)
            elif role < 0.35 and self.kind == "self":
                plane += self.random.uniform(3, 8) * (distance == 1)
            elif role < 0.45:
                plane -= np.abs(distance) / self.random.uniform(2, 12)
            planes.append(plane)
        return np.stack(planes).astype(np.float32)


def healthy_layer(seed: int, *, step: int = 2000) -> tuple[Run, LayerFrame]:
    """A run of one frame with one healthy layer."""
    draw = Draw(seed)
    allowed, scores = draw.allowed(), draw.scores()
    finite = np.where(allowed, scores, np.finfo(np.float32).min)
    shifted = np.exp(finite - finite.max(-1, keepdims=True))
    weights = (shifted / shifted.sum(-1, keepdims=True)).astype(np.float32)
    if draw.random.random() < 0.4:
        draw.arrays["scores"] = scores
    source = "bfloat16" if draw.storage == "bfloat16" else None
    storage = "float32" if draw.storage == "bfloat16" else draw.storage
    info = LayerInfo(
        index=0,
        facts=LayerFacts(**draw.facts, source_dtype=source),
        n_samples=1,
        n_heads=draw.heads,
        n_queries=draw.queries,
        n_keys=draw.keys,
        storage=storage,
        maps=frozenset(("weights",)),
        stats=frozenset(),
    )
    frame = LayerFrame(
        frame_index=0,
        step=step,
        stream="train",
        sample=0,
        info=info,
        heads=tuple(range(draw.heads)),
        weights=stored(weights, draw.storage),
        **draw.arrays,
    )
    run = Run(
        path="fuzz.h5",
        version=1,
        steps=np.array([step]),
        streams=("train",),
        times=None,
        scalars={},
        curves={},
        layers=(info,),
        facts=info.facts,
        attributes={},
    )
    return run, frame
