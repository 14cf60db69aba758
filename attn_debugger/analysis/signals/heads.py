"""Heads against each other: copies, copied columns, and how much the heads of a layer differ."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats, any_over
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import join, say

_CELLS = 50_000  # of all pairs together
_MAX_PAIRS = 96


def detect_duplicate_heads(measures: Measures, context: FrameContext) -> Iterator[Verdict]:
    """`duplicate_heads`: identical maps on rows that are neither one-hot nor uniform."""
    del context
    limits = measures.thresholds
    if measures.n_heads < 2:
        return
    rows = (
        measures.valid
        & (measures.layout.n_allowed >= 4)
        & (measures.entropy > 0.1)
        & (measures.layout.log_allowed - measures.entropy > 1e-3)
    )
    limit = limits.duplicate_difference if measures.precision in ("float32", "float64") else 0.0
    copies: set[int] = set()
    for a, b in _candidates(measures, rows):
        shared = rows[a] & rows[b]
        if shared.sum() < limits.min_rows:
            continue
        if float(np.abs(measures.weights[a, shared] - measures.weights[b, shared]).max()) <= limit:
            copies |= {a, b}
    if not copies:
        return
    everyone = len(copies) == measures.n_heads
    yield Finding(
        signal="duplicate_heads",
        severity=Severity.WARNING,
        evidence=join(
            "",
            (
                say("{count} heads hold the same map", count=len(copies)),
                say(": all of the layer's, as when the head average is broadcast")
                if everyone
                else "",
            ),
        ),
        heads=tuple(sorted(copies)),
        value=float(len(copies)),
        threshold=0.0,
        unit=say("heads"),
        marks=frozenset(("all_heads",)) if everyone else frozenset(),
    )


def _candidates(measures: Measures, rows: Bools) -> Iterator[tuple[int, int]]:
    """Pairs of living heads whose entropies agree row by row: equal maps have equal entropies."""
    alive = np.flatnonzero(measures.alive & any_over(rows, -1))
    if len(alive) < 2:
        return
    profile = np.where(rows, measures.entropy, np.float32(0))[alive]
    # The sum over rows settles most pairs; the rows themselves nearly all others.
    totals = profile.sum(-1, dtype=np.float64)
    near = np.abs(totals[:, None] - totals) <= 1e-3 * (profile.shape[-1] + 1)
    for first, second in np.argwhere(np.triu(near, 1)):
        if float(np.abs(profile[first] - profile[second]).max()) <= 1e-3:
            yield int(alive[first]), int(alive[second])


def detect_duplicate_columns(measures: Measures, context: FrameContext) -> Iterator[Verdict]:
    """`duplicate_columns`: keys come in identical groups of 2 to 4, everywhere, in every head."""
    del context
    if not measures.all_finite or not measures.alive.all():
        yield Gap(signal="duplicate_columns", reason=say("an earlier fault hides it"))
        return
    if measures.n_keys < 8:
        return
    for repeats in (2, 3, 4):
        groups, rest = divmod(measures.n_keys, repeats)
        if rest or groups < 4:
            continue
        for interleaved in (True, False):
            if not _repeats(measures.weights, repeats, interleaved):
                continue
            rows = measures.valid & (measures.layout.n_allowed >= 4)
            informative = measures.layout.log_allowed - measures.entropy
            if not rows.any() or float(informative[rows].mean()) <= 0.01:
                continue
            how = (
                say("each key is repeated")
                if interleaved
                else say("the keys are repeated as a block")
            )
            yield Finding(
                signal="duplicate_columns",
                severity=Severity.CRITICAL,
                evidence=say(
                    "keys come in identical groups of {repeats}: {how} along the sequence axis",
                    repeats=repeats,
                    how=how,
                ),
                heads=tuple(range(measures.n_heads)),
                value=float(repeats),
                threshold=1.0,
                unit=say("copies"),
            )
            return


def _repeats(weights: Floats, repeats: int, interleaved: bool) -> bool:
    """Whether columns repeat; the last row, which sees most keys, settles nearly every layer."""
    heads, _, keys = weights.shape
    shape = (keys // repeats, repeats) if interleaved else (repeats, keys // repeats)
    axis = -1 if interleaved else -2
    for part in (weights[:, -1:], weights):
        blocks = part.reshape(heads, -1, *shape)
        first = np.take(blocks, [0], axis=axis)
        if not bool((blocks == first).all()):
            return False
    return True


def divergence_between_heads(measures: Measures) -> float:
    """Return the mean pairwise Jensen-Shannon divergence of the heads (nats).

    Over 8 to 64 rows that count in every head, evenly spread, and up to 96 pairs: enough for a
    mean, at a fraction of a pass over the maps. Heads that are all but one-hot, or all but uniform,
    are equal for free: a pair of them says nothing. NaN where no pair or no row is left.
    """
    rows = np.flatnonzero(measures.stat_rows.all(0))
    if measures.n_heads < 2 or len(rows) == 0:
        return float("nan")
    kind = np.where(measures.normalised_entropy < measures.thresholds.saturated, 1, 0)
    kind = np.where(measures.from_uniform < measures.thresholds.uniform, 2, kind)
    pairs = [
        (a, b) for a, b in combinations(range(measures.n_heads), 2) if not kind[a] == kind[b] != 0
    ]
    if not pairs:
        return float("nan")
    if len(pairs) > _MAX_PAIRS:
        pairs = pairs[:: -(-len(pairs) // _MAX_PAIRS)]
    wanted = int(np.clip(_CELLS // (len(pairs) * measures.n_keys), 8, 64))
    pick = rows[np.unique(np.linspace(0, len(rows) - 1, min(wanted, len(rows))).astype(int))]
    maps = measures.allowed_weights[:, pick] * measures.row_weight[:, pick, None]
    entropy = measures.entropy[:, pick]
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    middle = np.float32(0.5) * (maps[first] + maps[second])
    mixed = -(middle * np.log(middle + np.float32(1e-37))).sum(-1)
    values = np.maximum(mixed - 0.5 * (entropy[first] + entropy[second]), 0)
    return float(values.mean())
