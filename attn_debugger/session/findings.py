"""What the examination found so far: diagnosis, history, progress, and the finding in view."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from attn_debugger.core.flags import EMPTY_DIAGNOSIS, Diagnosis, Flag
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import Run
from attn_debugger.core.weights import WeightHistory
from attn_debugger.session.flag_walk import next_flag, walkable
from attn_debugger.session.messages import Scanned
from attn_debugger.session.translated import translated


@dataclass(frozen=True, slots=True)
class ScanProgress:
    """How many frames the examination has seen; `running` False = done, cancelled or not begun.

    `again` = it is done anew, and what is in sight was found by the limits of before.
    """

    n_scanned: int = 0
    n_frames: int = 0
    running: bool = False
    again: bool = False

    @property
    def is_complete(self) -> bool:
        return self.n_frames > 0 and self.n_scanned >= self.n_frames


class Findings(QObject):
    """Keeps what the worker reports of its scan and which finding the user stands on."""

    history_changed = Signal(object)  # History
    diagnosis_changed = Signal(object)  # Diagnosis
    progress_changed = Signal(object)  # ScanProgress
    recounted = Signal(object)  # Diagnosis: what an examination done anew has found so far
    flag_changed = Signal(object)  # Flag | None
    said = Signal(str)
    hinted = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.diagnosis: Diagnosis = EMPTY_DIAGNOSIS
        self._found = EMPTY_DIAGNOSIS  # by the archive alone
        self._weights: tuple[WeightHistory, Run] | None = None
        self.history: History | None = None
        self.progress = ScanProgress()
        self.flag: Flag | None = None  # the finding that was jumped to last
        self._problems: tuple[str, ...] = ()
        self._turn = 0  # how often the run has been examined anew

    def forget(self) -> None:
        """Start over, for another run."""
        self.diagnosis, self.history, self._problems = EMPTY_DIAGNOSIS, None, ()
        self._found, self._weights, self._turn = EMPTY_DIAGNOSIS, None, 0
        self._set_progress(ScanProgress())
        self.select(None)

    def begin(self, n_frames: int) -> None:
        """Note that the scan of a run of `n_frames` is under way."""
        self._set_progress(replace(self.progress, n_frames=n_frames, running=True))

    def begin_anew(self, n_frames: int) -> int:
        """Note that the run is examined again; return the number that its answers carry.

        What was found is stale until all of the run was seen once more.
        """
        self._turn += 1
        self._set_progress(ScanProgress(0, n_frames, running=True, again=True))
        return self._turn

    def grow(self, n_frames: int) -> None:
        """Note that there is more to scan than before."""
        self._set_progress(replace(self.progress, n_frames=n_frames))

    def receive(self, answer: Scanned) -> None:
        """Take over what the worker found."""
        if answer.turn != self._turn:
            return  # of limits that hold no longer
        progress = ScanProgress(answer.n_scanned, answer.n_frames, answer.running)
        if self.progress.again:
            self.recounted.emit(answer.diagnosis)
            if not progress.is_complete:
                self._set_progress(replace(progress, again=True))
                self._tell(answer.problems)
                return
        # All of it before anyone is told: a complete scan must not meet an older diagnosis.
        self._found = answer.diagnosis
        self.diagnosis = self._judged()
        history_is_new = answer.history is not None and answer.history is not self.history
        if answer.history is not None:
            self.history = answer.history
        self._set_progress(progress)
        if history_is_new:
            self.history_changed.emit(self.history)
        self.diagnosis_changed.emit(self.diagnosis)
        self._tell(answer.problems)

    def attach_weights(self, weights: WeightHistory, run: Run) -> None:
        """Let the checkpoints of the run judge the causes too."""
        self._weights = (weights, run)
        judged = self._judged()
        if judged != self.diagnosis:
            self.diagnosis = judged
            self.diagnosis_changed.emit(judged)

    def _tell(self, problems: tuple[str, ...]) -> None:
        for problem in problems[len(self._problems) :]:
            self.said.emit(translated(problem))
        self._problems = problems

    def _judged(self) -> Diagnosis:
        if self._weights is None or not self._found.flags:
            return self._found
        # Late: the first picture of a run needs none of it.
        from attn_debugger.analysis.diagnosis.weights_evidence import with_weights

        return with_weights(self._found, *self._weights)

    def select(self, flag: Flag | None) -> None:
        if flag != self.flag:
            self.flag = flag
            self.flag_changed.emit(flag)

    def neighbour(self, frame: int, direction: int, head: HeadRef | None) -> Flag | None:
        """Return the next (1) or previous (-1) finding seen from `frame`, or say there is none."""
        flags = walkable(self.diagnosis, head)
        flag = next_flag(flags, frame, self.flag, direction)
        if flag is None:
            if not self.progress.is_complete:
                self.hinted.emit(self.tr("no further flag so far: not all of the run is checked"))
            else:
                self.hinted.emit(
                    self.tr("no further flag") if flags else self.tr("no flag of warning or louder")
                )
        return flag

    def _set_progress(self, progress: ScanProgress) -> None:
        if progress != self.progress:
            self.progress = progress
            self.progress_changed.emit(progress)
