"""Fused kernels: the weights are recomputed beside the call, from its own inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from attn_debugger.recording.capture.layout import (
    LayoutHints,
    indices_in,
    pick_samples,
    split_heads,
    unwrap_functorch,
)
from attn_debugger.recording.capture.sources import RecomputedScores

_SDPA_NAMES = ("query", "key", "value", "attn_mask", "dropout_p", "is_causal")


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelInputs:
    """What a fused attention kernel was called with; tensors of the whole batch."""

    q: Tensor  # (B, H, Q, d), or with other leading axes
    k: Tensor
    v: Tensor | None = None
    mask: Tensor | None = None
    is_causal: bool = False
    scale: float | None = None
    dropout: float = 0.0
    output: Tensor | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledKernel:
    """The same for the sampled items, as (S, H, rows, d)."""

    source: RecomputedScores
    q: Tensor
    k: Tensor
    v: Tensor | None
    output: Tensor | None
    batch: int
    compute_dtype: torch.dtype
    notes: tuple[str, ...]


def read_sdpa(args: Sequence[Any], kwargs: Mapping[str, Any], out: Any) -> KernelInputs:
    """Return the inputs of a `scaled_dot_product_attention` call."""
    given = {**dict(zip(_SDPA_NAMES, args, strict=False)), **kwargs}
    mask = given.get("attn_mask")
    if mask is not None and type(mask).__name__ == "CausalBias":
        mask = mask._materialize(given["query"].device)
    return KernelInputs(
        q=given["query"],
        k=given["key"],
        v=given["value"],
        mask=mask,
        is_causal=bool(given.get("is_causal", False)),
        scale=given.get("scale"),
        dropout=float(given.get("dropout_p") or 0.0),
        output=out if isinstance(out, Tensor) else None,
    )


def sample_kernel(
    inputs: KernelInputs,
    samples: Sequence[int],
    hints: LayoutHints,
    autocast_dtype: torch.dtype | None,
) -> SampledKernel:
    """Bring a kernel's inputs to (S, H, rows, d) for the sampled items.

    `autocast_dtype` is what autocast will cast q and k to below us: they are rounded the same way,
    then multiplied in float32. Raises `ValueError` for shapes that are no attention.
    """
    q, k, mask = inputs.q.detach(), inputs.k.detach(), inputs.mask
    v = None if inputs.v is None else inputs.v.detach()
    output = None if inputs.output is None else inputs.output.detach()
    notes: list[str] = []
    if hasattr(q, "to_local"):  # a DTensor: tensor parallel; this rank holds some of the heads
        q, k, v, output, mask = (_local(t) for t in (q, k, v, output, mask))
        notes.append("local heads of a DTensor")
    q, note = unwrap_functorch(q)
    k, _ = unwrap_functorch(k)
    if note:
        notes.append(note)
        v, output = None, None
        mask = None if mask is None else unwrap_functorch(mask.detach())[0]
    if q.ndim > 4:  # [B, key heads, group, q, d], or windows: all but the first axis are heads
        lead = torch.broadcast_shapes(q.shape[:-2], k.shape[:-2])  # type: ignore[no-untyped-call]
        q, k = (t.expand(*lead, *t.shape[-2:]).flatten(1, -3) for t in (q, k))
        if mask is not None and mask.ndim > 4:
            mask = mask.expand(*lead, *mask.shape[-2:]).flatten(1, -3)
        v, output = None, (None if output is None else output.flatten(1, -3))
        notes.append("all leading axes but the first are taken as heads")
    q_layout, k_layout = split_heads(q, hints), split_heads(k, hints)
    if q_layout.note:
        notes.append(q_layout.note)
    if mask is not None and mask.ndim == 3 and inputs.q.ndim == 3 and mask.shape[0] > 1:
        mask = split_heads(mask, hints).tensor
    batch = max(q_layout.batch, k_layout.batch)
    compute_dtype = q.dtype if autocast_dtype is None else autocast_dtype
    q_rows, k_rows = (
        pick_samples(t.tensor, samples, batch).to(compute_dtype) for t in (q_layout, k_layout)
    )
    if mask is not None:
        mask = mask.detach()
        if mask.ndim == 4:
            mask = pick_samples(mask, samples, batch)
    source = RecomputedScores(q_rows, k_rows, mask, is_causal=inputs.is_causal, scale=inputs.scale)
    return SampledKernel(
        source=source,
        q=q_rows,
        k=k_rows,
        v=_sample_like(v, samples, hints, batch),
        output=_sample_like(output, samples, hints, batch),
        batch=batch,
        compute_dtype=compute_dtype,
        notes=tuple(notes),
    )


def _sample_like(
    tensor: Tensor | None, samples: Sequence[int], hints: LayoutHints, batch: int
) -> Tensor | None:
    if tensor is None or tensor.ndim > 4:
        return None
    return pick_samples(split_heads(tensor, hints).tensor, samples, batch)


def _local(tensor: Any) -> Any:
    return tensor.to_local() if hasattr(tensor, "to_local") else tensor


def nested_items(inputs: KernelInputs, samples: Sequence[int]) -> list[tuple[KernelInputs, int]]:
    """Return each sampled item of a call with nested (ragged) tensors, with the batch size."""
    queries, keys = inputs.q.unbind(), inputs.k.unbind()
    values = inputs.v.unbind() if inputs.v is not None and inputs.v.is_nested else None
    items = []
    for index in indices_in(samples, len(queries)):
        if queries[index].ndim == 3:
            item = KernelInputs(
                q=queries[index][None],
                k=keys[index][None],
                v=None if values is None else values[index][None],
                is_causal=inputs.is_causal,
                scale=inputs.scale,
            )
            items.append((item, len(queries)))
    return items
