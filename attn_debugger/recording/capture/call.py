"""What the capture hands over: one attention call, seen while the model ran."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from attn_debugger.recording.capture.memory import Memory, Origin
from attn_debugger.recording.statistics import HeadStatistics


class RowBlock(NamedTuple):
    """Some query rows of the sampled items: S samples, H heads, q rows, K keys.

    K may be less than the call has: keys that all of these rows are barred from are left out.
    """

    rows: slice
    scores: Tensor  # (S, H, q, K) after scale and bias; masked cells hold any value
    keep: Tensor | None  # bool, broadcastable to scores; True = not masked; None = nothing masked
    weights: Tensor  # (S, H, q, K) before dropout
    is_softmax: bool = False  # the weights are exactly the softmax of the kept scores
    masked_is_zero: bool = False  # masked cells weigh nothing, by construction
    barred: Tensor | None = None  # the scores with -inf in the masked cells, where at hand


class ScoreSource(Protocol):
    """Scores and weights of the sampled items, a block of query rows at a time."""

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """(S, H, Q, K)"""
        ...

    @property
    def device(self) -> torch.device: ...

    def blocks(self, rows: int) -> Iterator[RowBlock]:
        """Yield blocks of at most `rows` query rows, in order."""
        ...


@dataclass(slots=True, kw_only=True)
class AttentionCall:
    """One attention, of the sampled items of the batch. Tensors are detached.

    q (S, H, Q, d), k (S, Hk, K, d), v and output are whatever the call had, for the sampled items
    where that can be told and the whole batch otherwise.
    """

    path: str | None = None  # None = that of the module running now
    backend: str  # "sdpa", "softmax", "mha", "flex", "adapter"
    source: ScoreSource
    batch: int
    compute_dtype: torch.dtype
    source_dtype: torch.dtype
    q: Tensor | None = None
    k: Tensor | None = None
    v: Tensor | None = None
    output: Tensor | None = None  # (S, H, Q, dv) where known
    entered: Tensor | None = None  # (S, ...) what entered the layer
    scale: float | None = None  # given explicitly in the call
    is_causal: bool = False  # said by the call itself
    key_padding: Tensor | None = None  # (S, K) True = padding, said by the call itself
    is_cross: bool | None = None  # None = the call does not tell
    sink: bool = False  # rows may sum below 1: a sink column was dropped
    dropout: float = 0.0  # probability the model drops weights with (the stored ones are before)
    score_dropout: float = 0.0  # probability it drops scores with, before the softmax
    scores_known: bool = True  # False: only finished weights were handed over
    order: int = 0
    notes: tuple[str, ...] = ()
    items: tuple[int, ...] | None = None  # of its samples, those whose maps are stored; None = all
    added: Tensor | None = None  # a bool: whether the scores hold more than q k^T and a mask
    multiplied: bool = False  # whether they were multiplied by more than a number
    queries_in: Memory | None = None  # where q and k lie, as the call was given them
    keys_in: Memory | None = None
    origin: Origin | None = None


@dataclass(slots=True, kw_only=True)
class Capture:
    """A measured attention call, ready to leave the device. S samples, H heads."""

    path: str
    call: int  # which call of this path in its forward, from zero
    forward: int  # which forward of the model in this step, from zero
    order: int  # place in the forward
    backend: str
    weights: Tensor | None  # (S, H, Q, K) in the storage dtype
    scores: Tensor | None  # (S, H, Q, K)
    q: Tensor | None  # (S, H, Q, d)
    k: Tensor | None  # (S, Hk, K, d)
    keep: Tensor | None  # bool (S, 1, Q, K): the mask as it was applied, of the first head
    stats: dict[str, Tensor]  # name -> (S, H) float32
    shape: tuple[int, int, int, int]  # (S, H, Q, K) before any cut
    facts: dict[str, object] = field(default_factory=dict)  # attributes the call shows
    key_padding: Tensor | None = None
    is_cross: bool | None = None
    notes: tuple[str, ...] = ()
    added: Tensor | None = None
    multiplied: bool = False
    origin: Origin | None = None  # until the step ends
    raw: HeadStatistics | None = None  # what `stats` were made of, until the step ends

    @property
    def kept_keys(self) -> int:
        """Keys of the stored map: fewer than `shape` says where it was cut to `max_tokens`."""
        return self.shape[3] if self.weights is None else int(self.weights.shape[3])
