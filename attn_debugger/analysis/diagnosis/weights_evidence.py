"""What the weights of the run's checkpoints say about the causes of flags that the archive raised.

    diagnosis = with_weights(diagnosis, history, run)

The archive shows scores and maps; whether W_q was too large at the start, whether q and k share
their weights, and what grows, stands in the checkpoints. Their word replaces the archive's only
where it is a direct measurement of the cause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from attn_debugger.analysis.causes.case import Ruling, confirmed, excluded, unknown
from attn_debugger.analysis.causes.rulings import ordered
from attn_debugger.analysis.diagnosis.story import tell
from attn_debugger.analysis.histories.anomalies import find_anomalies
from attn_debugger.analysis.texts import SIGNALS
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import Cause, Diagnosis, Flag
from attn_debugger.core.run import Run
from attn_debugger.core.weights import LayerWeights, WeightHistory
from attn_debugger.core.words import listing, say

_TIED = 0.999  # trace / nuclear norm of W_q^T W_k; 1 = the same matrix
_APART = 0.9  # below it the two matrices are certainly not one
_LARGE = 2.0  # times Kaiming's standard deviation, the largest in use
_GROWN = 1.5  # times the norm in the earliest checkpoint

Rows = tuple[tuple[int, LayerWeights], ...]  # (step, weights of the flag's layer), rising


def with_weights(diagnosis: Diagnosis, history: WeightHistory, run: Run) -> Diagnosis:
    """Return the diagnosis with its causes judged by the checkpoints too, and its story retold."""
    flags = tuple(_judged(flag, history) for flag in diagnosis.flags)
    if flags == diagnosis.flags:
        return diagnosis
    story = tell(flags, run, find_anomalies(run, Thresholds()))
    return replace(diagnosis, flags=flags, story=story)


def _judged(flag: Flag, history: WeightHistory) -> Flag:
    text = SIGNALS.get(flag.signal)
    rows = () if flag.layer is None else history.of_layer(flag.layer)
    if text is None or not rows:
        return flag
    kinds = {cause.text: cause.evidence for cause in text.causes}
    causes = tuple(_cause(cause, kinds.get(cause.text, ""), flag, rows) for cause in flag.causes)
    return flag if causes == flag.causes else replace(flag, causes=ordered(causes))


def _cause(cause: Cause, kind: str, flag: Flag, rows: Rows) -> Cause:
    test = _TESTS.get(kind)
    ruling = None if test is None else test(flag, rows)
    if ruling is None:
        return cause
    return replace(cause, status=ruling.status, because=ruling.because)


def _shared_qk(flag: Flag, rows: Rows) -> Ruling | None:
    step, now = rows[-1]
    ratios = now.per_head.get("trace_ratio", ())
    # A forward that uses W_q for both leaves W_k without a gradient: it never moves.
    idle = [part for part in ("key", "query") if part in now.unchanged]
    if len(idle) == 1 and len(rows) > 1:
        letter = idle[0][0]
        return confirmed(
            say(
                "W_{letter} is bitwise the same at steps {first} and {step} while the other "
                "moves: the forward does not use it",
                letter=letter,
                first=rows[0][0],
                step=step,
            )
        )
    heads = [head for head in flag.heads if head < len(ratios)]
    if not heads:
        return None
    of_heads = [ratios[head] for head in heads]
    said = say(
        "trace / nuclear norm of W_q^T W_k is {ratio:.2f} at step {step}",
        ratio=max(of_heads),
        step=step,
    )
    if min(of_heads) >= _TIED:
        return confirmed(say("{said}: the two are one matrix", said=said))
    if max(of_heads) > _APART:
        return unknown(say("{said}, where 1.00 is the same matrix", said=said))
    if len(rows) == 1 or not _moved(now):
        return unknown(
            say(
                "{said}: the matrices differ; whether both are used shows between two checkpoints",
                said=said,
            )
        )
    return excluded(
        say("{said} and both have moved since step {first}", said=said, first=rows[0][0])
    )


def _moved(now: LayerWeights) -> bool:
    return not {"query", "key"} & set(now.unchanged)


def _too_large(flag: Flag, rows: Rows) -> Ruling | None:
    """Only a checkpoint of the very start shows how the projections were initialised."""
    del flag
    step, first = rows[0]
    known = {part: first.scales[part] for part in ("query", "key") if part in first.scales}
    if not known:
        return None
    part, scale = max(known.items(), key=lambda item: item[1].std / item[1].kaiming)
    said = say(
        "W_{letter} has std {std:.2g} at step {step} where xavier gives {xavier:.2g} "
        "and kaiming {kaiming:.2g}",
        letter=part[0],
        std=scale.std,
        step=step,
        xavier=scale.xavier,
        kaiming=scale.kaiming,
    )
    if scale.std > _LARGE * scale.kaiming:
        return (
            confirmed(said)
            if step == 0
            else unknown(say("{said}; its start was not saved", said=said))
        )
    return excluded(said) if step == 0 else None


def _grows(*parts: str) -> Callable[[Flag, Rows], Ruling | None]:
    def test(flag: Flag, rows: Rows) -> Ruling | None:
        if len(rows) < 2:
            return None
        start, end = rows[0][0], rows[-1][0]
        growth = {part: _growth(part, flag, rows) for part in (*parts, "value")}
        told = [
            say("||W_{letter}|| {factor:.2g} times", letter=part[0], factor=factor)
            for part, factor in growth.items()
            if factor is not None
        ]
        found = [growth[part] for part in parts]
        known = [factor for factor in found if factor is not None]
        if not known:
            return None
        said = say(
            "from step {start} to {end}: {told} what it was",
            start=start,
            end=end,
            told=listing(told),
        )
        return confirmed(said) if max(known) >= _GROWN else excluded(said)

    return test


def _growth(part: str, flag: Flag, rows: Rows) -> float | None:
    """Return by which factor the norm of a projection grew, at most over the flag's heads."""
    before, after = (row.per_head.get(f"{part}_norm", ()) for row in (rows[0][1], rows[-1][1]))
    heads = flag.heads or range(len(after))
    factors = [
        after[head] / before[head]
        for head in heads
        if head < min(len(before), len(after)) and before[head] > 0
    ]
    return float(np.max(factors)) if factors else None


_TESTS: Mapping[str, Callable[[Flag, Rows], Ruling | None]] = {
    "shared_qk": _shared_qk,
    "at_start": _too_large,
    "projections_grow": _grows("query", "key"),
    "values_grow": _grows("value", "output"),
}
