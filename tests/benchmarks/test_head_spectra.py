"""Per-head spectra of a 12 x 12-head model, 768 wide, against the whole products of its heads."""

from __future__ import annotations

import torch
from measuring import Reach, medians
from pytest_benchmark.fixture import BenchmarkFixture

from attn_debugger.model.heads import HeadWeights
from attn_debugger.model.weights import per_head

LAYERS, HEADS, D_HEAD, WIDTH = 12, 12, 64, 768


def test_spectra_of_twelve_layers(benchmark: BenchmarkFixture, reach: Reach) -> None:
    judged = reach.judges
    layers, heads, width = (LAYERS, HEADS, WIDTH) if judged else (1, 2, 64)
    d_head = D_HEAD if judged else 16
    torch.manual_seed(0)
    model = [
        HeadWeights(
            query=torch.randn(heads, d_head, width),
            key=torch.randn(heads, d_head, width),
            value=torch.randn(heads, d_head, width),
            output=torch.randn(heads, width, d_head),
        )
        for _ in range(layers)
    ]

    def ours() -> None:
        for weights in model:
            per_head(weights)

    def whole_products() -> None:
        for weights in model:
            for query, key in zip(weights.query, weights.key, strict=True):
                torch.linalg.matrix_norm(query.T @ key, 2)

    took = medians(benchmark, {"ours": ours, "products": whole_products}, rounds=3, warm=False)
    note = f"{took['ours']:.0f} ms, matrix_norm of the products {took['products']:.0f} ms"
    ratio = took["ours"] / took["products"]
    reach.at_most(f"spectra of {layers} x {heads} heads", ratio, 2.0, "times", note)
