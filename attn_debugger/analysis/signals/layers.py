"""Layers against each other: maps that barely change from one layer to the next (DeepViT)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats, heads_of_a_layer
from attn_debugger.analysis.measures.structure import Structure
from attn_debugger.analysis.signals.findings import Finding, Verdict
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import say

_ROWS = 32
_CHAIN = 3  # consecutive pairs that make a finding


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Some rows of a layer's maps, sink removed, centred over rows, each head of norm 1."""

    layer: int
    shape: tuple[int, int]
    maps: Floats  # (head, row * key)
    informative: Bools  # (head,) far enough from uniform


def fingerprint(structure: Structure) -> Fingerprint | None:
    """None where the comparison means nothing: few rows, causal or banded masks."""
    measures = structure.measures
    if measures.n_queries < 8 or not measures.layout.same_keys_for_all:
        return None
    if not measures.enough.any() or not measures.all_finite:
        return None
    pick = np.unique(np.linspace(0, measures.n_queries - 1, _ROWS).astype(int))
    if not measures.layout.mask_given and _masked_somewhere(measures.weights[:, pick]):
        return None  # an unknown mask that differs between rows would make any two layers alike
    maps = (measures.weights[:, pick] * measures.row_weight[:, pick, None]).astype(np.float32)
    sunk = np.flatnonzero(structure.sink_mass > measures.thresholds.sink)
    maps[sunk, :, structure.sink_key[sunk]] = 0
    maps -= maps.mean(1, keepdims=True)
    flat = maps.reshape(len(maps), -1)
    flat /= np.maximum(np.linalg.norm(flat, axis=-1, keepdims=True), 1e-12)
    with np.errstate(invalid="ignore"):
        informative = measures.from_uniform > 0.05
    shape = (measures.n_queries, measures.n_keys)
    return Fingerprint(measures.frame.info.index, shape, flat, informative)


def _masked_somewhere(rows: Floats) -> bool:
    """Whether cells are zero in every head although their key is seen by other rows."""
    dark = rows.max(0) == 0
    seen = ~dark.all(0)
    return bool(dark[:, seen].mean() > 0.03) if seen.any() else False


def similarity(lower: Fingerprint | None, upper: Fingerprint | None) -> float:
    """Mean over the lower layer's informative heads of the best match above; 0 = not comparable."""
    if lower is None or upper is None or lower.shape != upper.shape:
        return 0.0
    use = lower.informative
    if use.sum() < heads_of_a_layer(len(use), 0.5):
        return 0.0
    return float((lower.maps[use] @ upper.maps.T).max(-1).mean())


class Chain:
    """Counts consecutive similar pairs of layers in one frame and sample."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._previous: Fingerprint | None = None
        self._length = 0
        self._reported = False

    def follow(self, structure: Structure) -> Iterator[Verdict]:
        """`layer_similarity`: three pairs in a row above 0.9."""
        current = fingerprint(structure)
        value = similarity(self._previous, current)
        self._previous = current
        self._length = self._length + 1 if value > self._limit else 0
        if self._length >= _CHAIN and not self._reported:
            self._reported = True
            last = structure.measures.frame.info.index
            yield Finding(
                signal="layer_similarity",
                severity=Severity.WARNING,
                evidence=say(
                    "the maps of layers {first} to {last} are nearly the same",
                    first=last - _CHAIN,
                    last=last,
                ),
                value=value,
                threshold=self._limit,
                unit=say("cosine"),
                whole_run=True,
            )
