"""What goes into scores beside q k^T, a number and a mask: position terms, learned factors.

Such scores are not what q and k alone would give, and that is no fault: it is told with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from attn_debugger.recording.capture import ops
from attn_debugger.recording.capture.layout import unwrap_functorch
from attn_debugger.recording.capture.sources import MASKED_BELOW
from attn_debugger.recording.capture.tags import ScoreTag

_SUMS = ops.ADD | ops.ADD_INPLACE | ops.SUBTRACT
_FACTORS = ops.MULTIPLY | ops.DIVIDE | ops.MULTIPLY_INPLACE


def with_terms(function: Any, tag: ScoreTag, scores: Tensor, args: Sequence[Any]) -> ScoreTag:
    """Return the mark of scores once `function(*args)` has worked its other operands in."""
    others = [value for value in args if isinstance(value, Tensor) and value is not scores]
    if not others:
        return tag
    if function in _SUMS:
        for other in others:
            tag = replace(tag, added=either(tag.added, adds_something(other)))
    elif function in _FACTORS and any(other.numel() > 1 for other in others):
        tag = replace(tag, multiplied=True)
    return tag


def adds_something(term: Tensor) -> Tensor:
    """Return a bool on the device: whether `term` is more than a mask of zeros and huge negatives.

    Only its first item along the leading axis is looked at: a position term is no matter of one.
    """
    term = unwrap_functorch(term.detach())[0]
    if term.dtype == torch.bool or not term.numel():
        return torch.zeros((), dtype=torch.bool, device=term.device)
    part = term[:1] if term.ndim > 2 else term
    return ((part > MASKED_BELOW) & (part != 0)).any()


def either(first: Tensor | None, second: Tensor) -> Tensor:
    """Return `first or second`, without reading either."""
    return second if first is None else first | second
