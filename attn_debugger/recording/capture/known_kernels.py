"""Kernels of other packages that are read by the name of their operator: flash-attn.

The package registers its kernels as torch operators (`flash_attn::_flash_attn_forward` and
`flash_attn::_flash_attn_varlen_forward`, flash-attn 2.7 and later), so a function mode sees them.
Queries stand as (B, L, H, d), packed sequences as (tokens, H, d) with their offsets. Its causal
mask is aligned to the bottom right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

_DENSE = (
    *("q", "k", "v", "dropout_p", "softmax_scale", "causal"),
    *("window_size_left", "window_size_right", "softcap", "alibi_slopes"),
)
_PACKED = (
    *("q", "k", "v", "cu_seqlens_q", "cu_seqlens_k", "max_seqlen_q", "max_seqlen_k"),
    *("dropout_p", "softmax_scale", "causal", "window_size_left", "window_size_right"),
    *("softcap", "alibi_slopes"),
)


def read_flash(
    args: Sequence[Any], kwargs: Mapping[str, Any], out: Any
) -> Mapping[str, Any] | None:
    """Read a call of `flash_attn::_flash_attn_forward`; None where scores are capped or biased."""
    given = {**dict(zip(_DENSE, args, strict=False)), **kwargs}
    if given.get("softcap") or given.get("alibi_slopes") is not None:
        return None
    q, k, v = (given[name].transpose(1, 2) for name in ("q", "k", "v"))
    return {"q": q, "k": k, "v": v, "scale": given["softmax_scale"], "mask": _mask(q, k, given)}


def read_flash_packed(
    args: Sequence[Any], kwargs: Mapping[str, Any], out: Any
) -> Mapping[str, Any] | None:
    """Read a call of `flash_attn::_flash_attn_varlen_forward`: its first sequence."""
    given = {**dict(zip(_PACKED, args, strict=False)), **kwargs}
    if given.get("softcap") or given.get("alibi_slopes") is not None:
        return None
    ends = {"q": int(given["cu_seqlens_q"][1]), "k": int(given["cu_seqlens_k"][1])}
    ends["v"] = ends["k"]
    q, k, v = (given[name][: ends[name]].transpose(0, 1)[None] for name in ("q", "k", "v"))
    return {"q": q, "k": k, "v": v, "scale": given["softmax_scale"], "mask": _mask(q, k, given)}


def _mask(q: Tensor, k: Tensor, given: Mapping[str, Any]) -> Tensor | None:
    """Return (Q, K) True = allowed, or None when every key is."""
    left, right = given.get("window_size_left", -1), given.get("window_size_right", -1)
    right = 0 if given.get("causal") else right
    if left < 0 and right < 0:
        return None
    offset = k.shape[2] - q.shape[2]
    queries = torch.arange(q.shape[2], device=q.device)[:, None] + offset
    keys = torch.arange(k.shape[2], device=q.device)
    allowed = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool, device=q.device)
    if right >= 0:
        allowed &= keys <= queries + right
    if left >= 0:
        allowed &= keys >= queries - left
    return allowed


KNOWN = {
    "flash_attn._flash_attn_forward": read_flash,
    "flash_attn._flash_attn_varlen_forward": read_flash_packed,
}
