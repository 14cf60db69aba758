"""How two runs of a model are compared: what changed, and by how much of what was there."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from attn_debugger.core.words import say
from attn_debugger.recording.capture.call import Capture

_CORRELATED = 0.98  # SIGNALS: below this, scores are not a multiple of q.k


def other_tokens(ids: Tensor) -> Tensor:
    """Return ids that differ from these wherever possible, drawn from the batch itself."""
    vocabulary = torch.unique(ids)
    place = torch.searchsorted(vocabulary, ids.contiguous())
    others: Tensor = vocabulary[(place + 1 + len(vocabulary) // 2) % len(vocabulary)]
    return others


def of_tokens(output: Tensor, real: Tensor) -> Tensor:
    """Return the outputs of real tokens, or all where there is one answer a sequence."""
    return output[real] if output.ndim > 2 and output.shape[1] == real.shape[1] else output


def largest_change(before: Tensor, after: Tensor) -> float:
    """Return the largest change as a share of the spread of the values."""
    spread = float(before.double().std()) if before.numel() > 1 else 0.0
    largest = float((before.double() - after.double()).abs().max()) if before.numel() else 0.0
    if math.isnan(largest):
        return math.inf
    return 0.0 if largest == 0 else largest / max(spread, 1e-12)


def relative_error(coarse: Tensor, exact: Tensor) -> float:
    """Return the norm of the error over the norm of the exact values."""
    exact = exact.double()
    size = float(torch.linalg.vector_norm(exact))
    return float(torch.linalg.vector_norm(coarse.double() - exact)) / max(size, 1e-12)


def percent(share: float) -> str:
    """Say the result of `largest_change` in words."""
    return (
        say("{share:.2%} of their spread", share=share)
        if share < 10
        else say("{share:.0f} times their spread", share=share)
    )


def masked_future(captures: Sequence[Capture]) -> bool:
    """Return whether the first square attention leaves every key after its query at zero."""
    for capture in captures:
        weights = capture.weights
        if weights is not None and weights.shape[-1] == weights.shape[-2]:
            return not bool(torch.triu(weights.nan_to_num(1.0), 1).any())
    return False


def scale_factor(capture: Capture, declared: float | None) -> float | None:
    """Return beta = <S, S'> / <S', S'> with S' = q.k times the scale; None = not a multiple."""
    if capture.q is None or capture.k is None or capture.scores is None:
        return None
    q, k, scores = capture.q, capture.k, capture.scores
    if q.shape[:2] != scores.shape[:2] or scores.shape[1] % k.shape[1]:
        return None
    k = k.repeat_interleave(scores.shape[1] // k.shape[1], dim=1)
    scale = 1 / math.sqrt(q.shape[-1]) if declared is None else declared
    product = (q @ k.transpose(-2, -1) * scale).flatten()
    values = scores.flatten()
    keep = torch.isfinite(values) & torch.isfinite(product)
    product, values = product[keep].double(), values[keep].double()
    square = float(product @ product)
    if square == 0 or not float(values @ values):
        return None
    beta = float(values @ product) / square
    correlated = float(values @ product) / math.sqrt(square * float(values @ values))
    return beta if correlated >= _CORRELATED else None
