"""What the weights of a head say about the scores it can make.

A score is x_q^T (W_q^T W_k) x_k / sqrt(d_head): its size is bounded by the spectral norm of the
small product, so "scores grow because W_q grows" can be read off the checkpoints.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor

from attn_debugger.model.heads import HeadWeights


def per_head(weights: HeadWeights) -> dict[str, tuple[float, ...]] | None:
    """Return one number a head under each name; None when a projection holds NaN or infinities.

    - `score_gain`: largest singular value of W_q^T W_k / sqrt(d_head) (Zhai et al. 2023 bound
      the attention entropy by it); multiply by the squared norm of the inputs for a score.
    - `query_norm`, `key_norm`, `value_norm`, `output_norm`: Frobenius norms.
    - `trace_ratio`: trace / nuclear norm of W_q^T W_k; 1.00 exactly when both share weights.
    - `stable_rank`: squared Frobenius over squared spectral norm of W_q^T W_k.
    """
    query, key = weights.query.float(), weights.key.float()
    if not (torch.isfinite(query).all() and torch.isfinite(key).all()):
        return None
    if query.shape[2] != key.shape[2]:  # cross-attention over another width: no common product
        return _norms(weights)
    # Grouped queries: query heads g*n .. g*n + n - 1 read key head g.
    key = key.repeat_interleave(query.shape[0] // key.shape[0], dim=0)
    singular = _product_spectrum(query, key)
    largest = singular[:, 0]
    d_head = query.shape[1]
    nuclear = singular.sum(dim=1)
    trace = (query * key).sum(dim=(1, 2))
    safe = torch.where(largest > 0, largest, torch.ones_like(largest))
    numbers = {
        "score_gain": largest / math.sqrt(d_head),
        "trace_ratio": trace / torch.where(nuclear > 0, nuclear, torch.ones_like(nuclear)),
        "stable_rank": singular.square().sum(dim=1) / safe.square(),
    }
    return _lists(numbers) | _norms(weights)


def initial_std(weight: Tensor) -> Mapping[str, float]:
    """Return the standard deviation of a projection (out, in) beside what initialisers give.

    `xavier` is sqrt(2 / (in + out)) (Glorot and Bengio 2010), `kaiming` sqrt(2 / in) (He et al.
    2015), `pytorch` 1 / sqrt(3 in): the default of `nn.Linear`.
    """
    out, width = weight.shape
    return {
        "std": float(weight.detach().float().std()),
        "xavier": math.sqrt(2.0 / (width + out)),
        "kaiming": math.sqrt(2.0 / width),
        "pytorch": 1.0 / math.sqrt(3.0 * width),
    }


def _product_spectrum(query: Tensor, key: Tensor) -> Tensor:
    """Return the singular values (head, min(d_head, in)) of W_q^T W_k, descending.

    W_q^T = Q_1 R_1 and W_k^T = Q_2 R_2, so the singular values are those of R_1 R_2^T: a d_head
    square instead of a d_model square.
    """
    product = query.transpose(1, 2) @ key if query.shape[1] >= query.shape[2] else None
    if product is None:
        r_query = torch.linalg.qr(query.transpose(1, 2), mode="r").R
        r_key = torch.linalg.qr(key.transpose(1, 2), mode="r").R
        product = r_query @ r_key.transpose(1, 2)
    singular: Tensor = torch.linalg.svdvals(product)
    return singular


def _norms(weights: HeadWeights) -> dict[str, tuple[float, ...]]:
    n_heads = weights.query.shape[0]
    parts = {
        "query_norm": weights.query,
        "key_norm": weights.key,
        "value_norm": weights.value,
        "output_norm": weights.output,
    }
    numbers = {}
    for name, part in parts.items():
        if part is None:
            continue
        norms = torch.linalg.vector_norm(part.float(), dim=(1, 2))
        if torch.isfinite(norms).all():
            numbers[name] = norms.repeat_interleave(n_heads // norms.shape[0])
    return _lists(numbers)


def _lists(numbers: Mapping[str, Tensor]) -> dict[str, tuple[float, ...]]:
    return {name: tuple(values.tolist()) for name, values in numbers.items()}
