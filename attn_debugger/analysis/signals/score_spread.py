"""How far the scores of a row spread in the first frame: a hint at a forgotten scale."""

from __future__ import annotations

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats
from attn_debugger.analysis.measures.scores import ScoreMeasures
from attn_debugger.analysis.signals.findings import Finding, indices
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import say

_WIDE_AT_START = 3.0  # standard deviation of the scores of a row


def wide_at_start(scores: ScoreMeasures) -> Finding | None:
    """`scale_mismatch` as a hint, in the frame of step 0: the scores of most heads deviate by 3.

    For archives without q, k and live statistics. Usual initialisations give 0.1 to 1; a forgotten
    1/sqrt(d_head) multiplies that by sqrt(d_head). Weights tell as much as scores: softmax only
    shifts the logarithm of a row.
    """
    facts, frame, layout = scores.facts, scores.frame, scores.layout
    if layout is None or facts.trained or facts.alibi_slopes is not None:
        return None
    if scores.scores is not None:
        values, keep = scores.scores, scores.considered
    elif frame.weights is not None and not frame.info.storage.startswith("uint8"):
        with np.errstate(all="ignore"):
            values = np.log(frame.weights)
        keep = np.isfinite(values) & layout.real_queries[:, None]
        if layout.allowed is not None:
            keep = keep & layout.allowed
    else:
        return None
    deviation = _row_deviation(values, keep)
    wide = deviation > _WIDE_AT_START
    if wide.mean() < scores.thresholds.layer_share:
        return None
    level = float(np.median(deviation[wide]))
    return Finding(
        signal="scale_mismatch",
        severity=Severity.NOTICE,
        evidence=say(
            "the scores of a row deviate by {level:.1f}, where fresh weights give 0.1 to 1: the "
            "division by sqrt(d_head) may be missing",
            level=level,
        ),
        heads=indices(wide),
        value=level,
        threshold=_WIDE_AT_START,
        unit=say("standard deviation of the scores of a row"),
    )


def _row_deviation(values: Floats, keep: Bools) -> Floats:
    """(head,): median over rows of the standard deviation over the kept keys; 0 = too few."""
    count = keep.sum(-1)
    kept = np.where(keep, values, 0).astype(np.float64)
    mean = kept.sum(-1) / np.maximum(count, 1)
    with np.errstate(all="ignore"):
        square = np.where(keep, (kept - mean[..., None]) ** 2, 0).sum(-1) / np.maximum(count, 1)
        deviation = np.where(count >= 8, np.sqrt(square), np.nan)
    rows = np.isfinite(deviation).sum(-1) >= 4
    result = np.zeros(len(values))
    for head in np.flatnonzero(rows):
        result[head] = np.nanmedian(deviation[head])
    return result
