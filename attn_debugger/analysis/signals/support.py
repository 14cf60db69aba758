"""Keys a query may see and that no head ever looks at: the applied mask is too narrow."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.arrays import Bools, any_over
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import join, say

_TOP_LEFT = say("the causal mask is aligned to the top left although keys are cached")
_NO_SELF = say("no query sees itself, the mask leaves out the diagonal")
_FLAT_FOR_PATTERN = 0.3
_MARKS: dict[str, str] = {_NO_SELF: "self_masked", _TOP_LEFT: "top_left"}


def detect_support(measures: Measures, context: FrameContext) -> Iterator[Verdict]:
    """`support_truncated`: allowed cells that are exactly zero in every flat head.

    Honest zeros come from underflow, so rows must be flat: entropy above half of ln n (0.8 in
    float16, where weights below 3e-8 vanish). uint8 storage and dropout make zeros of their own.
    """
    del context
    signal = "support_truncated"
    layout, limits = measures.layout, measures.thresholds
    if signal in layout.contradictions:
        yield Gap(signal=signal, reason=layout.contradictions[signal])
        return
    if measures.precision.startswith("uint8"):
        yield Gap(
            signal=signal,
            reason=say("weights stored as uint8 round small ones to zero"),
            advice=say("record(model, path, dtype='float16')"),
        )
        return
    if measures.facts.dropout > 0 or not measures.alive.any():
        yield Gap(signal=signal, reason=say("dropout or another fault makes zeros of its own"))
        return
    known_causal = layout.future is not None and bool(measures.facts.causal)
    if not layout.mask_given and not known_causal:
        yield Gap(
            signal=signal,
            reason=say("the intended mask is not recorded"),
            advice=say("store layers/<i>/mask as the configuration means it"),
        )
        return
    largest = measures.score_abs_max
    if largest is not None and float(np.nanmax(largest)) > limits.score_notice:
        yield Gap(
            signal=signal,
            reason=say(
                "scores beyond {limit:g} underflow to honest zeros", limit=limits.score_notice
            ),
        )
        return
    # Exactly one of the known mistakes, in every head, is no underflow: rows need not be so flat.
    zero, expected = _dark_cells(measures, _FLAT_FOR_PATTERN)
    if not zero.any():
        return
    name = _shape_of(measures, zero, expected)
    if name not in _MARKS:
        flat = 0.8 if measures.precision == "float16" else 0.5
        zero, expected = _dark_cells(measures, flat)
        name = _shape_of(measures, zero, expected)
    share = float(zero.sum() / max(1, expected.sum()))
    # A missing diagonal is a small share of a long map and yet unmistakable.
    if share <= limits.truncated_cells and name != _NO_SELF:
        return
    if not layout.mask_given and not name:
        return  # without the mask itself, only an unmistakable pattern is a fault
    query, key = (int(i) for i in np.argwhere(zero)[0])
    yield Finding(
        signal=signal,
        severity=Severity.WARNING,
        evidence=join(
            "",
            (
                say(
                    "{share:.0%} of the keys that may be seen get exactly zero in every head",
                    share=share,
                ),
                say(": {name}", name=name) if name else "",
            ),
        ),
        heads=tuple(range(measures.n_heads)),
        value=share,
        threshold=limits.truncated_cells,
        unit=say("share of allowed cells"),
        query=query,
        key=key,
        marks=frozenset((_MARKS.get(name, "narrow"),)) if name else frozenset(),
    )


def _dark_cells(measures: Measures, flat: float) -> tuple[Bools, Bools]:
    """(query, key), (query, key): allowed cells that are 0 in every flat head; all such cells.

    A row is flat if its entropy is above `flat` times ln of the keys it may see.
    """
    layout = measures.layout
    use = (
        measures.valid
        & measures.alive[:, None]
        & (layout.n_allowed >= 4)
        & (measures.entropy > flat * np.maximum(layout.log_allowed, 1e-6))
    )
    shape = (measures.n_queries, measures.n_keys)
    allowed: Bools = np.ones(shape, bool)
    if layout.allowed is not None:
        allowed = np.asarray(layout.allowed.all(0))
    expected = allowed & any_over(use, 0)[:, None]
    # One pass over all heads settles the rows that all of them use.
    largest = np.maximum.reduce(measures.weights, axis=0)
    mixed = any_over(use, 0) & ~use.all(0)
    if mixed.any():
        part = np.where(use[:, mixed, None], measures.weights[:, mixed], np.float32(0))
        largest[mixed] = part.max(0)
    return expected & (largest == 0), expected


def _shape_of(measures: Measures, zero: Bools, expected: Bools) -> str:
    """Name the pattern of the missing cells, where it is one of the known mistakes."""
    queries = np.arange(measures.n_queries)[:, None]
    keys = np.arange(measures.n_keys)[None]
    own = keys == queries + measures.layout.q_offset
    if measures.n_queries > 1 and bool((zero == (own & expected)).all()):
        return _NO_SELF if int(zero.sum()) >= 8 else ""
    if measures.n_keys > measures.n_queries > 1 and bool(
        (zero == ((keys > queries) & expected)).all()
    ):
        return _TOP_LEFT
    gone = np.where(zero, queries + measures.layout.q_offset - keys, measures.n_keys + 1)
    nearest = int(gone.min())
    far = queries + measures.layout.q_offset - keys >= nearest
    if measures.layout.mask_given and nearest > 0 and bool((zero == (far & expected)).all()):
        return say("nothing beyond {distance} positions back is seen", distance=nearest - 1)
    return ""
