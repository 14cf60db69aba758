"""How weights change between their softmax and their product with values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from torch import Tensor

from attn_debugger.recording.capture import ops
from attn_debugger.recording.capture.products import Product, einsum_axes
from attn_debugger.recording.capture.tags import ScoreTag, WeightTag


def next_weight(function: Any, tag: WeightTag, source: Tensor, out: Tensor) -> WeightTag:
    """Return the mark of `out`, what `function` made of weights: its value until dropout."""
    if function in ops.DROPOUT:
        return replace(tag, dropped=True)
    if out.shape[-1] < source.shape[-1] and tag.value.shape == source.shape:
        # weights[..., :-1]: the column of an attention sink, dropped before the values
        scores = tag.scores[..., : out.shape[-1]]
        return replace(tag, value=out.detach(), scores=scores, sink=True, is_softmax=False)
    if tag.dropped or function in ops.REARRANGE:
        return tag
    last = tag.dim % tag.value.ndim == tag.value.ndim - 1
    if out.shape == tag.value.shape or last:
        dim = tag.dim if out.ndim == tag.value.ndim else -1
        return replace(tag, value=out.detach(), dim=dim, is_softmax=False)
    return tag


def weights_without_softmax(tag: ScoreTag, product: Product, position: int) -> WeightTag | None:
    """Read exp/sum, log_softmax.exp, sigmoid ... as weights once they multiply values."""
    value, scores = tag.value, tag.before_nonlinearity
    if value is None or scores is None or position != 0 or value.ndim < 2:
        return None
    if value.shape != product.operands[0].shape or value.shape != scores.shape:
        return None
    if product.equation is not None:
        axes = einsum_axes(product.equation, 0, value.ndim)
        if axes is None or axes.key_axis != value.ndim - 1:
            return None
    if not bool((value >= 0).all()):
        return None
    return WeightTag(
        scores=scores,
        value=value,
        dim=-1,
        is_softmax=False,
        owner=tag.owner,
        product=tag,
        compute_dtype=value.dtype,
    )
