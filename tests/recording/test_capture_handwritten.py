"""Hand-written attention in its usual spellings: what is captured is what the model computed."""

from __future__ import annotations

import pytest
import torch
from recording_models import (
    HEADS,
    SPELLINGS,
    WIDTH,
    Written,
    einsum_bhqk,
    merged_bmm,
    operator_method,
    sdpa,
    split,
)
from torch import nn
from torch.nn import functional

from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.session import CaptureSession
from attn_debugger.recording.statistics import token_spread

EXACT = MeasureSettings(dtype=torch.float32, scores=True, qk=True)


def name_of(attend: object) -> str:
    return attend.__name__


@pytest.mark.parametrize("attend", SPELLINGS, ids=name_of)
def test_weights_are_those_the_model_computed(attend) -> None:
    model = Written(attend)
    x = torch.randn(3, 7, WIDTH)
    with CaptureSession(model, EXACT, samples=(0, 2)) as session:
        model(x)
    assert session.problems == []
    [capture] = session.captures
    torch.testing.assert_close(capture.weights, model.truth[[0, 2]], atol=1e-6, rtol=0)


@pytest.mark.parametrize("attend", SPELLINGS, ids=name_of)
def test_outputs_gradients_and_random_numbers_are_bit_equal(attend) -> None:
    model = Written(attend)
    x = torch.randn(3, 7, WIDTH)

    def run(recorded: bool) -> list[torch.Tensor]:
        model.zero_grad()
        torch.manual_seed(5)
        if recorded:
            with CaptureSession(model, EXACT):
                out = model(x)
        else:
            out = model(x)
        out.square().sum().backward()
        return [out.detach(), torch.get_rng_state(), *(p.grad.clone() for p in model.parameters())]

    plain, seen = run(False), run(True)
    assert all(torch.equal(a, b) for a, b in zip(plain, seen, strict=True))


def test_q_k_and_scale_agree_with_the_scores_when_the_query_is_scaled_first() -> None:
    model = Written(operator_method)
    with CaptureSession(model, EXACT) as session:
        model(torch.randn(2, 6, WIDTH))
    [capture] = session.captures
    scores = capture.q @ capture.k.mT / capture.q.shape[-1] ** 0.5
    torch.testing.assert_close(capture.scores, scores, atol=1e-5, rtol=0)


def test_scores_hold_the_values_before_the_mask_went_in() -> None:
    model = Written(operator_method)
    with CaptureSession(model, EXACT) as session:
        model(torch.randn(1, 6, WIDTH))
    [capture] = session.captures
    assert torch.isfinite(capture.scores).all()
    assert not capture.keep[0, 0, 0, 1:].any()


class Bystanders(nn.Module):
    """Softmaxes that are no attention: a router, a classifier, a mixture of experts."""

    def __init__(self) -> None:
        super().__init__()
        self.router, self.experts = nn.Linear(WIDTH, 4), nn.Linear(WIDTH, 4 * WIDTH)
        self.classes = nn.Linear(WIDTH, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        gates = functional.softmax(self.router(x), -1)  # (B, N, 4)
        experts = self.experts(x).unflatten(-1, (4, WIDTH))
        mixed = torch.einsum("bne,bned->bnd", gates, experts)
        return functional.softmax(self.classes(mixed), -1)


def test_routers_and_classifiers_are_not_taken_for_attention() -> None:
    model = Bystanders()
    with CaptureSession(model, EXACT) as session:
        model(torch.randn(2, 5, WIDTH))
    assert session.captures == []
    assert len(session.passed_over) == 2


def test_softmax_over_the_wrong_axis_is_shown_as_the_model_uses_it() -> None:
    def attend(m, q, k, v):
        m.truth = (q @ k.mT).softmax(-2).detach()[:, None]
        return (q @ k.mT).softmax(-2) @ v

    model = Written(attend)
    with CaptureSession(model, EXACT, samples=(0, 1)) as session:
        model(torch.randn(2, 6, WIDTH))
    [capture] = session.captures
    shape = capture.weights.shape
    torch.testing.assert_close(capture.weights, model.truth.reshape(shape), atol=1e-6, rtol=0)
    assert any("softmax axis" in note for note in capture.notes)


def test_contributions_are_the_norms_of_each_heads_part_of_the_output() -> None:
    for attend in (operator_method, merged_bmm, einsum_bhqk, sdpa):
        model = Written(attend, dropout=0.0)
        x = torch.randn(1, 6, WIDTH)
        with CaptureSession(model, EXACT) as session:
            model(x)
        share = session.captures[0].stats["contribution"][0]
        v = split(model.v(x))
        parts = []
        for head in range(HEADS):
            only = torch.zeros(1, 6, WIDTH)
            only[..., head * 8 : head * 8 + 8] = (model.truth @ v)[:, head]
            parts.append(only @ model.o.weight.T)
        expected = torch.stack([p.norm() for p in parts]) / sum(parts).norm()
        torch.testing.assert_close(share, expected.detach(), atol=1e-5, rtol=1e-4)


def test_attention_of_another_model_is_passed_over() -> None:
    model, other = Written(operator_method), Written(operator_method)
    with CaptureSession(model, EXACT) as session:
        other(torch.randn(2, 5, WIDTH))
        model(torch.randn(2, 5, WIDTH))
    assert len(session.captures) == 1
    assert "outside" in session.passed_over[0].reason


def test_values_that_are_not_finite_stay_visible() -> None:
    model = Written(operator_method)
    x = torch.randn(1, 6, WIDTH)
    x[0, 2, 0] = torch.nan
    with CaptureSession(model, EXACT) as session:
        model(x)
    [capture] = session.captures
    # Row 2 is NaN in all it may see (keys 0..2), and key 2 spoils the rows that see it.
    assert capture.stats["score_nan"][0].tolist() == [3 + 3] * 4
    assert capture.stats["input_nonfinite"].tolist() == [[1.0] * HEADS]
    assert capture.stats["q_nonfinite"].tolist() == [[float(WIDTH // HEADS)] * HEADS]
    assert torch.isnan(capture.weights[0, :, 2:]).any(-1).all()


def test_how_alike_the_tokens_are_is_measured_over_those_that_are_real() -> None:
    model = Written(operator_method)
    alike = torch.randn(1, 1, WIDTH).expand(1, 10, WIDTH) + 0.01 * torch.randn(1, 10, WIDTH)
    with CaptureSession(model, EXACT, samples=(0, 1)) as session:
        model(torch.cat([alike, torch.randn(1, 10, WIDTH)]))
    [batch] = session.captures
    with CaptureSession(model, EXACT) as session:
        model(torch.randn(1, 5, WIDTH))
    [short] = session.captures
    together, apart = batch.stats["input_spread"]
    assert together.max() < 0.02
    assert apart.min() > 0.8
    assert torch.isnan(short.stats["input_spread"]).all()  # fewer than 8 tokens
    real = torch.arange(12)[None] < 9
    tokens = torch.cat([alike[:, :9], 5 * torch.randn(1, 3, WIDTH)], 1)
    assert token_spread(tokens, real)[0] == pytest.approx(float(token_spread(tokens[:, :9])[0]))
