"""Why a whole family of signals could not be judged, and what to record so that it can be."""

from __future__ import annotations

from collections.abc import Iterator

from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.measures.scores import ScoreMeasures
from attn_debugger.analysis.signals.findings import Gap
from attn_debugger.core.words import say

RECORD_SCORES = say("record(model, path, scores=True)")


def score_gap(signal: str, scores: ScoreMeasures) -> Gap:
    """The gap of a signal that needs scores."""
    return Gap(
        signal=signal, reason=scores.problem or say("scores not recorded"), advice=RECORD_SCORES
    )


def short_gaps(measures: Measures, signals: tuple[str, ...]) -> Iterator[Gap]:
    """One gap a signal, for too few or too short rows."""
    reason, advice = too_short(measures)
    for signal in signals:
        yield Gap(signal=signal, reason=reason, advice=advice)


def too_short(measures: Measures) -> tuple[str, str]:
    """Reason and advice where a sample has too few rows for a verdict."""
    tokens = max(measures.n_queries, measures.n_keys)
    limits = measures.thresholds
    count = measures.frame.info.n_samples
    samples = say("one sample") if count == 1 else say("{count} samples", count=count)
    reason = say(
        "{tokens} tokens, {samples}: fewer than {min_rows} rows with {min_keys} keys",
        tokens=tokens,
        samples=samples,
        min_rows=limits.min_rows,
        min_keys=limits.min_keys,
    )
    return reason, say("record(model, path, samples=16)")
