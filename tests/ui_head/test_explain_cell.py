import math

import numpy as np
import pytest
from head_fakes import make_layer_frame, softmax_map

from attn_debugger.core.run import LayerFacts
from attn_debugger.ui.head.explain import MOST_TERMS, explain_cell

N, D = 6, 16
CAUSAL = LayerFacts(causal=True)


def attention(*, scale: float = 1 / math.sqrt(D), bias: float = 0.0, seed: int = 0):
    """q, k (1, N, D) and the causal weights and scores (1, N, N) they give."""
    rng = np.random.default_rng(seed)
    q, k = rng.standard_normal((2, 1, N, D))
    scores = q @ k.transpose(0, 2, 1) * scale + bias * np.arange(N)
    allowed = np.tril(np.ones((N, N), bool))
    powers = np.where(allowed, np.exp(scores), 0.0)
    return q, k, scores, powers / powers.sum(-1, keepdims=True)


def test_q_and_k_explain_the_weight_to_its_last_digits() -> None:
    q, k, _, weights = attention()
    frame = make_layer_frame(weights, facts=CAUSAL, q=q, k=k, tokens=tuple("abcdef"))
    found = explain_cell(frame, 0, 5, 3)
    assert found.recomputed == pytest.approx(weights[0, 5, 3], rel=1e-6)
    assert found.agrees
    dot = float(q[0, 5] @ k[0, 3])
    assert f"q·k         {dot:.6g}" in found.text
    assert f"{dot:.6g} × 0.25 (1/√16) = {dot / 4:.6g}" in found.text
    assert "sum of these over 6 allowed keys" in found.text
    assert found.lines[-1].endswith("the same within rounding")


def test_the_largest_terms_come_first_and_the_rest_is_summed() -> None:
    q, k, _, weights = attention()
    text = explain_cell(make_layer_frame(weights, facts=CAUSAL, q=q, k=k), 0, 5, 3).text
    terms = q[0, 5] * k[0, 3]
    order = np.argsort(-np.abs(terms))
    first = order[0]
    assert f"[{first}]" in text.splitlines()[4]
    rest = terms[order[MOST_TERMS:]].sum()
    assert f"the other {D - MOST_TERMS} dimensions together: {rest:.6g}" in text


def test_a_recorded_score_shows_the_bias_between() -> None:
    q, k, scores, weights = attention(bias=0.3)
    frame = make_layer_frame(weights, facts=CAUSAL, q=q, k=k, scores=scores)
    found = explain_cell(frame, 0, 4, 2)
    assert "= 0.6 (position bias, or rounding)" in found.text
    assert found.agrees


def test_a_wrong_scale_is_found_out() -> None:
    q, k, _, weights = attention(scale=1.0, seed=1)
    found = explain_cell(make_layer_frame(weights, facts=CAUSAL, q=q, k=k), 0, 5, 0)
    assert found.agrees is False
    assert found.lines[-1].endswith("which is NOT what this gives")


def test_a_declared_scale_is_used() -> None:
    q, k, _, weights = attention(scale=1.0)
    facts = LayerFacts(causal=True, scale=1.0)
    found = explain_cell(make_layer_frame(weights, facts=facts, q=q, k=k), 0, 5, 3)
    assert found.agrees
    assert "× 1 (declared)" in found.text


def test_a_soft_cap_is_applied_before_the_softmax() -> None:
    scores = np.array([[[30.0, 10.0]]])
    capped = 5 * np.tanh(scores / 5)
    powers = np.exp(capped)
    frame = make_layer_frame(powers / powers.sum(), facts=LayerFacts(softcap=5.0), scores=scores)
    found = explain_cell(frame, 0, 0, 1)
    assert found.agrees
    assert "5 × tanh(10 / 5)" in found.text


def test_grouped_heads_share_a_key_head() -> None:
    rng = np.random.default_rng(0)
    q, k = rng.standard_normal((4, N, D)), rng.standard_normal((2, N, D))
    scores = q @ np.repeat(k, 2, axis=0).transpose(0, 2, 1) / math.sqrt(D)
    powers = np.exp(scores)
    weights = powers / powers.sum(-1, keepdims=True)
    frame = make_layer_frame(weights, q=q, k=k)
    for head in range(4):
        assert explain_cell(frame, head, 2, 4).recomputed == pytest.approx(weights[head, 2, 4])


def test_weights_alone_tell_a_difference_of_scores() -> None:
    weights = np.array([[[0.6, 0.3, 0.1]]])
    found = explain_cell(make_layer_frame(weights), 0, 0, 2)
    assert found.recomputed is None
    assert found.agrees is None
    assert f"= {math.log(6):.6g} below" in found.text
    assert "below that of key 0" in found.text
    assert "record(model, path, scores=True, qk=True)" in found.text


@pytest.mark.parametrize(
    ("fields", "facts", "reason"),
    [
        ({}, CAUSAL, "the key lies in its future"),
        ({"key_padding": np.arange(N) == 4}, LayerFacts(), "the key is padding"),
        (
            {"key_documents": np.arange(N) // 4, "query_documents": np.arange(N) // 4},
            LayerFacts(),
            "the key belongs to another document",
        ),
        ({}, LayerFacts(window=2), "the key lies outside the window"),
        ({"mask": np.zeros((N, N), bool)}, LayerFacts(), "the intended mask forbids it"),
    ],
)
def test_a_masked_cell_says_why_and_that_it_leaks(fields, facts: LayerFacts, reason: str) -> None:
    found = explain_cell(make_layer_frame(softmax_map(N, N), facts=facts, **fields), 0, 1, 4)
    assert reason in found.text
    assert "yet it has weight: the mask was not applied here" in found.text


def test_nan_is_explained_by_nan() -> None:
    q, k, _, weights = attention()
    q[0, 5, 3] = np.inf
    weights[0, 5] = np.nan
    found = explain_cell(make_layer_frame(weights, facts=CAUSAL, q=q, k=k), 0, 5, 3)
    assert "inf" in found.text.splitlines()[4]
    assert found.lines[-1] == "recorded      NaN, as this gives"


def test_a_fully_masked_row_is_zero_over_zero() -> None:
    frame = make_layer_frame(
        np.full((1, 2, 2), np.nan), scores=np.zeros((1, 2, 2)), mask=np.zeros((2, 2), bool)
    )
    assert "every key of this query is masked: 0 / 0" in explain_cell(frame, 0, 0, 0).text


def test_no_map_and_no_cell_are_refused() -> None:
    with pytest.raises(ValueError, match="no full map of head 0"):
        explain_cell(make_layer_frame(None), 0, 0, 0)
    with pytest.raises(ValueError, match=r"no cell \(9, 0\)"):
        explain_cell(make_layer_frame(softmax_map(N, N)), 0, 9, 0)
