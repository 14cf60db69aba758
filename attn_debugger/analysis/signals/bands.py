"""One offset for everyone: previous-token heads, diagonal collapse."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.arrays import heads_of_a_layer
from attn_debugger.analysis.measures.structure import Structure
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict, indices
from attn_debugger.analysis.signals.gaps import short_gaps
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import say


def detect_bands(structure: Structure, context: FrameContext) -> Iterator[Verdict]:
    """`band_head` (label) and `diagonal_collapse` (identity maps)."""
    del context
    measures, limits = structure.measures, structure.measures.thresholds
    if not structure.banded:
        if measures.facts.kind == "cross":
            reason, advice = say("cross-attention has no diagonal"), ""
        elif measures.n_queries < 12:
            yield from short_gaps(measures, ("band_head", "diagonal_collapse"))
            return
        else:
            reason = say(
                "keys - queries is not q_offset ({q_offset})", q_offset=measures.facts.q_offset
            )
            advice = say("record(model, path, attributes={'q_offset': keys - queries})")
        for signal in ("band_head", "diagonal_collapse"):
            yield Gap(signal=signal, reason=reason, advice=advice)
        return
    band, offset = structure.band
    bands = measures.alive & (band > limits.band)
    if bands.any():
        places = ", ".join(f"{int(o):+d}" for o in np.unique(offset[bands]))
        yield Finding(
            signal="band_head",
            severity=Severity.LABEL,
            evidence=say("queries look at a fixed offset ({places})", places=places),
            heads=indices(bands),
            value=float(band[bands].max()),
            threshold=limits.band,
            unit=say("mass above chance"),
        )
    diagonal = measures.alive & (structure.diagonal > limits.diagonal)
    if diagonal.any():
        wide = diagonal.sum() >= heads_of_a_layer(measures.n_heads, limits.diagonal_layer)
        mass = float(structure.diagonal[diagonal].mean())
        yield Finding(
            signal="diagonal_collapse",
            severity=Severity.WARNING if wide else Severity.NOTICE,
            evidence=say(
                "each token attends only to itself ({mass:.0%} of the mass on the diagonal)",
                mass=mass,
            ),
            heads=indices(diagonal),
            value=float(structure.diagonal[diagonal].max()),
            threshold=limits.diagonal,
            unit=say("mass above chance"),
        )
