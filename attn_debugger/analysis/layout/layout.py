"""Which keys each query may see: masks, padding, documents and windows brought into one form."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats, Ints
from attn_debugger.analysis.layout.visibility import (
    allows_future,
    distance_of,
    documents,
    fitting,
    intended_mask,
    joined,
    looks_causal,
    real_queries,
)
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.words import say


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The intended visibility of one layer's map for one sample, and where its parts come from.

    `allowed` is (1 or head, query, key), True = this query may see this key; None = every query
    may see every key. The planes say why a cell is forbidden; each is None when that reason does
    not apply. `contradictions` maps a signal to the sentence why it cannot be judged.
    """

    n_heads: int
    n_queries: int
    n_keys: int
    kind: str
    q_offset: int
    allowed: Bools | None  # (1 or head, query, key)
    real_queries: Bools  # (query,) False = padding
    padding: Bools | None  # (key,) True = padding
    future: Bools | None  # (query, key) True = key after the query under a declared causal mask
    other_document: Bools | None  # (query, key)
    outside_window: Bools | None  # (query, key)
    mask_given: bool  # the intended mask itself is in the archive
    contradictions: dict[str, str] = field(default_factory=dict)

    @cached_property
    def n_allowed(self) -> Ints:
        """(1 or head, query): keys each query may see."""
        if self.allowed is None:
            return np.full((1, self.n_queries), self.n_keys, np.int64)
        counts: Ints = self.allowed.sum(-1, dtype=np.int64)
        return counts

    @cached_property
    def open_rows(self) -> Bools:
        """(1 or head, query): real queries that may see a key."""
        rows: Bools = (self.n_allowed >= 1) & self.real_queries
        return rows

    @cached_property
    def inverse_log_allowed(self) -> Floats:
        """(1 or head, query): 1 / ln of the keys a query may see; 0 where that is at most one."""
        several = self.several_keys
        inverse = np.where(several, 1 / np.where(several, self.log_allowed, 1), 0)
        return inverse.astype(np.float32)

    @cached_property
    def several_keys(self) -> Bools:
        """(1 or head, query): rows that may see at least two keys."""
        rows: Bools = self.n_allowed >= 2
        return rows

    @cached_property
    def log_allowed(self) -> Floats:
        """(1 or head, query): ln of the keys each query may see; 0 where there is none."""
        return np.log(np.maximum(self.n_allowed, 1)).astype(np.float32)

    @cached_property
    def forbidden_plane(self) -> Floats | None:
        """(1 or head, query, key) 1.0 where a key is forbidden; None where nothing is."""
        if self.allowed is None or bool(self.allowed.all()):
            return None
        return np.logical_not(self.allowed).astype(np.float32)

    @cached_property
    def allowed_plane(self) -> Floats | None:
        """(1 or head, query, key) 1.0 where a key is allowed; None where all are."""
        plane = self.forbidden_plane
        return None if plane is None else np.float32(1) - plane

    @cached_property
    def same_keys_for_all(self) -> bool:
        """Whether every real query of every head may see the same keys (so not under causality)."""
        if self.allowed is None:
            return True
        rows = self.allowed[:, self.real_queries]
        return rows.shape[1] > 0 and bool((rows == rows[:, :1]).all())

    @cached_property
    def own_keys(self) -> tuple[Ints, Ints]:
        """(queries, keys) of the cells where a query meets its own position; empty if undefined."""
        if self.kind != "self":
            empty = np.zeros(0, np.intp)
            return empty, empty
        queries = np.arange(self.n_queries)
        keys = queries + self.q_offset
        inside = (keys >= 0) & (keys < self.n_keys)
        return queries[inside], keys[inside]

    @cached_property
    def first_key(self) -> int:
        """The first key that is no padding: where sinks of healthy models sit."""
        if self.padding is None or bool(self.padding.all()):
            return 0
        return int(np.argmin(self.padding))


class LayoutCache:
    """Remembers the layouts of the last few masks: most layers and frames share one."""

    def __init__(self, size: int = 12) -> None:
        self._size = size
        self._known: OrderedDict[Hashable, Layout] = OrderedDict()

    def of(self, frame: LayerFrame, *, infer_causal: bool = False) -> Layout:
        """Return the layout of `frame`, made or remembered.

        With `infer_causal`, a layer that does not say whether it is causal is taken at its weights.
        """
        inferred = infer_causal and looks_causal(frame)
        key = (_key(frame), inferred)
        layout = self._known.get(key)
        if layout is None:
            layout = make_layout(frame, causal=True if inferred else frame.info.facts.causal)
            self._known[key] = layout
            if len(self._known) > self._size:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(key)
        return layout


def _key(frame: LayerFrame) -> Hashable:
    facts = frame.info.facts
    arrays = (
        frame.mask,
        frame.key_padding,
        frame.query_padding,
        frame.key_documents,
        frame.query_documents,
    )
    shape = None if frame.weights is None else frame.weights.shape
    described = tuple(None if a is None else (a.shape, a.tobytes()) for a in arrays)
    rules = (facts.kind, facts.causal, facts.q_offset, facts.window, facts.structural_mask)
    return (shape, frame.heads, rules, described)


def make_layout(frame: LayerFrame, causal: bool | None = None) -> Layout:
    """Join everything the archive says about visibility; what contradicts is named, not used.

    A mask of the wrong shape, padding of the wrong length and a causal mask that itself allows
    later keys end up in `contradictions`.
    """
    facts = frame.info.facts
    causal = facts.causal if causal is None else causal
    n_heads, n_queries, n_keys = _shape(frame)
    contradictions: dict[str, str] = {}
    distance = distance_of(n_queries, n_keys, facts.q_offset)
    padding = fitting(frame.key_padding, n_keys, say("key padding"), ("pad_leak",), contradictions)
    real = real_queries(frame, padding, n_queries, n_keys, contradictions)
    mask = intended_mask(frame, (n_heads, n_queries, n_keys), contradictions)
    other_document = documents(frame, n_queries, n_keys, contradictions)
    future = window = None
    if causal and facts.kind == "self" and not facts.structural_mask:
        future = distance < 0
        if mask is not None and allows_future(mask, future, padding):
            contradictions["causal_violation"] = say(
                "the attributes say causal, but the intended mask itself allows later keys; "
                "set structural_mask if that is meant, as in a prefix LM"
            )
            future = None
    if facts.window is not None and facts.window > 0 and facts.kind == "self":
        reach = distance if causal else np.abs(distance)
        window = reach >= facts.window
        if facts.structural_mask:
            window = None
    planes = [plane for plane in (future, other_document, window) if plane is not None]
    allowed = joined(mask, planes, padding, n_queries)
    return Layout(
        n_heads=n_heads,
        n_queries=n_queries,
        n_keys=n_keys,
        kind=facts.kind,
        q_offset=facts.q_offset,
        allowed=allowed,
        real_queries=real,
        padding=padding,
        future=future,
        other_document=other_document,
        outside_window=window,
        mask_given=mask is not None,
        contradictions=contradictions,
    )


def _shape(frame: LayerFrame) -> tuple[int, int, int]:
    if frame.weights is None:
        return len(frame.heads), 0, 0
    heads, queries, keys = frame.weights.shape
    return int(heads), int(queries), int(keys)
