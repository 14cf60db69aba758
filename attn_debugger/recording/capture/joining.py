"""Attention computed in pieces of its queries, in a Python loop, becomes one map again.

Calls of one module are pieces of one attention when they look at the very same keys in memory (or,
of a causal loop, at the first of them up to their own end), when their queries lie one after the
other in memory or all come in one run of the module, and when there are as many queries as keys.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor
from torch.nn.functional import pad

from attn_debugger.recording.capture.call import Capture
from attn_debugger.recording.capture.measure import choose_heads
from attn_debugger.recording.statistics import HeadStatistics

_SUMS = ("q_nonfinite", "output_nonfinite")  # over query rows, so pieces add up
_NORMS = ("q_rms", "out_norm")  # root mean squares over query rows


def find_pieces(captures: Sequence[Capture]) -> list[list[Capture]]:
    """Return captures in groups, in order: the pieces of one attention, or one capture alone."""
    runs: dict[tuple[int, str], list[list[Capture]]] = {}
    for capture in captures:
        groups = runs.setdefault((capture.forward, capture.path), [])
        if groups and _goes_on(groups[-1], capture):
            groups[-1].append(capture)
        else:
            groups.append([capture])
    whole: list[list[Capture]] = []
    for groups in runs.values():
        for group in groups:
            whole += [group] if is_square(group) else [[piece] for piece in group]
    return sorted(whole, key=lambda group: group[0].order)


def is_square(pieces: Sequence[Capture]) -> bool:
    """Return whether the queries of all pieces are as many as the keys of the last."""
    return sum(piece.shape[2] for piece in pieces) == pieces[-1].shape[3]


def _goes_on(pieces: Sequence[Capture], after: Capture) -> bool:
    last, end = pieces[-1], sum(piece.shape[2] for piece in pieces)
    if last.shape[:2] != after.shape[:2] or last.origin is None or after.origin is None:
        return False
    before_keys, keys = last.origin.keys, after.origin.keys
    if before_keys is None or keys is None or not keys.begins_like(before_keys):
        return False
    if after.shape[3] not in (last.shape[3], end + after.shape[2]) or end >= after.shape[3]:
        return False
    queries, before = after.origin.queries, last.origin.queries
    in_order = queries is not None and before is not None and queries.follows(before)
    return in_order or last.origin.invocation == after.origin.invocation


def join(
    pieces: Sequence[Capture], limit: int | None, chosen_heads: tuple[int, ...] | None
) -> Capture:
    """Return one capture of all pieces, which have arrived on the host.

    `limit` is how many rows of a map are stored at most; None = all. `chosen_heads` are those
    that are stored; None = all.
    """
    first, last = pieces[0], pieces[-1]
    stored = _stored(pieces, limit)
    width = max(piece.kept_keys for piece in stored)
    masked = any(p.keep is not None or p.shape[3] < last.shape[3] for p in stored)
    queries = sum(piece.shape[2] for piece in pieces)
    rows = slice(0, limit)

    def rows_of(parts: Sequence[Tensor | None], fill: float | bool | None) -> Tensor | None:
        known = [part for part in parts if part is not None]
        if len(known) != len(stored):
            return None
        if fill is not None:
            known = [pad(part, (0, width - part.shape[-1]), value=fill) for part in known]
        return torch.cat(known, 2)[:, :, rows]

    return replace(
        first,
        weights=rows_of([piece.weights for piece in stored], 0.0),
        scores=rows_of([piece.scores for piece in stored], math.nan),
        q=rows_of([piece.q for piece in stored], None),
        k=max((piece.k for piece in stored if piece.k is not None), key=_rows, default=None),
        keep=rows_of([_visible(piece) for piece in stored], False) if masked else None,
        stats=_joined_statistics(pieces, chosen_heads),
        shape=(*first.shape[:2], queries, last.shape[3]),
        # What a piece's call says of causality is of its own corner of the map.
        facts={n: v for n, v in first.facts.items() if n != "causal"} | {"pieces": len(pieces)},
        key_padding=last.key_padding,
        notes=tuple(dict.fromkeys(note for piece in pieces for note in piece.notes)),
        raw=None,
    )


def _stored(pieces: Sequence[Capture], limit: int | None) -> list[Capture]:
    """Return the pieces whose rows are stored: up to the limit, or to the first that was cut."""
    found, rows = [], 0
    for piece in pieces:
        if limit is not None and rows >= limit:
            break
        found.append(piece)
        kept = 0 if piece.weights is None else piece.weights.shape[2]
        rows += kept
        if kept < piece.shape[2]:
            break
    return found


def _visible(piece: Capture) -> Tensor | None:
    """Return the mask (S, 1, rows, keys) of a piece, all True where it has none."""
    if piece.keep is not None or piece.weights is None:
        return piece.keep
    samples, _, rows, keys = piece.weights.shape
    return torch.ones((samples, 1, rows, keys), dtype=torch.bool)


def _rows(tensor: Tensor) -> int:
    return tensor.shape[2]


def _joined_statistics(
    pieces: Sequence[Capture], chosen_heads: tuple[int, ...] | None
) -> dict[str, Tensor]:
    """Return the statistics of all rows: sums of sums, not means of means."""
    stats = dict(pieces[-1].stats)
    raw = [piece.raw for piece in pieces if piece.raw is not None]
    if len(raw) == len(pieces):
        whole = choose_heads(HeadStatistics.joined(raw).result(), chosen_heads)
        stats.update({name: value.cpu() for name, value in whole.items() if name in stats})
    for name in (*_SUMS, *_NORMS):
        parts = [piece.stats[name] for piece in pieces if name in piece.stats]
        if len(parts) != len(pieces):
            stats.pop(name, None)
        elif name in _SUMS:
            stats[name] = torch.stack(parts).sum(0)
        else:
            rows = torch.tensor([float(piece.shape[2]) for piece in pieces])
            squares = torch.stack(parts).square() * rows[:, None, None]
            stats[name] = (squares.sum(0) / rows.sum()).sqrt()
    stats.pop("contribution", None)  # it was of one piece alone
    return stats
