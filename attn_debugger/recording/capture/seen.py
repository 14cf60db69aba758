"""What the chains hand over: attention that was proved, and softmaxes that were not attention."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from attn_debugger.recording.capture.tags import WeightTag


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenAttention:
    """A chain that proved to be attention; tensors of the whole batch in the model's own layout."""

    path: str | None
    tag: WeightTag
    order: tuple[int, ...] | None = None  # axes of weights that bring (lead..., query, key)
    values: Tensor | None = None  # (lead..., K, dv)
    output: Tensor | None = None  # (lead..., Q, dv)
    notes: tuple[str, ...] = ()
    confirmed: bool = True  # False: the weights were not seen multiplying values


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A softmax that was not taken for attention, and why."""

    path: str | None
    shape: tuple[int, ...]
    reason: str
