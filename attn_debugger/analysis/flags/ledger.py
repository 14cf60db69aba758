"""From findings of single frames to flags with an onset: one entry a signal, layer and severity.

What is kept does not grow with the number of frames.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from attn_debugger.analysis.signals.findings import Finding
from attn_debugger.core.flags import Severity
from attn_debugger.core.frame import LayerFrame

NO_HEAD = -1  # stands for findings that concern no head in particular


@dataclass(frozen=True, slots=True)
class Place:
    """When and where a finding was made."""

    frame_index: int
    step: int
    stream: str
    sample: int
    layer: int | None

    @classmethod
    def of(cls, frame: LayerFrame, layer: int | None) -> Place:
        """Return the place of a frame; `layer` None where the whole run is meant."""
        return cls(frame.frame_index, frame.step, frame.stream, frame.sample, layer)


@dataclass(slots=True)
class Entry:
    """One signal in one layer at one severity, over the frames seen so far."""

    signal: str
    layer: int | None
    severity: Severity
    group: str
    first: Place
    onset: Finding  # where a click leads
    last_frame: int
    last_step: int
    worst: Finding
    heads: dict[int, int] = field(default_factory=dict)  # head -> frame of its onset
    frames: int = 1

    def extend(self, place: Place, finding: Finding) -> None:
        """Take in one more finding of the same kind."""
        if place.frame_index != self.last_frame:
            self.frames += 1
        self.last_frame, self.last_step = place.frame_index, place.step
        for head in finding.heads or (NO_HEAD,):
            self.heads.setdefault(head, place.frame_index)
        if _excess(finding) > _excess(self.worst):
            self.worst = finding


def _excess(finding: Finding) -> float:
    if finding.value is None or finding.threshold is None:
        return float("-inf")
    difference = abs(finding.value - finding.threshold)
    return difference if difference == difference else float("inf")


class Ledger:
    """Entries by signal, layer, group and severity.

    A head that was loud once stays in its loud entry while quieter findings go on; what was quiet
    before it became loud keeps an entry of its own, so that both onsets are known.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[str, int | None, str, Severity], Entry] = {}
        self._level: dict[tuple[str, int | None, str, int], Severity] = {}

    def add(self, finding: Finding, place: Place, group: str = "") -> None:
        """Write one finding down."""
        base = (finding.signal, place.layer, group)
        by_level: dict[Severity, list[int]] = {}
        for head in finding.heads or (NO_HEAD,):
            level = max(finding.severity, self._level.get((*base, head), finding.severity))
            self._level[*base, head] = level
            by_level.setdefault(level, []).append(head)
        for level, heads in by_level.items():
            self._write(finding, place, group, level, heads)

    def _write(
        self, finding: Finding, place: Place, group: str, level: Severity, heads: list[int]
    ) -> None:
        key = (finding.signal, place.layer, group, level)
        entry = self._entries.get(key)
        if entry is None:
            entry = Entry(
                signal=finding.signal,
                layer=place.layer,
                severity=level,
                group=group,
                first=place,
                onset=finding,
                last_frame=place.frame_index,
                last_step=place.step,
                worst=finding,
            )
            self._entries[key] = entry
        else:
            entry.extend(place, finding)
            extra = [head for head in finding.heads if head not in heads]
            for head in extra:
                if entry.heads.get(head) == place.frame_index:
                    del entry.heads[head]
        for head in heads:
            entry.heads.setdefault(head, place.frame_index)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())
