"""Every cause with its evidence: confirmed, excluded or unknown, and because of what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from attn_debugger.analysis.causes import evidence_nonfinite, evidence_run
from attn_debugger.analysis.causes.case import CaseFile, Ruling, unknown
from attn_debugger.analysis.flags.drafts import Draft
from attn_debugger.analysis.texts import SIGNALS, CauseText
from attn_debugger.core.flags import Cause

_ORDER: dict[Literal["confirmed", "excluded", "unknown"], int] = {
    "confirmed": 0,
    "unknown": 1,
    "excluded": 2,
}

# Causes that a pattern in the maps themselves decides: mark -> (if seen, if another was seen).
_PATTERNS: dict[str, tuple[str, str]] = {
    "inverted": ("nearly all mass is on padding", "most mass is on real keys"),
    "leak_like_content": (
        "padding gets its even share, like any token",
        "padding gets far less, or far more, than its even share",
    ),
    "leak_reduced": (
        "padding gets far less than its even share",
        "padding gets its even share or more",
    ),
    "far_ahead": ("weight far in the future", "no weight beyond the next position"),
    "one_ahead": ("weight on the next position only", "weight farther ahead than one position"),
    "window_by_one": ("weight at distance = window only", "weight farther than the window's edge"),
    "window_far": ("weight far beyond the window", "no weight beyond distance = window"),
    "equal_weights": ("all leaking cells have one weight", "the leaking weights differ"),
    "top_left": ("the missing cells are those after the query's row number", "another pattern"),
    "self_masked": ("exactly the diagonal is missing", "the diagonal is there, or more is missing"),
    "narrow": ("everything beyond one distance is missing", "another pattern"),
    "factor_missing": ("the factor is sqrt(d_head)", "the factor is not sqrt(d_head)"),
    "factor_twice": ("the factor is 1/sqrt(d_head)", "the factor is not 1/sqrt(d_head)"),
    "factor_model": ("the factor is 1/sqrt(heads)", "the factor is not 1/sqrt(heads)"),
    "tiled": ("tiled key heads explain the scores", "tiled key heads do not explain the scores"),
    "side_is_batch": ("a side equals the batch size", "no side equals the declared batch size"),
    "single_head": ("one head is stored", "more than one head is stored"),
    "negative_id": ("the id is negative", "no id is negative"),
    "id_beyond": ("the id is beyond the vocabulary", "no id is beyond the vocabulary"),
    "all_heads": ("all heads of the layer are equal", "only some heads are equal"),
    "all_negative": ("no value is positive", "some values are positive"),
    "no_position": ("repeated tokens cannot be told apart", "neighbours are told apart nearby"),
    "rounded_positions": ("keys beyond 256 fall together", "repeated tokens are alike everywhere"),
    "padded_to_128": ("the sides are padded to a multiple of 128", "the sides are not padded"),
}

_TESTS: dict[str, Callable[[Draft, CaseFile], Ruling]] = {
    **evidence_run.TESTS,
    **evidence_nonfinite.TESTS,
}


def causes_of(draft: Draft, case: CaseFile) -> tuple[Cause, ...]:
    """Return the causes of a flag: confirmed first, then unknown, then excluded."""
    text = SIGNALS.get(draft.signal)
    if text is None:
        return ()
    return ordered([_judge(cause, draft, case) for cause in text.causes])


def ordered(causes: Sequence[Cause]) -> tuple[Cause, ...]:
    """Return causes as they are read: confirmed first, then unknown, then excluded."""
    return tuple(sorted(causes, key=lambda cause: _ORDER[cause.status]))


def _judge(cause: CauseText, draft: Draft, case: CaseFile) -> Cause:
    if cause.evidence in _PATTERNS:
        seen, other = _PATTERNS[cause.evidence]
        if cause.evidence in draft.marks:
            return Cause(cause.text, "confirmed", seen)
        if draft.signal in _DECIDED_BY_PATTERN and draft.marks:
            return Cause(cause.text, "excluded", other)
        return Cause(cause.text, "unknown", cause.otherwise or "the maps alone do not tell")
    test = _TESTS.get(cause.evidence)
    ruling = unknown("") if test is None else test(draft, case)
    because = ruling.because
    if ruling.status == "unknown" and cause.otherwise:
        because = "; ".join(part for part in (because, cause.otherwise) if part)
    return Cause(cause.text, ruling.status, because or "nothing in the archive tells")


# Where a detector names exactly one pattern, the others are excluded.
_DECIDED_BY_PATTERN = frozenset(
    (
        "pad_leak",
        "causal_violation",
        "window_violation",
        "scale_mismatch",
        "support_truncated",
        "input_ids_out_of_range",
        "position_aliasing",
    )
)


def evidence_kinds() -> Sequence[str]:
    """Every kind of evidence that can be asked for."""
    return (*_PATTERNS, *_TESTS)
