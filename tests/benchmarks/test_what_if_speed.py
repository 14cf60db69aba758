"""A what-if on a head of 1024 tokens answers within two frames of 60 Hz."""

from __future__ import annotations

import math

import numpy as np
import pytest
from measuring import Reach, medians
from pytest_benchmark.fixture import BenchmarkFixture

from attn_debugger.analysis.what_if import Basis, Change, basis_of, what_if
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import LayerFacts, LayerInfo

LENGTH, WIDTH = 1024, 64
TWO_FRAMES_MS = 2 * 1000 / 60


@pytest.fixture(scope="module")
def basis() -> Basis:
    rng = np.random.default_rng(0)
    q, k = (rng.standard_normal((1, LENGTH, WIDTH)).astype(np.float32) for _ in range(2))
    scores = (q @ k.transpose(0, 2, 1) / math.sqrt(WIDTH)).astype(np.float32)
    weights = np.where(np.tril(np.ones((LENGTH, LENGTH), bool)), np.exp(scores), 0)
    weights /= weights.sum(-1, keepdims=True)
    info = LayerInfo(
        index=0,
        facts=LayerFacts(causal=True),
        n_samples=1,
        n_heads=1,
        n_queries=LENGTH,
        n_keys=LENGTH,
        storage="float32",
        maps=frozenset(("weights", "scores", "q", "k")),
        stats=frozenset(),
    )
    return basis_of(
        LayerFrame(
            frame_index=0, step=0, stream="train", sample=0, info=info, heads=(0,),
            weights=weights.astype(np.float32), scores=scores, q=q, k=k,
        )
    )  # fmt: skip


def test_what_if_answers_within_two_frames(
    benchmark: BenchmarkFixture, reach: Reach, basis: Basis
) -> None:
    changes = {
        "temperature": Change(temperature=2.0),
        "scale": Change(scale=0.5),
        "causal mask lifted": Change(causal=False),
        "window": Change(window=64),
        "key excluded": Change(without_key=0),
        "dropout": Change(dropout=0.1),
    }
    contenders = {name: lambda c=change: what_if(basis, c) for name, change in changes.items()}
    took = medians(benchmark, contenders, rounds=15)
    for name, milliseconds in took.items():
        reach.at_most(f"what-if, {LENGTH} tokens: {name}", milliseconds, TWO_FRAMES_MS, "ms")
