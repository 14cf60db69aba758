"""Non-finite weights and scores, and rows without a key: where NaN enters the attention.

NaN spreads through rows and later layers; which finding is the root is decided in `blame`.
Fully masked rows give NaN in an eager softmax over -inf (pytorch issues 41508, 24816), zeros in
fused kernels, and a uniform row under a finite fill.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.arrays import Bools, any_over
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Verdict, indices
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import join, say


def detect_nonfinite(measures: Measures, context: FrameContext) -> Iterator[Verdict]:
    """`fully_masked_row`, `nan_weights` and, where weights already broke, `score_overflow`."""
    broken = ~measures.finite
    if broken.any():
        context_below = context.nonfinite_below
        no_key = broken & (measures.layout.n_allowed == 0)
        rest = broken & ~no_key
        suspected = not context_below and not no_key.any() and _looks_masked(measures, rest)
        if suspected:
            no_key, rest = rest, np.zeros_like(rest)
        if no_key.any():
            yield _masked_row(measures, no_key, suspected)
        overflow = rest & _overflowing_rows(measures)
        if overflow.any():
            yield overflow_finding(measures, overflow)
        rest = rest & ~overflow
        if rest.any():
            yield _nan_finding(measures, rest)
        context.nonfinite_below = True
    yield from _finite_masked_rows(measures)


def _looks_masked(measures: Measures, rows: Bools) -> bool:
    """NaN rows that a mask explains: the same in every head, some rows fine, scores finite.

    Under a causal mask the rows from one query to the last are what a NaN token leaves behind,
    so that pattern needs finite scores as proof. With one head there is no "every head" to look
    at: finite scores decide.
    """
    stats = measures.frame.stats
    for name in ("input_nonfinite", "q_nonfinite", "k_nonfinite", "score_posinf", "score_nan"):
        values = stats.get(name)
        if values is not None and bool((np.nan_to_num(values) > 0).any()):
            return False
    same = bool((rows == rows[:1]).all()) and not rows.all()
    if not same:
        return False
    partial = measures.weights[rows]
    if np.isfinite(partial).any():  # a masked row is NaN from end to end
        return False
    finite = _scores_finite(measures, rows)
    if finite is not None:
        return finite
    if measures.n_heads == 1:
        return False
    first = int(np.argmax(rows[0]))
    suffix = bool(rows[0, first:].all())
    return not (measures.facts.causal and suffix)


def _scores_finite(measures: Measures, rows: Bools) -> bool | None:
    """Whether the scores of these rows are finite where allowed; None = scores not recorded."""
    scores = measures.frame.scores
    if scores is None or scores.shape != measures.weights.shape:
        return None
    allowed = measures.layout.allowed
    finite = np.isfinite(scores)
    if allowed is not None:
        finite = finite | ~allowed
    return bool(finite[rows].all())


def _overflowing_rows(measures: Measures) -> Bools:
    """(head, query): rows with +inf among the scores of allowed keys."""
    scores = measures.frame.scores
    none = np.zeros((measures.n_heads, measures.n_queries), bool)
    if scores is None or scores.shape != measures.weights.shape:
        return none
    infinite = np.isposinf(scores)
    if measures.layout.allowed is not None:
        infinite = infinite & measures.layout.allowed
    return any_over(infinite, -1)


def overflow_finding(measures: Measures, rows: Bools) -> Finding:
    """`score_overflow` for the (head, query) rows that hold an infinite score."""
    head, query = np.argwhere(rows)[0]
    dtype = measures.facts.compute_dtype
    return Finding(
        signal="score_overflow",
        severity=Severity.CRITICAL,
        evidence=join(
            "",
            (
                say(
                    "scores of {rows} rows overflow to infinity inside the mask",
                    rows=int(rows.sum()),
                ),
                say(" (computed in {dtype})", dtype=dtype) if dtype else "",
            ),
        ),
        heads=indices(any_over(rows, -1)),
        value=float(rows.sum()),
        threshold=0.0,
        unit=say("rows"),
        query=int(query),
        key=_first_infinite(measures, int(head), int(query)),
    )


def _first_infinite(measures: Measures, head: int, query: int) -> int | None:
    scores = measures.frame.scores
    if scores is None:
        return None
    return int(np.argmax(~np.isfinite(scores[head, query])))


def _masked_row(measures: Measures, rows: Bools, suspected: bool) -> Finding:
    _, query = np.argwhere(rows)[0]
    count = int(rows.any(0).sum())
    why = (
        say(
            "the same in every head while the others are finite, so the applied mask "
            "left them no key"
        )
        if suspected
        else say("the mask leaves them no key")
    )
    return Finding(
        signal="fully_masked_row",
        severity=Severity.WARNING,
        evidence=say("{count} query rows are NaN: {why}", count=count, why=why),
        heads=indices(any_over(rows, -1)),
        value=float(count),
        threshold=0.0,
        unit=say("rows"),
        query=int(query),
    )


def _nan_finding(measures: Measures, rows: Bools) -> Finding:
    head, query = np.argwhere(rows)[0]
    per_head = rows.sum(-1)
    key = int(np.argmax(~np.isfinite(measures.weights[head, query])))
    return Finding(
        signal="nan_weights",
        severity=Severity.CRITICAL,
        evidence=say(
            "up to {rows} of {total} query rows hold NaN or infinite weights",
            rows=int(per_head.max()),
            total=measures.n_queries,
        ),
        heads=indices(any_over(rows, -1)),
        value=float(per_head.max()),
        threshold=0.0,
        unit=say("rows"),
        query=int(query),
        key=key,
        marks=_entry_marks(measures, rows),
    )


def _entry_marks(measures: Measures, rows: Bools) -> frozenset[str]:
    """What the live counts of this layer say about the way in: `input>0`, `q=0` and so on."""
    marks = set()
    for name in ("input", "q", "k", "v", "output"):
        live = measures.frame.stats.get(f"{name}_nonfinite")
        if live is not None and np.isfinite(live).any():
            marks.add(f"{name}>0" if float(np.nanmax(live)) > 0 else f"{name}=0")
    finite = _scores_finite(measures, rows)
    if finite is not None:
        marks.add("scores finite" if finite else "scores not finite")
    if rows.all():
        marks.add("whole layer")
    return frozenset(marks)


def _finite_masked_rows(measures: Measures) -> Iterator[Verdict]:
    """A real query without a key whose row is finite: zeros or a uniform fill. A label only."""
    layout = measures.layout
    rows = measures.finite & (layout.n_allowed == 0) & layout.real_queries
    if not rows.any():
        return
    head, query = np.argwhere(rows)[0]
    zeros = bool(measures.row_sum[head, query] == 0)
    count = int(rows.any(0).sum())
    yield Finding(
        signal="fully_masked_row",
        severity=Severity.LABEL,
        evidence=say("{n} queries may see no key; their rows hold zeros", n=count)
        if zeros
        else say(
            "{n} queries may see no key; their rows hold what a finite mask fill leaves, "
            "which means nothing",
            n=count,
        ),
        heads=indices(any_over(rows, -1)),
        value=float(count),
        threshold=0.0,
        unit=say("rows"),
        query=int(query),
    )
