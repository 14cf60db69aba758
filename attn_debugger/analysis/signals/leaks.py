"""Mass where the intended mask forbids it, named by the reason why it is forbidden.

Binary properties: one row above what storage can explain is enough. A forbidden cell counts for
the first reason that applies: padding, future, other document, outside the window, the mask.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats
from attn_debugger.analysis.layout.layout import Layout
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict, indices
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import join, say

_SIGNALS = (
    "pad_leak",
    "causal_violation",
    "cross_document_leak",
    "window_violation",
    "mask_leak",
)


def detect_leaks(measures: Measures, context: FrameContext) -> Iterator[Verdict]:
    """Every kind of leak of one layer; each reason is judged on its own."""
    del context
    layout = measures.layout
    yield from _not_evaluated(measures)
    if not measures.alive.any():
        for signal in _SIGNALS:
            yield Gap(signal=signal, reason=say("the weights are no attention weights"))
        return
    tolerance = measures.thresholds.leak_tolerance(measures.precision)
    judged = measures.valid & measures.alive[:, None]
    if not bool((np.where(judged, measures.leaked, 0) > tolerance).any()):
        return
    assert layout.allowed is not None
    remaining = ~layout.allowed
    for signal, plane in _planes(layout):
        mine = remaining & plane
        if not mine.any():
            continue
        remaining = remaining & ~plane
        if signal in layout.contradictions:
            continue
        yield from _leak(measures, signal, mine, judged, tolerance)


def _planes(layout: Layout) -> Iterator[tuple[str, Bools]]:
    shape = (1, layout.n_queries, layout.n_keys)
    if layout.padding is not None:
        yield "pad_leak", np.broadcast_to(layout.padding, shape)
    for signal, plane in (
        ("causal_violation", layout.future),
        ("cross_document_leak", layout.other_document),
        ("window_violation", layout.outside_window),
    ):
        if plane is not None:
            yield signal, plane[None]
    yield "mask_leak", np.ones(shape, bool)


def _leak(
    measures: Measures, signal: str, cells: Bools, judged: Bools, tolerance: float
) -> Iterator[Verdict]:
    mass = np.where(cells, measures.weights, 0)
    if not measures.all_finite:
        mass = np.where(measures.finite[..., None], mass, 0)
    rows = np.where(judged, mass.sum(-1), 0)
    leaking = rows.max(-1) > tolerance
    if not leaking.any():
        return
    missing = _missing_offset(measures, signal, mass, tolerance)
    if missing:
        yield Gap(
            signal=signal,
            reason=say(
                "there are {missing} more keys than q_offset accounts for, and no query "
                "looks farther ahead than that: cached keys that were not declared?",
                missing=missing,
            ),
            advice=say("record(model, path, attributes={'q_offset': keys - queries})"),
        )
        return
    mean = rows.sum(-1) / np.maximum(judged.sum(-1), 1)
    # A causal mask either holds or it does not; the others are louder where more mass goes.
    certain = signal == "causal_violation"
    critical = leaking if certain else leaking & (mean > measures.thresholds.leak_critical)
    for heads, severity in ((critical, Severity.CRITICAL), (leaking & ~critical, Severity.WARNING)):
        if heads.any():
            yield _finding(measures, signal, severity, heads, mass, judged, mean, tolerance)


def _missing_offset(measures: Measures, signal: str, mass: Floats, tolerance: float) -> int:
    """How many cached keys the attributes leave out, when that explains all looking ahead; else 0.

    While a model generates, keys grow from call to call and one q_offset cannot be right for all.
    """
    layout = measures.layout
    extra = layout.n_keys - layout.n_queries - layout.q_offset
    if signal != "causal_violation" or extra <= 0:
        return 0
    positions = np.arange(layout.n_queries) + layout.q_offset
    beyond = np.arange(layout.n_keys)[None] - positions[:, None] > extra
    return 0 if bool((mass.max(0)[beyond] > tolerance).any()) else extra


def _finding(
    measures: Measures,
    signal: str,
    severity: Severity,
    heads: Bools,
    mass: Floats,
    judged: Bools,
    mean: Floats,
    tolerance: float,
) -> Finding:
    shown = np.where(heads[:, None, None] & judged[..., None], mass, 0)
    _, query, key = (int(i) for i in np.unravel_index(int(shown.argmax()), shown.shape))
    share = float(mean[heads].max())
    text = say(
        "{share:.2%} of the mass of a row goes to {destination} on average",
        share=share,
        destination=_DESTINATION[signal],
    )
    if share < 1e-4:
        top = float(shown.sum(-1).max())
        text = say(
            "up to {top:.2g} of a row's mass goes to {destination}",
            top=top,
            destination=_DESTINATION[signal],
        )
    pattern, marks = _pattern(measures, signal, shown, tolerance, share)
    return Finding(
        signal=signal,
        severity=severity,
        evidence=join("", (text, pattern)),
        marks=marks,
        heads=indices(heads),
        value=float(shown.sum(-1).max()),
        threshold=tolerance,
        unit=say("mass of a row"),
        query=query,
        key=key,
    )


_DESTINATION = {
    "pad_leak": say("padding keys"),
    "causal_violation": say("keys in the query's future"),
    "cross_document_leak": say("other documents"),
    "window_violation": say("keys outside the window"),
    "mask_leak": say("keys the intended mask forbids"),
}


def _pattern(
    measures: Measures, signal: str, shown: Floats, tolerance: float, share: float
) -> tuple[str, frozenset[str]]:
    """What the place of the leak says about its origin, in words and as marks."""
    layout = measures.layout
    seen = shown.max(0) > tolerance
    if not seen.any():
        return "", frozenset()
    positions = np.arange(layout.n_queries) + layout.q_offset
    ahead = np.arange(layout.n_keys)[None] - positions[:, None]
    if signal == "pad_leak":
        return _padding_pattern(measures, shown, share)
    if signal == "causal_violation":
        furthest = int(ahead[seen].max())
        text = say("; it looks up to {furthest} positions ahead", furthest=furthest)
        if furthest == 1:
            return join(
                "",
                (
                    text,
                    say(": the mask is off by one"),
                ),
            ), frozenset(("one_ahead",))
        return text, frozenset(("far_ahead",))
    if signal == "window_violation":
        distance, window = int(np.abs(ahead[seen]).max()), measures.facts.window or 0
        text = say(
            "; up to {distance} positions away, the window is {window}",
            distance=distance,
            window=window,
        )
        if distance == window:
            return join(
                "",
                (
                    text,
                    say(": it is off by one"),
                ),
            ), frozenset(("window_by_one",))
        return text, frozenset(("window_far",))
    if signal == "mask_leak":
        values = shown[:, seen]
        if values.shape[1] > 2 and float(np.ptp(values, axis=1).max()) < 1e-6:
            text = say(", all of them with the same weight: empty cache slots with a score of zero")
            return text, frozenset(("equal_weights",))
    return "", frozenset()


def _padding_pattern(measures: Measures, shown: Floats, share: float) -> tuple[str, frozenset[str]]:
    """Inverted, or padding treated like any token, or only pressed down."""
    if share > measures.thresholds.leak_inverted:
        return say(": the padding mask is the wrong way round"), frozenset(("inverted",))
    padding = measures.layout.padding
    even = float(padding.mean()) if padding is not None else 0.0
    if share > 0.5 * even:
        return "", frozenset(("leak_like_content",))
    return "", frozenset(("leak_reduced",))


def _not_evaluated(measures: Measures) -> Iterator[Gap]:
    layout, facts = measures.layout, measures.facts
    for signal in _SIGNALS:
        if signal in layout.contradictions:
            yield Gap(signal=signal, reason=layout.contradictions[signal])
    if layout.padding is None and "pad_leak" not in layout.contradictions:
        yield Gap(
            signal="pad_leak",
            reason=say("no padding information"),
            advice=say("with recorder.step(step, attention_mask=mask): ..."),
        )
    unknown = facts.kind == "self" and facts.causal is None and layout.future is None
    if unknown and not layout.mask_given:
        yield Gap(
            signal="causal_violation",
            reason=say("whether the layer is causal is not recorded"),
            advice=say("record(model, path, attributes={'causal': True})"),
        )
    if facts.kind == "self" and facts.window is None:
        yield Gap(
            signal="window_violation",
            reason=say("no window is declared"),
            advice=say("record(model, path, attributes={'window': 512}) if the model has one"),
        )
    if layout.other_document is None and "cross_document_leak" not in layout.contradictions:
        yield Gap(
            signal="cross_document_leak",
            reason=say("no document ids"),
            advice=say("store `documents` where sequences are packed"),
        )
    if not layout.mask_given and "mask_leak" not in layout.contradictions:
        yield Gap(
            signal="mask_leak",
            reason=say("the intended mask is not recorded"),
            advice=say("store layers/<i>/mask as the configuration means it"),
        )
