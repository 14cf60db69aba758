"""The small Transformers that the demo runs train, each classic mistake one field of `Design`.

    model = TinyTransformer(Design(vocabulary=32, width=64, heads=4, layers=2, length=40))
    logits = model(input_ids)  # (sample, position, vocabulary)

Attention is written out by hand (scores, softmax, matmul), as people write it when it goes wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """How a demo model is built. Every default is the healthy choice."""

    vocabulary: int
    width: int
    heads: int
    layers: int
    length: int  # longest sequence: size of the position table
    hidden: int = 0  # width of the feed-forward part; 0 = attention only
    classes: int = 0  # > 0: one answer a sequence, read at position 0; 0: one a position
    causal: bool = True
    masks_padding: bool = True  # False: `attention_mask` is accepted and forgotten
    positions: bool = True
    scales_scores: bool = True  # False: softmax(q.k) without 1/sqrt(d_head)
    shares_query_key: bool = False  # True: k = self.query(x), a slip of the pen
    projection_std: float | None = None  # init of W_q and W_k; None = PyTorch's own


class SelfAttention(nn.Module):
    """Multi-head self-attention as in Vaswani et al. 2017, with the mistakes of `Design`."""

    def __init__(self, design: Design) -> None:
        super().__init__()
        if design.width % design.heads:
            raise ValueError(f"{design.heads} heads do not divide a width of {design.width}")
        self.heads = design.heads
        self.d_head = design.width // design.heads
        self.scale = 1.0 / math.sqrt(self.d_head) if design.scales_scores else 1.0
        self.shares_query_key = design.shares_query_key
        self.query = nn.Linear(design.width, design.width, bias=False)
        self.key = nn.Linear(design.width, design.width, bias=False)
        self.value = nn.Linear(design.width, design.width, bias=False)
        self.out = nn.Linear(design.width, design.width, bias=False)
        if design.projection_std is not None:
            nn.init.normal_(self.query.weight, std=design.projection_std)
            nn.init.normal_(self.key.weight, std=design.projection_std)

    def forward(self, x: Tensor, allowed: Tensor | None) -> Tensor:
        """Mix (sample, position, width); `allowed` is (sample or 1, 1, query or 1, key) or None."""
        q = self._split(self.query(x))
        k = self._split(self.query(x) if self.shares_query_key else self.key(x))
        v = self._split(self.value(x))
        scores = q @ k.transpose(-2, -1)
        if self.scale != 1.0:
            scores = scores * self.scale
        if allowed is not None:
            scores = scores.masked_fill(~allowed, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        mixed: Tensor = self.out((weights @ v).transpose(1, 2).flatten(2))
        return mixed

    def _split(self, x: Tensor) -> Tensor:
        # (sample, position, width) -> (sample, head, position, d_head)
        samples, length, _ = x.shape
        return x.view(samples, length, self.heads, self.d_head).transpose(1, 2)


class Block(nn.Module):
    """Pre-norm residual block: attention, then (if the design has one) a feed-forward part."""

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(design.width)
        self.attention = SelfAttention(design)
        self.feed_forward = (
            nn.Sequential(
                nn.LayerNorm(design.width),
                nn.Linear(design.width, design.hidden),
                nn.GELU(),
                nn.Linear(design.hidden, design.width),
            )
            if design.hidden
            else None
        )

    def forward(self, x: Tensor, allowed: Tensor | None) -> Tensor:
        """Transform (sample, position, width); `allowed` as in `SelfAttention`."""
        x = x + self.attention(self.attention_norm(x), allowed)
        return x if self.feed_forward is None else x + self.feed_forward(x)


class TinyTransformer(nn.Module):
    """Embeddings, a stack of blocks, a linear head."""

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.design = design
        self.token_embedding = nn.Embedding(design.vocabulary, design.width)
        self.position_embedding = (
            nn.Embedding(design.length, design.width) if design.positions else None
        )
        self.blocks = nn.ModuleList(Block(design) for _ in range(design.layers))
        self.norm = nn.LayerNorm(design.width)
        self.head = nn.Linear(design.width, design.classes or design.vocabulary, bias=False)
        # Tokens and positions enter the first layer about equally loud.
        nn.init.normal_(self.token_embedding.weight, std=0.5)
        if self.position_embedding is not None:
            nn.init.normal_(self.position_embedding.weight, std=0.5)

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        """Return logits (sample, position, vocabulary), or (sample, class) for a classifier.

        `input_ids` is (sample, position); `attention_mask` too, True where a token is real.
        """
        x = self.token_embedding(input_ids)
        if self.position_embedding is not None:
            x = x + self.position_embedding.weight[: input_ids.shape[1]]
        allowed = self._allowed(input_ids, attention_mask)
        for block in self.blocks:
            x = block(x, allowed)
        x = self.norm(x)
        logits: Tensor = self.head(x[:, 0] if self.design.classes else x)
        return logits

    def _allowed(self, input_ids: Tensor, attention_mask: Tensor | None) -> Tensor | None:
        allowed = None
        if self.design.causal:
            length = input_ids.shape[1]
            allowed = torch.ones(length, length, dtype=torch.bool, device=input_ids.device).tril()
            allowed = allowed[None, None]
        if attention_mask is not None and self.design.masks_padding:
            real = attention_mask.bool()[:, None, None, :]
            allowed = real if allowed is None else allowed & real
        return allowed
