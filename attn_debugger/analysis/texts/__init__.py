"""What is known about each signal in plain words, keyed by signal; window and help page use it."""

from __future__ import annotations

from attn_debugger.analysis.texts import integrity, masks, scores, shape, structure, validity
from attn_debugger.analysis.texts.form import CauseText, SignalText
from attn_debugger.core.words import say

SIGNALS: dict[str, SignalText] = {
    **integrity.TEXTS,
    **validity.TEXTS,
    **scores.TEXTS,
    **masks.TEXTS,
    **structure.TEXTS,
    **shape.TEXTS,
}

FAMILIES: dict[str, tuple[str, ...]] = {
    say("Capture, inputs and use"): tuple(integrity.TEXTS),
    say("Validity"): tuple(validity.TEXTS),
    say("Scores"): tuple(scores.TEXTS),
    say("Masks"): tuple(masks.TEXTS),
    say("Structure"): tuple(structure.TEXTS),
    say("Distribution, dynamics and outputs"): tuple(shape.TEXTS),
}

__all__ = ["FAMILIES", "SIGNALS", "CauseText", "SignalText"]
