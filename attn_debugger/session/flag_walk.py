"""Which finding comes next: what `]` and `[` walk, in the order in which things broke."""

from __future__ import annotations

from attn_debugger.core.flags import Diagnosis, Flag, Severity
from attn_debugger.core.heads import HeadRef


def walkable(diagnosis: Diagnosis, head: HeadRef | None = None) -> list[Flag]:
    """Return the root findings of warning and louder that have a place in time, by onset.

    With `head`, only those that concern it. What merely follows from another finding is left out.
    """
    found = [
        flag
        for flag in diagnosis.flags
        if flag.severity >= Severity.WARNING
        and flag.caused_by is None
        and flag.first_frame is not None
        and (head is None or (flag.layer == head.layer and head.head in flag.heads))
    ]
    return sorted(found, key=_onset)


def next_flag(flags: list[Flag], frame: int, current: Flag | None, direction: int) -> Flag | None:
    """Return the flag after (`direction` 1) or before (-1) the place where the view stands.

    While the view stands on the onset of `current`, its neighbour in the list comes next, so that
    several findings of one frame are all visited. None = there is none in that direction.
    """
    if current in flags and current is not None and _onset(current) == frame:
        index = flags.index(current) + direction
        return flags[index] if 0 <= index < len(flags) else None
    if direction > 0:
        # Before any was visited, one that begins right here is the next.
        beyond = frame - 1 if current is None else frame
        return next((flag for flag in flags if _onset(flag) > beyond), None)
    return next((flag for flag in reversed(flags) if _onset(flag) < frame), None)


def _onset(flag: Flag) -> int:
    return -1 if flag.first_frame is None else flag.first_frame
