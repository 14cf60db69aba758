"""One key for everyone: sinks, special tokens, key collapse."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.arrays import Bools
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.measures.structure import Structure
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict, indices
from attn_debugger.analysis.signals.gaps import short_gaps
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import say


def detect_sinks(structure: Structure, context: FrameContext) -> Iterator[Verdict]:
    """`sink` and `special_token_mass` labels, and `key_collapse`."""
    del context
    measures, limits = structure.measures, structure.measures.thresholds
    if not measures.enough.any():
        yield from short_gaps(measures, ("sink", "key_collapse", "special_token_mass"))
        return
    judged = measures.enough & measures.alive
    strong = judged & (structure.sink_mass > limits.sink)
    for key in np.unique(structure.sink_key[strong]):
        heads = strong & (structure.sink_key == key)
        mass = float(structure.sink_mass[heads].mean())
        yield Finding(
            signal="sink",
            severity=Severity.LABEL,
            evidence=say(
                "key {key} receives {mass:.0%} of the attention of other queries",
                key=int(key),
                mass=mass,
            ),
            heads=indices(heads),
            value=mass,
            threshold=limits.sink,
            unit=say("mean weight"),
            key=int(key),
        )
    yield from _special(structure, judged)
    heads, key = structure.collapsed
    if heads.any():
        mass = float(structure.sink_mass[heads].mean())
        # One head is no majority, and a single sink at either end ([CLS], [SEP]) has no fault.
        mild = measures.n_heads == 1 and key in (0, _last_real(measures))
        yield Finding(
            signal="key_collapse",
            severity=Severity.NOTICE if mild else Severity.CRITICAL,
            evidence=say(
                "key {key} receives {mass:.0%} of the attention of every query", key=key, mass=mass
            ),
            heads=indices(heads),
            value=mass,
            threshold=limits.key_collapse_cross
            if measures.facts.kind == "cross"
            else limits.key_collapse,
            unit=say("mean weight"),
            key=key,
        )


def _last_real(measures: Measures) -> int:
    """The last key that is no padding, of self-attention without causality; -1 elsewhere."""
    facts, padding = measures.facts, measures.layout.padding
    if facts.kind != "self" or facts.causal:
        return -1
    real = np.flatnonzero(~padding) if padding is not None else np.arange(measures.n_keys)
    return int(real[-1]) if len(real) else -1


def _special(structure: Structure, judged: Bools) -> Iterator[Verdict]:
    special = structure.special_keys
    limits = structure.measures.thresholds
    if not special.any():
        yield Gap(
            signal="special_token_mass",
            reason=say("no special keys are declared and no token has a known special name"),
            advice=say("record(model, path, attributes={'special_keys': [0]})"),
        )
        return
    mass = np.where(special, structure.received, 0).sum(-1)
    heavy = judged & (mass > limits.special_mass)
    if heavy.any():
        yield Finding(
            signal="special_token_mass",
            severity=Severity.LABEL,
            evidence=say(
                "{mass:.0%} of the attention rests on special tokens",
                mass=float(mass[heavy].mean()),
            ),
            heads=indices(heavy),
            value=float(mass[heavy].max()),
            threshold=limits.special_mass,
            unit=say("mean weight"),
        )
