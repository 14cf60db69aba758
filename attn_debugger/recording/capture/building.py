"""From what a mechanism saw to an `AttentionCall` in the one layout (sample, head, query, key)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from attn_debugger.recording.capture.call import AttentionCall
from attn_debugger.recording.capture.fused import KernelInputs, nested_items, sample_kernel
from attn_debugger.recording.capture.layout import (
    LayoutHints,
    pick_samples,
    split_heads,
    unwrap_functorch,
)
from attn_debugger.recording.capture.memory import Memory
from attn_debugger.recording.capture.score_terms import adds_something
from attn_debugger.recording.capture.seen import SeenAttention
from attn_debugger.recording.capture.sources import SeenScores


def calls_from_kernel(
    inputs: KernelInputs,
    backend: str,
    samples: Sequence[int],
    hints: LayoutHints,
    autocast_dtype: torch.dtype | None,
) -> list[AttentionCall]:
    """Return the call of a fused kernel; with ragged (nested) tensors, one a sampled item."""
    if inputs.q.is_nested:
        return [
            _kernel_call(item, backend, (0,), hints, autocast_dtype, batch)
            for item, batch in nested_items(inputs, samples)
        ]
    return [_kernel_call(inputs, backend, samples, hints, autocast_dtype, None)]


def call_from_adapter(
    told: Mapping[str, Any], samples: Sequence[int]
) -> AttentionCall | KernelInputs:
    """Return what an adapter told: finished weights as a call, or the inputs of a kernel."""
    if "weights" not in told:
        fields = {name: told[name] for name in ("q", "k", "v", "mask", "scale") if name in told}
        return KernelInputs(**fields, is_causal=bool(told.get("is_causal", False)))
    weights = told["weights"].detach()
    scores, keep = told.get("scores"), told.get("keep")
    known = scores is not None
    scores = torch.zeros_like(weights) if scores is None else scores.detach()
    keep = torch.ones_like(weights, dtype=torch.bool) if keep is None else keep.detach()
    batch = weights.shape[0]
    return AttentionCall(
        backend="adapter",
        source=SeenScores(*(pick_samples(t, samples, batch) for t in (scores, weights, keep))),
        batch=batch,
        compute_dtype=weights.dtype,
        source_dtype=weights.dtype,
        scores_known=known,
    )


def call_from_chain(
    seen: SeenAttention, backend: str, samples: Sequence[int], hints: LayoutHints
) -> AttentionCall:
    """Return the call behind a proven chain of product, softmax and product."""
    tag, product = seen.tag, seen.tag.product
    if product is not None and product.merge is not None:
        hints = hints._replace(merge=product.merge)
    weights, note = _weights_layout(tag.value, tag.dim, seen.order, hints)
    scores, _ = _weights_layout(tag.scores, tag.dim, seen.order, hints)
    batch = weights.shape[0]
    unmasked = None if product is None else product.unmasked
    if unmasked is not None and unmasked.shape == tag.scores.shape:
        unmasked = _weights_layout(unmasked, tag.dim, seen.order, hints)[0]
        unmasked = pick_samples(unmasked, samples, batch)
    else:
        unmasked = None
    notes = (*seen.notes, note) if note else seen.notes
    if product is not None and product.dropped:
        notes = (*notes, "dropout sits between the scores and the softmax")

    def rows(tensor: Tensor | None) -> Tensor | None:
        """Query, key, value or output rows of the sampled items, (S, heads, rows, d)."""
        if tensor is None or not 2 <= tensor.ndim <= 4:
            return None
        layout = split_heads(unwrap_functorch(tensor)[0], hints)
        return pick_samples(layout.tensor, samples, batch)

    return AttentionCall(
        backend=backend,
        source=SeenScores(
            pick_samples(scores, samples, batch),
            pick_samples(weights, samples, batch),
            unmasked=unmasked,
            is_softmax=tag.is_softmax,
        ),
        batch=batch,
        compute_dtype=tag.compute_dtype,
        source_dtype=tag.value.dtype,
        q=None if product is None else rows(product.q),
        k=None if product is None else rows(product.k),
        v=rows(seen.values),
        output=rows(seen.output),
        sink=tag.sink,
        dropout=tag.dropout,
        score_dropout=0.0 if product is None else product.dropout,
        notes=notes,
        added=None if product is None else product.added,
        multiplied=product is not None and product.multiplied,
        queries_in=None if product is None else product.queries_in,
        keys_in=None if product is None else product.keys_in,
    )


def _kernel_call(
    inputs: KernelInputs,
    backend: str,
    samples: Sequence[int],
    hints: LayoutHints,
    autocast_dtype: torch.dtype | None,
    batch: int | None,
) -> AttentionCall:
    sampled = sample_kernel(inputs, samples, hints, autocast_dtype)
    return AttentionCall(
        backend=backend,
        source=sampled.source,
        batch=sampled.batch if batch is None else batch,
        compute_dtype=sampled.compute_dtype,
        source_dtype=sampled.compute_dtype,
        q=sampled.q,
        k=sampled.k,
        v=sampled.v,
        output=sampled.output,
        scale=inputs.scale,
        is_causal=inputs.is_causal,
        dropout=inputs.dropout,
        notes=sampled.notes,
        added=None if inputs.mask is None else adds_something(inputs.mask),
        queries_in=Memory.of(inputs.q),
        keys_in=Memory.of(inputs.k),
    )


def _weights_layout(
    tensor: Tensor, dim: int, order: tuple[int, ...] | None, hints: LayoutHints
) -> tuple[Tensor, str]:
    if order is not None:
        tensor = tensor.permute(order)
    elif dim % tensor.ndim != tensor.ndim - 1:
        tensor = tensor.transpose(dim, -1)
    tensor, note = unwrap_functorch(tensor)
    layout = split_heads(tensor, hints)
    return layout.tensor, note or layout.note
