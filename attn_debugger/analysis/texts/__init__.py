"""What is known about each signal in plain words, keyed by signal; window and help page use it."""

from __future__ import annotations

from attn_debugger.analysis.texts.form import CauseText, SignalText

SIGNALS: dict[str, SignalText] = {}

__all__ = ["SIGNALS", "CauseText", "SignalText"]
