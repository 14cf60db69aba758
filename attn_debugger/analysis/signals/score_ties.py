"""Scores too large for the spacing of their number format."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.arrays import Floats
from attn_debugger.analysis.measures.scores import ScoreMeasures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict, indices
from attn_debugger.analysis.signals.gaps import score_gap
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import say


def detect_ties(scores: ScoreMeasures, context: FrameContext) -> Iterator[Verdict]:
    """`low_precision_ties`: a row's maximum is shared because the number format is too coarse.

    Ties plus biased rounding make the loss explode (Qiu & Yao 2510.04212). Repeated tokens tie
    legitimately, so the spacing of the format at that size must be at least a quarter.
    """
    del context
    dtype = scores.compute_dtype
    if dtype not in ("bfloat16", "float16"):
        if not dtype:
            yield Gap(
                signal="low_precision_ties",
                reason=say("compute_dtype is not recorded"),
                advice=say("record(model, path, attributes={'compute_dtype': 'bfloat16'})"),
            )
        return
    share = _tie_share(scores, 7 if dtype == "bfloat16" else 10)
    if share is None:
        yield score_gap("low_precision_ties", scores)
        return
    tied = share > scores.thresholds.tie_rows
    if tied.any():
        yield Finding(
            signal="low_precision_ties",
            severity=Severity.WARNING,
            evidence=say(
                "in {share:.0%} of the rows several keys share the largest score: {dtype} "
                "cannot tell scores of this size apart",
                share=float(share[tied].max()),
                dtype=dtype,
            ),
            heads=indices(tied),
            value=float(share[tied].max()),
            threshold=scores.thresholds.tie_rows,
            unit=say("share of rows"),
        )


def _tie_share(scores: ScoreMeasures, mantissa: int) -> Floats | None:
    """(head,): share of rows with a tied maximum where the format's spacing is coarse."""
    limits = scores.thresholds
    if scores.scores is not None and scores.layout is not None:
        kept = np.where(scores.considered, scores.scores, -np.inf)
        largest = kept.max(-1)
        rows = (scores.layout.n_allowed >= limits.min_keys) & np.isfinite(largest)
        coarse = spacing(np.where(np.isfinite(largest), largest, 0), mantissa) >= limits.tie_spacing
        tied = ((kept == largest[..., None]).sum(-1) > 1) & rows & coarse
        share: Floats = tied.sum(-1) / np.maximum(rows.sum(-1), 1)
        return share
    live, largest_live = scores.frame.stats.get("tie_fraction"), scores.abs_max
    if live is None or largest_live is None or live.shape != largest_live.shape:
        return None
    coarse = spacing(largest_live, mantissa) >= limits.tie_spacing
    return np.where(coarse, np.nan_to_num(live), 0)


def spacing(values: Floats, mantissa: int) -> Floats:
    """Distance to the next representable number of a format with `mantissa` explicit bits."""
    exponent = np.floor(np.log2(np.maximum(np.abs(values), 1e-30)))
    result: Floats = 2.0 ** (exponent - mantissa)
    return result
