"""Where heads look: own position, a fixed offset, one key. Mostly quiet labels.

Sinks on the first key are normal in most heads of healthy models (Gu et al. 2410.10781); previous-
token heads too. Only a key nobody expects, in nearly all heads, or a layer of identity maps speaks
up.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats, Ints
from attn_debugger.analysis.layout.layout import Layout
from attn_debugger.analysis.measures.measures import Measures

_OFFSETS = np.arange(-8, 9)
# Tokens that models use as a place to look when there is nothing to look for.
_SPECIAL_TOKENS = frozenset(
    "[CLS] [SEP] <s> </s> <bos> <eos> [BOS] [EOS] <cls> <sep> <|endoftext|> <|begin_of_text|> "
    "<|end_of_text|> <|im_start|> <|im_end|>".split()
)


class Structure:
    """Per-head structure of one layer: the favourite key, and mass on fixed offsets."""

    def __init__(self, measures: Measures) -> None:
        self.measures = measures

    @cached_property
    def special_keys(self) -> Bools:
        """(key,): declared special keys, and tokens that are special by their name."""
        measures = self.measures
        special = np.zeros(measures.n_keys, bool)
        for key in measures.facts.special_keys:
            if -measures.n_keys <= key < measures.n_keys:
                special[key] = True
        tokens = measures.frame.tokens
        if tokens is not None and len(tokens) == measures.n_keys:
            special |= np.fromiter((t in _SPECIAL_TOKENS for t in tokens), bool, len(tokens))
        return special

    @cached_property
    def exempt(self) -> Bools:
        """(key,): keys where a sink is expected: special ones, the first in self-attention."""
        exempt = self.special_keys.copy()
        if self.measures.facts.kind == "self" and len(exempt):
            exempt[self.measures.layout.first_key] = True
        return exempt

    @cached_property
    def received(self) -> Floats:
        """(head, key): mean probability over the other queries that may see the key.

        0 for keys that fewer than half of the counted queries may see: their mean says little.
        """
        measures = self.measures
        layout = measures.layout
        weight = measures.row_weight
        maps = measures.allowed_weights
        if not measures.all_finite:
            maps = np.where(measures.finite[..., None], maps, np.float32(0))
        total = np.matmul(weight[:, None, :], maps)[:, 0]
        rows = measures.stat_rows.astype(np.float32)
        plane = layout.allowed_plane
        if plane is None:
            seen = np.repeat(rows.sum(-1, keepdims=True), measures.n_keys, axis=1)
        elif len(plane) == 1:
            seen = rows @ plane[0]
        else:
            seen = np.matmul(rows[:, None, :], plane)[:, 0]
        visible = seen > 0.5 * rows.sum(-1, keepdims=True)
        queries, keys = layout.own_keys
        if len(queries):
            own_rows = rows[:, queries]
            if layout.allowed is not None:
                own_rows = own_rows * layout.allowed[:, queries, keys]
            total = total.copy()
            total[:, keys] -= maps[:, queries, keys] * weight[:, queries]
            seen[:, keys] -= own_rows
        mean = np.where(visible & (seen > 0), total / np.maximum(seen, 1), np.float32(0))
        return np.where(measures.enough[:, None], mean, np.float32(0))

    @cached_property
    def sink_key(self) -> Ints:
        """(head,): the key that receives most."""
        key: Ints = self.received.argmax(-1)
        return key

    @cached_property
    def sink_mass(self) -> Floats:
        """(head,): what it receives, 0..1."""
        return np.take_along_axis(self.received, self.sink_key[:, None], 1)[:, 0]

    @cached_property
    def banded(self) -> bool:
        """Whether offsets mean anything: self-attention, 12 queries, keys aligned with them."""
        measures = self.measures
        return (
            measures.facts.kind == "self"
            and measures.n_queries >= 12
            and measures.n_keys - measures.n_queries == measures.facts.q_offset
        )

    @cached_property
    def offsets(self) -> Floats:
        """(offset -8..8, head): mass on key = own position + offset above chance; 1 = all of it."""
        measures = self.measures
        cells, usable, chance = offset_cells(measures.layout)
        flat = measures.weights.reshape(measures.n_heads, -1)
        if not measures.all_finite:
            flat = np.where(np.isfinite(flat), flat, np.float32(0))
        gathered = np.take(flat, cells, axis=1)  # (head, offset, query)
        if usable is not None:
            gathered = gathered * usable
        mass = np.matmul(gathered, measures.row_weight[..., None])[..., 0]
        rows = measures.stat_rows.astype(np.float32)
        plane = np.ones((1, *cells.shape), np.float32) if usable is None else usable
        count = np.matmul(plane, rows[..., None])[..., 0]
        base = np.matmul(plane * chance, rows[..., None])[..., 0] / np.maximum(count, 1)
        above = (mass / np.maximum(count, 1) - base) / np.maximum(1 - base, np.float32(1e-9))
        result: Floats = np.where(count >= measures.thresholds.min_rows, above, 0).T
        return result

    @cached_property
    def diagonal(self) -> Floats:
        """(head,): mass on the own key above chance."""
        if not self.banded:
            return np.zeros(self.measures.n_heads)
        diagonal: Floats = self.offsets[8]
        return diagonal

    @cached_property
    def band(self) -> tuple[Floats, Ints]:
        """(head,), (head,): mass on the best offset other than 0, and that offset."""
        if not self.banded:
            zeros = np.zeros(self.measures.n_heads)
            return zeros, zeros.astype(np.int64)
        others = self.offsets.copy()
        others[8] = -np.inf
        best = others.argmax(0)
        return np.take_along_axis(others, best[None], 0)[0], _OFFSETS[best]

    @cached_property
    def collapsed(self) -> tuple[Bools, int]:
        """(head,), key: heads whose queries all look at the same key that is no expected sink."""
        measures, limits = self.measures, self.measures.thresholds
        cross = measures.facts.kind == "cross"
        strong = self.sink_mass >= (limits.key_collapse_cross if cross else limits.key_collapse)
        strong &= measures.enough & measures.alive
        none = np.zeros(measures.n_heads, bool)
        if not strong.any():
            return none, -1
        key = int(np.bincount(self.sink_key[strong]).argmax())
        heads = strong & (self.sink_key == key)
        needed = max(2.0, limits.layer_share * measures.n_heads) if measures.n_heads > 1 else 1
        if self.exempt[key] or heads.sum() < needed:
            return none, -1
        return heads, key


def offset_cells(layout: Layout) -> tuple[Ints, Floats | None, Floats]:
    """Cells on the offsets -8..8, which of them count, and 1 / keys of their rows.

    (offset, query) indices into a flat map; (1 or head, offset, query) 1.0 or 0.0; (1 or head, 1,
    query).
    """
    queries = np.arange(layout.n_queries)
    keys = queries[None] + layout.q_offset + _OFFSETS[:, None]
    inside = (keys >= 0) & (keys < layout.n_keys)
    safe = np.clip(keys, 0, max(0, layout.n_keys - 1))
    usable = inside[None]
    if layout.allowed is not None:
        usable = usable & layout.allowed[:, queries, safe]
    chance = (1 / np.maximum(layout.n_allowed, 1)).astype(np.float32)[:, None]
    return queries * layout.n_keys + safe, usable.astype(np.float32), chance
