"""What the timeline draws, as plain values put together before painting."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.flags import EMPTY_DIAGNOSIS, Diagnosis, Flag, Severity
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.notes import Note
from attn_debugger.core.run import Run
from attn_debugger.ui.timeline.axis import AxisMode
from attn_debugger.ui.timeline.curve import Curve
from attn_debugger.ui.timeline.raster import SEVERITY


@dataclass(frozen=True, eq=False, kw_only=True)
class SecondRun:
    """A second run beside the one that is shown: where it has the same steps, and parts from it."""

    frames: NDArray[np.int64]  # (frame,) the second run's frame of that step, -1 = it has none
    parted: int | None = None  # frame of the first run at which the two part


@dataclass(frozen=True, eq=False, kw_only=True)
class TimelineContent:
    """Everything under the cursor: it changes seldom, so it is painted once and kept."""

    run: Run
    frames: NDArray[np.int64]
    diagnosis: Diagnosis = EMPTY_DIAGNOSIS
    history: History | None = None
    n_scanned: int = 0
    curve: Curve | None = None
    axis_mode: AxisMode = "step"
    strip: str = SEVERITY  # a metric of raster.METRICS, or severity
    rows: list[HeadRef] = field(default_factory=list)
    flag_marks: tuple[Flag, ...] = ()
    notes: tuple[tuple[int, Note], ...] = ()  # frame and note
    second: SecondRun | None = None


def flag_marks(diagnosis: Diagnosis) -> tuple[Flag, ...]:
    """Return the findings that get a mark: roots of notice and louder with a place in time.

    Quiet ones first, so that the loudest are painted on top.
    """
    found = [
        flag
        for flag in diagnosis.flags
        if flag.severity > Severity.LABEL
        and flag.caused_by is None
        and flag.first_frame is not None
    ]
    return tuple(sorted(found, key=lambda flag: (flag.severity, flag.first_frame)))
