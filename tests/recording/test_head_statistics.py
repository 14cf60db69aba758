"""The live statistics against plain numpy, and their two ways of computing against each other."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from attn_debugger.recording.outputs import output_statistics
from attn_debugger.recording.statistics import HeadStatistics


def plain(scores, keep, weights):
    """One head: scores, keep, weights (Q, K) numpy."""
    kept = scores[keep & np.isfinite(scores)]
    rows = [i for i in range(len(scores)) if keep[i].any() and np.isfinite(weights[i].sum())]
    entropy = [-sum(p * math.log(p) for p in weights[i] if p > 0) for i in rows]
    return {
        "score_max": kept.max(),
        "score_min": kept.min(),
        "score_abs_max": np.abs(kept).max(),
        "score_std": kept.std(),
        "score_nan": np.isnan(scores[keep]).sum(),
        "score_posinf": np.isposinf(scores[keep]).sum(),
        "score_neginf": np.isneginf(scores[keep]).sum(),
        "row_sum_min": min(weights[i].sum() for i in rows),
        "row_sum_max": max(weights[i].sum() for i in rows),
        "entropy_mean": np.mean(entropy),
        "entropy_min": min(entropy),
        "peak_mean": np.mean([weights[i].max() for i in rows]),
        "masked_mass": np.mean([weights[i][~keep[i]].sum() for i in rows]),
    }


@pytest.mark.parametrize("bad", [None, math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("masked", [False, True])
def test_statistics_agree_with_numpy(bad, masked) -> None:
    scores = torch.randn(2, 3, 9, 11) * 3
    keep = torch.rand(2, 1, 9, 11) > 0.3 if masked else torch.ones(2, 1, 9, 11, dtype=torch.bool)
    keep[..., 0] = True
    if bad is not None:
        scores[1, 2, 4, 5] = bad
        keep[1, 0, 4, 5] = True
    keep = keep.expand_as(scores)
    weights = torch.softmax(scores.masked_fill(~keep, -math.inf), -1)
    weights[0, 0, 1] *= 0.9
    statistics = HeadStatistics(torch.float32)
    for rows in (slice(0, 4), slice(4, 9)):
        part = keep[:, :, rows] if masked else None
        statistics.add(scores[:, :, rows], part, weights[:, :, rows])
    found = statistics.result()
    for sample in range(2):
        for head in range(3):
            at = (sample, head)
            truth = plain(scores[at].double().numpy(), keep[at].numpy(), weights[at].numpy())
            for name, value in truth.items():
                assert float(found[name][at]) == pytest.approx(value, abs=2e-5, rel=1e-5), name


def test_padded_queries_and_rows_that_see_nothing_do_not_count() -> None:
    scores = torch.zeros(1, 1, 3, 4)
    keep = torch.tensor([[True] * 4, [False] * 4, [True, False, False, False]])[None, None]
    weights = torch.tensor([[0.25] * 4, [0.0] * 4, [1.0, 0, 0, 0]])[None, None]
    statistics = HeadStatistics(torch.float32)
    statistics.add(scores, keep, weights, torch.tensor([[[True, True, False]]]))
    found = statistics.result()
    assert float(found["entropy_mean"]) == pytest.approx(math.log(4))
    assert float(found["row_sum_min"]) == 1.0


def test_a_head_without_any_valid_row_is_unknown_not_zero() -> None:
    statistics = HeadStatistics(torch.float32)
    keep = torch.zeros(1, 1, 2, 3, dtype=torch.bool)
    statistics.add(torch.randn(1, 1, 2, 3), keep, torch.zeros(1, 1, 2, 3))
    found = statistics.result()
    for name in ("score_max", "score_std", "entropy_mean", "peak_mean", "row_sum_min"):
        assert math.isnan(float(found[name])), name


@pytest.mark.parametrize(("dtype", "tied"), [(torch.bfloat16, 1.0), (torch.float32, 0.0)])
def test_ties_count_only_where_the_dtype_is_coarse(dtype, tied) -> None:
    scores = torch.randn(1, 1, 4, 16)
    scores[..., 2] = scores[..., 7] = 64.0
    statistics = HeadStatistics(dtype)
    statistics.add(scores, None, scores.softmax(-1))
    assert float(statistics.result()["tie_fraction"]) == tied


@pytest.mark.parametrize("offset", [0.0, 1000.0])
@pytest.mark.parametrize("bad", [None, math.nan, math.inf])
def test_statistics_of_a_layers_output_agree_with_torch(offset, bad) -> None:
    out = torch.randn(3, 7, 32) + offset
    if bad is not None:
        out[2, 1, 0] = bad
    found = output_statistics((out, None))
    variance, mean = torch.var_mean(out.double(), correction=0)
    for name, expected in (("mean", mean), ("var", variance), ("abs_max", out.abs().amax())):
        if bad is not None:
            assert not found[name].isfinite()
        else:
            same = {"atol": 1e-3, "rtol": 1e-3}
            torch.testing.assert_close(found[name].double(), expected.double(), **same)
