"""Quiet structure tags of heads: sink, previous-token, next-token, diagonal, induction."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.analysis.arrays import Floats
from attn_debugger.analysis.measures.structure import Structure
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.words import say


def tags_of(structure: Structure) -> dict[HeadRef, tuple[str, ...]]:
    """Return the tags of one layer's heads; heads without any are left out."""
    measures = structure.measures
    limits = measures.thresholds
    layer = measures.frame.info.index
    band, offset = structure.band
    induction = induction_mass(structure)
    tags: dict[HeadRef, tuple[str, ...]] = {}
    for position, head in enumerate(measures.frame.heads):
        mine = []
        if structure.sink_mass[position] > limits.sink:
            mine.append(say("sink"))
        if structure.diagonal[position] > limits.band:
            mine.append(say("diagonal"))
        if band[position] > limits.band:
            names = {-1: say("previous-token"), 1: say("next-token")}
            mine.append(
                names.get(
                    int(offset[position]), say("offset {offset:+d}", offset=int(offset[position]))
                )
            )
        if induction is not None and induction[position] > limits.sink:
            mine.append(say("induction"))
        if mine:
            tags[HeadRef(layer, int(head))] = tuple(mine)
    return tags


def induction_mass(structure: Structure) -> Floats | None:
    """(head,): mean mass on the key that follows an earlier occurrence of the query's token.

    The mark of an induction head (Olsson et al. 2022). None without tokens or without repeats.
    """
    measures = structure.measures
    frame = measures.frame
    if measures.facts.kind != "self" or measures.n_queries != measures.n_keys:
        return None
    names: NDArray[Any]
    if frame.token_ids is not None and frame.token_ids.shape == (measures.n_keys,):
        names = np.asarray(frame.token_ids)
    elif frame.tokens is not None and len(frame.tokens) == measures.n_keys:
        names = np.asarray(frame.tokens, dtype=object)
    else:
        return None
    follows = np.zeros((measures.n_queries, measures.n_keys), bool)
    follows[:, 1:] = names[:, None] == names[None, :-1]
    queries, keys = np.arange(measures.n_queries)[:, None], np.arange(measures.n_keys)[None]
    follows &= (keys <= queries) & (keys - 1 != queries)
    # A repeat just before is the previous-token head's business, and one token repeated is noise.
    rows = measures.stat_rows & follows.any(-1) & (follows.sum(-1) <= 4)
    if not rows.any() or len(set(names.tolist())) < 4:
        return None
    mass = np.einsum("hqk,qk->hq", measures.allowed_weights, follows.astype(np.float32))
    count = rows.sum(-1)
    mean = np.where(rows, mass * measures.row_weight, 0).sum(-1) / np.maximum(count, 1)
    return np.where(count >= measures.thresholds.min_rows, mean, 0)
