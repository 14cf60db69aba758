"""What only a special input shows: position encodings, biases, masks on the wrong axis."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.arrays import Bools, Ints
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict, indices
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import listing, say


def detect_position_aliasing(measures: Measures, context: FrameContext) -> Iterator[Verdict]:
    """`position_aliasing`: beyond 256, neighbouring keys get equal weight on repeated tokens.

    bfloat16 holds whole numbers up to 256 only, so positions computed in it fall together.
    """
    del context
    if measures.facts.probe != "repeat_token":
        yield from _order_blind(measures)
        return
    if measures.n_keys <= 300:
        yield Gap(
            signal="position_aliasing",
            reason=say(
                "the probe has {n_keys} tokens, positions alias beyond 256", n_keys=measures.n_keys
            ),
            advice=say("use a probe of at least 512 tokens"),
        )
        return
    row = measures.weights[:, -1]
    equal = np.diff(row, axis=-1) == 0
    near, far = equal[:, :250].mean(-1), equal[:, 260 : measures.n_keys - 2].mean(-1)
    aliased = (far > 0.2) & (near < 0.05)
    if aliased.any():
        yield Finding(
            signal="position_aliasing",
            severity=Severity.WARNING,
            evidence=say(
                "beyond position 256, {share:.0%} of neighbouring keys get exactly the same "
                "weight: positions are rounded",
                share=float(far[aliased].max()),
            ),
            heads=indices(aliased),
            value=float(far[aliased].max()),
            threshold=0.2,
            unit=say("share of neighbours"),
            marks=frozenset(("rounded_positions",)),
        )


def _order_blind(measures: Measures) -> Iterator[Verdict]:
    """Without a probe, repeated tokens tell: equal ids, equal weight wherever they stand.

    Only without a causal mask: that mask alone lets a model know the order (NoPE models are
    healthy). Heads that are nearly uniform are equal for free.
    """
    signal = "position_aliasing"
    ids = measures.frame.token_ids
    known = ids is not None and ids.shape == (measures.n_keys,) and measures.facts.kind == "self"
    if ids is None or not known or measures.facts.causal or not measures.enough.all():
        yield Gap(
            signal=signal,
            reason=say("needs a probe of one repeated token, or token ids without a causal mask"),
            advice=say(
                "record a probe of 512 equal tokens with attributes={'probe': 'repeat_token'}"
            ),
        )
        return
    real = (
        ~measures.layout.padding if measures.layout.padding is not None else np.ones(len(ids), bool)
    )
    positions = np.flatnonzero(real)
    _, first, inverse = np.unique(ids[positions], return_index=True, return_inverse=True)
    later = np.flatnonzero(first[inverse] != np.arange(len(positions)))
    if len(later) < 8:
        yield Gap(signal=signal, reason=say("fewer than 8 tokens of the sample are repeated"))
        return
    rows = np.flatnonzero(measures.valid.all(0))[:64]
    a = measures.weights[:, rows][:, :, positions[later]]
    b = measures.weights[:, rows][:, :, positions[first[inverse[later]]]]
    informative = measures.from_uniform > 0.05
    if not informative.any() or not measures.alive.all():
        yield Gap(signal=signal, reason=say("no head says enough about its keys"))
        return
    limit = 1e-6 if measures.precision == "float32" else 0.0
    alike = informative & (np.abs(a - b).max((1, 2)) <= limit + 1e-5 * a.max((1, 2)))
    if not bool(alike[informative].all()):
        return
    yield Finding(
        signal=signal,
        severity=Severity.WARNING,
        evidence=say(
            "equal tokens get exactly the same weight wherever they stand: no position "
            "reaches the attention"
        ),
        heads=indices(alike),
        value=float(len(later)),
        threshold=8.0,
        unit=say("repeated tokens"),
        marks=frozenset(("no_position",)),
    )


def detect_alibi(measures: Measures, context: FrameContext) -> Iterator[Verdict]:
    """`alibi_slope_mismatch`: decay of ln weight with distance against the declared slopes.

    Only at step 0, before the content scores have learnt anything.
    """
    slopes = measures.facts.alibi_slopes
    if slopes is None:
        yield Gap(signal="alibi_slope_mismatch", reason=say("no ALiBi slopes are declared"))
        return
    if len(slopes) != measures.n_heads:
        yield Gap(
            signal="alibi_slope_mismatch",
            reason=say(
                "{n_slopes} slopes are declared for {n_heads} heads",
                n_slopes=len(slopes),
                n_heads=measures.n_heads,
            ),
        )
        return
    if context.step != 0:
        yield Gap(
            signal="alibi_slope_mismatch",
            reason=say("only step 0 shows the bias before content scores have grown"),
            advice=say("record step 0 too"),
        )
        return
    seen = np.array([_decay(measures, head) for head in range(measures.n_heads)])
    declared = np.asarray(slopes, float)
    with np.errstate(all="ignore"):
        relative = np.abs(seen / declared - 1)
    wrong = np.nan_to_num(relative) > measures.thresholds.alibi_deviation
    if wrong.sum() >= max(1.0, 0.25 * measures.n_heads):
        worst = int(np.where(wrong, relative, -1).argmax())
        yield Finding(
            signal="alibi_slope_mismatch",
            severity=Severity.WARNING,
            evidence=say(
                "head {worst} decays with slope {seen:.4g}, declared is {declared:.4g}",
                worst=worst,
                seen=seen[worst],
                declared=declared[worst],
            ),
            heads=indices(wrong),
            value=float(np.nanmax(relative)),
            threshold=measures.thresholds.alibi_deviation,
            unit=say("relative deviation of the slope"),
        )


def _decay(measures: Measures, head: int) -> float:
    """Median over some rows of the slope of -ln weight over distance; NaN if no row is long."""
    layout = measures.layout
    allowed = layout.allowed
    plane = None if allowed is None else allowed[min(head, len(allowed) - 1)]
    long_rows = np.flatnonzero(
        measures.valid[head] & (layout.n_allowed[min(head, len(layout.n_allowed) - 1)] >= 16)
    )
    floor = 1e-30 if measures.precision == "float32" else 1e-4
    slopes = []
    for query in long_rows[-48:]:
        row = measures.weights[head, query]
        use = row > floor
        if plane is not None:
            use = use & plane[query]
        distance = np.abs(query + layout.q_offset - np.flatnonzero(use)).astype(float)
        if len(distance) < 8 or np.ptp(distance) == 0:
            continue
        logs = np.log(row[use].astype(float))
        centred = distance - distance.mean()
        slopes.append(-float(centred @ logs) / float(centred @ centred))
    return float(np.median(slopes)) if slopes else float("nan")


def detect_head_axis_mask(measures: Measures, context: FrameContext) -> Iterator[Verdict]:
    """`mask_on_head_axis`: a [batch, 1, seq] mask broadcasts the batch onto the heads.

    Then each head of one sample is cut at another length: the keys that no query of a head ever
    sees form a block at one end whose length differs from head to head.
    """
    del context
    if measures.n_heads < 2 or measures.n_queries < 2 or measures.precision == "uint8":
        return
    if not measures.alive.all() or not measures.all_finite:
        return
    # The last query of any mask sees most keys: where it has no zeros there is nothing to find.
    real = np.flatnonzero(measures.valid.all(0))
    if len(real) < 2:
        return
    last = measures.weights[:, real[-1]] == 0
    if not last.any() or bool((last == last[:1]).all()):
        return
    dark = (measures.weights[:, real] == 0).all(1) & _widely_visible(measures, real)
    before, after = _dark_ends(dark)
    cut = dark.sum(-1)
    for length in (after, before):
        lengths = set(length.tolist())
        clean = bool((length == cut).all()) and len(lengths) >= 2
        # Sharp heads underflow to zero by themselves: the cut ones must be flat elsewhere.
        flat = bool((measures.normalised_entropy[length > 0] > 0.3).all())
        many = (length > 0).sum() >= 0.5 * measures.n_heads
        if clean and flat and many and _flat_inside(measures, dark, real):
            yield Finding(
                signal="mask_on_head_axis",
                severity=Severity.WARNING,
                evidence=say(
                    "each head is cut at a length of its own ({lengths} keys): the padding of "
                    "the batch lies on the head axis",
                    lengths=listing(str(measures.n_keys - int(n)) for n in length),
                ),
                heads=indices(length > 0),
                value=float(len(lengths)),
                threshold=1.0,
                unit=say("different lengths"),
            )
            return


def _widely_visible(measures: Measures, real: Ints) -> Bools:
    """(1 or head, key): keys that at least four real queries may see."""
    if measures.layout.allowed is None:
        return np.full((1, measures.n_keys), len(real) >= 4)
    visible: Bools = measures.layout.allowed[:, real].sum(1) >= 4
    return visible


def _dark_ends(dark: Bools) -> tuple[Ints, Ints]:
    """(head,), (head,): length of the run of dark keys at the start and at the end."""
    lit = ~dark
    some = lit.any(-1)
    n_keys = dark.shape[-1]
    start = np.where(some, lit.argmax(-1), n_keys)
    end = np.where(some, lit[:, ::-1].argmax(-1), n_keys)
    return start, end


def _flat_inside(measures: Measures, dark: Bools, real: Ints) -> bool:
    """Whether the keys that are not cut off are really used: no zeros there but the mask's."""
    lit = ~dark[:, None] & np.ones((1, len(real), 1), bool)
    if measures.layout.allowed is not None:
        lit = lit & measures.layout.allowed[:, real]
    cells = lit.sum()
    zeros = ((measures.weights[:, real] == 0) & lit).sum()
    return bool(cells > 0 and zeros <= 0.01 * cells)
