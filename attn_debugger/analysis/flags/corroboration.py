"""Severities that need a second witness."""

from __future__ import annotations

from attn_debugger.analysis.flags.drafts import Draft
from attn_debugger.analysis.histories.anomalies import Anomalies
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import join, say


def corroborate(drafts: list[Draft], anomalies: Anomalies, thresholds: Thresholds) -> None:
    """Raise `entropy_collapse` to a warning when the loss breaks too or scores are extreme.

    One-hot rows alone are what hard-attention tasks learn; the onset stays where it was.
    """
    extreme = {
        draft.layer
        for draft in drafts
        if draft.signal in ("score_extreme", "score_growth")
        and (draft.value or 0) > thresholds.score_warning
    }
    for draft in drafts:
        if draft.signal != "entropy_collapse" or draft.severity is not Severity.NOTICE:
            continue
        if anomalies.corroborating:
            draft.severity = Severity.WARNING
            draft.evidence = join(
                "", (draft.evidence, say("; loss breaks at step {step}", step=anomalies.loss[0]))
            )
        elif draft.layer in extreme:
            draft.severity = Severity.WARNING
            draft.evidence = join(
                "",
                (
                    draft.evidence,
                    say("; scores of the layer pass {limit:g}", limit=thresholds.score_warning),
                ),
            )
