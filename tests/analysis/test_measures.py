"""Entropy and its companions: bounds, invariances, exact values."""

from __future__ import annotations

import numpy as np
import pytest
from builders import causal_mask, layer_frame, random_scores, softmax
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.measures.rows import row_maxima
from attn_debugger.analysis.summary import summarise
from attn_debugger.core.history import SUMMARY_NAMES

sizes = st.integers(1, 24)
seeds = st.integers(0, 2**32 - 1)


@given(seed=seeds, heads=st.integers(1, 5), queries=sizes, keys=sizes, std=st.floats(0, 30))
@settings(max_examples=60, deadline=None)
def test_entropy_lies_between_zero_and_ln_keys(
    seed: int, heads: int, queries: int, keys: int, std: float
) -> None:
    weights = softmax(random_scores(seed, heads, queries, keys, std))

    entropy = Measures(layer_frame(weights)).entropy

    assert (entropy >= 0).all()
    assert (entropy <= np.log(keys) + 1e-4).all()


@given(seed=seeds, queries=st.integers(2, 20), keys=st.integers(2, 20))
@settings(max_examples=40, deadline=None)
def test_entropy_and_peak_do_not_see_the_order_of_keys(seed: int, queries: int, keys: int) -> None:
    weights = softmax(random_scores(seed, 3, queries, keys))
    order = np.random.default_rng(seed).permutation(keys)

    plain = Measures(layer_frame(weights))
    shuffled = Measures(layer_frame(np.ascontiguousarray(weights[..., order])))

    np.testing.assert_allclose(plain.entropy, shuffled.entropy, atol=1e-5)
    np.testing.assert_allclose(plain.peak, shuffled.peak, rtol=1e-5)


def test_uniform_rows_reach_the_bound_and_one_hot_rows_give_zero() -> None:
    uniform = np.full((1, 8, 16), 1 / 16, np.float32)
    one_hot = np.eye(16, dtype=np.float32)[None, :8]

    assert Measures(layer_frame(uniform)).entropy == pytest.approx(np.log(16), abs=1e-5)
    assert Measures(layer_frame(one_hot)).entropy == pytest.approx(0, abs=1e-6)


def test_a_causal_row_is_normalised_by_the_keys_it_may_see() -> None:
    mask = causal_mask(16)
    weights = (mask / mask.sum(-1, keepdims=True)).astype(np.float32)[None]

    summary = summarise(layer_frame(weights, facts={"causal": True}))

    assert summary["entropy_normalised"][0] == pytest.approx(1, abs=1e-5)
    assert summary["mean"][0] == pytest.approx(1 / 16, abs=1e-6)


def test_the_summary_holds_every_name_and_means_over_valid_rows() -> None:
    weights = softmax(random_scores(1, 3, 10, 10))
    weights[1, 4] = np.nan
    padding = np.arange(10) >= 8

    summary = summarise(layer_frame(weights, key_padding=padding))

    assert set(summary) == set(SUMMARY_NAMES)
    assert summary["nonfinite"].tolist() == [0, 1, 0]
    assert np.isfinite(summary["entropy"]).all()
    rows = [q for q in range(8) if q != 4]
    assert summary["peak"][1] == pytest.approx(
        np.mean(weights[1, rows, :8].max(-1) / weights[1, rows, :8].sum(-1)), abs=1e-5
    )


def test_a_layer_of_nan_has_no_entropy_rather_than_zero() -> None:
    summary = summarise(layer_frame(np.full((2, 6, 6), np.nan, np.float32)))

    assert np.isnan(summary["entropy"]).all()
    assert np.isnan(summary["mean"]).all()
    assert summary["nonfinite"].tolist() == [6, 6]


def test_without_maps_live_statistics_fill_the_summary() -> None:
    stats = {"entropy_mean": np.array([1.0, 2.0, np.nan, 0.5], np.float32)}

    summary = summarise(layer_frame(None, stats=stats))

    np.testing.assert_array_equal(summary["entropy"], stats["entropy_mean"])
    assert np.isnan(summary["peak"]).all()


@given(seed=seeds, heads=st.integers(1, 4), queries=sizes, keys=sizes)
@settings(max_examples=40, deadline=None)
def test_row_maxima_by_bits_are_row_maxima(seed: int, heads: int, queries: int, keys: int) -> None:
    weights = softmax(random_scores(seed, heads, queries, keys))

    np.testing.assert_array_equal(row_maxima(weights), weights.max(-1))


def test_a_causal_layer_that_does_not_say_so_is_taken_at_its_weights() -> None:
    weights = softmax(random_scores(3, 4, 24), causal_mask(24))

    declared = Measures(layer_frame(weights, facts={"causal": True}))
    silent = Measures(layer_frame(weights, facts={"causal": None}))

    np.testing.assert_array_equal(declared.normalised_entropy, silent.normalised_entropy)
    assert not silent.layout.same_keys_for_all


def test_a_bidirectional_layer_is_never_taken_for_causal() -> None:
    weights = softmax(random_scores(4, 4, 24))

    assert Measures(layer_frame(weights, facts={"causal": None})).layout.allowed is None
