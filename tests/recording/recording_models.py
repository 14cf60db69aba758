"""Small models that keep the attention weights they computed, to hold the recorder against."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

HEADS, WIDTH = 4, 32


def causal_mask(n: int) -> Tensor:
    return torch.ones(n, n, dtype=torch.bool).tril()


def split(x: Tensor) -> Tensor:
    """(B, N, D) -> (B, H, N, d)"""
    return x.view(*x.shape[:2], HEADS, -1).transpose(1, 2)


def join(x: Tensor) -> Tensor:
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1)


class Written(nn.Module):
    """Attention written by hand; `attend(module, q, k, v)` is one spelling of it.

    `truth` holds the weights before dropout, (B, H, Q, K).
    """

    def __init__(self, attend: Callable[..., Tensor], dropout: float = 0.1) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.drop = nn.Dropout(dropout)
        self.num_heads = HEADS
        self.attend = attend
        self.truth: Tensor | None = None

    def forward(self, x: Tensor, context: Tensor | None = None) -> Tensor:
        source = x if context is None else context
        return self.o(self.attend(self, self.q(x), self.k(source), self.v(source)))


def _keep(module: Written, weights: Tensor) -> Tensor:
    module.truth = weights.detach().clone()
    return weights


def matmul_functional(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = split(q), split(k), split(v)
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.shape[-1])
    weights = _keep(m, F.softmax(scores, dim=-1))
    return join(torch.matmul(m.drop(weights), v))


def operator_method(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = split(q), split(k), split(v)
    scores = (q * q.shape[-1] ** -0.5) @ k.mT
    scores = scores.masked_fill(~causal_mask(q.shape[2]), float("-inf"))
    weights = _keep(m, scores.softmax(-1))
    return join(m.drop(weights) @ v)


def module_softmax(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = split(q), split(k), split(v)
    scores = q @ k.transpose(2, 3)
    scores = scores * 0.3 + torch.zeros(q.shape[2], q.shape[2]).masked_fill(
        ~causal_mask(q.shape[2]), -1e9
    )
    weights = _keep(m, nn.Softmax(dim=-1)(scores))
    return join(m.drop(weights) @ v)


def merged_bmm(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = (split(t).reshape(-1, t.shape[1], WIDTH // HEADS) for t in (q, k, v))
    scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, 2)
    _keep(m, weights.view(-1, HEADS, *weights.shape[1:]))
    out = torch.bmm(m.drop(weights), v)
    return join(out.view(-1, HEADS, *out.shape[1:]))


def heads_before_batch(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    # (B, N, D) -> (H, B, N, d) -> (H * B, N, d)
    q, k, v = (split(t).transpose(0, 1).reshape(-1, t.shape[1], WIDTH // HEADS) for t in (q, k, v))
    weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]), -1)
    n = weights.shape[1]
    _keep(m, weights.view(HEADS, -1, n, n).transpose(0, 1))
    out = (m.drop(weights) @ v).view(HEADS, -1, n, WIDTH // HEADS).transpose(0, 1)
    return join(out)


def baddbmm(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = (split(t).reshape(-1, t.shape[1], WIDTH // HEADS) for t in (q, k, v))
    bias = torch.randn(
        q.shape[0], q.shape[1], k.shape[1], generator=torch.Generator().manual_seed(1)
    )
    scores = torch.baddbmm(bias, q, k.transpose(1, 2), alpha=1 / math.sqrt(q.shape[-1]))
    weights = scores.softmax(dim=-1)
    _keep(m, weights.view(-1, HEADS, *weights.shape[1:]))
    out = torch.bmm(m.drop(weights), v)
    return join(out.view(-1, HEADS, *out.shape[1:]))


def einsum_bhqk(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = (t.view(*t.shape[:2], HEADS, -1) for t in (q, k, v))
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1])
    weights = _keep(m, scores.softmax(-1))
    return torch.einsum("bhqk,bkhd->bqhd", m.drop(weights), v).flatten(2)


def einsum_bqkh(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = (t.view(*t.shape[:2], HEADS, -1) for t in (q, k, v))
    scores = torch.einsum("bqhd,bkhd->bqkh", q, k) / math.sqrt(q.shape[-1])
    weights = scores.softmax(2)
    _keep(m, weights.permute(0, 3, 1, 2))
    return torch.einsum("bqkh,bkhd->bqhd", m.drop(weights), v).flatten(2)


def additive_where(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = split(q), split(k), split(v)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = torch.where(causal_mask(q.shape[2]), scores, torch.finfo(scores.dtype).min)
    weights = _keep(m, scores.softmax(-1, dtype=torch.float32).to(q.dtype))
    return join(m.drop(weights) @ v)


def exp_sum(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = split(q), split(k), split(v)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    e = (scores - scores.amax(-1, keepdim=True)).exp()
    weights = _keep(m, e / e.sum(-1, keepdim=True))
    return join(weights @ v)


def log_softmax_exp(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = split(q), split(k), split(v)
    weights = _keep(m, F.log_softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1).exp())
    return join(weights @ v)


def inplace(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = split(q), split(k), split(v)
    scores = q @ k.mT
    scores.div_(math.sqrt(q.shape[-1]))
    scores.masked_fill_(~causal_mask(q.shape[2]), float("-inf"))
    weights = _keep(m, scores.softmax(-1).clone())
    return join(F.dropout(weights, m.drop.p, m.training, inplace=True) @ v)


def masked_after_softmax(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = split(q), split(k), split(v)
    weights = F.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1)
    weights = _keep(m, weights * causal_mask(q.shape[2]))
    return join(m.drop(weights) @ v)


def values_first(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """scores (B, H, K, Q), softmax over the keys' axis, values^T @ weights"""
    q, k, v = split(q), split(k), split(v)
    weights = (k @ q.mT / math.sqrt(q.shape[-1])).softmax(-2)
    _keep(m, weights.mT)
    return join((v.mT @ m.drop(weights)).mT)


SPELLINGS = (
    matmul_functional,
    operator_method,
    module_softmax,
    merged_bmm,
    heads_before_batch,
    baddbmm,
    einsum_bhqk,
    einsum_bqkh,
    additive_where,
    exp_sum,
    log_softmax_exp,
    inplace,
    masked_after_softmax,
    values_first,
)


class LanguageModel(nn.Module):
    """Embedding, layers of attention, head; `attend` as above, or "sdpa" or "mha"."""

    def __init__(self, attend: Callable[..., Tensor] = operator_method, layers: int = 2) -> None:
        super().__init__()
        self.embed = nn.Embedding(50, WIDTH, padding_idx=0)
        self.layers = nn.ModuleList(Written(attend) for _ in range(layers))
        self.head = nn.Linear(WIDTH, 50)

    def forward(self, input_ids: Tensor) -> Tensor:
        x = self.embed(input_ids)
        for layer in self.layers:
            x = x + layer(x)
        return self.head(x)


class EncoderModel(nn.Module):
    """torch's own encoder, with dropout, reading ids."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(50, WIDTH, padding_idx=0)
        layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 64, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(WIDTH, 50)

    def forward(self, input_ids: Tensor) -> Tensor:
        padding = input_ids == 0
        x = self.encoder(self.embed(input_ids), src_key_padding_mask=padding)
        return self.head(x)


class HalfPrecision(LanguageModel):
    """Under autocast inside its own forward."""

    def forward(self, input_ids: Tensor) -> Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            return super().forward(input_ids).float()


def sdpa(m: Written, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    q, k, v = split(q), split(k), split(v)
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~causal_mask(q.shape[2]), -math.inf)
    m.truth = scores.detach().softmax(-1)
    out = F.scaled_dot_product_attention(
        q, k, v, is_causal=True, dropout_p=m.drop.p if m.training else 0.0
    )
    return join(out)


def loss_of(model: nn.Module, batch: Tensor) -> Tensor:
    logits = model(batch)
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), batch[:, 1:].flatten())
