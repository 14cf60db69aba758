"""How much each head adds to its layer's output, once the output projection is known.

The result of weights times values is followed to the linear layer that takes it. A head's part of
that layer's output is its own slice of the projection applied to its own output; its contribution
is the norm of that part over the norm of the sum of all parts (the bias is nobody's).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from attn_debugger.recording.statistics import accumulate_dtype

_ROWS = 16  # evenly spaced queries: enough for a ratio of norms, cheap for any length
_ADDMM = frozenset({torch.addmm, Tensor.addmm})


def projection_weight(function: Any, args: Sequence[Any], source: Tensor) -> Tensor | None:
    """Return the (out, in) weight when this call is a linear layer that takes `source`."""
    weight: Any = None
    if function is functional.linear and len(args) > 1 and args[0] is source:
        weight = args[1]
    elif function in _ADDMM and len(args) > 2 and args[1] is source:  # GPT-2's Conv1D
        weight = args[2].t() if isinstance(args[2], Tensor) else None
    if not isinstance(weight, Tensor) or weight.ndim != 2 or hasattr(weight, "to_local"):
        return None
    return weight if weight.shape[1] == source.shape[-1] else None


def contributions(output: Tensor, weight: Tensor) -> Tensor | None:
    """Return (S, H): norm of each head's part over the norm of the layer's output.

    `output` (S, H, Q, d) per head; `weight` (D, H * d), heads one after the other. None when the
    widths do not fit.
    """
    _, heads, n_queries, width = output.shape
    if weight.shape[1] != heads * width or not n_queries:
        return None
    rows = torch.linspace(0, n_queries - 1, min(_ROWS, n_queries)).long().to(output.device)
    slices = accumulate_dtype(weight.detach()).view(-1, heads, width)  # (D, H, d)
    parts = torch.einsum("shqd,ohd->shqo", accumulate_dtype(output[:, :, rows]), slices)
    total = torch.linalg.vector_norm(parts.sum(1), dim=(-2, -1))  # (S,)
    own = torch.linalg.vector_norm(parts, dim=(-2, -1))  # (S, H)
    shares: Tensor = (own / torch.where(total > 0, total, torch.nan)[:, None]).float()
    return shares
