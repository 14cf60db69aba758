"""The case file: what the causes of a flag may be judged by, and how a ruling looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from attn_debugger.analysis.flags.drafts import Draft
from attn_debugger.analysis.flags.verdicts import Verdicts
from attn_debugger.analysis.histories.anomalies import Anomalies
from attn_debugger.core.run import LayerFacts, Run
from attn_debugger.core.topology import ModelTopology
from attn_debugger.core.words import say


class Ruling(NamedTuple):
    """Where the evidence for a cause stands."""

    status: Literal["confirmed", "excluded", "unknown"]
    because: str


def confirmed(because: str) -> Ruling:
    """The archive shows it."""
    return Ruling("confirmed", because)


def excluded(because: str) -> Ruling:
    """The archive shows that it is not so."""
    return Ruling("excluded", because)


def unknown(because: str) -> Ruling:
    """The archive does not tell."""
    return Ruling("unknown", because)


@dataclass(frozen=True, slots=True)
class CaseFile:
    """The run, what was judged, all flags in the making and the spikes of loss and gradient."""

    run: Run
    verdicts: Verdicts
    drafts: Sequence[Draft]
    anomalies: Anomalies
    model: ModelTopology | None = None  # an attached checkpoint

    def model_check(self, name: str) -> Ruling | None:
        """What the attached checkpoint says about a rule: failed = confirmed; None = nothing."""
        checks = self.model.checks if self.model is not None else ()
        for check in checks:
            if check.name == name and check.result == "failed":
                return confirmed(
                    say("the checkpoint shows it: {evidence}", evidence=check.evidence)
                )
            if check.name == name and check.result == "passed":
                return excluded(
                    say("the checkpoint shows otherwise: {evidence}", evidence=check.evidence)
                )
        return None

    def facts(self, draft: Draft) -> LayerFacts:
        """The facts of the draft's layer, or the run's."""
        layer = draft.layer
        if layer is not None and 0 <= layer < len(self.run.layers):
            return self.run.layers[layer].facts
        return self.run.facts

    def others(self, draft: Draft, *signals: str) -> list[Draft]:
        """Flags of these signals in the same layer (any, for the run) that set in no later."""
        at = draft.last_frame if draft.last_frame is not None else 0
        return [
            other
            for other in self.drafts
            if other is not draft
            and other.signal in signals
            and (draft.layer is None or other.layer == draft.layer)
            and (other.first_frame or 0) <= at
        ]

    def judged(self, signal: str, draft: Draft) -> bool:
        """Whether a signal could be judged in the draft's layer."""
        return self.verdicts.was_judged(signal, draft.layer)
