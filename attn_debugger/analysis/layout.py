"""Which keys each query may see: masks, padding, documents and windows brought into one form."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats, Ints
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import LayerFacts


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
        several = self.n_allowed >= 2
        inverse = np.where(several, 1 / np.where(several, self.log_allowed, 1), 0)
        return inverse.astype(np.float32)

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
    def visible_share(self) -> Floats:
        """(1 or head, key): share of the real queries that may see each key."""
        if self.allowed is None:
            return np.ones((1, self.n_keys), np.float32)
        rows = self.allowed[:, self.real_queries]
        if rows.shape[1] == 0:
            return np.zeros((len(rows), self.n_keys), np.float32)
        share: Floats = rows.mean(1, dtype=np.float32)
        return share

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

    def of(self, frame: LayerFrame) -> Layout:
        """Return the layout of `frame`, made or remembered."""
        key = _key(frame)
        layout = self._known.get(key)
        if layout is None:
            layout = make_layout(frame)
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


def make_layout(frame: LayerFrame) -> Layout:
    """Join everything the archive says about visibility; what contradicts is named, not used.

    A mask of the wrong shape, padding of the wrong length and a causal mask that itself allows
    later keys end up in `contradictions`.
    """
    facts = frame.info.facts
    n_heads, n_queries, n_keys = _shape(frame)
    contradictions: dict[str, str] = {}
    distance = _distance(n_queries, n_keys, facts.q_offset)
    padding = _fitting(frame.key_padding, n_keys, "key padding", ("pad_leak",), contradictions)
    real = _real_queries(frame, facts, padding, n_queries, n_keys, contradictions)
    mask = _intended_mask(frame, (n_heads, n_queries, n_keys), contradictions)
    other_document = _documents(frame, n_queries, n_keys, contradictions)
    future = window = None
    if facts.causal and facts.kind == "self" and not facts.structural_mask:
        future = distance < 0
        if mask is not None and _allows_future(mask, future, padding):
            contradictions["causal_violation"] = (
                "the attributes say causal, but the intended mask itself allows later keys; "
                "set structural_mask if that is meant, as in a prefix LM"
            )
            future = None
    if facts.window is not None and facts.window > 0 and facts.kind == "self":
        reach = distance if facts.causal else np.abs(distance)
        window = reach >= facts.window
        if facts.structural_mask:
            window = None
    planes = [plane for plane in (future, other_document, window) if plane is not None]
    allowed = _join(mask, planes, padding, n_queries)
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


def _distance(n_queries: int, n_keys: int, q_offset: int) -> Ints:
    """(query, key): how far the key lies behind the query; negative = in its future."""
    distance: Ints = (np.arange(n_queries) + q_offset)[:, None] - np.arange(n_keys)
    return distance


def _fitting(
    values: Bools | None,
    length: int,
    what: str,
    signals: tuple[str, ...],
    contradictions: dict[str, str],
) -> Bools | None:
    """Return `values` if it has the right length, else name the contradiction."""
    if values is None:
        return None
    if values.shape != (length,):
        sentence = f"{what} has shape {values.shape}, the map has {length} on that axis"
        for signal in signals:
            contradictions[signal] = sentence
        return None
    return np.asarray(values, bool)


def _real_queries(
    frame: LayerFrame,
    facts: LayerFacts,
    padding: Bools | None,
    n_queries: int,
    n_keys: int,
    contradictions: dict[str, str],
) -> Bools:
    given = _fitting(frame.query_padding, n_queries, "query padding", (), contradictions)
    if given is not None:
        return ~given
    # In self-attention queries and keys are the same tokens unless the file says otherwise.
    if padding is not None and facts.kind == "self":
        positions = np.arange(n_queries) + facts.q_offset
        inside = (positions >= 0) & (positions < n_keys)
        real = np.ones(n_queries, bool)
        real[inside] = ~padding[positions[inside]]
        return real
    return np.ones(n_queries, bool)


def _intended_mask(
    frame: LayerFrame, shape: tuple[int, int, int], contradictions: dict[str, str]
) -> Bools | None:
    """(1 or head, query, key), or None when no mask is stored or it does not fit."""
    mask = frame.mask
    if mask is None:
        return None
    planes = mask if mask.ndim == 3 else mask[None]
    heads = planes.shape[0] if planes.ndim == 3 else 0
    try:
        if heads not in (1, shape[0]):
            raise ValueError
        full = np.broadcast_to(planes, (heads, *shape[1:]))
    except ValueError:
        sentence = f"the intended mask has shape {mask.shape}, the weights {shape}"
        for signal in ("mask_leak", "support_truncated"):
            contradictions[signal] = sentence
        return None
    return np.asarray(full, bool)


def _documents(
    frame: LayerFrame, n_queries: int, n_keys: int, contradictions: dict[str, str]
) -> Bools | None:
    keys, queries = frame.key_documents, frame.query_documents
    if keys is None:
        return None
    facts = frame.info.facts
    if queries is None:
        if facts.kind != "self" or keys.shape != (n_keys,):
            return None
        positions = np.arange(n_queries) + facts.q_offset
        if bool((positions < 0).any() or (positions >= n_keys).any()):
            return None
        queries = keys[positions]
    if keys.shape != (n_keys,) or queries.shape != (n_queries,):
        contradictions["cross_document_leak"] = (
            f"documents have lengths {queries.shape} and {keys.shape}, "
            f"the map is {n_queries} x {n_keys}"
        )
        return None
    return np.asarray(queries[:, None] != keys[None, :], bool)


def _allows_future(mask: Bools, future: Bools, padding: Bools | None) -> bool:
    """Whether a mask that differs between queries allows later keys on purpose.

    One row for all queries is a key-padding mask, not a statement about order.
    """
    if bool((mask == mask[:, :1]).all()):
        return False
    open_future = mask & future
    if padding is not None:
        open_future = open_future & ~padding
    return bool(open_future.any())


def _join(
    mask: Bools | None, planes: list[Bools], padding: Bools | None, n_queries: int
) -> Bools | None:
    if mask is None and not planes and padding is None:
        return None
    allowed: Bools | None = None if mask is None else mask.copy()
    for plane in planes:
        keep = ~plane[None]
        allowed = keep if allowed is None else allowed & keep
    if padding is not None:
        keep = np.broadcast_to(~padding, (1, n_queries, len(padding)))
        allowed = keep.copy() if allowed is None else allowed & keep
    return allowed
