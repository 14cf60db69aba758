"""From an attention call to what is stored of it: statistics, and maps in the storage dtype."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from attn_debugger.recording.capture.call import AttentionCall, Capture, RowBlock
from attn_debugger.recording.statistics import HeadStatistics, count_nonfinite, rms

# Temporaries of one block of rows, in float32 copies of its scores: measured, rounded up.
_COPIES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureSettings:
    """What to keep of each call."""

    dtype: torch.dtype = torch.float16
    scores: bool = False
    qk: bool = False
    heads: tuple[int, ...] | None = None
    max_tokens: int | None = None
    device_limit_bytes: int = 256 * 2**20


def measure(
    call: AttentionCall,
    settings: MeasureSettings,
    *,
    path: str,
    number: int,
    forward: int,
    real_rows: Tensor | None = None,
) -> Capture:
    """Return the statistics and maps of `call`, computed a block of query rows at a time.

    `real_rows` (S or 1, Q) is False where the query is padding. Runs under `no_grad`.
    """
    samples, heads, n_queries, n_keys = call.source.shape
    statistics = HeadStatistics(call.compute_dtype)
    blocks: list[RowBlock] = []
    for block in call.source.blocks(_rows_per_block(call, settings)):
        rows = None if real_rows is None else real_rows[:, None, block.rows]
        statistics.add(block.scores, block.keep, block.weights, rows)
        if settings.max_tokens is None or block.rows.start < settings.max_tokens:
            blocks.append(_stored(block, settings))
    stats = statistics.result()
    stats.update(_input_statistics(call, samples, heads))
    weights = _join([block.weights for block in blocks])
    keys = n_keys if weights is None else _kept_keys(weights, call, settings)
    return Capture(
        path=path,
        call=number,
        forward=forward,
        order=call.order,
        backend=call.backend,
        weights=None if weights is None else weights[..., :keys],
        scores=_first_keys(_join([b.scores for b in blocks]), keys) if settings.scores else None,
        q=_rows_of(call.q, settings, settings.max_tokens),
        k=_rows_of(call.k, settings, keys),
        keep=_first_keys(_join_keep(blocks), keys),
        stats=_choose_heads(stats, settings.heads),
        shape=(samples, heads, n_queries, n_keys),
        facts=_facts(call, heads),
        key_padding=call.key_padding,
        is_cross=call.is_cross,
        notes=call.notes,
    )


def _rows_per_block(call: AttentionCall, settings: MeasureSettings) -> int:
    samples, heads, n_queries, n_keys = call.source.shape
    row_bytes = max(1, samples * heads * n_keys * 4 * _COPIES)
    return max(1, min(n_queries or 1, settings.device_limit_bytes // row_bytes))


def _kept_keys(weights: Tensor, call: AttentionCall, settings: MeasureSettings) -> int:
    """Return how many keys are stored. Keys are cut only where the kept rows see none beyond.

    A row of a causal map sums to 1 over the keys before it; a row of any other map would not once
    its keys were cut, and would look like a fault.
    """
    n_keys, limit = weights.shape[3], settings.max_tokens
    if limit is None or limit >= n_keys:
        return n_keys
    if call.is_causal and call.source.shape[2] == n_keys:
        return limit
    return n_keys if bool((weights[..., limit:] != 0).any()) else limit


def _stored(block: RowBlock, settings: MeasureSettings) -> RowBlock:
    """Keep of a block what is stored: chosen heads and rows, storage dtype, one mask."""
    rows = None if settings.max_tokens is None else settings.max_tokens - block.rows.start
    weights, scores = block.weights[:, :, :rows], block.scores[:, :, :rows]
    if settings.heads is not None:
        wanted = [head for head in settings.heads if head < weights.shape[1]]
        weights, scores = weights[:, wanted], scores[:, wanted]
    keep = block.keep
    if keep is not None:
        keep = keep.expand(block.scores.shape)[:, :1, :rows].clone()
    return RowBlock(
        block.rows,
        # Scores keep float32: half precision would turn a large but finite score into infinity.
        scores.float().clone() if settings.scores else scores[:, :0],
        keep,
        weights.to(settings.dtype, copy=True),
    )


def _first_keys(tensor: Tensor | None, keys: int) -> Tensor | None:
    return None if tensor is None else tensor[..., :keys]


def _join(parts: list[Tensor]) -> Tensor | None:
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else torch.cat(parts, 2)


def _join_keep(blocks: list[RowBlock]) -> Tensor | None:
    if not blocks or all(block.keep is None for block in blocks):
        return None
    return _join(
        [
            torch.ones_like(b.weights[:, :1], dtype=torch.bool) if b.keep is None else b.keep
            for b in blocks
        ]
    )


def _rows_of(tensor: Tensor | None, settings: MeasureSettings, rows: int | None) -> Tensor | None:
    """Return q or k as stored, as many rows as the stored map has."""
    if tensor is None or not settings.qk or tensor.ndim != 4:
        return None
    return tensor[:, :, :rows].float().clone()


def _input_statistics(call: AttentionCall, samples: int, heads: int) -> dict[str, Tensor]:
    """Statistics of q, k, v and output, each (S, H); key heads are repeated for their group."""
    found: dict[str, Tensor] = {}
    for name, tensor in (("q", call.q), ("k", call.k), ("v", call.v), ("output", call.output)):
        if tensor is None or tensor.ndim != 4 or tensor.shape[1] == 0 or heads % tensor.shape[1]:
            continue
        found[f"{name}_nonfinite"] = _per_head(count_nonfinite(tensor), samples, heads)
        if name in ("q", "k"):
            found[f"{name}_rms"] = _per_head(rms(tensor), samples, heads)
        if name == "output":
            # Root mean square of a row's norm: comparable between sequence lengths.
            size = math.sqrt(tensor.shape[-1])
            found["out_norm"] = _per_head(rms(tensor) * size, samples, heads)
    return found


def _per_head(value: Tensor, samples: int, heads: int) -> Tensor:
    repeated = value.repeat_interleave(heads // value.shape[1], 1)
    return repeated.expand(samples, heads)


def _choose_heads(stats: dict[str, Tensor], heads: tuple[int, ...] | None) -> dict[str, Tensor]:
    if heads is None:
        return stats
    return {name: v[:, [h for h in heads if h < v.shape[1]]] for name, v in stats.items()}


def _facts(call: AttentionCall, heads: int) -> dict[str, object]:
    facts: dict[str, object] = {
        "backend": call.backend,
        "compute_dtype": str(call.compute_dtype).removeprefix("torch."),
        "source_dtype": str(call.source_dtype).removeprefix("torch."),
        "dropout": 0.0,
        "batch": call.batch,
        "captured_heads": heads,
    }
    if call.q is not None:
        facts["d_head"] = int(call.q.shape[-1])
    if call.scale is not None:
        facts["scale"] = float(call.scale)
    if call.sink:
        facts["sink_logit"] = True
    if call.is_causal:
        facts["causal"] = True
    return facts
