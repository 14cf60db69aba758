"""Capture integrity: judged first, because nothing else means anything when the map is not one."""

from __future__ import annotations

from collections.abc import Iterator

from attn_debugger.analysis.arrays import Floats
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict
from attn_debugger.core.flags import Severity
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.words import join, say, unended


def detect_capture(frame: LayerFrame, context: FrameContext) -> Iterator[Verdict]:
    """`missing_capture`: no weights although the frame should hold them.

    A frame that keeps only overviews and statistics by choice (`full` False) is no gap.
    """
    del context
    empty = frame.weights is not None and 0 in frame.weights.shape
    lost = frame.weights is None and frame.full and frame.present and bool(frame.problems)
    if not frame.present or empty or lost or (frame.weights is None and frame.full):
        backend = frame.info.facts.backend
        why = say(" (backend {backend})", backend=backend) if backend else ""
        yield Finding(
            signal="missing_capture",
            severity=Severity.WARNING,
            evidence=join(
                "",
                (
                    say("no weights were captured"),
                    why,
                    say(": {problem}", problem=unended(frame.problems[0]))
                    if frame.problems
                    else "",
                ),
            ),
        )


def detect_duplicate(frame: LayerFrame, context: FrameContext) -> Iterator[Verdict]:
    """`duplicate_capture`: the layer fired more than once in one forward pass."""
    del context
    if frame.captures is None:
        yield Gap(
            signal="duplicate_capture",
            reason=say("how often the layer fired is not recorded"),
            advice=say("record with attn_debugger.record, which counts captures"),
        )
    elif frame.captures > 1:
        yield Finding(
            signal="duplicate_capture",
            severity=Severity.NOTICE,
            evidence=say(
                "the layer was captured {captures} times in one step", captures=frame.captures
            ),
            value=float(frame.captures),
            threshold=1.0,
            unit=say("captures"),
        )


def detect_shape(frame: LayerFrame, context: FrameContext) -> Iterator[Verdict]:
    """`shape_mismatch`: the map's sides or heads are not those of the configuration.

    Q may be 1 (decoding step by step). A side equal to the batch size points to `batch_first`.
    """
    del context
    facts = frame.info.facts
    weights = frame.weights
    if weights is None or 0 in weights.shape:
        return
    if facts.seq_len is None and facts.n_heads is None:
        yield Gap(
            signal="shape_mismatch",
            reason=say("neither seq_len nor n_heads is declared"),
            advice=say("record(model, path, attributes={'seq_len': ..., 'n_heads': ...})"),
        )
        return
    _, queries, keys = weights.shape
    length = facts.seq_len
    # A sample may be shorter than the longest one, and a cache longer than the queries; what a
    # declared length forbids is a side that is neither.
    if length is not None and facts.kind == "self":
        cached = facts.q_offset > 0 and keys == queries + facts.q_offset
        repeated = queries == length and keys > length and keys % length == 0 and _copies(weights)
        shorter = queries == keys and queries < length and _lengths_vary(frame)
        fits = keys == length and queries in (length, 1)
        if not (fits or cached or repeated or shorter):
            yield _shape_finding(frame, say("declared seq_len {length}", length=length))
            return
    if (
        facts.n_heads is not None
        and len(frame.heads) == frame.info.n_heads
        and frame.info.n_heads != facts.n_heads
    ):
        yield _shape_finding(
            frame,
            say(
                "{n_heads} heads, declared {declared}",
                n_heads=frame.info.n_heads,
                declared=facts.n_heads,
            ),
        )


def _copies(weights: Floats) -> bool:
    """Whether keys are repeated, which `duplicate_columns` names more precisely."""
    heads, queries, keys = weights.shape
    halves = [weights.reshape(heads, queries, keys // n, n) for n in (2, 3, 4) if keys % n == 0]
    return any(bool((blocks == blocks[..., :1]).all()) for blocks in halves)


def detect_trivial(measures: Measures, context: FrameContext) -> Iterator[Verdict]:
    """`trivial_attention`: every query sees at most one key, so every weight is 1.

    That is a structure, not a collapse: queries and keys have no effect and get no gradient.
    """
    del context
    if measures.n_keys == 1 or int(measures.layout.n_allowed.max(initial=0)) <= 1:
        yield Finding(
            signal="trivial_attention",
            severity=Severity.NOTICE,
            evidence=say("every query sees a single key, so its weight is 1 whatever q and k are"),
            heads=tuple(range(measures.n_heads)),
            value=float(measures.n_keys),
            threshold=1.0,
            unit=say("keys"),
        )


def _lengths_vary(frame: LayerFrame) -> bool:
    """Whether this map was cut to the valid length of its sample."""
    return frame.n_queries < frame.info.n_queries or frame.n_keys < frame.info.n_keys


def _shape_finding(frame: LayerFrame, expected: str) -> Finding:
    facts = frame.info.facts
    sides = (frame.n_queries, frame.n_keys)
    swapped = (
        say(", a side equals the batch size {batch}", batch=facts.batch)
        if facts.batch is not None and facts.batch in sides and facts.batch != facts.seq_len
        else ""
    )
    return Finding(
        signal="shape_mismatch",
        severity=Severity.CRITICAL,
        evidence=say(
            "the map is {queries} x {keys}, {expected}{swapped}",
            queries=sides[0],
            keys=sides[1],
            expected=expected,
            swapped=swapped,
        ),
        value=float(frame.n_keys),
        threshold=float(facts.seq_len) if facts.seq_len is not None else None,
        unit=say("keys"),
        marks=frozenset(
            mark
            for mark, seen in (
                ("side_is_batch", bool(swapped)),
                ("single_head", frame.info.n_heads == 1 and (facts.n_heads or 1) > 1),
            )
            if seen
        ),
    )
