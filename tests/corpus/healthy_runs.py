"""Random healthy histories: heads that drift, settle and specialise at any pace."""

from __future__ import annotations

from typing import Any

import numpy as np
from healthy_layers import stored

from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import LayerFacts, LayerInfo, Run


def healthy_run(seed: int) -> tuple[Run, list[LayerFrame]]:
    """A run of 6 to 20 frames of a fixed probe, with scores in some, and a falling noisy loss."""
    draw = np.random.default_rng(seed)
    layers, heads = int(draw.integers(1, 4)), int(draw.choice([1, 2, 4, 8]))
    size, count = int(draw.choice([12, 24, 40])), int(draw.integers(6, 21))
    causal, with_scores = bool(draw.random() < 0.6), bool(draw.random() < 0.5)
    storage = str(draw.choice(["float32", "float16", "uint8-sqrt"]))
    every = int(draw.choice([10, 100, 500]))
    facts = LayerFacts(
        causal=causal, trained=bool(draw.random() < 0.7), probe_fixed=True, trainable=True
    )
    infos = [
        LayerInfo(
            index=n,
            facts=facts,
            n_samples=1,
            n_heads=heads,
            n_queries=size,
            n_keys=size,
            storage=storage,
            maps=frozenset(("weights",)),
            stats=frozenset(),
        )
        for n in range(layers)
    ]
    target = draw.standard_normal((layers, heads, size, size)) * draw.uniform(0.8, 3.0)
    target[..., 0] += draw.uniform(0, 4) * (draw.random((layers, heads)) < 0.4)[..., None]
    scores = draw.standard_normal(target.shape) * 0.3
    pace, noise = draw.uniform(0.05, 0.5), draw.uniform(0.01, 0.2)
    mask = np.tril(np.ones((size, size), bool)) if causal else np.ones((size, size), bool)
    frames = []
    for f in range(count):
        scores = scores + pace * (target - scores) + noise * draw.standard_normal(target.shape)
        for n in range(layers):
            plane = scores[n].astype(np.float32)
            shifted = np.exp(np.where(mask, plane, -1e9))
            weights = (shifted / shifted.sum(-1, keepdims=True)).astype(np.float32)
            extra: dict[str, Any] = {"scores": plane} if with_scores else {}
            frames.append(
                LayerFrame(
                    frame_index=f,
                    step=every * f,
                    stream="probe",
                    sample=0,
                    info=infos[n],
                    heads=tuple(range(heads)),
                    weights=stored(weights, storage),
                    **extra,
                )
            )
    steps = np.arange(0, every * count, max(1, every // 10), dtype=float)
    falling = 1 + 3 * np.exp(-steps / (0.3 * steps[-1] + 1))
    loss = falling * (1 + 0.03 * draw.standard_normal(len(steps)))
    run = Run(
        path="history.h5",
        version=1,
        steps=np.arange(count) * every,
        streams=("probe",) * count,
        times=None,
        scalars={},
        curves={"loss": np.column_stack([steps, loss])},
        layers=tuple(infos),
        facts=facts,
        attributes={},
    )
    return run, frames
