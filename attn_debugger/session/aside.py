"""What the view shows beside the current frame: the pinned step and watched tokens.

Both are read by the worker as errands, behind the frame that the user looks at.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from attn_debugger.analysis.watch import Watch
from attn_debugger.core.frame import GridFrame
from attn_debugger.core.view_state import ViewState
from attn_debugger.session.errands import ReadOnce
from attn_debugger.session.messages import Brought
from attn_debugger.session.watching import WatchReport, WatchRun
from attn_debugger.session.worker import ArchiveWorker

PINNED, WATCH = "pinned", "watch"


class Aside(QObject):
    """Keeps the errands in step with the view state; lets only fresh answers through."""

    pinned_ready = Signal(object)  # GridFrame, None = no step is pinned
    watch_changed = Signal(object)  # WatchReport, None = nothing is watched
    failed = Signal(str)

    def __init__(self, worker: ArchiveWorker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._watch: Watch | None = None
        self._reports: dict[int, WatchReport] = {}  # by sample, of the present watch
        self._sample = 0
        self._is_cancelled = False
        self._pinned: tuple[int, int, int] | None = None  # frame, sample, tile

    # The pinned step.

    def show_pinned(self, state: ViewState, tile: int) -> None:
        """Read the grid of the pinned step, if one is pinned and it is not read already."""
        wanted = None if state.pinned is None else (state.pinned, state.sample, tile)
        if wanted == self._pinned:
            return
        self._pinned = wanted
        if wanted is None:
            self._worker.run_errand(PINNED, None)
            self.pinned_ready.emit(None)
        else:
            frame, sample, tile = wanted
            read = ReadOnce(lambda source: source.grid(frame, sample, tile))
            self._worker.run_errand(PINNED, read)

    # Watched tokens.

    @property
    def watch(self) -> Watch | None:
        """What is watched."""
        return self._watch

    @property
    def report(self) -> WatchReport | None:
        """What is known of it for the sample that is shown."""
        return self._reports.get(self._sample)

    @property
    def is_watching(self) -> bool:
        """Whether there are frames that are still to be looked at."""
        report = self.report
        has_more = report is None or not report.is_complete
        return self._watch is not None and has_more and not self._is_cancelled

    def start_watch(self, watch: Watch | None, state: ViewState) -> None:
        """Follow other tokens through the run; None = none."""
        self._watch = watch
        self._reports.clear()
        self._sample, self._is_cancelled = state.sample, False
        if watch is None:
            self._worker.run_errand(WATCH, None)
        else:
            self._worker.run_errand(WATCH, WatchRun(watch, state.sample, state.frame))
        self.watch_changed.emit(None)

    def follow_sample(self, state: ViewState) -> None:
        """Watch the same in another sample; what is known of it already is shown at once."""
        self._sample = state.sample
        self._go_on(state.frame)
        self.watch_changed.emit(self.report)

    def grow(self, state: ViewState) -> None:
        """Look at the frames that a live run has got."""
        if self._watch is not None:
            self._go_on(state.frame)

    def cancel_watch(self) -> None:
        """Stop looking; what is known so far stays."""
        if self.is_watching:
            self._is_cancelled = True
            self._worker.run_errand(WATCH, None)
            self.watch_changed.emit(self.report)

    def _go_on(self, frame_index: int) -> None:
        if self._watch is not None:
            self._is_cancelled = False
            errand = WatchRun(self._watch, self._sample, frame_index, self.report)
            self._worker.run_errand(WATCH, errand)

    # Answers.

    def receive(self, answer: Brought) -> None:
        """Pass on what the worker brought, if it is still wanted."""
        value = answer.value
        if answer.sentence:
            self.failed.emit(answer.sentence)
        elif isinstance(value, GridFrame):
            if (value.frame_index, value.sample, value.tile) == self._pinned:
                self.pinned_ready.emit(value)
        elif isinstance(value, WatchReport) and value.watch == self._watch:
            self._reports[value.sample] = value
            if value.sample == self._sample:
                self.watch_changed.emit(value)

    def forget(self) -> None:
        """Start over, for another run."""
        self._pinned, self._sample = None, 0
        was_watching, self._watch = self._watch is not None, None
        self._reports.clear()
        self.pinned_ready.emit(None)
        if was_watching:
            self.watch_changed.emit(None)
