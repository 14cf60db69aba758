"""How large scores get: overflow, extremes, soft-caps."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats, any_over
from attn_debugger.analysis.measures.scores import ScoreMeasures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict, indices
from attn_debugger.analysis.signals.gaps import score_gap
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import join, say

_HALF_MAX = 65504.0


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
        yield score_gap("score_overflow", scores)
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
        evidence=join(
            "",
            (
                say("scores overflow to infinity inside the mask"),
                say(" (computed in {dtype})", dtype=dtype) if dtype else "",
            ),
        ),
        heads=indices(heads),
        value=None if cells is None else float(cells.sum()),
        threshold=0.0,
        unit=say("cells"),
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
            reason=say("no soft-cap is declared"),
            advice=say("record(model, path, attributes={'softcap': 50.0}) if the model has one"),
        )
    if largest is None:
        yield score_gap("score_extreme", scores)
        if facts.softcap is not None:
            yield score_gap("cap_violation", scores)
        return
    if facts.softcap is not None and not capped:
        yield Gap(
            signal="cap_violation",
            reason=say("the recorded scores are those before the soft-cap"),
            advice=say("set score_stage='post_cap' and record the scores after it"),
        )
    if capped:
        yield Gap(
            signal="score_extreme",
            reason=say("the recorded scores are those after the soft-cap"),
            advice=say("record the scores before the soft-cap"),
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
    text = say("|score| reaches {value:.4g}", value=value)
    if near[heads].any():
        text = join("", (text, say(", within a factor 4 of what float16 can hold before scaling")))
    elif severity is Severity.NOTICE and value > scores.thresholds.score_watch:
        text = join("", (text, say(", beyond the 100 at which QK-Clip steps in")))
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
        unit=say("|score|"),
        query=query,
        key=key,
    )


def _cap(scores: ScoreMeasures, largest: Floats) -> Iterator[Verdict]:
    cap = float(scores.facts.softcap or 0)
    limits = scores.thresholds
    if cap <= 0:
        yield Gap(signal="cap_violation", reason=say("the declared soft-cap is {cap:g}", cap=cap))
        return
    beyond = largest > cap * (1 + limits.cap_excess)
    if beyond.any():
        yield Finding(
            signal="cap_violation",
            severity=Severity.WARNING,
            evidence=say(
                "scores reach {value:.4g}, beyond the declared soft-cap of {cap:g}: the "
                "backend ignores it",
                value=float(largest[beyond].max()),
                cap=cap,
            ),
            heads=indices(beyond),
            value=float(largest[beyond].max()),
            threshold=cap,
            unit=say("|score|"),
        )
    elif scores.scores is not None:
        near = np.where(scores.considered, np.abs(scores.scores), 0).max(-1) > 0.95 * cap
        share = near.mean(-1)
        hit = share > limits.cap_hits
        if hit.any():
            yield Finding(
                signal="cap_violation",
                severity=Severity.NOTICE,
                evidence=say(
                    "{share:.0%} of the rows run into the soft-cap", share=float(share[hit].max())
                ),
                heads=indices(hit),
                value=float(share[hit].max()),
                threshold=limits.cap_hits,
                unit=say("share of rows"),
            )
