"""Kernels told by the user, and those known by the name of their operator."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from attn_debugger import record
from attn_debugger.errors import RecordError
from attn_debugger.recording.capture.adapters import Adapters
from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.observer import Observer
from attn_debugger.recording.capture.session import CaptureSession

EXACT = MeasureSettings(dtype=torch.float32, scores=True)
B, H, N, D = 2, 4, 10, 8
LIBRARY = torch.library.Library("flash_attn", "DEF")
LIBRARY.define(
    "_flash_attn_forward(Tensor q, Tensor k, Tensor v, float dropout_p, float softmax_scale, "
    "bool causal, int window_size_left, int window_size_right, float softcap, "
    "Tensor? alibi_slopes, bool return_softmax) -> Tensor"
)
LIBRARY.define(
    "_flash_attn_varlen_forward(Tensor q, Tensor k, Tensor v, Tensor cu_seqlens_q, "
    "Tensor cu_seqlens_k, int max_seqlen_q, int max_seqlen_k, float dropout_p, "
    "float softmax_scale, bool causal, int window_size_left, int window_size_right, "
    "float softcap, Tensor? alibi_slopes) -> Tensor"
)


@torch.library.impl(LIBRARY, "_flash_attn_forward", "CompositeExplicitAutograd")
def stand_in(q, k, v, *rest):
    """A stand-in with the operator's name and arguments: the package needs a GPU."""
    return torch.zeros_like(q)


@torch.library.impl(LIBRARY, "_flash_attn_varlen_forward", "CompositeExplicitAutograd")
def stand_in_packed(q, k, v, *rest):
    return torch.zeros_like(q)


class Flash(nn.Module):
    def forward(self, q, k, v, window=(-1, -1)):
        return torch.ops.flash_attn._flash_attn_forward(
            q, k, v, 0.0, D**-0.5, True, *window, 0.0, None, False
        )


class Packed(nn.Module):
    def forward(self, q, k, v, ends):
        return torch.ops.flash_attn._flash_attn_varlen_forward(
            q, k, v, ends, ends, N, N, 0.0, D**-0.5, False, -1, -1, 0.0, None
        )


@pytest.mark.parametrize("window", [(-1, -1), (3, 0)])
def test_flash_attention_is_read_by_its_operators_name(window) -> None:
    q, k, v = (torch.randn(B, N, H, D) for _ in range(3))
    model = Flash()
    with CaptureSession(model, EXACT, samples=(1,)) as session:
        model(q, k, v, window)
    assert session.problems == []
    [capture] = session.captures
    scores = q[1].transpose(0, 1) @ k[1].transpose(0, 1).mT * D**-0.5
    allowed = torch.ones(N, N, dtype=torch.bool).tril()
    if window[0] >= 0:
        allowed = allowed.triu(-window[0])
    truth = scores.masked_fill(~allowed, -torch.inf).softmax(-1)
    torch.testing.assert_close(capture.weights[0], truth, atol=1e-6, rtol=0)
    assert capture.backend == "adapter"


def test_packed_sequences_give_their_first_sequence() -> None:
    q, k, v = (torch.randn(16, H, D) for _ in range(3))
    model = Packed()
    with CaptureSession(model, EXACT) as session:
        model(q, k, v, torch.tensor([0, 6, 16], dtype=torch.int32))
    [capture] = session.captures
    truth = (q[:6].transpose(0, 1) @ k[:6].transpose(0, 1).mT * D**-0.5).softmax(-1)
    torch.testing.assert_close(capture.weights[0], truth, atol=1e-6, rtol=0)


def test_a_kernel_may_hand_over_its_finished_weights(monkeypatch) -> None:
    known = Adapters()
    monkeypatch.setattr(Observer, "adapters", known)
    weights = torch.rand(B, H, N, N).softmax(-1)
    known.register(torch.cumsum, lambda args, kwargs, out: {"weights": weights})

    class Model(nn.Module):
        def forward(self, x):
            return torch.cumsum(x, 0)

    model = Model()
    with CaptureSession(model, EXACT, samples=(0, 1)) as session:
        model(torch.ones(3))
    [capture] = session.captures
    torch.testing.assert_close(capture.weights, weights)
    # Nothing is known of the scores, and nothing is said of them.
    assert not [name for name in capture.stats if name.startswith("score")]
    assert capture.scores is None
    assert torch.isfinite(capture.stats["entropy_mean"]).all()


def test_an_adapter_that_fails_is_said_and_harms_nothing(monkeypatch) -> None:
    known = Adapters()
    monkeypatch.setattr(Observer, "adapters", known)
    known.register(torch.cumsum, lambda args, kwargs, out: 1 / 0)

    class Model(nn.Module):
        def forward(self, x):
            return torch.cumsum(x, 0)

    model = Model()
    with CaptureSession(model, EXACT) as session:
        out = model(torch.ones(3))
    assert out.tolist() == [1, 2, 3]
    assert "ZeroDivisionError" in session.problems[0]


def test_wrong_use_of_register_is_refused() -> None:
    with pytest.raises(RecordError, match="not a function"):
        record.register("flash", lambda *_: None)
