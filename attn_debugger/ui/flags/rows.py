"""Which findings the list shows, in which order: pure functions over a diagnosis."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from attn_debugger.core.flags import Diagnosis, Flag, Severity
from attn_debugger.session.translated import translated
from attn_debugger.ui.flags.words import one_line

_PLACE = re.compile(r"(?:l(?P<layer>\d+))?\.?(?:h(?P<head>\d+))?")


class FlagOrder(Enum):
    """How the list is sorted."""

    ONSET = "onset"
    SEVERITY = "severity"
    LAYER = "layer"
    SIGNAL = "signal"


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagFilter:
    """What the user wants to see. Labels describe healthy structure too, so they start hidden."""

    severities: frozenset[Severity] = frozenset(Severity) - {Severity.LABEL}
    signal: str | None = None  # None = every signal
    text: str = ""  # words that must all occur: places (L4, H7, L4.H7), or any part of the texts
    order: FlagOrder = FlagOrder.ONSET
    muted: frozenset[str] = frozenset()  # signals that go last, dimmed


@dataclass(frozen=True, slots=True)
class FlagRow:
    """One root finding and the indices, in the diagnosis, of what follows from it."""

    index: int
    followers: tuple[int, ...] = field(default=())


def flag_key(flag: Flag) -> tuple[object, ...]:
    """Return what stays the same of a finding while the scan goes on and extends it."""
    return (
        flag.signal,
        flag.layer,
        flag.heads[:1],
        flag.stream,
        flag.sample,
        flag.first_step,
        flag.caused_by is None,
    )


def root_of(diagnosis: Diagnosis, index: int) -> int:
    """Return the finding that `index` follows from in the end, or itself.

    Of findings that name one another in a circle, the first is the root.
    """
    path = [index]
    while (cause := diagnosis.flags[path[-1]].caused_by) is not None:
        if not 0 <= cause < len(diagnosis.flags):
            break
        if cause in path:
            return min(path[path.index(cause) :])
        path.append(cause)
    return path[-1]


def rows(diagnosis: Diagnosis, wanted: FlagFilter) -> tuple[FlagRow, ...]:
    """Return the rows to list: a root is shown when it, or something that follows, is wanted."""
    followers: dict[int, list[int]] = {}
    for index in range(len(diagnosis.flags)):
        root = root_of(diagnosis, index)
        if root == index:
            followers.setdefault(index, [])
        else:
            followers.setdefault(root, []).append(index)
    shown = [
        FlagRow(root, tuple(below))
        for root, below in sorted(followers.items())
        if any(_wanted(diagnosis.flags[index], wanted) for index in (root, *below))
    ]
    shown.sort(key=lambda row: _sort_key(diagnosis.flags[row.index], wanted))
    return tuple(shown)


def severity_counts(diagnosis: Diagnosis) -> Mapping[Severity, int]:
    """Return how many root findings there are of each severity."""
    counts = Counter(flag.severity for flag in diagnosis.flags if flag.caused_by is None)
    return {severity: counts.get(severity, 0) for severity in Severity}


def _wanted(flag: Flag, wanted: FlagFilter) -> bool:
    if flag.severity not in wanted.severities:
        return False
    if wanted.signal is not None and flag.signal != wanted.signal:
        return False
    words = wanted.text.lower().split()
    if not words:
        return True
    # English words are found in every language: reports and scripts speak it.
    said = f"{flag.message} {translated(flag.message)}"
    where = f"{one_line(flag)} {flag.signal} {said} {flag.layer_name or ''}".lower()
    return all(_is_at(flag, word) or word in where for word in words)


def _is_at(flag: Flag, word: str) -> bool:
    """Return whether a word names the finding's place: `l4`, `h7`, `l4h7` or `l4.h7`."""
    place = _PLACE.fullmatch(word)
    if place is None or place.lastgroup is None:
        return False
    layer, head = place["layer"], place["head"]
    return (layer is None or flag.layer == int(layer)) and (head is None or int(head) in flag.heads)


def _sort_key(flag: Flag, wanted: FlagFilter) -> tuple[object, ...]:
    """Ties keep the diagnosis's own order: `list.sort` is stable."""
    onset = flag.first_step if flag.first_step is not None else -1
    layer = flag.layer if flag.layer is not None else -1
    muted = flag.signal in wanted.muted
    match wanted.order:
        case FlagOrder.ONSET:
            return (muted, onset)
        case FlagOrder.SEVERITY:
            return (muted, -flag.severity, onset)
        case FlagOrder.LAYER:
            return (muted, layer, flag.heads[:1], onset)
        case FlagOrder.SIGNAL:
            return (muted, flag.signal, onset)
