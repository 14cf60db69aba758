"""What it means that a file has grown, ended or become shorter while it was open."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QCoreApplication

from attn_debugger.core.run import Run
from attn_debugger.core.view_state import ViewState


def has_ended(run: Run, before: Run) -> bool:
    """Whether the recording came to its end since `before`."""
    return before.ended == "writing" and run.ended != "writing"


def continues(run: Run, before: Run) -> bool:
    """Whether a run begins with all the steps that it had before."""
    return np.array_equal(run.steps[: before.n_frames], before.steps)


def inside(state: ViewState, run: Run, last: int) -> ViewState:
    """Return the state with nothing in it that lies behind the end of a file that was cut.

    `last` is the last frame that stepping visits.
    """
    keeps_loop = state.loop is not None and state.loop[1] <= last
    keeps_pinned = state.pinned is not None and state.pinned < run.n_frames
    return replace(
        state,
        frame=min(state.frame, last),
        loop=state.loop if keeps_loop else None,
        pinned=state.pinned if keeps_pinned else None,
    )


def words_at_the_end(run: Run) -> str:
    """Say that the recording has ended."""
    words = QCoreApplication.translate("Session", "the recording has ended at step {0}")
    if run.ended == "abrupt":
        words = QCoreApplication.translate(
            "Session", "the recording ended abruptly at step {0}: its process is gone"
        )
    return words.format(int(run.steps[-1]))


def words_of_a_cut(run: Run, n_before: int) -> str:
    """Say how much is left of a file that had `n_before` frames."""
    words = QCoreApplication.translate(
        "Session", "the file has become shorter: {0} of {1} steps are left in it"
    )
    return words.format(run.n_frames, n_before)
