"""Attention of vision and language libraries: stand-ins for timm's blocks, timm, x-transformers."""

from __future__ import annotations

import pytest
import torch
from library_models import (
    X_TRANSFORMERS,
    timm_truth,
    timm_vit,
    x_transformer,
    x_transformer_truth,
)
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.session import CaptureSession

EXACT = MeasureSettings(dtype=torch.float32, scores=True)
SAMPLES = (0, 1)


class VisionAttention(nn.Module):
    """One matrix for q, k and v, unbound from a permuted view; fused or written out."""

    def __init__(self, fused: bool, norm: bool, width: int = 32, heads: int = 4) -> None:
        super().__init__()
        self.num_heads, self.scale, self.fused_attn = heads, (width // heads) ** -0.5, fused
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.q_norm = nn.LayerNorm(width // heads) if norm else nn.Identity()
        self.k_norm = nn.LayerNorm(width // heads) if norm else nn.Identity()
        self.attn_drop = nn.Dropout(0.2)
        self.truth: Tensor | None = None

    def forward(self, x: Tensor) -> Tensor:
        b, n, width = x.shape
        qkv = self.qkv(x).reshape(b, n, 3, self.num_heads, -1).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        q, k = self.q_norm(q), self.k_norm(k)
        with torch.no_grad():
            self.truth = ((q * self.scale).detach() @ k.detach().mT).softmax(-1)
        if self.fused_attn:
            rate = self.attn_drop.p if self.training else 0.0
            out = F.scaled_dot_product_attention(q, k, v, dropout_p=rate)
        else:
            out = self.attn_drop(((q * self.scale) @ k.transpose(-2, -1)).softmax(dim=-1)) @ v
        return self.proj(out.transpose(1, 2).reshape(b, n, width))


class VisionBlock(nn.Module):
    def __init__(self, fused: bool, norm: bool) -> None:
        super().__init__()
        self.norm1, self.attn = nn.LayerNorm(32), VisionAttention(fused, norm)
        self.norm2, self.mlp = nn.LayerNorm(32), nn.Linear(32, 32)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x)).softmax(-1)  # a softmax that is no attention


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("norm", [True, False])
@pytest.mark.parametrize("train", [True, False])
def test_blocks_of_vision_models(fused, norm, train) -> None:
    model = nn.Sequential(*(VisionBlock(fused, norm) for _ in range(3))).train(train)
    x = torch.randn(2, 17, 32)
    torch.manual_seed(2)
    plain = model(x)
    torch.manual_seed(2)
    with CaptureSession(model, EXACT, samples=SAMPLES) as session:
        seen = model(x)
    assert torch.equal(plain, seen)
    assert session.problems == []
    assert [c.path for c in session.captures] == [f"{i}.attn" for i in range(3)]
    for capture, block in zip(session.captures, model, strict=True):
        # The block's own check of itself is a softmax of scores too, multiplying nothing.
        torch.testing.assert_close(capture.weights, block.attn.truth, atol=1e-6, rtol=0)
        assert capture.facts.get("dropout_p", 0.0) == (0.2 if train else 0.0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("train", [True, False])
def test_timms_own_vision_transformer(fused, train) -> None:
    model, x = timm_vit(fused, attn_drop_rate=0.2).train(train), torch.randn(2, 3, 16, 16)
    torch.manual_seed(2)
    plain = model(x)
    torch.manual_seed(2)
    with CaptureSession(model, EXACT, samples=SAMPLES) as session:
        seen = model(x)
    assert torch.equal(plain, seen)
    assert session.problems == []
    assert [c.path for c in session.captures] == ["blocks.0.attn", "blocks.1.attn"]
    # Only the first block sees the same input with and without dropout.
    truth = timm_truth(model.eval(), x)[0]
    torch.testing.assert_close(session.captures[0].weights, truth, atol=1e-6, rtol=0)
    assert session.captures[0].facts.get("dropout_p", 0.0) == (0.2 if train else 0.0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", X_TRANSFORMERS)
@pytest.mark.parametrize("causal", [True, False])
def test_x_transformers(name, causal) -> None:
    options, ids = X_TRANSFORMERS[name], torch.randint(0, 50, (2, 12))
    model = x_transformer(causal, **options).eval()
    with torch.no_grad():
        plain = model(ids)
        with CaptureSession(model, EXACT, samples=SAMPLES) as session:
            seen = model(ids)
    assert torch.equal(plain, seen)
    assert session.problems == []
    truth = x_transformer_truth(causal, options, ids)
    assert len(session.captures) == len(truth) == 2
    for capture, weights in zip(session.captures, truth, strict=True):
        torch.testing.assert_close(capture.weights, weights, atol=1e-6, rtol=0)
