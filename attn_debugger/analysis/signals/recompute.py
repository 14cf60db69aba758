"""Are the recorded scores the q.k that the configuration promises, and with which factor?

beta is the slope of the recorded scores on q.k * scale over the allowed cells of some rows; a
standard deviation of 1 is not asked for, because healthy initialisations give 0.1 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from attn_debugger.analysis.arrays import Floats, Ints
from attn_debugger.analysis.measures.scores import ScoreMeasures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict, indices
from attn_debugger.analysis.signals.score_spread import wide_at_start
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import join, say

_ROWS = 32  # query rows looked at: enough for a slope to 1 %
_SIGNALS = ("scale_mismatch", "recompute_mismatch")
_MORE_THAN_PRODUCTS = say(
    "the scores hold more than q.k (a position term, or a factor for each cell or head), so q and "
    "k alone do not give them"
)


def detect_recompute(scores: ScoreMeasures, context: FrameContext) -> Iterator[Verdict]:
    """`recompute_mismatch` (scores are not q.k of the declared grouping) and `scale_mismatch`."""
    frame = scores.frame
    if scores.scores is None or frame.q is None or frame.k is None:
        yield from _without_maps(scores, context)
        return
    problem = _shapes(scores)
    if problem:
        for signal in _SIGNALS:
            yield Gap(signal=signal, reason=problem)
        return
    group = frame.q.shape[0] // frame.k.shape[0]
    repeated = np.repeat(frame.k, group, axis=0)
    correlation, beta = _slope(scores, repeated)
    limits = scores.thresholds
    wrong = correlation < limits.recompute_correlation
    off = ~wrong & (np.abs(beta - 1) > limits.scale_deviation)
    terms = scores.facts.score_terms
    if terms is not None and (wrong.any() or (terms == "multiplied" and off.any())):
        for signal in _SIGNALS:
            yield Gap(signal=signal, reason=_MORE_THAN_PRODUCTS)
        return
    if wrong.any():
        tiled = np.concatenate([frame.k] * group, axis=0)
        explains = group > 1 and bool(
            (_slope(scores, tiled)[0][wrong] >= limits.recompute_correlation).all()
        )
        yield Finding(
            signal="recompute_mismatch",
            severity=Severity.CRITICAL,
            evidence=join(
                "",
                (
                    say(
                        "the recorded scores are not q.k of the declared layout (correlation "
                        "{correlation:.2f})",
                        correlation=float(np.nanmin(correlation[wrong])),
                    ),
                    say(", but they are with key heads tiled instead of repeated")
                    if explains
                    else "",
                ),
            ),
            heads=indices(wrong),
            value=float(np.nanmin(correlation[wrong])),
            threshold=limits.recompute_correlation,
            unit=say("correlation"),
            marks=frozenset(("tiled",)) if explains else frozenset(),
        )
    if off.any():
        yield _scale_finding(scores, beta, indices(off))


def _scale_finding(scores: ScoreMeasures, beta: Floats, heads: tuple[int, ...]) -> Finding:
    limits = scores.thresholds
    factor = float(np.median(beta[list(heads)]))
    name, mark = name_factor(scores, factor)
    return Finding(
        signal="scale_mismatch",
        severity=Severity.CRITICAL if factor > limits.scale_critical else Severity.WARNING,
        evidence=join(
            "",
            (
                say("scores are {factor:.3g} times what the declared scale gives", factor=factor),
                say(": {name}", name=name) if name else "",
            ),
        ),
        heads=heads,
        value=factor,
        threshold=1.0,
        unit=say("scores / expected"),
        marks=frozenset((mark,)) if mark else frozenset(),
    )


def name_factor(scores: ScoreMeasures, factor: float) -> tuple[str, str]:
    """Say which common mistake a factor is, within 5 %, and its mark; empty if it is none."""
    if factor < 0:
        return say("the sign is wrong"), ""
    facts, q = scores.facts, scores.frame.q
    width = q.shape[-1] if q is not None else facts.d_head
    heads = facts.n_heads or scores.frame.info.n_heads
    if not width:
        return "", ""
    usual = [
        (math.sqrt(width), say("the division by sqrt(d_head) is missing"), "factor_missing"),
        (1 / math.sqrt(width), say("the scale is applied twice"), "factor_twice"),
        (
            1 / math.sqrt(heads),
            say("divided by sqrt(d_model) instead of sqrt(d_head)"),
            "factor_model",
        ),
        (float(width), say("multiplied by sqrt(d_head) instead of divided"), "factor_missing"),
    ]
    for value, text, mark in usual:
        if value != 1 and abs(factor / value - 1) < 0.05:
            return text, mark
    return "", ""


def _shapes(scores: ScoreMeasures) -> str:
    q, k, layout = scores.frame.q, scores.frame.k, scores.layout
    assert q is not None
    assert k is not None
    assert layout is not None
    if q.ndim != 3 or k.ndim != 3 or q.shape[-1] != k.shape[-1]:
        return say(
            "q has shape {q_shape} and k {k_shape}: their widths differ",
            q_shape=q.shape,
            k_shape=k.shape,
        )
    if k.shape[0] == 0 or q.shape[0] % k.shape[0]:
        return say(
            "{queries} query heads cannot share {keys} key heads",
            queries=q.shape[0],
            keys=k.shape[0],
        )
    if q.shape[0] != layout.n_heads:
        return say(
            "q has {queries} heads, the weights {n_heads}",
            queries=q.shape[0],
            n_heads=layout.n_heads,
        )
    if q.shape[1] != layout.n_queries or k.shape[1] != layout.n_keys:
        return say(
            "q and k have lengths {q_length} and {k_length}, the map is {n_queries} x {n_keys}",
            q_length=q.shape[1],
            k_length=k.shape[1],
            n_queries=layout.n_queries,
            n_keys=layout.n_keys,
        )
    return ""


def _slope(scores: ScoreMeasures, keys: Floats) -> tuple[Floats, Floats]:
    """(head,), (head,): correlation of scores with q.k * scale, and the slope.

    A position bias that depends on distance alone is taken out when it stands in the way; a
    declared soft-cap on the recorded scores is undone.
    """
    q, layout = scores.frame.q, scores.layout
    assert q is not None
    assert layout is not None
    real = np.flatnonzero(layout.real_queries)
    rows = real[np.unique(np.linspace(0, len(real) - 1, min(_ROWS, len(real))).astype(int))]
    scale = scores.facts.scale or 1 / math.sqrt(q.shape[-1])
    with np.errstate(all="ignore"):
        expected = np.matmul(q[:, rows].astype(np.float64), np.swapaxes(keys, 1, 2)) * scale
        seen = _uncapped(scores, np.asarray(scores.unbiased[:, rows], np.float64))
    keep = scores.considered[:, rows] & np.isfinite(expected) & np.isfinite(seen)
    correlation, beta = np.ones(len(q)), np.ones(len(q))
    for head in range(len(q)):
        cells = keep[head]
        if cells.sum() < 8:
            continue
        x, y = expected[head][cells], seen[head][cells]
        correlation[head], beta[head] = _fit(x, y)
        if correlation[head] < scores.thresholds.recompute_correlation:
            distance = (rows[:, None] - np.arange(layout.n_keys) + layout.n_keys)[cells]
            correlation[head], beta[head] = _fit(_demean(x, distance), _demean(y, distance))
    return correlation, beta


def _uncapped(scores: ScoreMeasures, values: Floats) -> Floats:
    cap = scores.facts.softcap
    if not cap or scores.facts.score_stage != "post_cap":
        return values
    inside = np.clip(values / cap, -1 + 1e-6, 1 - 1e-6)
    result: Floats = cap * np.arctanh(inside)
    return result


def _fit(x: Floats, y: Floats) -> tuple[float, float]:
    x, y = x - x.mean(), y - y.mean()
    xx, yy, xy = float(x @ x), float(y @ y), float(x @ y)
    if not (math.isfinite(xx) and math.isfinite(yy)) or xx <= 1e-24 or yy <= 1e-24:
        return 1.0, 1.0  # constant scores: nothing to tell
    return xy / math.sqrt(xx * yy), xy / xx


def _demean(values: Floats, groups: Ints) -> Floats:
    count = np.bincount(groups)
    mean = np.bincount(groups, weights=values) / np.maximum(count, 1)
    result: Floats = values - mean[groups]
    return result


def _without_maps(scores: ScoreMeasures, context: FrameContext) -> Iterator[Verdict]:
    """At step 0, live statistics give the scale: std(scores) / (rms q * rms k * sqrt(d)).

    A hint only: q and k are not quite independent even then.
    """
    reason = scores.problem or (
        say("scores not recorded") if scores.frame.scores is None else say("q and k not recorded")
    )
    advice = say("record(model, path, scores=True, qk=True)")
    yield Gap(signal="recompute_mismatch", reason=reason, advice=advice)
    stats = scores.frame.stats
    needed = [stats.get(name) for name in ("score_std", "q_rms", "k_rms")]
    width = scores.facts.d_head
    shape = (len(scores.frame.heads),)
    if scores.facts.score_terms is not None:
        yield Gap(signal="scale_mismatch", reason=_MORE_THAN_PRODUCTS)
        return
    if context.step != 0 or not width or any(v is None or v.shape != shape for v in needed):
        wide = wide_at_start(scores) if context.step == 0 else None
        yield wide or Gap(signal="scale_mismatch", reason=reason, advice=advice)
        return
    std, q_rms, k_rms = (np.asarray(v, np.float64) for v in needed)
    declared = scores.facts.scale or 1 / math.sqrt(width)
    with np.errstate(all="ignore"):
        ratio = std / (q_rms * k_rms * math.sqrt(width)) / declared
    # q and k share their input, so a small ratio proves nothing; sqrt(d) too much is hard to get.
    near = np.isfinite(ratio) & (np.abs(np.log(ratio / math.sqrt(width))) < 0.35)
    if near.mean() >= 0.75:
        finding = _scale_finding(scores, ratio, indices(near))
        yield replace(finding, severity=Severity.NOTICE)
