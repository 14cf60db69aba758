"""The examination of a whole run, one layer of one frame at a time, behind the user's requests."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Protocol

from attn_debugger.core.flags import Diagnosis
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.history import History
from attn_debugger.core.run import Run
from attn_debugger.core.source import RunSource
from attn_debugger.core.topology import ModelTopology
from attn_debugger.errors import AttnDebuggerError
from attn_debugger.session.history_log import HistoryLog, Summary


class Examiner(Protocol):
    """What the scan feeds: it sees each layer of each frame once, in the order of the frames."""

    def observe(self, frame: LayerFrame) -> Summary:
        """Look at one layer of one frame; return its summary, name -> (head,)."""
        ...

    def update_run(self, run: Run) -> None:
        """Take over the index of a run that has grown."""
        ...

    def attach_model(self, topology: ModelTopology | None) -> None:
        """Let a checkpoint speak too."""
        ...

    def diagnosis(self) -> Diagnosis:
        """What was found so far."""
        ...


Examine = Callable[[Run], Examiner]

# A diagnosis over a long run costs more than a layer: it may take this share of the scan's time.
REPORT_SHARE = 0.2
FIRST_REPORT_SECONDS = 0.2
SLOWEST_REPORT_SECONDS = 2.0


class Scan:
    """One pass of an examiner over the frames of a run.

    `step` looks at one layer and returns at once; `is_over` tells when there is nothing left.
    """

    def __init__(self, source: RunSource, examine: Examine) -> None:
        self._source = source
        self._examiner = examine(source.run)
        self._log = HistoryLog(source.run, source)
        self._layers: Iterator[LayerFrame] | None = None
        self.frame_index = 0
        self.problems: list[str] = []
        self._started = time.monotonic()
        self._next_report = self._started + FIRST_REPORT_SECONDS

    @property
    def n_frames(self) -> int:
        return self._source.run.n_frames

    @property
    def is_over(self) -> bool:
        return self.frame_index >= self.n_frames

    @property
    def is_between_frames(self) -> bool:
        """Whether no frame is half examined: its reading must not see the file opened anew."""
        return self._layers is None

    def step(self) -> None:
        """Examine the next layer. A frame that cannot be read is noted and passed over."""
        try:
            if self._layers is None:
                self._layers = self._source.scan(self.frame_index)
            layer_frame = next(self._layers, None)
            if layer_frame is not None:
                self._log.add(layer_frame, self._examiner.observe(layer_frame))
                return
        except (AttnDebuggerError, OSError) as error:
            self.problems.append(str(error))
        self._layers = None
        self.frame_index += 1

    def attach_model(self, topology: ModelTopology | None) -> None:
        """Let a checkpoint speak too, from the next report on."""
        self._examiner.attach_model(topology)

    def recall(self) -> None:
        """Take over the numbers that the source has learnt to tell meanwhile."""
        self._log.recall()

    def grow(self) -> None:
        """Go on into the frames that a live run has got."""
        self._examiner.update_run(self._source.run)
        self._log.grow(self.n_frames)

    @property
    def report_is_due(self) -> bool:
        return self.is_over or time.monotonic() >= self._next_report

    def report(self, sample: int) -> tuple[History, Diagnosis]:
        """Return what is known so far, and put off the next report by what this one cost."""
        started = time.monotonic()
        history = self._log.history(sample, final=self.is_over)
        diagnosis = self._examiner.diagnosis()
        now = time.monotonic()
        # Whoever has waited a minute for a long run does not need four reports a second.
        usual = min(SLOWEST_REPORT_SECONDS, max(0.25, 0.05 * (now - self._started)))
        self._next_report = now + max(usual, (now - started) / REPORT_SHARE)
        return history, diagnosis
