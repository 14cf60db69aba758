"""What can be exported, as which file, and how the file is named: plain values."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from attn_debugger.core.run import Run
from attn_debugger.core.view_state import ViewState

What = Literal["picture", "matrix", "steps", "report"]
SCALES = (1, 2, 4)


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file. `suffix` is with its dot; empty = a folder."""

    name: str
    what: What
    suffix: str


FORMATS = (
    Format("png", "picture", ".png"),
    Format("svg", "picture", ".svg"),
    Format("pdf", "picture", ".pdf"),
    Format("csv", "matrix", ".csv"),
    Format("tsv", "matrix", ".tsv"),
    Format("npz", "matrix", ".npz"),
    Format("npy", "matrix", ".npy"),
    Format("gif", "steps", ".gif"),
    Format("pngs", "steps", ""),
    Format("html", "report", ".html"),
)
BY_NAME = {format.name: format for format in FORMATS}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportWish:
    """What the user wants to have, and where. `view` names a picture: grid, head, both, window."""

    format: Format
    path: Path
    view: str = "both"
    scale: int = 1
    with_tokens: bool = True


def file_name(run: Run, state: ViewState, wish: Format, view: str) -> str:
    """Return a name that says what is in the file: `run_step1200_L4H7.png`."""
    stem = re.sub(r"[^\w.+-]", "_", Path(os.path.basename(run.path)).stem) or "run"
    if wish.what == "report":
        return f"{stem}_report{wish.suffix}"
    if wish.what == "steps":
        first, last = frames_of(run, state)
        parts = [stem, f"steps{run.steps[first]}-{run.steps[last]}"]
    else:
        parts = [stem, f"step{run.steps[state.frame]}"]
    if run.n_samples > 1:
        parts.append(f"sample{state.sample}")
    if state.head is not None and (wish.what == "matrix" or view in ("head", "both")):
        parts.append(f"L{state.head.layer}H{state.head.head}")
    return "_".join(parts) + wish.suffix


def frames_of(run: Run, state: ViewState) -> tuple[int, int]:
    """Return the first and the last frame of the part that is looped over, else of the run."""
    if state.loop is None:
        return 0, run.n_frames - 1
    return state.loop[0], min(state.loop[1], run.n_frames - 1)
