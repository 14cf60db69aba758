"""After the fix: every flag of two diagnoses as resolved, still there, new, or not comparable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from attn_debugger.core.flags import Diagnosis, Flag
from attn_debugger.core.words import say

State = Literal["resolved", "still there", "new", "not comparable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One flag of the new or the old diagnosis, and what became of it."""

    state: State
    flag: Flag  # the new one where there is one, else the old one
    old: Flag | None = None
    reason: str = ""  # why it cannot be compared, or what differs


def compare(new: Diagnosis, old: Diagnosis, *, layers: int | None = None) -> tuple[Compared, ...]:
    """Hold the roots of `new` against those of `old`; `layers` is how many the new run has.

    Flags match by signal and layer, and by a head they share where both name heads. An old flag
    is resolved only if its signal was judged in the new run: what was not looked at is not fixed.
    Order: new, still there, resolved, not comparable.
    """
    order: dict[State, int] = {"new": 0, "still there": 1, "resolved": 2, "not comparable": 3}
    return tuple(sorted(_compared(new, old, layers), key=lambda item: order[item.state]))


def _compared(new: Diagnosis, old: Diagnosis, layers: int | None) -> Iterator[Compared]:
    before = [flag for flag in old.flags if flag.caused_by is None]
    matched: set[int] = set()
    for flag in new.flags:
        if flag.caused_by is not None:
            continue
        same = [index for index, other in enumerate(before) if _same(flag, other)]
        if same:
            matched.update(same)
            earlier = before[same[0]]
            yield Compared(
                state="still there", flag=flag, old=earlier, reason=_change(flag, earlier)
            )
        else:
            reason = _why_not(flag, old)
            yield Compared(
                state="new",
                flag=flag,
                reason=say("the earlier run did not judge it: {reason}", reason=reason)
                if reason
                else "",
            )
    for index, flag in enumerate(before):
        if index in matched:
            continue
        reason = _why_not(flag, new)
        if layers is not None and flag.layer is not None and flag.layer >= layers:
            reason = say("the new run has no layer {layer}", layer=flag.layer)
        if reason:
            yield Compared(state="not comparable", flag=flag, old=flag, reason=reason)
        else:
            yield Compared(state="resolved", flag=flag, old=flag)


def _same(flag: Flag, other: Flag) -> bool:
    if flag.signal != other.signal or flag.layer != other.layer:
        return False
    return not flag.heads or not other.heads or bool(set(flag.heads) & set(other.heads))


def _change(new: Flag, old: Flag) -> str:
    if new.severity != old.severity:
        return say("was {was}, is {now}", was=old.severity.word, now=new.severity.word)
    if set(new.heads) != set(old.heads):
        return say(
            "was in {before} heads, is in {after}", before=len(old.heads), after=len(new.heads)
        )
    return ""


def _why_not(flag: Flag, diagnosis: Diagnosis) -> str:
    """Why `diagnosis` says nothing about this flag's signal and layer; empty if it does."""
    for gap in diagnosis.not_evaluated:
        if gap.signal == flag.signal and gap.layer in (None, flag.layer):
            return gap.reason
    if diagnosis.n_frames == 0:
        return say("no frame was examined")
    return ""
