"""Flags in the making: what the ledger and the histories say, before blame, words and order."""

from __future__ import annotations

from dataclasses import dataclass

from attn_debugger.analysis.flags.ledger import NO_HEAD, Entry
from attn_debugger.analysis.histories.histories import Concluded
from attn_debugger.analysis.signals.findings import Finding
from attn_debugger.core.flags import Severity


@dataclass(slots=True, kw_only=True)
class Draft:
    """One flag, not yet in its final place. `parent` is the draft it merely follows from."""

    signal: str
    severity: Severity
    layer: int | None
    heads: tuple[int, ...]
    evidence: str
    first_frame: int | None
    first_step: int | None
    last_frame: int | None
    last_step: int | None
    stream: str | None = None
    sample: int | None = None
    query: int | None = None
    key: int | None = None
    value: float | None = None
    threshold: float | None = None
    unit: str = ""
    frames: int = 1
    group: str = ""
    marks: frozenset[str] = frozenset()
    parent: Draft | None = None

    @property
    def root(self) -> Draft:
        """The draft at the end of the chain of parents."""
        draft = self
        while draft.parent is not None:
            draft = draft.parent
        return draft


def from_entry(entry: Entry) -> Draft:
    """Return the draft of a ledger entry; a click leads to its onset, the numbers are the worst."""
    return Draft(
        signal=entry.signal,
        severity=entry.severity,
        layer=entry.layer,
        heads=tuple(sorted(head for head in entry.heads if head != NO_HEAD)),
        evidence=entry.worst.evidence,
        first_frame=entry.first.frame_index,
        first_step=entry.first.step,
        last_frame=entry.last_frame,
        last_step=entry.last_step,
        stream=entry.first.stream,
        sample=entry.first.sample,
        query=entry.onset.query,
        key=entry.onset.key,
        value=entry.worst.value,
        threshold=entry.worst.threshold,
        unit=entry.worst.unit,
        frames=entry.frames,
        group=entry.group,
        marks=entry.onset.marks | entry.worst.marks,
    )


def from_conclusion(concluded: Concluded) -> Draft:
    """Return the draft of what a history concluded."""
    (stream, sample, layer), conclusion = concluded
    finding = conclusion.finding
    return Draft(
        signal=finding.signal,
        severity=finding.severity,
        layer=layer,
        heads=finding.heads,
        evidence=finding.evidence,
        first_frame=conclusion.first.frame_index,
        first_step=conclusion.first.step,
        last_frame=conclusion.last.frame_index,
        last_step=conclusion.last.step,
        stream=stream,
        sample=sample,
        query=finding.query,
        key=finding.key,
        value=finding.value,
        threshold=finding.threshold,
        unit=finding.unit,
        frames=conclusion.frames,
        marks=finding.marks,
    )


def for_run(finding: Finding, step: int | None, frame: int | None) -> Draft:
    """Return the draft of a finding about the run as a whole."""
    return Draft(
        signal=finding.signal,
        severity=finding.severity,
        layer=None,
        heads=(),
        evidence=finding.evidence,
        first_frame=frame,
        first_step=step,
        last_frame=frame,
        last_step=step,
        value=finding.value,
        threshold=finding.threshold,
        unit=finding.unit,
        marks=finding.marks,
    )


def merge_samples(drafts: list[Draft]) -> list[Draft]:
    """Join drafts of one signal, layer, severity and onset that differ in stream or sample only.

    The same heads in two samples are one fault; the first sample is where a click leads.
    """
    merged: dict[tuple[object, ...], Draft] = {}
    for draft in drafts:
        key = (draft.signal, draft.layer, draft.severity, draft.group, draft.first_step)
        known = merged.get(key)
        if known is None:
            merged[key] = draft
            continue
        known.heads = tuple(sorted({*known.heads, *draft.heads}))
        if (draft.last_frame or 0) > (known.last_frame or 0):
            known.last_frame, known.last_step = draft.last_frame, draft.last_step
        known.frames = max(known.frames, draft.frames)
    return list(merged.values())
