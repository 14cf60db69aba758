from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable

import pytest
import torch

from attn_debugger.model.heads import HeadWeights
from attn_debugger.model.weights import initial_std, per_head


def random_heads(heads: int, groups: int, d_head: int, width: int) -> HeadWeights:
    torch.manual_seed(0)
    return HeadWeights(
        query=torch.randn(heads, d_head, width),
        key=torch.randn(groups, d_head, width),
        value=torch.randn(groups, d_head, width),
        output=torch.randn(heads, width, d_head),
    )


@pytest.mark.parametrize("groups", [6, 2, 1])
@pytest.mark.parametrize(("d_head", "width"), [(4, 24), (8, 8), (10, 5)])
def test_against_the_whole_product(groups: int, d_head: int, width: int) -> None:
    weights = random_heads(6, groups, d_head, width)
    numbers = per_head(weights)
    assert numbers is not None
    for head in range(6):
        product = weights.query[head].T @ weights.key[head * groups // 6]
        singular = torch.linalg.svdvals(product.double())
        nuclear, largest = singular.sum(), singular[0]
        assert numbers["score_gain"][head] == pytest.approx(
            (largest / math.sqrt(d_head)).item(), rel=1e-4
        )
        assert numbers["trace_ratio"][head] == pytest.approx(
            (product.trace() / nuclear).item(), abs=1e-4
        )
        assert numbers["stable_rank"][head] == pytest.approx(
            (singular.square().sum() / largest.square()).item(), rel=1e-4
        )
        assert numbers["query_norm"][head] == pytest.approx(weights.query[head].norm().item())
        assert numbers["output_norm"][head] == pytest.approx(weights.output[head].norm().item())


def test_shared_projections_have_a_trace_ratio_of_one() -> None:
    weights = random_heads(3, 3, 4, 12)
    shared = HeadWeights(weights.query, weights.query, None, None)
    numbers = per_head(shared)
    assert numbers is not None
    assert numbers["trace_ratio"] == pytest.approx((1, 1, 1), abs=1e-5)
    assert "value_norm" not in numbers


def test_zero_projections_have_no_gain_and_no_nan() -> None:
    zero = torch.zeros(2, 4, 8)
    numbers = per_head(HeadWeights(zero, zero, None, None))
    assert numbers is not None
    assert numbers["score_gain"] == (0, 0)
    assert numbers["trace_ratio"] == (0, 0)


def test_nonfinite_projections_are_unknown() -> None:
    weights = random_heads(2, 2, 4, 8)
    weights.key[1, 0, 0] = math.inf
    assert per_head(weights) is None


def test_cross_attention_over_another_width_has_norms_only() -> None:
    weights = HeadWeights(torch.randn(2, 4, 8), torch.randn(2, 4, 5), None, None)
    numbers = per_head(weights)
    assert numbers is not None
    assert set(numbers) == {"query_norm", "key_norm"}


def test_the_gain_bounds_every_score() -> None:
    weights = random_heads(2, 2, 4, 8)
    numbers = per_head(weights)
    assert numbers is not None
    x = torch.randn(100, 8)
    x = x / x.norm(dim=1, keepdim=True)
    for head in range(2):
        scores = (x @ weights.query[head].T) @ (x @ weights.key[head].T).T / math.sqrt(4)
        assert scores.abs().max() <= numbers["score_gain"][head] * (1 + 1e-5)


def test_initial_std_names_the_initialiser() -> None:
    torch.manual_seed(0)
    linear = torch.nn.Linear(256, 256)
    found = initial_std(linear.weight)
    assert found["std"] == pytest.approx(found["pytorch"], rel=0.02)
    torch.nn.init.xavier_normal_(linear.weight)
    assert initial_std(linear.weight)["std"] == pytest.approx(found["xavier"], rel=0.02)
    torch.nn.init.kaiming_normal_(linear.weight)
    assert initial_std(linear.weight)["std"] == pytest.approx(found["kaiming"], rel=0.02)


def test_spectra_cost_less_than_twice_those_of_the_products() -> None:
    weights = random_heads(3, 3, 64, 768)

    def of_products() -> None:
        for query, key in zip(weights.query, weights.key, strict=True):
            torch.linalg.matrix_norm(query.T @ key, 2)

    assert median_seconds(lambda: per_head(weights)) < 2 * median_seconds(of_products)


def median_seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)
