"""After the fix: every flag of two diagnoses as resolved, still there, new, or not comparable."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from attn_debugger.core.flags import Diagnosis, Flag, Severity
from attn_debugger.core.words import say

State = Literal["resolved", "still there", "new", "not comparable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One flag of the new or the old diagnosis, and what became of it."""

    state: State
    flag: Flag  # the new one where there is one, else the old one
    old: Flag | None = None
    reason: str = ""  # why it cannot be compared, or what differs


def compare(
    new: Diagnosis,
    old: Diagnosis,
    *,
    layers: int | None = None,
    last_step: int | None = None,
) -> tuple[Compared, ...]:
    """Hold the roots of `new` against those of `old`; `layers` is how many the new run has.

    Flags match by signal and layer, and by a head they share where both name heads. An old flag
    is resolved only if its signal was judged in the new run, and that run went on to the step at
    which the flag began (`last_step` is its last one): what was not looked at is not fixed.
    Order: new, still there, resolved, not comparable.
    """
    order: dict[State, int] = {"new": 0, "still there": 1, "resolved": 2, "not comparable": 3}
    found = _compared(new, old, layers, last_step)
    return tuple(sorted(found, key=lambda item: order[item.state]))


def _compared(
    new: Diagnosis, old: Diagnosis, layers: int | None, last_step: int | None
) -> Iterator[Compared]:
    before = [flag for flag in old.flags if flag.caused_by is None]
    places: dict[tuple[str, int | None], list[int]] = defaultdict(list)
    for index, flag in enumerate(before):
        places[flag.signal, flag.layer].append(index)
    matched: set[int] = set()
    for flag in new.flags:
        if flag.caused_by is not None:
            continue
        alike = places[flag.signal, flag.layer]
        same = [index for index in alike if _share_a_head(flag, before[index])]
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
        if not reason and last_step is not None:
            reason = _too_short(flag, last_step)
        if reason:
            yield Compared(state="not comparable", flag=flag, old=flag, reason=reason)
        else:
            yield Compared(state="resolved", flag=flag, old=flag)


def _share_a_head(flag: Flag, other: Flag) -> bool:
    return not flag.heads or not other.heads or bool(set(flag.heads) & set(other.heads))


_WORDS = {
    Severity.LABEL: say("label"),
    Severity.NOTICE: say("notice"),
    Severity.WARNING: say("warning"),
    Severity.CRITICAL: say("critical"),
}


def _change(new: Flag, old: Flag) -> str:
    if new.severity != old.severity:
        return say("was {was}, is {now}", was=_WORDS[old.severity], now=_WORDS[new.severity])
    if set(new.heads) != set(old.heads):
        return say(
            "was in {before} heads, is in {after}", before=len(old.heads), after=len(new.heads)
        )
    return ""


def _too_short(flag: Flag, last_step: int) -> str:
    """Why a run that ends at `last_step` says nothing about this flag; empty if it does."""
    if flag.first_step is None or last_step >= flag.first_step:
        return ""
    return say(
        "the later run ends at step {last}, before step {first}, where this began",
        last=last_step,
        first=flag.first_step,
    )


def _why_not(flag: Flag, diagnosis: Diagnosis) -> str:
    """Why `diagnosis` says nothing about this flag's signal and layer; empty if it does."""
    for gap in diagnosis.not_evaluated:
        if gap.signal == flag.signal and gap.layer in (None, flag.layer):
            return gap.reason
    if diagnosis.n_frames == 0:
        return say("no frame was examined")
    return ""
