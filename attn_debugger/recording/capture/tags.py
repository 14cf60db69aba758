"""Marks that follow tensors through a forward: this one is scores, that one weights.

A mark hangs on a tensor object, not on its storage, and dies with it.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from itertools import count

import torch
from torch import Tensor

from attn_debugger.recording.capture.memory import Memory

_serials = count()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTag:
    """A product of two activations, or what became of it before any softmax."""

    owner: str | None  # path of the module the product was computed in
    q: Tensor | None = None
    k: Tensor | None = None
    queries_in: Memory | None = None  # where q and k lie, as they came into the product
    keys_in: Memory | None = None
    merge: tuple[int, int] | None = None
    unmasked: Tensor | None = None  # its value just before a mask went in
    value: Tensor | None = None  # its latest value before dropout
    before_nonlinearity: Tensor | None = None  # set once exp, sigmoid ... was applied
    added: Tensor | None = None  # a bool on the device: whether anything but a mask was added
    multiplied: bool = False  # by more than a number
    dropped: bool = False  # dropout sits between the product and the softmax
    dropout: float = 0.0  # its probability


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightTag:
    """The result of a softmax, or what became of it."""

    scores: Tensor
    value: Tensor  # before dropout, in the layout it had when it last changed
    dim: int  # the softmax axis of `value`
    owner: str | None
    product: ScoreTag | None  # None: the scores were not seen to be a product
    compute_dtype: torch.dtype
    dropped: bool = False
    dropout: float = 0.0  # probability with which weights are dropped after the softmax
    sink: bool = False
    is_softmax: bool = True  # `value` is still what the softmax gave
    serial: int = field(default_factory=lambda: next(_serials))


@dataclass(frozen=True, slots=True)
class MergeTag:
    """Two leading axes of these sizes were merged into one."""

    sizes: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ScaledTag:
    """An activation multiplied by this number (a query scaled before its product)."""

    factor: float
    merge: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class OutputTag:
    """What an attention put out, on its way to the output projection."""

    capture: int  # which of the session's captures
    output: Tensor  # (S, H, Q, dv) of the sampled items


Tag = OutputTag | ScoreTag | WeightTag | MergeTag | ScaledTag


class TagTable:
    """Tensor object -> mark."""

    def __init__(self) -> None:
        self._tags: dict[int, tuple[weakref.ref[Tensor], Tag]] = {}

    def __len__(self) -> int:
        return len(self._tags)

    def set(self, tensor: object, tag: Tag) -> None:
        """Mark `tensor`; anything that is no tensor is passed over."""
        if not isinstance(tensor, Tensor):
            return
        key, tags = id(tensor), self._tags
        tags[key] = (weakref.ref(tensor, lambda _: tags.pop(key, None)), tag)

    def get(self, tensor: object) -> Tag | None:
        """Return the mark of exactly this tensor object."""
        entry = self._tags.get(id(tensor))
        return entry[1] if entry is not None and entry[0]() is tensor else None

    def discard(self, tensor: object) -> None:
        """Forget the mark of `tensor`, if it has one."""
        self._tags.pop(id(tensor), None)

    def clear(self) -> None:
        """Forget everything."""
        self._tags.clear()
