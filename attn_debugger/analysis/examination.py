"""An examination: frames go in one by one, a diagnosis can be asked for at any time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from attn_debugger.analysis.summary import summarise
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import Diagnosis
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import Run


class Examination:
    """Examine a run frame by frame.

    examination = Examination(run)
    for index in range(run.n_frames):
        for frame in source.scan(index):
            summary = examination.observe(frame)      # name -> (head,)
    diagnosis = examination.diagnosis()               # also while scanning

    Frames come in the order of `RunSource.scan`: frame ascending, then sample, then layer. Memory
    does not grow with the number of frames. Nothing here raises on bad content.
    """

    def __init__(self, run: Run, thresholds: Thresholds | None = None) -> None:
        self._run = run
        self._thresholds = thresholds or Thresholds()
        self._frames: set[int] = set()

    @property
    def run(self) -> Run:
        return self._run

    def update_run(self, run: Run) -> None:
        """Take over the index of a run that has grown."""
        self._run = run

    def observe(self, frame: LayerFrame) -> Mapping[str, NDArray[np.float32]]:
        """Look at one layer of one frame; return its summary (names of `SUMMARY_NAMES`)."""
        self._frames.add(frame.frame_index)
        return summarise(frame)

    def diagnosis(self) -> Diagnosis:
        """What was found so far."""
        return Diagnosis(n_frames=len(self._frames))
