"""The parts that make up who may see whom: masks, padding, documents, and what contradicts them."""

from __future__ import annotations

import numpy as np

from attn_debugger.analysis.arrays import Bools, Ints
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.words import say

# Share of rows that may look ahead in a layer that is taken for causal without being declared so.
_DIRTY_ROWS = 1e-3


def looks_causal(frame: LayerFrame) -> bool:
    """Whether a layer that does not say if it is causal shows that it is.

    All but 0.1 % of its rows put nothing on later keys; a bidirectional layer does so in its very
    first row.
    """
    facts, weights = frame.info.facts, frame.weights
    if facts.causal is not None or facts.kind != "self" or frame.mask is not None:
        return False
    if weights is None or weights.ndim != 3 or 0 in weights.shape:
        return False
    queries, keys = weights.shape[1:]
    if queries < 8 or keys != queries + facts.q_offset:
        return False
    with np.errstate(all="ignore"):
        ahead = np.nan_to_num(weights[:, 0, facts.q_offset + 1 :]).any(-1)
        if ahead.mean() > _DIRTY_ROWS:
            return False
        later = distance_of(queries, keys, facts.q_offset) < 0
        dirty = np.nan_to_num(np.einsum("hqk,qk->hq", weights, later.astype(np.float32))) > 1e-6
    return bool(dirty.mean() <= _DIRTY_ROWS)


def distance_of(n_queries: int, n_keys: int, q_offset: int) -> Ints:
    """(query, key): how far the key lies behind the query; negative = in its future."""
    distance: Ints = (np.arange(n_queries) + q_offset)[:, None] - np.arange(n_keys)
    return distance


def fitting(
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
        sentence = say(
            "{what} has shape {values_shape}, the map has {length} on that axis",
            what=what,
            values_shape=values.shape,
            length=length,
        )
        for signal in signals:
            contradictions[signal] = sentence
        return None
    return np.asarray(values, bool)


def real_queries(
    frame: LayerFrame,
    padding: Bools | None,
    n_queries: int,
    n_keys: int,
    contradictions: dict[str, str],
) -> Bools:
    """(query,): False where a query is padding; the keys of self-attention tell if it does not."""
    facts = frame.info.facts
    given = fitting(frame.query_padding, n_queries, say("query padding"), (), contradictions)
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


def intended_mask(
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
        sentence = say(
            "the intended mask has shape {mask_shape}, the weights {shape}",
            mask_shape=mask.shape,
            shape=shape,
        )
        for signal in ("mask_leak", "support_truncated"):
            contradictions[signal] = sentence
        return None
    return np.asarray(full, bool)


def documents(
    frame: LayerFrame, n_queries: int, n_keys: int, contradictions: dict[str, str]
) -> Bools | None:
    """(query, key): True where they belong to different documents; None = not known."""
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
        contradictions["cross_document_leak"] = say(
            "documents have lengths {queries_shape} and {keys_shape}, the map is "
            "{n_queries} x {n_keys}",
            queries_shape=queries.shape,
            keys_shape=keys.shape,
            n_queries=n_queries,
            n_keys=n_keys,
        )
        return None
    return np.asarray(queries[:, None] != keys[None, :], bool)


def allows_future(mask: Bools, future: Bools, padding: Bools | None) -> bool:
    """Whether a mask that differs between queries allows later keys on purpose.

    One row for all queries is a key-padding mask, not a statement about order.
    """
    if bool((mask == mask[:, :1]).all()):
        return False
    open_future = mask & future
    if padding is not None:
        open_future = open_future & ~padding
    return bool(open_future.any())


def joined(
    mask: Bools | None, planes: list[Bools], padding: Bools | None, n_queries: int
) -> Bools | None:
    """(1 or head, query, key): allowed by all that is known; None = everything is."""
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
