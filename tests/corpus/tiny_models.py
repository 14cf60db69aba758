"""Twenty small healthy trainings of different architecture, task and seed, recorded for real."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from attn_debugger import record


class Attention(nn.Module):
    """Hand-written attention: causal or not, with rotary or learned positions outside."""

    def __init__(self, width: int, heads: int, *, causal: bool, dropout: float = 0.0) -> None:
        super().__init__()
        self.heads, self.causal, self.rate = heads, causal, dropout
        self.inward = nn.Linear(width, 3 * width)
        self.outward = nn.Linear(width, width)

    def forward(self, x: Tensor, padding: Tensor | None = None) -> Tensor:
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, -1).transpose(1, 2)
            for part in self.inward(x).chunk(3, dim=-1)
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if self.causal:
            future = torch.ones(length, length, dtype=torch.bool).triu(1)
            scores = scores.masked_fill(future, float("-inf"))
        if padding is not None:
            scores = scores.masked_fill(padding[:, None, None], float("-inf"))
        weights = functional.dropout(torch.softmax(scores, dim=-1), self.rate, self.training)
        return self.outward((weights @ v).transpose(1, 2).reshape(batch, length, width))


class Fused(Attention):
    """The same through scaled_dot_product_attention."""

    def forward(self, x: Tensor, padding: Tensor | None = None) -> Tensor:
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, -1).transpose(1, 2)
            for part in self.inward(x).chunk(3, dim=-1)
        )
        keep = None if padding is None else ~padding[:, None, None]
        out = functional.scaled_dot_product_attention(
            q, k, v, attn_mask=keep, is_causal=self.causal
        )
        return self.outward(out.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, attention: nn.Module, width: int, *, pre_norm: bool) -> None:
        super().__init__()
        self.attention, self.pre = attention, pre_norm
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width)
        )

    def forward(self, x: Tensor, padding: Tensor | None = None) -> Tensor:
        if self.pre:
            x = x + self.attention(self.first(x), padding)
            return x + self.mlp(self.second(x))
        x = self.first(x + self.attention(x, padding))
        return self.second(x + self.mlp(x))


class Model(nn.Module):
    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        kind = Fused if recipe.fused else Attention
        options = {"causal": recipe.causal}
        if not recipe.fused:
            options["dropout"] = recipe.dropout
        self.tokens = nn.Embedding(recipe.vocabulary, recipe.width)
        self.places = nn.Embedding(64, recipe.width)
        nn.init.normal_(self.tokens.weight, std=0.5)
        nn.init.normal_(self.places.weight, std=0.5)
        self.blocks = nn.ModuleList(
            Block(
                kind(recipe.width, recipe.heads, **options),
                recipe.width,
                pre_norm=recipe.pre_norm,
            )
            for _ in range(recipe.layers)
        )
        self.head = nn.Linear(recipe.width, recipe.vocabulary)

    def forward(self, ids: Tensor, padding: Tensor | None = None) -> Tensor:
        x = self.tokens(ids) + self.places(torch.arange(ids.shape[1]))
        for block in self.blocks:
            x = block(x, padding)
        return self.head(x)


class Torch(nn.Module):
    """PyTorch's own encoder, in training mode."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        self.tokens = nn.Embedding(recipe.vocabulary, recipe.width)
        self.places = nn.Embedding(64, recipe.width)
        layer = nn.TransformerEncoderLayer(
            recipe.width,
            recipe.heads,
            2 * recipe.width,
            recipe.dropout,
            batch_first=True,
            norm_first=recipe.pre_norm,
        )
        self.encoder = nn.TransformerEncoder(layer, recipe.layers, enable_nested_tensor=False)
        self.head = nn.Linear(recipe.width, recipe.vocabulary)

    def forward(self, ids: Tensor, padding: Tensor | None = None) -> Tensor:
        x = self.tokens(ids) + self.places(torch.arange(ids.shape[1]))
        return self.head(self.encoder(x, src_key_padding_mask=padding))


@dataclass(frozen=True)
class Recipe:
    name: str
    task: str = "language"
    seed: int = 0
    layers: int = 2
    heads: int = 4
    width: int = 32
    length: int = 24
    vocabulary: int = 16
    steps: int = 120
    rate: float = 3e-3
    dropout: float = 0.0
    pre_norm: bool = True
    fused: bool = False
    torch_encoder: bool = False
    probe: bool = False

    @property
    def causal(self) -> bool:
        return self.task in ("language", "copy")


RECIPES = (
    Recipe("language"),
    Recipe("language-probe", probe=True, seed=1, steps=200),
    Recipe("language-deep", layers=4, heads=2, seed=2),
    Recipe("language-wide", heads=8, width=64, seed=3),
    Recipe("language-fused", fused=True, seed=4),
    Recipe("language-post-norm", pre_norm=False, seed=5),
    Recipe("language-dropout", dropout=0.1, seed=6),
    Recipe("copy", task="copy", seed=7, steps=300),
    Recipe("copy-probe", task="copy", probe=True, seed=8, steps=300),
    Recipe("copy-fused", task="copy", fused=True, seed=9, steps=200),
    Recipe("reverse", task="reverse", seed=10, steps=300, length=12),
    Recipe("reverse-probe", task="reverse", probe=True, seed=11, steps=300, length=16),
    Recipe("reverse-one-head", task="reverse", heads=1, seed=12, steps=300, length=16),
    Recipe("padded", task="padded", seed=13),
    Recipe("padded-fused", task="padded", fused=True, seed=14),
    Recipe("padded-torch", task="padded", torch_encoder=True, seed=15),
    Recipe("torch-dropout", task="padded", torch_encoder=True, dropout=0.1, seed=16),
    Recipe("torch-post-norm", task="reverse", torch_encoder=True, pre_norm=False, seed=17),
    Recipe("fast-rate", rate=1e-2, seed=18),
    Recipe("short-sequences", length=6, seed=19),
)


def batch(recipe: Recipe, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor | None]:
    """Inputs, targets and padding; -100 = no target."""
    size, length = 16, recipe.length
    ids = torch.randint(2, recipe.vocabulary, (size, length), generator=generator)
    if recipe.task == "language":  # a walk: the next token is near the last one
        steps = torch.randint(0, 3, (size, length), generator=generator)
        ids = 2 + (ids[:, :1] + steps.cumsum(1)) % (recipe.vocabulary - 2)
    if recipe.task == "copy":
        half = length // 2
        ids[:, half : 2 * half] = ids[:, :half]
    if recipe.causal:
        targets = torch.roll(ids, -1, 1)
        targets[:, -1] = -100
        return ids, targets, None
    if recipe.task == "reverse":
        return ids, ids.flip(1), None
    lengths = torch.randint(length // 2, length + 1, (size,), generator=generator)
    padding = torch.arange(length)[None] >= lengths[:, None]
    ids = ids.masked_fill(padding, 0)
    targets = torch.roll(ids, 1, 1).masked_fill(padding, -100)
    return ids, targets, padding


def train(recipe: Recipe, path: Path) -> list[float]:
    """Train and record; return the losses."""
    torch.manual_seed(recipe.seed)
    generator = torch.Generator().manual_seed(recipe.seed)
    make: Callable[[Recipe], nn.Module] = Torch if recipe.torch_encoder else Model
    model = make(recipe)
    optimizer = torch.optim.Adam(model.parameters(), lr=recipe.rate)
    fixed = batch(recipe, generator)
    losses = []
    attributes: dict[str, object] = {"causal": recipe.causal}
    if recipe.probe:
        attributes["probe_fixed"] = True
    with record(
        model,
        path,
        every=max(1, recipe.steps // 12),
        scores=True,
        attributes=attributes,
    ) as recorder:
        for step in range(recipe.steps):
            for group in optimizer.param_groups:
                group["lr"] = recipe.rate * min(1.0, (step + 1) / 20)
            if recipe.probe:
                ids, _, padding = fixed
                with torch.no_grad(), recorder.step(step, stream="probe", tokens=ids):
                    model(ids, padding)
            ids, targets, padding = batch(recipe, generator)
            with recorder.step(step, tokens=ids, key_padding=padding):
                logits = model(ids, padding)
            loss = functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
            optimizer.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            recorder.log(loss=loss, grad_norm=norm, lr=optimizer.param_groups[0]["lr"])
            losses.append(float(loss.detach()))
    return losses


class SequenceToSequence(nn.Module):
    """PyTorch's own encoder and decoder: self-, causal and cross-attention with padding."""

    def __init__(self, vocabulary: int, width: int = 32) -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(64, width)
        encoder = nn.TransformerEncoderLayer(
            width, 4, 2 * width, 0.1, batch_first=True, norm_first=True
        )
        decoder = nn.TransformerDecoderLayer(
            width, 4, 2 * width, 0.1, batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(encoder, 2, enable_nested_tensor=False)
        self.decoder = nn.TransformerDecoder(decoder, 2)
        self.head = nn.Linear(width, vocabulary)

    def _embed(self, ids: Tensor) -> Tensor:
        return self.tokens(ids) + self.places(torch.arange(ids.shape[1]))

    def forward(self, source: Tensor, target: Tensor, padding: Tensor) -> Tensor:
        mask = nn.Transformer.generate_square_subsequent_mask(target.shape[1])
        memory = self.encoder(self._embed(source), src_key_padding_mask=padding)
        hidden = self.decoder(
            self._embed(target),
            memory,
            tgt_mask=mask,
            memory_key_padding_mask=padding,
            tgt_is_causal=True,
        )
        return self.head(hidden)


def train_reversal(path: Path, steps: int = 200) -> list[float]:
    """Reverse padded sequences with an encoder and a decoder; return the losses."""
    torch.manual_seed(0)
    model, length, vocabulary = SequenceToSequence(12), 12, 12
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    losses = []
    with record(model, path, every=20, samples=2, scores=True, qk=True) as recorder:
        for step in range(steps):
            ids = torch.randint(2, vocabulary, (16, length))
            padding = torch.arange(length)[None] >= torch.randint(6, length + 1, (16, 1))
            source = ids.masked_fill(padding, 0)
            target = source.flip(1)
            start = torch.ones(16, 1, dtype=torch.long)
            with recorder.step(step, key_padding=padding):
                logits = model(source, torch.cat([start, target[:, :-1]], 1), padding)
            loss = functional.cross_entropy(logits.flatten(0, 1), target.flatten())
            optimizer.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            recorder.log(loss=loss, grad_norm=norm, lr=3e-3)
            losses.append(float(loss.detach()))
    return losses
