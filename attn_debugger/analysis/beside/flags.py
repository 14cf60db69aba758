"""What became of every finding from one run to the other, in the first run's numbering. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from attn_debugger.analysis.beside.pairing import Pairing
from attn_debugger.analysis.compare import Compared, compare
from attn_debugger.core.flags import Diagnosis, Flag
from attn_debugger.core.words import say


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One run's findings: `last_step` is its last step; `is_complete` = all of it was examined."""

    diagnosis: Diagnosis
    last_step: int
    is_complete: bool


def compare_sides(
    a: Side, b: Side, pairing: Pairing, *, swapped: bool = False
) -> tuple[Compared, ...]:
    """Return every root finding of A and B and what became of it from A to B; `swapped` = to A.

    Layers are those of A; a finding of a layer of B without a partner keeps its own number and
    is not comparable, like one of a layer that only A has. A finding of the earlier run counts
    as resolved only where the later one was examined to its end, and beyond the step at which it
    began.
    """
    with_partner = {pair.a for pair in pairing.layers}
    ours, lone_a = _split(a.diagnosis, {layer: layer for layer in with_partner})
    theirs, lone_b = _split(b.diagnosis, {pair.b: pair.a for pair in pairing.layers})
    old, new = (theirs, ours) if swapped else (ours, theirs)
    after = a if swapped else b
    items = [_checked(item, after) for item in compare(new, old, last_step=after.last_step)]
    items += [
        Compared(
            state="not comparable",
            flag=flag,
            old=None if (flags is lone_b) != swapped else flag,
            reason=say("only one of the two runs has layer {layer}", layer=flag.layer),
        )
        for flags in (lone_a, lone_b)
        for flag in flags
    ]
    return tuple(items)


def _split(diagnosis: Diagnosis, layers: dict[int, int]) -> tuple[Diagnosis, list[Flag]]:
    """Return the roots, renumbered by `layers`, and those of layers that have no partner."""
    inside, alone = [], []
    for flag in diagnosis.flags:
        if flag.caused_by is not None:
            continue
        if flag.layer is None:
            inside.append(flag)
        elif flag.layer in layers:
            inside.append(replace(flag, layer=layers[flag.layer]))
        else:
            alone.append(flag)
    gaps = tuple(
        replace(gap, layer=None if gap.layer is None else layers[gap.layer])
        for gap in diagnosis.not_evaluated
        if gap.layer is None or gap.layer in layers
    )
    return replace(diagnosis, flags=tuple(inside), not_evaluated=gaps), alone


def _checked(item: Compared, after: Side) -> Compared:
    """Do not call resolved what the later run may still show."""
    if item.state != "resolved" or after.is_complete:
        return item
    reason = say("the later run is not checked to its end yet")
    return replace(item, state="not comparable", reason=reason)
