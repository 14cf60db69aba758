"""Where NaN entered: one root, and everything it spread to.

NaN runs through rows and through all later layers, and through a bad update into every later
frame. The root is the earliest frame, in it the lowest layer, in that the step of the computation
that comes first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from attn_debugger.analysis.flags.ledger import Place
from attn_debugger.analysis.signals.findings import Finding
from attn_debugger.core.flags import Severity

# The order inside a layer: what goes in, the scores, the mask, the weights, what comes out.
RANK = {
    "input_nonfinite": 0,
    "score_overflow": 1,
    "fully_masked_row": 2,
    "nan_weights": 3,
}


def is_nonfinite(finding: Finding) -> bool:
    """Whether a finding belongs to the family that spreads."""
    return finding.signal in RANK and finding.severity >= Severity.WARNING


@dataclass(slots=True)
class _Fault:
    number: int
    frame_index: int
    layer: int
    rank: int
    heads: frozenset[int]
    stream: str
    last_frame: int
    frames: int = 1

    def seen_in(self, frame_index: int) -> None:
        if frame_index != self.last_frame:
            self.frames += 1
            self.last_frame = frame_index


class NonfiniteBlame:
    """Assigns each non-finite finding to a group: `root n` or `after n`.

    Fed with all findings of one frame and sample at a time, in scan order. Two faults may be open
    at once: rows without a key, which a run can live with for long, and NaN that spreads. NaN in
    the frame of such a row's onset, or in the next one (its gradients are NaN), follows from it;
    NaN that comes later is a fault of its own.
    """

    def __init__(self) -> None:
        self._masked: _Fault | None = None
        self._hard: _Fault | None = None
        self._count = 0
        self.parents: dict[str, str] = {}  # group -> the group it follows from

    def assign(self, found: list[tuple[Finding, Place]]) -> list[tuple[Finding, Place, str]]:
        """Return each finding with its group."""
        masked = [item for item in found if item[0].signal == "fully_masked_row"]
        hard = [item for item in found if item[0].signal != "fully_masked_row"]
        if masked and self._masked is None and self._hard is None:
            first = min(found, key=_order)
            if first[0].signal == "fully_masked_row":
                self._masked = self._open(first)
        if hard:
            self._blame_hard(hard)
        parts: list[tuple[Finding, Place, str]] = []
        for finding, place in found:
            fault = self._hard
            if finding.signal == "fully_masked_row" and self._masked is not None:
                fault = self._masked
            if fault is None:
                fault = self._masked = self._open((finding, place))
            fault.seen_in(place.frame_index)
            parts += _split(fault, finding, place)
        return parts

    def clean(self, stream: str) -> None:
        """A whole frame of `stream` held nothing non-finite: its faults are over."""
        if self._masked is not None and self._masked.stream == stream:
            self._masked = None
        if self._hard is not None and self._hard.stream == stream:
            self._hard = None

    def _blame_hard(self, hard: list[tuple[Finding, Place]]) -> None:
        first = min(hard, key=_order)
        place = first[1]
        fault, masked = self._hard, self._masked
        if fault is None and masked is not None:
            fresh = masked.frame_index == place.frame_index or masked.frames == 1
            if fresh and (masked.layer, masked.rank) <= _order(first):
                self._hard = masked
                return
        if fault is None:
            self._hard = self._open(first)
        elif place.frame_index == fault.frame_index and _order(first) < (fault.layer, fault.rank):
            # Another sample of the same frame broke further down: that is the root of both.
            self._hard = self._open(first)
            self.parents[f"root {fault.number}"] = f"root {self._hard.number}"

    def _open(self, first: tuple[Finding, Place]) -> _Fault:
        self._count += 1
        finding, place = first
        self.parents[f"after {self._count}"] = f"root {self._count}"
        return _Fault(
            number=self._count,
            frame_index=place.frame_index,
            layer=place.layer or 0,
            rank=RANK[finding.signal],
            heads=frozenset(finding.heads),
            stream=place.stream,
            last_frame=place.frame_index,
        )


def _split(fault: _Fault, finding: Finding, place: Place) -> list[tuple[Finding, Place, str]]:
    """The heads in which the fault began stay with the root, all others follow from it."""
    root, after = f"root {fault.number}", f"after {fault.number}"
    if place.layer != fault.layer or RANK[finding.signal] != fault.rank:
        return [(finding, place, after)]
    if place.frame_index == fault.frame_index:
        fault.heads |= set(finding.heads)
        return [(finding, place, root)]
    mine = tuple(head for head in finding.heads if head in fault.heads)
    rest = tuple(head for head in finding.heads if head not in fault.heads)
    parts = [(mine, root), (rest, after)]
    return [(replace(finding, heads=heads), place, to) for heads, to in parts if heads]


def _order(item: tuple[Finding, Place]) -> tuple[int, int]:
    finding, place = item
    return (place.layer or 0, RANK[finding.signal])
