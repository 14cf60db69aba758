"""From everything kept to a diagnosis: severity, blame, order, words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from attn_debugger.analysis.causes.case import CaseFile
from attn_debugger.analysis.causes.rulings import causes_of
from attn_debugger.analysis.diagnosis.coverage import coverage_sentence
from attn_debugger.analysis.diagnosis.story import tell
from attn_debugger.analysis.diagnosis.wording import message_of
from attn_debugger.analysis.flags.blame import NonfiniteBlame
from attn_debugger.analysis.flags.corroboration import corroborate
from attn_debugger.analysis.flags.drafts import Draft, from_conclusion, from_entry, merge_samples
from attn_debugger.analysis.flags.folding import fold
from attn_debugger.analysis.flags.ledger import Ledger
from attn_debugger.analysis.flags.runwide import run_drafts, run_gaps
from attn_debugger.analysis.flags.verdicts import Verdicts
from attn_debugger.analysis.histories.anomalies import Anomalies
from attn_debugger.analysis.histories.histories import Histories
from attn_debugger.analysis.limits import changed_for, changed_limits
from attn_debugger.analysis.signals.detectors import RUN_SIGNALS
from attn_debugger.analysis.texts import SIGNALS
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import Diagnosis, Flag
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.core.topology import ModelTopology


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosing:
    """All that a diagnosis is made of; making one changes nothing."""

    run: Run
    thresholds: Thresholds
    ledger: Ledger
    verdicts: Verdicts
    blame: NonfiniteBlame
    histories: Histories
    anomalies: Anomalies
    frames: frozenset[int]
    samples: frozenset[int]
    model: ModelTopology | None
    tags: Mapping[HeadRef, tuple[str, ...]]

    def diagnosis(self) -> Diagnosis:
        """Return the diagnosis of what was seen so far."""
        drafts = [from_entry(entry) for entry in self.ledger]
        drafts += [
            from_conclusion(item) for item in self.histories.conclude(self.run, self.anomalies)
        ]
        drafts += run_drafts(self.run, self.anomalies, self.frames)
        drafts = merge_samples(drafts)
        corroborate(drafts, self.anomalies, self.thresholds)
        fold(drafts, self.blame.parents)
        drafts.sort(key=_order)
        flags = self._flags(drafts)
        open_ones = run_gaps(self.run) if self.frames else []
        flagged = {flag.signal for flag in flags}
        open_ones = [gap for gap in open_ones if gap.signal not in flagged]
        judged = set(RUN_SIGNALS) - {gap.signal for gap in open_ones} if self.frames else set()
        return Diagnosis(
            flags=flags,
            not_evaluated=(*self.verdicts.not_evaluated(len(self.run.layers)), *open_ones),
            story=tell(flags, self.run, self.anomalies),
            checked=tuple(sorted({*self.verdicts.checked, *judged})),
            coverage=coverage_sentence(self.run, self.samples, len(self.frames)),
            n_frames=len(self.frames),
            tags=self.tags,
            changed_limits=changed_limits(self.thresholds),
        )

    def _flags(self, drafts: list[Draft]) -> tuple[Flag, ...]:
        position = {id(draft): index for index, draft in enumerate(drafts)}
        case = CaseFile(self.run, self.verdicts, drafts, self.anomalies, self.model)
        flags = tuple(self._flag(draft, position, case) for draft in drafts)
        changed = changed_limits(self.thresholds)
        if not changed:
            return flags
        return tuple(
            replace(flag, changed_limits=changed_for(flag.signal, changed)) for flag in flags
        )

    def _flag(self, draft: Draft, position: dict[int, int], case: CaseFile) -> Flag:
        first_anomaly = self.anomalies.first
        lead = None
        if first_anomaly is not None and draft.first_step is not None:
            lead = first_anomaly - draft.first_step
        known = draft.layer is not None and draft.layer < len(self.run.layers)
        info = self.run.layers[draft.layer] if known and draft.layer is not None else None
        text = SIGNALS.get(draft.signal)
        causes = causes_of(draft, case)
        return Flag(
            signal=draft.signal,
            severity=draft.severity,
            layer=draft.layer,
            layer_name=info.name if info is not None else None,
            heads=draft.heads,
            first_step=draft.first_step,
            last_step=draft.last_step,
            first_frame=draft.first_frame,
            last_frame=draft.last_frame,
            message=message_of(draft, info, causes),
            stream=draft.stream,
            sample=draft.sample,
            query=draft.query,
            key=draft.key,
            value=draft.value,
            threshold=draft.threshold,
            unit=draft.unit,
            n_frames=draft.frames,
            causes=causes,
            remedies=text.remedies if text is not None else (),
            caused_by=None if draft.parent is None else position[id(draft.root)],
            lead=lead if draft.signal not in ("loss_anomaly", "grad_anomaly") else None,
        )


def _order(draft: Draft) -> tuple[int, int, int, int, str]:
    """By onset; roots before what follows; then lower layers; then the louder."""
    frame = -1 if draft.first_frame is None else draft.first_frame
    layer = -1 if draft.layer is None else draft.layer
    return (frame, int(draft.parent is not None), layer, -int(draft.severity), draft.signal)
