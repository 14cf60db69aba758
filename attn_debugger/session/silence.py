"""Noticing that a live run is silent: its trainer hangs, or died without leaving a trace."""

from __future__ import annotations

import time

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attn_debugger.core.run import Run

LOOK_MS = 5_000
LEAST_SECONDS = 60.0
USUAL_INTERVALS = 10  # longer than that between two frames is silence
_RECENT = 20  # frames whose distance in time is usual


class Silence(QObject):
    """`changed` tells for how many minutes no step came; 0 = the run is not silent, or not live."""

    changed = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.minutes = 0
        self._run: Run | None = None
        self._last = 0.0  # unix seconds of the newest frame
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)

    def show_run(self, run: Run | None) -> None:
        """Take note of a run that was opened, has grown or ended; None = closed."""
        before, self._run = self._run, run
        if run is None or run.ended != "writing":
            self._timer.stop()
        else:
            grown = before is None or before.path != run.path or before.n_frames != run.n_frames
            if grown:
                self._last = _time_of_last(run)
            self._timer.start()
        self.look()

    @Slot()
    def look(self) -> None:
        """Judge by the clock."""
        run, minutes = self._run, 0
        if run is not None and run.ended == "writing":
            silent = time.time() - self._last
            if silent >= patience(run):
                minutes = max(1, int(silent // 60))
        if minutes != self.minutes:
            self.minutes = minutes
            self.changed.emit(minutes)


def patience(run: Run) -> float:
    """Return after how many seconds without a frame a run is called silent."""
    if run.times is None or run.n_frames < 3:
        return LEAST_SECONDS
    recent = run.times[-_RECENT:]
    distances = np.diff(recent[np.isfinite(recent)])
    usual = float(np.median(distances)) if len(distances) else 0.0
    return max(LEAST_SECONDS, USUAL_INTERVALS * usual)


def _time_of_last(run: Run) -> float:
    """When the last frame was recorded; now, where the archive does not tell or has it wrong."""
    now = time.time()
    if run.times is None or not run.n_frames or not np.isfinite(run.times[-1]):
        return now
    return min(now, float(run.times[-1]))
