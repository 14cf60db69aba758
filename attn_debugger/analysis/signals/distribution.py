"""How sharp, how uniform, how alike the rows of a head are.

Shape alone is never an alarm: hard-attention tasks saturate healthily and averaging layers are a
legitimate solution. Louder severities come later, from persistence and corroboration.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats, heads_of_a_layer
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.measures.structure import Structure
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict, indices
from attn_debugger.analysis.signals.gaps import too_short
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import say


def detect_saturation(structure: Structure, context: FrameContext) -> Iterator[Verdict]:
    """`entropy_collapse` of a layer (Zhai et al. 2303.06296) and `saturated_head`.

    Heads whose one-hot rows have a name (band, identity, expected sink, key collapse) are left out.
    """
    del context
    measures, limits = structure.measures, structure.measures.thresholds
    if not measures.enough.any():
        reason, advice = too_short(measures)
        for signal in ("entropy_collapse", "saturated_head"):
            yield Gap(signal=signal, reason=reason, advice=advice)
        return
    normalised = measures.normalised_entropy
    with np.errstate(invalid="ignore"):
        sharp = measures.enough & measures.alive & (normalised < limits.saturated)
    if not sharp.any():
        return
    sharp &= ~named_sharp(structure)
    if not sharp.any():
        return
    wide = sharp.sum() >= heads_of_a_layer(measures.n_heads, limits.layer_share)
    level = float(np.nanmean(normalised[sharp]))
    yield Finding(
        signal="entropy_collapse" if wide else "saturated_head",
        severity=Severity.NOTICE,
        evidence=say(
            "rows are nearly one-hot (entropy {level:.1%} of what is possible)", level=level
        ),
        heads=indices(sharp),
        value=round(float(np.nanmin(normalised[sharp])), 6),
        threshold=limits.saturated,
        unit=say("entropy / ln(keys)"),
    )


def named_sharp(structure: Structure) -> Bools:
    """(head,): sharp for a reason that has its own name."""
    limits = structure.measures.thresholds
    band, _ = structure.band
    sink = (structure.sink_mass > 0.8) & structure.exempt[structure.sink_key]
    collapsed, _ = structure.collapsed
    named: Bools = (band > 0.8) | (structure.diagonal > limits.diagonal) | sink | collapsed
    return named


def uniform_heads(measures: Measures) -> Bools:
    """(head,): less than 0.02 nats from uniform in this frame (score deviation below 0.2)."""
    with np.errstate(invalid="ignore"):
        near: Bools = measures.enough & (measures.from_uniform < measures.thresholds.uniform)
    return near


def detect_rank_one(structure: Structure) -> Iterator[Verdict]:
    """`rank1_rows`: all queries share one distribution, not uniform (Dong et al. 2103.03404).

    rho = ||P - mean_q P|| / ||P||, after the removal of a sink key. Only where every row sees the
    same keys: causal maps cannot be tested this way.
    """
    measures, limits = structure.measures, structure.measures.thresholds
    if not measures.layout.same_keys_for_all:
        yield Gap(
            signal="rank1_rows", reason=say("rows see different keys (a causal or banded mask)")
        )
        return
    if measures.n_queries < 8 or not measures.enough.any():
        reason, advice = too_short(measures)
        yield Gap(signal="rank1_rows", reason=reason, advice=advice)
        return
    rho, informative = row_variation(structure)
    same = measures.alive & informative & (rho < limits.rank_one)
    if same.sum() >= heads_of_a_layer(measures.n_heads, limits.layer_share):
        yield Finding(
            signal="rank1_rows",
            severity=Severity.NOTICE,
            evidence=say(
                "all queries share one distribution over the keys (variation {variation:.1%})",
                variation=float(rho[same].max()),
            ),
            heads=indices(same),
            value=float(rho[same].min()),
            threshold=limits.rank_one,
            unit=say("||P - mean|| / ||P||"),
        )


def row_variation(structure: Structure) -> tuple[Floats, Bools]:
    """(head,), (head,): rho, and whether the mean row says anything (it is not uniform).

    ||P - m||^2 = sum ||p||^2 - R ||m||^2, so no centred copy of the maps is made.
    """
    measures, limits = structure.measures, structure.measures.thresholds
    maps = measures.allowed_weights
    if not measures.all_finite:
        maps = np.where(measures.finite[..., None], maps, np.float32(0))
    weight = measures.row_weight.astype(np.float64)
    sunk = structure.sink_mass > limits.sink
    rest = measures.mass.astype(np.float64)
    if sunk.any():
        # A copy: next to a sink near 1 the rest of a row is lost in the rounding of a difference.
        maps = maps.copy()
        maps[sunk, :, structure.sink_key[sunk]] = 0
        rest = np.where(sunk[:, None], maps.sum(-1), rest)
    squares = np.einsum("hqk,hqk->hq", maps, maps).astype(np.float64)
    weight = np.where((weight > 0) & (rest > 1e-6), 1 / np.maximum(rest, 1e-12), 0)
    count = np.maximum((weight > 0).sum(-1), 1)
    mean = np.matmul(weight.astype(np.float32)[:, None], maps)[:, 0].astype(np.float64)
    mean /= count[:, None]
    total = (weight**2 * squares).sum(-1)
    spread = np.maximum(total - count * (mean**2).sum(-1), 0)
    with np.errstate(all="ignore"):
        rho = np.sqrt(spread / np.maximum(total, 1e-30))
        entropy = -np.where(mean > 0, mean * np.log(np.maximum(mean, 1e-300)), 0).sum(-1)
    keys = np.maximum(measures.layout.n_allowed.max(-1), 1)
    informative = (np.log(keys) - entropy > limits.uniform) & ((weight > 0).sum(-1) >= 8)
    return rho, informative & measures.enough
