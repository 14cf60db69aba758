"""Are these softmax rows at all? Negative entries, wrong axis, dropout, masks after the softmax.

The tolerances follow what the weights are stored in (rounding alone moves the sum of a bfloat16
row by 0.3 %); rows of padding queries and rows without a key are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats, any_over
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict, indices
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import say


def detect_invalid(measures: Measures, context: FrameContext) -> Iterator[Verdict]:
    """`invalid_weights`: negative, or above 1 without the pattern of dropout or a wrong axis."""
    del context
    limit = measures.thresholds.negative_weight
    with np.errstate(invalid="ignore"):
        lowest = float(np.fmin.reduce(measures.weights, axis=None, initial=0.0))
    if lowest >= -limit:
        return
    negative: Bools = np.nan_to_num(measures.weights, nan=0.0, neginf=-1.0) < -limit
    negative = any_over(negative, (1, 2))
    cell = np.argwhere(measures.weights == lowest)
    yield Finding(
        signal="invalid_weights",
        severity=Severity.CRITICAL,
        evidence=say(
            "weights go down to {lowest:.3g}: this is no output of a softmax", lowest=lowest
        ),
        heads=indices(negative),
        value=lowest,
        threshold=-limit,
        unit=say("weight"),
        query=int(cell[0, 1]) if len(cell) else None,
        key=int(cell[0, 2]) if len(cell) else None,
        marks=_invalid_marks(measures, lowest),
    )


def detect_row_sums(measures: Measures, context: FrameContext) -> Iterator[Verdict]:
    """The family of `row_sum`: which kind of wrong the sums are says where the fault sits."""
    del context
    if measures.n_keys < 2:
        return
    limits = measures.thresholds
    tolerance = limits.row_tolerance(measures.precision, measures.n_keys)
    excess = np.where(measures.valid, measures.row_sum - 1, np.float32(0))
    if float(np.abs(excess).max(initial=0)) <= tolerance:
        return
    rows = measures.valid & ~_zero_rows(measures)
    excess = np.where(rows, excess, np.float32(0))
    off = measures.alive & (np.abs(excess).max(-1, initial=0) > tolerance)
    if not off.any():
        return
    over = excess.max(-1, initial=0) > tolerance
    deviation = np.abs(excess).max(-1, initial=0)
    axis, why = _wrong_axis(measures, off, deviation, tolerance)
    if axis.any():
        yield _finding(measures, "softmax_axis", Severity.CRITICAL, axis, excess, why, tolerance)
    left = off & ~axis
    if measures.facts.sink_logit:  # a learned sink takes its share: sums below 1 are right
        left &= over
    if measures.facts.dropout > 0:
        for signal in ("dropout_in_weights", "row_sum", "row_sum_deficit", "row_sum_constant"):
            yield Gap(
                signal=signal,
                reason=say(
                    "dropout {dropout:g} is declared for the stored weights",
                    dropout=measures.facts.dropout,
                ),
                advice=say("record the weights before dropout"),
            )
        return
    if left.any():
        yield from _kinds(measures, left, over, excess, rows, tolerance)


def _kinds(
    measures: Measures,
    off: Bools,
    over: Bools,
    excess: Floats,
    rows: Bools,
    tolerance: float,
) -> Iterator[Finding]:
    limits = measures.thresholds
    zeros = _zero_share(measures, rows)
    dropout = off & over & (zeros > limits.dropout_zeros)
    spread, mean = _spread(measures.row_sum, rows)
    constant = (
        off
        & ~dropout
        & (np.abs(mean - 1) > tolerance)
        & (spread < max(limits.row_sum_constant_spread, tolerance))
    )
    beyond = off & ~dropout & ~constant & (measures.row_max.max(-1) > 1 + max(tolerance, 1e-3))
    deficit = off & ~dropout & ~constant & ~beyond & ~over
    other = off & ~dropout & ~constant & ~beyond & ~deficit
    if dropout.any():
        share = float(np.median(zeros[dropout]))
        text = say(
            "{share:.1%} of the allowed cells are exactly zero and rows sum to more than "
            "1: the weights were taken after dropout",
            share=share,
        )
        yield _finding(
            measures, "dropout_in_weights", Severity.WARNING, dropout, excess, text, tolerance
        )
    if beyond.any():
        top = float(measures.row_max[beyond].max())
        yield Finding(
            signal="invalid_weights",
            severity=Severity.CRITICAL,
            evidence=say(
                "weights go up to {top:.3g}: logits or unnormalised values were stored", top=top
            ),
            heads=indices(beyond),
            value=top,
            threshold=1.0,
            unit=say("weight"),
        )
    if constant.any():
        level = float(np.median(mean[constant]))
        text = say(
            "every row sums to the same {level:.4g}{factor}",
            level=level,
            factor=_known_factor(measures, level),
        )
        yield _finding(
            measures, "row_sum_constant", Severity.WARNING, constant, excess, text, tolerance
        )
    if deficit.any():
        low = float(measures.row_sum[deficit][rows[deficit]].min())
        text = say("rows sum to less than 1, down to {low:.3g}", low=low)
        yield _finding(
            measures, "row_sum_deficit", Severity.WARNING, deficit, excess, text, tolerance
        )
    if other.any():
        worst = float(np.abs(excess[other]).max())
        text = say("rows differ from a sum of 1 by up to {worst:.3g}", worst=worst)
        yield _finding(measures, "row_sum", Severity.WARNING, other, excess, text, tolerance)


def _finding(
    measures: Measures,
    signal: str,
    severity: Severity,
    heads: Bools,
    excess: Floats,
    evidence: str,
    tolerance: float,
) -> Finding:
    worst = np.where(heads[:, None], np.abs(excess), 0)
    head, query = np.unravel_index(int(worst.argmax()), worst.shape)
    del measures
    return Finding(
        signal=signal,
        severity=severity,
        evidence=evidence,
        heads=indices(heads),
        value=float(worst[head, query]),
        threshold=tolerance,
        unit=say("|row sum - 1|"),
        query=int(query),
    )


def _zero_rows(measures: Measures) -> Bools:
    """(head, query): rows of zeros in every head: what a fused kernel returns without any key."""
    empty = (measures.row_sum == 0).all(0)
    if empty.mean() > 0.9:
        empty = np.zeros_like(empty)
    return np.broadcast_to(empty, measures.row_sum.shape)


def _zero_share(measures: Measures, rows: Bools) -> Floats:
    """(head,): share of allowed cells that are exactly zero, over rows with four or more keys."""
    use = rows & (measures.layout.n_allowed >= 4)
    zero = measures.weights == 0
    if measures.layout.allowed is not None:
        zero = zero & measures.layout.allowed
    zeros = np.where(use, zero.sum(-1), 0).sum(-1)
    cells = np.where(use, measures.layout.n_allowed, 0).sum(-1)
    share: Floats = zeros / np.maximum(cells, 1)
    return share


def _spread(sums: Floats, rows: Bools) -> tuple[Floats, Floats]:
    """(head,): standard deviation / mean of the row sums, and their mean."""
    count = np.maximum(rows.sum(-1), 1)
    kept = np.where(rows, sums, 0).astype(np.float64)
    mean = kept.sum(-1) / count
    variance = np.where(rows, (kept - mean[:, None]) ** 2, 0).sum(-1) / count
    spread = np.sqrt(variance) / np.maximum(np.abs(mean), 1e-9)
    return spread, mean


def _wrong_axis(
    measures: Measures, off: Bools, deviation: Floats, tolerance: float
) -> tuple[Bools, str]:
    """(head,) of `off` whose weights are normalised over another axis, and which one."""
    none = np.zeros(measures.n_heads, bool)
    weights = measures.weights
    if not measures.all_finite:
        weights = np.where(measures.finite[..., None], weights, 0)
    if measures.all_finite and bool((np.abs(weights - 1) < 1e-3).all()):
        return off, say("every weight is 1: the softmax runs over an axis of length one")
    columns = np.matmul(np.ones((1, measures.n_queries), np.float32), weights)[:, 0]
    far = off & (deviation > 10 * tolerance)
    over_queries = far & _sum_to_one(columns, columns != 0, tolerance)
    if over_queries.any():
        return over_queries, (
            say("columns sum to 1 and rows do not: the softmax runs over the queries")
        )
    if measures.n_heads > 1 and far.all():
        cells = weights.sum(0).reshape(1, -1)
        # Where a mask was applied afterwards, no head has anything.
        seen = cells != 0
        if measures.layout.allowed is not None:
            seen = seen | measures.layout.allowed.all(0).reshape(1, -1)
        over_heads = bool(_sum_to_one(cells, seen, tolerance)[0])
    else:
        over_heads = False
    if over_heads:
        return off, say("the heads of each cell sum to 1: the softmax runs over the heads")
    if measures.n_queries > 1:
        whole = far & (np.abs(columns.sum(-1) - 1) < 5 * tolerance)
        if whole.any():
            return whole, say(
                "the whole map sums to 1: the softmax runs over queries and keys together"
            )
    return none, ""


def _sum_to_one(sums: Floats, counted: Bools, tolerance: float) -> Bools:
    """(row,): every counted sum of a row is 1, and at least a quarter of them count."""
    ones = np.where(counted, np.abs(sums - 1) < 5 * tolerance, True)
    return np.asarray(ones.all(-1) & (counted.mean(-1) >= 0.25))


def _known_factor(measures: Measures, level: float) -> str:
    """Name the factor when it is one of the usual suspects."""
    facts = measures.facts
    known = {}
    if facts.d_head:
        known[say("1/sqrt(d_head) = 1/sqrt({d_head})", d_head=facts.d_head)] = 1 / math.sqrt(
            facts.d_head
        )
    if facts.n_heads:
        known[say("1/n_heads = 1/{declared}", declared=facts.n_heads)] = 1 / facts.n_heads
    if facts.scale:
        known[say("the declared scale")] = facts.scale
    for name, factor in known.items():
        if abs(level / factor - 1) < 0.01:
            return say(", which is {name}: a factor is applied after the softmax", name=name)
    return say(": a factor is applied after the softmax")


def _invalid_marks(measures: Measures, lowest: float) -> frozenset[str]:
    """What negative entries look like: log-probabilities, or a kernel's padded buffer."""
    marks = set()
    finite = np.isfinite(measures.weights)
    if lowest < 0 and not bool((measures.weights > 0)[finite].any()):
        marks.add("all_negative")
    if measures.n_keys % 128 == 0 and measures.n_queries % 128 == 0:
        length = measures.facts.seq_len
        if length is not None and length < measures.n_keys:
            marks.add("padded_to_128")
    return frozenset(marks)
