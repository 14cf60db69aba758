"""Every cause with its evidence: confirmed, excluded or unknown, and because of what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from attn_debugger.analysis.causes import evidence_nonfinite, evidence_run, evidence_training
from attn_debugger.analysis.causes.case import CaseFile, Ruling, unknown
from attn_debugger.analysis.flags.drafts import Draft
from attn_debugger.analysis.texts import SIGNALS, CauseText
from attn_debugger.core.flags import Cause
from attn_debugger.core.words import fixed, join, say

_ORDER: dict[Literal["confirmed", "excluded", "unknown"], int] = {
    "confirmed": 0,
    "unknown": 1,
    "excluded": 2,
}

# Causes that a pattern in the maps themselves decides: mark -> (if seen, if another was seen).
_PATTERNS: dict[str, tuple[str, str]] = {
    "inverted": (say("nearly all mass is on padding"), say("most mass is on real keys")),
    "leak_like_content": (
        say("padding gets its even share, like any token"),
        say("padding gets far less, or far more, than its even share"),
    ),
    "leak_reduced": (
        say("padding gets far less than its even share"),
        say("padding gets its even share or more"),
    ),
    "far_ahead": (say("weight far in the future"), say("no weight beyond the next position")),
    "one_ahead": (
        say("weight on the next position only"),
        say("weight farther ahead than one position"),
    ),
    "window_by_one": (
        say("weight at distance = window only"),
        say("weight farther than the window's edge"),
    ),
    "window_far": (say("weight far beyond the window"), say("no weight beyond distance = window")),
    "equal_weights": (say("all leaking cells have one weight"), say("the leaking weights differ")),
    "top_left": (
        say("the missing cells are those after the query's row number"),
        say("another pattern"),
    ),
    "self_masked": (
        say("exactly the diagonal is missing"),
        say("the diagonal is there, or more is missing"),
    ),
    "narrow": (say("everything beyond one distance is missing"), say("another pattern")),
    "factor_missing": (say("the factor is sqrt(d_head)"), say("the factor is not sqrt(d_head)")),
    "factor_twice": (say("the factor is 1/sqrt(d_head)"), say("the factor is not 1/sqrt(d_head)")),
    "factor_model": (say("the factor is 1/sqrt(heads)"), say("the factor is not 1/sqrt(heads)")),
    "tiled": (
        say("tiled key heads explain the scores"),
        say("tiled key heads do not explain the scores"),
    ),
    "side_is_batch": (
        say("a side equals the batch size"),
        say("no side equals the declared batch size"),
    ),
    "single_head": (say("one head is stored"), say("more than one head is stored")),
    "negative_id": (say("the id is negative"), say("no id is negative")),
    "id_beyond": (say("the id is beyond the vocabulary"), say("no id is beyond the vocabulary")),
    "all_heads": (say("all heads of the layer are equal"), say("only some heads are equal")),
    "all_negative": (say("no value is positive"), say("some values are positive")),
    "no_position": (
        say("repeated tokens cannot be told apart"),
        say("neighbours are told apart nearby"),
    ),
    "rounded_positions": (
        say("keys beyond 256 fall together"),
        say("repeated tokens are alike everywhere"),
    ),
    "padded_to_128": (
        say("the sides are padded to a multiple of 128"),
        say("the sides are not padded"),
    ),
}

_TESTS: dict[str, Callable[[Draft, CaseFile], Ruling]] = {
    **evidence_run.TESTS,
    **evidence_training.TESTS,
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
        return Cause(
            cause.text,
            "unknown",
            fixed(cause.otherwise) if cause.otherwise else say("the maps alone do not tell"),
        )
    test = _TESTS.get(cause.evidence)
    ruling = unknown("") if test is None else test(draft, case)
    because = ruling.because
    if ruling.status == "unknown" and cause.otherwise:
        because = join("; ", (part for part in (because, fixed(cause.otherwise)) if part))
    return Cause(cause.text, ruling.status, because or say("nothing in the archive tells"))


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
