"""From an attention call to what is stored of it: statistics, and maps in the storage dtype."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from attn_debugger.recording.capture.call import AttentionCall, Capture, RowBlock
from attn_debugger.recording.statistics import HeadStatistics, count_nonfinite, rms, token_spread

CUT = (
    "the maps of {} queries would not fit into device_limit_bytes: of each, the first {} rows are "
    "stored (max_tokens= says how many); statistics cover all"
)
# Temporaries of one block of rows, in float32 copies of its scores: measured, rounded up.
_COPIES = 10
# On the CPU a block stays in the cache between its passes: twice as fast as one large block.
_CPU_CELLS, _CPU_ROWS = 2**18, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureSettings:
    """What to keep of each call."""

    dtype: torch.dtype = torch.float16
    scores: bool = False
    qk: bool = False
    heads: tuple[int, ...] | None = None
    max_tokens: int | None = None
    device_limit_bytes: int = 256 * 2**20
    whole_batch: bool = False  # statistics of all items of a batch together, not of each


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
    maps = Maps(call, settings)
    for block in call.source.blocks(_rows_per_block(call, settings)):
        statistics.add(
            block.scores,
            block.keep,
            block.weights,
            None if real_rows is None else real_rows[:, None, block.rows],
            is_softmax=block.is_softmax,
            masked_is_zero=block.masked_is_zero,
            barred=block.barred,
        )
        maps.add(block)
    if settings.whole_batch:
        statistics = statistics.over_samples()
    stats = statistics.result()
    if not call.scores_known:
        stats = {n: v for n, v in stats.items() if not n.startswith(("score_", "tie_"))}
    entering = _input_statistics(call, samples, heads, real_rows)
    stats.update(over_batch(entering) if settings.whole_batch else entering)
    items = maps.items
    keys = maps.kept_keys(call)
    return Capture(
        path=path,
        call=number,
        forward=forward,
        order=call.order,
        backend=call.backend,
        weights=maps.weights[..., :keys],
        scores=(maps.scores[..., :keys] if maps.scores is not None and call.scores_known else None),
        q=_rows_of(_items_of(call.q, items, samples), settings, maps.weights.shape[2]),
        k=_rows_of(_items_of(call.k, items, samples), settings, keys),
        keep=None if maps.keep is None else maps.keep[..., :keys],
        stats=choose_heads(stats, settings.heads),
        shape=(maps.weights.shape[0], heads, n_queries, n_keys),
        facts=_facts(call, heads),
        key_padding=_items_of(call.key_padding, items, samples),
        is_cross=call.is_cross,
        notes=call.notes,
        added=call.added,
        multiplied=call.multiplied,
        origin=call.origin,
        raw=statistics,
    )


class Maps:
    """What is stored of a call's maps: chosen heads, the first tokens, the storage dtype."""

    def __init__(self, call: AttentionCall, settings: MeasureSettings) -> None:
        samples, heads, n_queries, n_keys = call.source.shape
        self.items: list[int] | None = None  # of the samples the call has; None = all
        if call.items is not None and samples > 1:
            self.items = [item for item in call.items if item < samples]
            samples = len(self.items)
        self._limit = settings.max_tokens or _fitting_rows(call, settings)
        self._rows = n_queries if self._limit is None else min(n_queries, self._limit)
        self._heads = None
        if settings.heads is not None:
            self._heads = [head for head in settings.heads if head < heads]
            heads = len(self._heads)
        shape, device = (samples, heads, self._rows, n_keys), call.source.device
        self.weights = torch.zeros(shape, dtype=settings.dtype, device=device)
        # Scores keep float32: half precision would turn a large but finite score into infinity.
        self.scores = torch.full(shape, torch.nan, device=device) if settings.scores else None
        self._keep_shape = (samples, 1, self._rows, n_keys)
        self.keep: Tensor | None = None  # (S, 1, Q, K): the mask of the first head, as applied
        self._started = False

    def add(self, block: RowBlock) -> None:
        """Take over what is stored of some rows; keys the block leaves out are masked ones."""
        rows = slice(block.rows.start, min(block.rows.stop, self._rows))
        count, keys = rows.stop - rows.start, block.weights.shape[3]
        if count <= 0:
            return
        for target, values in ((self.weights, block.weights), (self.scores, block.scores)):
            if target is not None:
                chosen = values if self.items is None else values[self.items]
                chosen = chosen if self._heads is None else chosen[:, self._heads]
                target[:, :, rows, :keys] = chosen[:, :, :count]
        if block.keep is not None and self.keep is None:
            self.keep = torch.zeros(self._keep_shape, dtype=torch.bool, device=block.scores.device)
            if self._started:
                self.keep[:, :, : rows.start] = True  # the rows before had no mask
        if self.keep is not None:
            keep: Tensor | bool = True
            if block.keep is not None:
                keep = block.keep.expand(block.scores.shape)[:, :1, :count]
                keep = keep if self.items is None else keep[self.items]
            self.keep[:, :, rows, :keys] = keep
        self._started = True

    def kept_keys(self, call: AttentionCall) -> int:
        """Return how many keys are stored: cut only where the kept rows see none beyond.

        A row of a causal map sums to 1 over the keys before it; a row of any other map would not
        once its keys were cut, and would look like a fault.
        """
        n_keys = self.weights.shape[3]
        if self._limit is None or self._limit >= n_keys:
            return n_keys
        if call.is_causal and call.source.shape[2] == n_keys:
            return self._limit
        return n_keys if bool((self.weights[..., self._limit :] != 0).any()) else self._limit


def _fitting_rows(call: AttentionCall, settings: MeasureSettings) -> int | None:
    """Return how many query rows of the maps fit into the device's limit; None = all of them.

    Statistics always cover every row: only what is stored of a very long sequence is cut.
    """
    samples, heads, n_queries, n_keys = call.source.shape
    samples = samples if call.items is None else min(samples, len(call.items))
    cell = settings.dtype.itemsize + (4 if settings.scores else 0)
    rows = settings.device_limit_bytes // max(1, samples * heads * n_keys * cell)
    if rows >= n_queries:
        return None
    call.notes = (*call.notes, CUT.format(n_queries, max(1, rows)))
    return max(1, rows)


def _rows_per_block(call: AttentionCall, settings: MeasureSettings) -> int:
    """Return how many rows go together: within the device's limit, and on the CPU in its cache."""
    samples, heads, n_queries, n_keys = call.source.shape
    row_cells = max(1, samples * heads * n_keys)
    rows = settings.device_limit_bytes // (row_cells * 4 * _COPIES)
    if call.source.device.type == "cpu":
        rows = min(rows, max(_CPU_ROWS, _CPU_CELLS // row_cells))
    return max(1, min(n_queries or 1, rows))


def _rows_of(tensor: Tensor | None, settings: MeasureSettings, rows: int | None) -> Tensor | None:
    """Return q or k as stored, as many rows as the stored map has."""
    if tensor is None or not settings.qk or tensor.ndim != 4:
        return None
    return tensor[:, :, :rows].float().clone()


def _items_of(tensor: Tensor | None, items: list[int] | None, samples: int) -> Tensor | None:
    if tensor is None or items is None or tensor.shape[0] != samples:
        return tensor
    return tensor[items]


def over_batch(stats: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return statistics (S or 1, H) of items as those of the whole batch, (1, H)."""
    found = {}
    for name, value in stats.items():
        if name.endswith("_nonfinite"):
            value = value.sum(0, keepdim=True)
        elif name.endswith("_rms") or name == "out_norm":
            value = value.square().mean(0, keepdim=True).sqrt()
        elif value.shape[0] > 1:
            value = value.nanmean(0, keepdim=True)
        found[name] = value
    return found


def _input_statistics(
    call: AttentionCall, samples: int, heads: int, real_rows: Tensor | None
) -> dict[str, Tensor]:
    """Statistics of the input, q, k, v and output, each (S, H).

    Those of key heads are repeated for their group, those of the layer for all heads.
    """
    found: dict[str, Tensor] = {}
    if call.entered is not None:
        # Where the batch is not the first axis, any sample's fault counts for all of them.
        own = call.entered if call.entered.shape[0] == samples else call.entered[None]
        count = count_nonfinite(own.detach().reshape(own.shape[0], 1, -1))
        found["input_nonfinite"] = count[:, None].expand(samples, heads)
        lengths = call.source.shape[2:]
        if own.is_floating_point() and own.ndim == 3 and own.shape[1] in lengths:
            fits = real_rows is not None and real_rows.shape[-1] == own.shape[1]
            spread = token_spread(own.detach(), real_rows if fits else None).expand(samples)
            found["input_spread"] = spread[:, None].expand(samples, heads)
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


def choose_heads(stats: dict[str, Tensor], heads: tuple[int, ...] | None) -> dict[str, Tensor]:
    """Return statistics (S, H) of the chosen heads; None = all."""
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
    if call.dropout:
        facts["dropout_p"] = call.dropout
    if call.score_dropout:
        facts["score_dropout_p"] = call.score_dropout
    if call.sink:
        facts["sink_logit"] = True
    if call.is_causal:
        facts["causal"] = True
    return facts
