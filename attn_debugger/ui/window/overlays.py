"""What is laid over the grid at one frame: pure functions of diagnosis and history."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.flags import Diagnosis, Flag, Severity
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import Run
from attn_debugger.core.view_state import ViewState


def flags_at(diagnosis: Diagnosis, run: Run, frame: int) -> dict[HeadRef, Severity]:
    """Return the loudest finding of each head that holds at `frame`.

    What merely follows from another finding is left out: its root shall stand out.
    """
    loudest: dict[HeadRef, Severity] = {}
    for flag in diagnosis.flags:
        if flag.layer is None or flag.caused_by is not None or not holds_at(flag, frame):
            continue
        for head in flag.heads or range(run.layers[flag.layer].n_heads):
            place = HeadRef(flag.layer, head)
            loudest[place] = max(flag.severity, loudest.get(place, Severity.LABEL))
    return loudest


def findings_of_heads(diagnosis: Diagnosis, run: Run) -> dict[HeadRef, tuple[str, ...]]:
    """Return what was found in each head at any step, as signals."""
    found: dict[HeadRef, tuple[str, ...]] = {}
    for flag in diagnosis.flags:
        if flag.layer is None:
            continue
        for head in flag.heads or range(run.layers[flag.layer].n_heads):
            before = found.get(HeadRef(flag.layer, head), ())
            if flag.signal not in before:
                found[HeadRef(flag.layer, head)] = (*before, flag.signal)
    return found


def holds_at(flag: Flag, frame: int) -> bool:
    """Tell whether a finding covers a frame."""
    if flag.first_frame is None:
        return True
    last = flag.first_frame if flag.last_frame is None else flag.last_frame
    return flag.first_frame <= frame <= last


def tile_numbers(history: History | None, name: str, frame: int) -> NDArray[np.float32] | None:
    """Return a summary at one frame as (layer, head), None when it is not wanted or known."""
    if history is None or not name or name not in history.values:
        return None
    if frame >= len(history.scanned) or not history.scanned[frame]:
        return None
    numbers: NDArray[np.float32] = history.values[name][frame]
    return numbers


def worst_heads(diagnosis: Diagnosis, run: Run) -> list[HeadRef]:
    """Return heads by their loudest finding, then by its onset, then by place."""
    best: dict[HeadRef, tuple[int, int]] = {}
    for flag in diagnosis.flags:
        if flag.layer is None or flag.severity <= Severity.LABEL or flag.caused_by is not None:
            continue
        rank = (-int(flag.severity), -1 if flag.first_frame is None else flag.first_frame)
        for head in flag.heads or range(run.layers[flag.layer].n_heads):
            place = HeadRef(flag.layer, head)
            best[place] = min(rank, best.get(place, rank))
    return sorted(best, key=lambda place: (best[place], place))


def loudest(diagnosis: Diagnosis) -> Severity:
    """Return the severity of the loudest finding, `LABEL` when there is none."""
    return max((flag.severity for flag in diagnosis.flags), default=Severity.LABEL)


def window_title(run: Run | None, diagnosis: Diagnosis) -> str:
    """Return the window's title: a run with problems is marked."""
    if run is None:
        return "Attention Debugger"
    mark = "(!) " if loudest(diagnosis) >= Severity.WARNING else ""
    model = run.attributes.get("model")
    words = [os.path.basename(run.path)]
    if isinstance(model, str) and model:
        words.append(model)
    words.append("Attention Debugger")
    return mark + " – ".join(words)


def command_line(run: Run, state: ViewState, other: Run | None = None) -> str:
    """Return the command that opens this run at this place, and another one beside it."""
    words = ["attn-debugger", _quoted(run.path), "--step", str(int(run.steps[state.frame]))]
    if state.head is not None:
        words += ["--layer", str(state.head.layer), "--head", str(state.head.head)]
    if state.stream is not None:
        words += ["--stream", _quoted(state.stream)]
    if state.sample:
        words += ["--sample", str(state.sample)]
    if other is not None:
        words += ["--against", _quoted(other.path)]
    return " ".join(words)


def _quoted(text: str) -> str:
    plain = all(c.isalnum() or c in "/._-+=:" for c in text)
    return text if plain and text else "'" + text.replace("'", "'\\''") + "'"
