"""Signals of the scores: level, overflow of half precision, ties, caps.

Softmax hides the level of the scores (it is shift-invariant), so none of this can be told from
weights. 50 is a rule of thumb that is really a statement about the resolution of bfloat16; 100 is
the threshold of QK-Clip; runs above 1e4 diverge (Wortsman et al. 2309.14322, ViT-22B 2302.05442).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats, any_over
from attn_debugger.analysis.context import FrameContext
from attn_debugger.analysis.findings import Finding, Gap, Verdict, indices
from attn_debugger.analysis.layout import Layout
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import Severity
from attn_debugger.core.frame import LayerFrame

NOT_RECORDED = "scores not recorded"
RECORD_SCORES = "record(model, path, scores=True)"
_HALF_MAX = 65504.0
# Scores below this are a mask fill when the rest of the layer stays far from it.
_FILL = -5e3


class ScoreMeasures:
    """Per-head numbers of a layer's scores, from the maps or, without them, from live statistics.

    Scores are cleaned first: mask fills, forbidden cells and padding are left out, the ALiBi bias
    is added back.
    """

    def __init__(self, frame: LayerFrame, layout: Layout | None, thresholds: Thresholds) -> None:
        self.frame = frame
        self.facts = frame.info.facts
        self.layout = layout
        self.thresholds = thresholds
        self.problem = ""
        scores = frame.scores
        if scores is not None and layout is not None:
            expected = (layout.n_heads, layout.n_queries, layout.n_keys)
            if scores.shape != expected:
                self.problem = f"scores have shape {scores.shape}, the weights {expected}"
                scores = None
        self.scores: Floats | None = scores if layout is not None else None

    @property
    def compute_dtype(self) -> str:
        """Dtype of scores and softmax, without `torch.`; empty = unknown."""
        return (self.facts.compute_dtype or "").removeprefix("torch.")

    @cached_property
    def considered(self) -> Bools:
        """(head, query, key): cells whose score counts."""
        if self.scores is None or self.layout is None:
            raise ValueError("no scores")
        keep = np.isfinite(self.scores)
        if self.layout.allowed is not None:
            keep = keep & self.layout.allowed
        keep = keep & self.layout.real_queries[:, None]
        return keep & ~self._fill(keep)

    def _fill(self, keep: Bools) -> Bools:
        """Cells that hold a mask fill rather than a score: far below everything else."""
        scores = self.scores
        assert scores is not None
        low = keep & (scores < _FILL)
        if not low.any():
            return low
        bulk = scores[keep & ~low]
        if bulk.size and float(np.abs(bulk).max()) < self.thresholds.score_warning:
            return low
        return np.zeros_like(low)

    @cached_property
    def unbiased(self) -> Floats:
        """(head, query, key): scores with the declared ALiBi bias taken out, float64."""
        assert self.scores is not None
        assert self.layout is not None
        slopes = self.facts.alibi_slopes
        if slopes is None:
            return self.scores
        if len(slopes) != self.layout.n_heads:
            return self.scores
        queries = np.arange(self.layout.n_queries)[:, None] + self.layout.q_offset
        distance = queries - np.arange(self.layout.n_keys)[None]
        reach = np.maximum(distance, 0) if self.facts.causal else np.abs(distance)
        bias = np.asarray(slopes, np.float32)[:, None, None] * reach.astype(np.float32)
        unbiased: Floats = self.scores + bias
        return unbiased

    @cached_property
    def abs_max(self) -> Floats | None:
        """(head,): largest |score| that counts; None = not recorded. Live statistics come first."""
        live = self._live_abs_max()
        if live is not None:
            return live
        if self.scores is None:
            return None
        largest = np.where(self.considered, np.abs(self.unbiased), np.float32(0))
        result: Floats = largest.max((1, 2), initial=0)
        return result

    def _live_abs_max(self) -> Floats | None:
        stats = self.frame.stats
        shape = (len(self.frame.heads),)
        # A declared bias only lowers scores, so the live minimum says nothing about q.k.
        names: tuple[str, ...] = ("score_max", "score_min")
        if self.facts.alibi_slopes is not None:
            names = ("score_max",)
        elif "score_abs_max" in stats:
            names = ("score_abs_max",)
        rows = [np.abs(stats[name]) for name in names if name in stats]
        rows = [row for row in rows if row.shape == shape]
        if not rows:
            return None
        largest = np.fmax.reduce(rows)
        # A live statistic that is not known in this frame must not hide recorded scores.
        if not np.isfinite(largest).all() and self.scores is not None:
            return None
        return largest if np.isfinite(largest).any() else None


def detect_score_overflow(scores: ScoreMeasures, context: FrameContext) -> Iterator[Verdict]:
    """`score_overflow`: infinite scores where the mask allows, although the weights look finite."""
    live = scores.frame.stats.get("score_posinf")
    if live is not None and live.shape == (len(scores.frame.heads),):
        bad = np.nan_to_num(live) > 0
        if bad.any():
            context.nonfinite_below = True
            yield _overflow(scores, bad, None)
        return
    if scores.scores is None or scores.layout is None:
        yield _gap("score_overflow", scores)
        return
    infinite = np.isposinf(scores.scores)
    negative = np.isneginf(scores.scores)
    if scores.layout.allowed is not None:
        infinite = infinite & scores.layout.allowed
    if scores.layout.mask_given and negative.any():
        # -inf in the very same cells of every head is a mask that was applied, not an overflow.
        negative = (
            negative & scores.layout.allowed if scores.layout.allowed is not None else negative
        )
        if len(negative) == 1 or not bool((negative == negative[:1]).all()):
            infinite = infinite | negative
    infinite = infinite & scores.layout.real_queries[:, None]
    if infinite.any():
        yield _overflow(scores, any_over(infinite, (1, 2)), infinite)


def _overflow(scores: ScoreMeasures, heads: Bools, cells: Bools | None) -> Finding:
    place = None if cells is None else np.argwhere(cells)[0]
    dtype = scores.compute_dtype
    return Finding(
        signal="score_overflow",
        severity=Severity.CRITICAL,
        evidence="scores overflow to infinity inside the mask"
        + (f" (computed in {dtype})" if dtype else ""),
        heads=indices(heads),
        value=None if cells is None else float(cells.sum()),
        threshold=0.0,
        unit="cells",
        query=None if place is None else int(place[1]),
        key=None if place is None else int(place[2]),
    )


def detect_score_extreme(scores: ScoreMeasures, context: FrameContext) -> Iterator[Verdict]:
    """`score_extreme` and `cap_violation`: how large |score| gets, by head."""
    del context
    largest = scores.abs_max
    facts, limits = scores.facts, scores.thresholds
    capped = facts.softcap is not None and facts.score_stage == "post_cap"
    if facts.softcap is None:
        yield Gap(
            signal="cap_violation",
            reason="no soft-cap is declared",
            advice="record(model, path, attributes={'softcap': 50.0}) if the model has one",
        )
    if largest is None:
        yield _gap("score_extreme", scores)
        if facts.softcap is not None:
            yield _gap("cap_violation", scores)
        return
    if facts.softcap is not None and not capped:
        yield Gap(
            signal="cap_violation",
            reason="the recorded scores are those before the soft-cap",
            advice="set score_stage='post_cap' and record the scores after it",
        )
    if capped:
        yield Gap(
            signal="score_extreme",
            reason="the recorded scores are those after the soft-cap",
            advice="record the scores before the soft-cap",
        )
        yield from _cap(scores, largest)
        return
    width = facts.d_head or (scores.frame.q.shape[-1] if scores.frame.q is not None else None)
    product = largest * math.sqrt(width) if width else largest
    half = scores.compute_dtype == "float16"
    near = product > _HALF_MAX / limits.half_margin if half else np.zeros(len(largest), bool)
    critical = (largest > limits.score_critical) | near
    warning = ~critical & (largest > limits.score_warning)
    notice = ~critical & ~warning & (largest > limits.score_notice)
    for heads, severity, limit in (
        (critical, Severity.CRITICAL, limits.score_critical),
        (warning, Severity.WARNING, limits.score_warning),
        (notice, Severity.NOTICE, limits.score_notice),
    ):
        if heads.any():
            yield _extreme(scores, largest, heads, severity, limit, near)


def _extreme(
    scores: ScoreMeasures,
    largest: Floats,
    heads: Bools,
    severity: Severity,
    limit: float,
    near: Bools,
) -> Finding:
    value = float(largest[heads].max())
    text = f"|score| reaches {value:.4g}"
    if near[heads].any():
        text += ", within a factor 4 of what float16 can hold before scaling"
    elif severity is Severity.NOTICE and value > scores.thresholds.score_watch:
        text += ", beyond the 100 at which QK-Clip steps in"
    head = int(np.where(heads, largest, -np.inf).argmax())
    query = key = None
    if scores.scores is not None:
        cells = np.where(scores.considered[head], np.abs(scores.unbiased[head]), -1)
        query, key = (int(i) for i in np.unravel_index(int(cells.argmax()), cells.shape))
    return Finding(
        signal="score_extreme",
        severity=severity,
        evidence=text,
        heads=indices(heads),
        value=value,
        threshold=limit,
        unit="|score|",
        query=query,
        key=key,
    )


def _cap(scores: ScoreMeasures, largest: Floats) -> Iterator[Verdict]:
    cap = float(scores.facts.softcap or 0)
    limits = scores.thresholds
    if cap <= 0:
        yield Gap(signal="cap_violation", reason=f"the declared soft-cap is {cap:g}")
        return
    beyond = largest > cap * (1 + limits.cap_excess)
    if beyond.any():
        yield Finding(
            signal="cap_violation",
            severity=Severity.WARNING,
            evidence=f"scores reach {float(largest[beyond].max()):.4g}, "
            f"beyond the declared soft-cap of {cap:g}: the backend ignores it",
            heads=indices(beyond),
            value=float(largest[beyond].max()),
            threshold=cap,
            unit="|score|",
        )
    elif scores.scores is not None:
        near = np.where(scores.considered, np.abs(scores.scores), 0).max(-1) > 0.95 * cap
        share = near.mean(-1)
        hit = share > limits.cap_hits
        if hit.any():
            yield Finding(
                signal="cap_violation",
                severity=Severity.NOTICE,
                evidence=f"{float(share[hit].max()):.0%} of the rows run into the soft-cap",
                heads=indices(hit),
                value=float(share[hit].max()),
                threshold=limits.cap_hits,
                unit="share of rows",
            )


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
                reason="compute_dtype is not recorded",
                advice="record(model, path, attributes={'compute_dtype': 'bfloat16'})",
            )
        return
    share = _tie_share(scores, 7 if dtype == "bfloat16" else 10)
    if share is None:
        yield _gap("low_precision_ties", scores)
        return
    tied = share > scores.thresholds.tie_rows
    if tied.any():
        yield Finding(
            signal="low_precision_ties",
            severity=Severity.WARNING,
            evidence=f"in {float(share[tied].max()):.0%} of the rows several keys share the "
            f"largest score: {dtype} cannot tell scores of this size apart",
            heads=indices(tied),
            value=float(share[tied].max()),
            threshold=scores.thresholds.tie_rows,
            unit="share of rows",
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


def _gap(signal: str, scores: ScoreMeasures) -> Gap:
    return Gap(signal=signal, reason=scores.problem or NOT_RECORDED, advice=RECORD_SCORES)
