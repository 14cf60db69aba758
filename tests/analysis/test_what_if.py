"""What-ifs against a softmax computed outright, and what must be refused with its reason."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from builders import Floats, causal_mask, layer_frame, random_scores, softmax

from attn_debugger.analysis.what_if import NO_CHANGE, Basis, Change, basis_of, what_if
from attn_debugger.errors import UsageError

N, D = 12, 8
EVERY = np.ones((N, N), bool)


def recorded(
    mask: Any = None, *, keep: tuple[str, ...] = (), **kwargs: Any
) -> tuple[Basis, Floats]:
    """A one-head frame whose scores are q.k / sqrt(d); returns its basis and the scores."""
    rng = np.random.default_rng(3)
    q, k = (rng.standard_normal((1, N, D)).astype(np.float32) for _ in range(2))
    scores = (q @ k.transpose(0, 2, 1) / math.sqrt(D)).astype(np.float32)
    weights = softmax(scores, mask)
    maps = {"scores": scores, "q": q, "k": k}
    frame = layer_frame(weights, **{name: maps[name] for name in keep}, **kwargs)
    return basis_of(frame), scores[0]


@pytest.mark.parametrize("keep", [("scores",), ("q", "k"), ()])
def test_temperature_from_each_source(keep: tuple[str, ...]) -> None:
    basis, scores = recorded(keep=keep)
    assert basis.source == {0: "log-weights", 1: "scores", 2: "q and k"}[len(keep)]
    for temperature in (0.25, 4.0):
        answer = what_if(basis, Change(temperature=temperature))
        np.testing.assert_allclose(answer.weights, softmax(scores / temperature), atol=1e-5)
    assert answer.after.entropy > answer.before.entropy


@pytest.mark.parametrize("keep", [("scores",), ("q", "k"), ()])
def test_a_key_taken_away_is_renormalised(keep: tuple[str, ...]) -> None:
    basis, scores = recorded(keep=keep)
    answer = what_if(basis, Change(without_key=4))
    mask = EVERY.copy()
    mask[:, 4] = False
    np.testing.assert_allclose(answer.weights, softmax(scores, mask), atol=1e-5)
    assert not answer.weights[:, 4].any()


def test_no_change_gives_back_what_was_recorded() -> None:
    basis, _ = recorded(keep=("scores",))
    answer = what_if(basis, NO_CHANGE)
    assert answer.weights is basis.weights
    assert answer.before == answer.after


def test_causal_mask_on_and_off() -> None:
    mask = causal_mask(N)
    basis, scores = recorded()
    np.testing.assert_allclose(
        what_if(basis, Change(causal=True)).weights, softmax(scores, mask), atol=1e-5
    )
    hidden, _ = recorded(mask, facts={"causal": True})
    assert "record scores=True" in hidden.reasons["causal"]
    with pytest.raises(UsageError, match="causal: what the masked keys would get"):
        what_if(hidden, Change(causal=False))
    shown, scores = recorded(mask, keep=("scores",), facts={"causal": True})
    assert "causal" not in shown.reasons
    np.testing.assert_allclose(
        what_if(shown, Change(causal=False)).weights, softmax(scores), atol=1e-5
    )


def test_scores_that_were_filled_do_not_tell_what_the_mask_hides() -> None:
    mask = causal_mask(N)
    scores = random_scores(0, 1, N)
    filled = np.where(mask, scores, np.float32(-1e9))
    basis = basis_of(layer_frame(softmax(scores, mask), scores=filled, facts={"causal": True}))
    assert basis.source == "scores"
    assert "mask fills" in basis.reasons["causal"]


def test_padding_on_and_off() -> None:
    padding = np.zeros(N, bool)
    padding[9:] = True
    mask = EVERY & ~padding
    leaking, scores = recorded(key_padding=padding)  # recorded without its mask
    real = ~padding
    np.testing.assert_allclose(
        what_if(leaking, Change(padding=True)).weights[real], softmax(scores, mask)[real], atol=1e-5
    )
    masked, scores = recorded(mask, keep=("scores",), key_padding=padding)
    np.testing.assert_allclose(
        what_if(masked, Change(padding=False)).weights[real], softmax(scores)[real], atol=1e-5
    )
    assert "no padding" in recorded()[0].reasons["padding"]


def test_window_on_and_lifted() -> None:
    positions = np.arange(N)
    near = positions[:, None] - positions < 3
    mask = causal_mask(N)
    basis, scores = recorded(mask, keep=("scores",), facts={"causal": True})
    np.testing.assert_allclose(
        what_if(basis, Change(window=3)).weights, softmax(scores, mask & near), atol=1e-5
    )
    banded, scores = recorded(mask & near, keep=("scores",), facts={"causal": True, "window": 3})
    np.testing.assert_allclose(
        what_if(banded, Change(window=0)).weights, softmax(scores, mask), atol=1e-5
    )
    blind, _ = recorded(mask & near, facts={"causal": True, "window": 3})
    assert what_if(blind, Change(window=2)).n_empty_rows == 0
    with pytest.raises(UsageError, match="window"):
        what_if(blind, Change(window=5))


def test_documents_stay_apart_when_causality_is_lifted() -> None:
    documents = np.repeat([0, 1], N // 2)
    same = documents[:, None] == documents
    basis, scores = recorded(
        causal_mask(N) & same,
        keep=("scores",),
        facts={"causal": True},
        key_documents=documents,
    )
    np.testing.assert_allclose(
        what_if(basis, Change(causal=False)).weights, softmax(scores, same), atol=1e-5
    )


def test_scale_keeps_what_is_not_qk() -> None:
    rng = np.random.default_rng(5)
    q, k = (rng.standard_normal((1, N, D)).astype(np.float32) for _ in range(2))
    bias = (0.02 * rng.standard_normal((N, N))).astype(np.float32)
    scores = q @ k.transpose(0, 2, 1) + bias  # the division is missing
    basis = basis_of(layer_frame(softmax(scores), scores=scores, q=q, k=k))
    assert basis.scale == pytest.approx(1.0, abs=0.01)
    answer = what_if(basis, Change(scale=1 / math.sqrt(D)))
    expected = softmax(q @ k.transpose(0, 2, 1) / math.sqrt(D) + bias)
    np.testing.assert_allclose(answer.weights, expected[0], atol=5e-3)
    assert answer.after.peak < answer.before.peak


def test_scores_that_do_not_give_the_weights_are_passed_over() -> None:
    basis, _ = recorded()
    frame = layer_frame(
        basis.weights[None],
        scores=random_scores(9, 1, N),  # of another head, say
    )
    odd = basis_of(frame)
    assert odd.source == "log-weights"
    assert odd.note.startswith("the softmax of scores is off the recorded weights")


def test_grouped_queries_read_their_key_head() -> None:
    rng = np.random.default_rng(1)
    q = rng.standard_normal((4, N, D)).astype(np.float32)
    k = rng.standard_normal((2, N, D)).astype(np.float32)
    scores = q @ np.repeat(k, 2, 0).transpose(0, 2, 1) / np.float32(math.sqrt(D))
    frame = layer_frame(softmax(scores), q=q, k=k)
    for head in range(4):
        assert basis_of(frame, head).source == "q and k"


def test_softcap_is_applied_again() -> None:
    raw = random_scores(2, 1, N, std=4)
    capped = 5 * np.tanh(raw / 5)
    for stage, stored in (("pre_mask", raw), ("post_cap", capped)):
        frame = layer_frame(
            softmax(capped), scores=stored, facts={"softcap": 5.0, "score_stage": stage}
        )
        basis = basis_of(frame)
        assert basis.source == "scores"
        answer = what_if(basis, Change(temperature=2.0))
        np.testing.assert_allclose(answer.weights, softmax(capped / 2)[0], atol=1e-4)


def test_a_sink_outside_the_map_competes_too() -> None:
    scores, sink = random_scores(4, 1, N), 1.5
    wide = np.concatenate([scores, np.full((1, N, 1), sink, np.float32)], -1)
    basis = basis_of(layer_frame(softmax(wide)[..., :N], scores=scores, facts={"sink_logit": True}))
    answer = what_if(basis, Change(temperature=0.5))
    np.testing.assert_allclose(answer.weights, softmax(wide / 0.5)[0, :, :N], atol=1e-4)


def test_weights_stored_as_zero_forbid_a_higher_temperature_only() -> None:
    scores = random_scores(0, 1, N)
    weights = softmax(scores)
    weights[0, :, 3] = 0  # below what the storage resolves
    basis = basis_of(layer_frame(weights))
    with pytest.raises(UsageError, match="stored as 0"):
        what_if(basis, Change(temperature=2.0))
    assert what_if(basis, Change(temperature=0.5)).weights[0, 3] == 0
    coarse = basis_of(layer_frame(softmax(scores), storage="uint8"))
    with pytest.raises(UsageError, match="8 bits"):
        what_if(coarse, Change(temperature=0.5))
    what_if(coarse, Change(without_key=0))


def test_dropout_is_one_draw_that_keeps_the_mean() -> None:
    basis, _ = recorded()
    one, two = (what_if(basis, Change(dropout=0.5, seed=seed)).weights for seed in (0, 0))
    np.testing.assert_array_equal(one, two)
    kept = one > 0
    np.testing.assert_allclose(one[kept], 2 * basis.weights[kept], rtol=1e-4)
    means = [what_if(basis, Change(dropout=0.5, seed=seed)).weights for seed in range(400)]
    np.testing.assert_allclose(np.mean(means, 0), basis.weights, atol=0.12)


def test_rows_without_a_key_are_nan_and_counted() -> None:
    basis, _ = recorded(causal_mask(N), keep=("scores",), facts={"causal": True})
    answer = what_if(basis, Change(without_key=0))
    assert answer.n_empty_rows == 1
    assert np.isnan(answer.weights[0]).all()
    assert np.isfinite(answer.weights[1:]).all()


def test_a_row_that_was_nan_stays_nan() -> None:
    scores = random_scores(0, 1, N)
    weights = softmax(scores)
    weights[0, 2] = np.nan
    basis = basis_of(layer_frame(weights, scores=scores))
    assert np.isnan(what_if(basis, Change(temperature=2.0)).weights[2]).all()


def test_what_has_no_map_says_so() -> None:
    with pytest.raises(UsageError, match="no full map"):
        basis_of(layer_frame(None))
    frame = layer_frame(softmax(random_scores(0, 1, N)))
    with pytest.raises(UsageError, match="captured"):
        basis_of(replace(frame, present=False))
    with pytest.raises(UsageError, match="finite"):
        basis_of(replace(frame, weights=np.full((1, N, N), np.nan, np.float32)))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change(temperature=0), "above 0"),
        (Change(dropout=1.0), "below 1"),
        (Change(without_key=N), "no key 12"),
        (Change(window=-1), "window"),
        (Change(scale=1.0), "q and k are not recorded"),
    ],
)
def test_wrong_changes_are_sentences(change: Change, said: str) -> None:
    basis, _ = recorded()
    with pytest.raises(UsageError, match=said):
        what_if(basis, change)


def test_cross_attention_has_no_order() -> None:
    basis, _ = recorded(facts={"kind": "cross"})
    with pytest.raises(UsageError, match="cross-attention"):
        what_if(basis, Change(causal=True))
    assert math.isnan(what_if(basis, Change(without_key=0)).after.diagonal)
