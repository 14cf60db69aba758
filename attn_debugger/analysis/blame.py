"""Where NaN entered: one root, and everything it spread to.

NaN runs through rows and through all later layers, and through a bad update into every later
frame. The root is the earliest frame, in it the lowest layer, in that the step of the computation
that comes first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from attn_debugger.analysis.findings import Finding
from attn_debugger.analysis.ledger import Place
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
    masked_only: bool  # so far, only rows without a key: nothing else broke


class NonfiniteBlame:
    """Assigns each non-finite finding to a group: `root n` or `after n`.

    Fed with all findings of one frame and sample at a time, in scan order.
    """

    def __init__(self) -> None:
        self._fault: _Fault | None = None
        self._count = 0
        self.parents: dict[str, str] = {}  # group -> the group it follows from

    def assign(self, found: list[tuple[Finding, Place]]) -> list[tuple[Finding, Place, str]]:
        """Return each finding with its group."""
        if not found:
            return []
        first = min(found, key=_order)
        place = first[1]
        hard = any(finding.signal != "fully_masked_row" for finding, _ in found)
        fault = self._fault
        if fault is not None and self._is_new(fault, first, hard):
            if place.frame_index == fault.frame_index and _order(first) < (fault.layer, fault.rank):
                # Another sample of the same frame broke further down: that is the root of both.
                self.parents[f"root {fault.number}"] = f"root {self._count + 1}"
            fault = None
        if fault is None:
            fault = self._open(first, found, hard)
        fault.last_frame = place.frame_index
        if hard:
            fault.masked_only = False
        return [part for finding, at in found for part in self._split(fault, finding, at)]

    def clean(self, stream: str) -> None:
        """A whole frame of `stream` held nothing non-finite: the fault, if any, is over."""
        if self._fault is not None and self._fault.stream == stream:
            self._fault = None

    def _is_new(self, fault: _Fault, first: tuple[Finding, Place], hard: bool) -> bool:
        place = first[1]
        if place.frame_index == fault.frame_index:
            return _order(first) < (fault.layer, fault.rank)
        # Rows without a key were there before without harm: what breaks now is another fault.
        return hard and fault.masked_only

    def _open(
        self, first: tuple[Finding, Place], found: list[tuple[Finding, Place]], hard: bool
    ) -> _Fault:
        chronic = self._fault is not None and self._fault.masked_only and hard
        if chronic and first[0].signal == "fully_masked_row":
            first = min((f for f in found if f[0].signal != "fully_masked_row"), key=_order)
        self._count += 1
        finding, place = first
        self._fault = _Fault(
            number=self._count,
            frame_index=place.frame_index,
            layer=place.layer or 0,
            rank=RANK[finding.signal],
            heads=frozenset(finding.heads),
            stream=place.stream,
            last_frame=place.frame_index,
            masked_only=not hard,
        )
        self.parents[f"after {self._count}"] = f"root {self._count}"
        return self._fault

    @staticmethod
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
