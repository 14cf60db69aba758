"""Models of the coverage table that are of no library: kernels, nanoGPT, checkpoints, autocast."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from recording_models import HEADS, WIDTH, LanguageModel, Written, causal_mask, join, split
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from torch.nn.attention.flex_attention import flex_attention
from torch.utils.checkpoint import checkpoint

N = 7


def some_mask(*shape: int) -> Tensor:
    return torch.rand(*shape, generator=torch.Generator().manual_seed(3)) > 0.3


KERNELS: dict[str, dict[str, Any]] = {
    "no mask": {},
    "causal": {"is_causal": True},
    "boolean mask": {"attn_mask": some_mask(3, 1, N, N)},
    "float mask": {"attn_mask": some_mask(3, HEADS, N, N).float() * 3},
    "-inf mask": {"attn_mask": torch.zeros(N, N).masked_fill(~causal_mask(N), -math.inf)},
    "scale": {"scale": 0.5},
    "grouped queries": {"enable_gqa": True},
    "row that sees nothing": {"attn_mask": torch.arange(N)[:, None].expand(N, N) > 0},
}


def kernel(options: dict[str, Any]) -> Callable[..., Tensor]:
    """Return attention by the fused kernel; identity values make it hand out its own weights."""

    def attend(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        q, k, v = split(q), split(k), split(v)
        if "enable_gqa" in options:
            k, v = k[:, :2], v[:, :2]
        rate = m.drop.p if m.training else 0.0
        return join(F.scaled_dot_product_attention(q, k, v, dropout_p=rate, **options))

    return attend


def kernel_truth(model: Written, options: dict[str, Any], x: Tensor) -> Tensor:
    """Return what the kernel weighs values with: its output for values that are the identity."""
    with torch.no_grad():
        q, k = split(model.q(x)), split(model.k(x))
        k = k[:, :2] if "enable_gqa" in options else k
        n = k.shape[2]
        identity = torch.eye(n).expand(*k.shape[:2], n, n).contiguous()
        return F.scaled_dot_product_attention(q, k, identity, **options)


def flex(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = split(q), split(k), split(v)

    def further_weighs_less(score: Tensor, b: Tensor, h: Tensor, i: Tensor, j: Tensor) -> Tensor:
        return score - 0.1 * (h + 1) * (i - j).abs()

    n = k.shape[2]
    identity = torch.eye(n).expand(*k.shape[:2], n, n).contiguous()
    m.truth = flex_attention(q, k, identity, score_mod=further_weighs_less).detach()
    return join(flex_attention(q, k, v, score_mod=further_weighs_less))


class NanoGPT(nn.Module):
    """Attention as nanoGPT spells it: one matrix for q, k, v; a buffer for the mask, or fused."""

    def __init__(self, fused: bool) -> None:
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.attn_dropout, self.resid_dropout = nn.Dropout(0.1), nn.Dropout(0.1)
        self.n_head, self.n_embd, self.flash = HEADS, WIDTH, fused
        self.register_buffer("bias", torch.tril(torch.ones(16, 16)).view(1, 1, 16, 16))

    def forward(self, x: Tensor) -> Tensor:
        b, t, c = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        q, k, v = (s.view(b, t, self.n_head, c // self.n_head).transpose(1, 2) for s in (q, k, v))
        if self.flash:
            rate = self.attn_dropout.p if self.training else 0
            y = F.scaled_dot_product_attention(q, k, v, dropout_p=rate, is_causal=True)
        else:
            att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            att = att.masked_fill(self.bias[:, :, :t, :t] == 0, float("-inf"))
            y = self.attn_dropout(F.softmax(att, dim=-1)) @ v
        y = y.transpose(1, 2).contiguous().view(b, t, c)
        return self.resid_dropout(self.c_proj(y))

    def truth(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            b, t, _ = x.size()
            q, k, _ = self.c_attn(x).split(self.n_embd, dim=2)
            q, k = (s.view(b, t, self.n_head, -1).transpose(1, 2) for s in (q, k))
            scores = (q @ k.mT) / math.sqrt(k.size(-1))
            return scores.masked_fill(~causal_mask(t), -math.inf).softmax(-1)


class Checkpointed(LanguageModel):
    """Activation checkpointing around each layer."""

    def __init__(self, attend: Callable[..., Tensor], reentrant: bool) -> None:
        super().__init__(attend)
        self.reentrant = reentrant

    def forward(self, input_ids: Tensor) -> Tensor:
        x = self.embed(input_ids)
        for layer in self.layers:
            x = x + checkpoint(layer, x, use_reentrant=self.reentrant)
        return self.head(x)


class UnderAutocast(LanguageModel):
    """Half precision inside its own forward."""

    def __init__(self, attend: Callable[..., Tensor], dtype: torch.dtype) -> None:
        super().__init__(attend)
        self.dtype = dtype

    def forward(self, input_ids: Tensor) -> Tensor:
        with torch.autocast("cpu", self.dtype):
            return super().forward(input_ids).float()


class Across(nn.Module):
    """Cross-attention: queries from one sequence, keys from a longer one."""

    def __init__(self, attend: Callable[..., Tensor]) -> None:
        super().__init__()
        self.cross = Written(attend)

    def forward(self, x: Tensor) -> Tensor:
        return self.cross(x[:, :4], x)
