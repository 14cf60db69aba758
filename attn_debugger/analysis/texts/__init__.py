"""What is known about each signal in plain words, keyed by signal; window and help page use it."""

from __future__ import annotations

from attn_debugger.analysis.texts import integrity, masks, scores, shape, structure, validity
from attn_debugger.analysis.texts.form import CauseText, SignalText

SIGNALS: dict[str, SignalText] = {
    **integrity.TEXTS,
    **validity.TEXTS,
    **scores.TEXTS,
    **masks.TEXTS,
    **structure.TEXTS,
    **shape.TEXTS,
}

FAMILIES: dict[str, tuple[str, ...]] = {
    "Capture, inputs and use": tuple(integrity.TEXTS),
    "Validity": tuple(validity.TEXTS),
    "Scores": tuple(scores.TEXTS),
    "Masks": tuple(masks.TEXTS),
    "Structure": tuple(structure.TEXTS),
    "Distribution, dynamics and outputs": tuple(shape.TEXTS),
}

__all__ = ["FAMILIES", "SIGNALS", "CauseText", "SignalText"]
