"""Overviews for runs that have none: derived behind the user's requests, beside the examination."""

from __future__ import annotations

import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from attn_debugger.core.source import DerivesOverviews, RunSource
from attn_debugger.session.messages import Brought
from attn_debugger.session.worker import ArchiveWorker

OVERVIEWS = "overviews"
_REPORT_SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class DerivingProgress:
    """For how many frames there are overviews; `running` False = all, cancelled or not begun."""

    n_done: int = 0
    n_frames: int = 0
    running: bool = False


@dataclass
class DeriveOverviews:
    """The errand: one layer at a time."""

    is_over: bool = False
    _next_report: float = 0.0

    def step(self, source: RunSource) -> DerivingProgress | None:
        if not isinstance(source, DerivesOverviews) or not source.wants_overviews:
            self.is_over = True
            return None
        done, total = source.derive_some()
        self.is_over = done >= total
        now = time.monotonic()
        if not self.is_over and now < self._next_report:
            return None
        self._next_report = now + _REPORT_SECONDS
        return DerivingProgress(done, total, not self.is_over)


@dataclass
class StopDeriving:
    """The errand that ends the other one: what was derived is used."""

    is_over: bool = False

    def step(self, source: RunSource) -> None:
        self.is_over = True
        if isinstance(source, DerivesOverviews):
            source.stop_deriving()


class Deriving(QObject):
    """Starts and cancels the errand, and says how far it is."""

    progress_changed = Signal(object)  # DerivingProgress
    failed = Signal(str)

    def __init__(self, worker: ArchiveWorker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self.progress = DerivingProgress()

    def start(self) -> None:
        """Derive what is missing, if it is missing and worth it; goes on where it was cancelled."""
        self._worker.run_errand(OVERVIEWS, DeriveOverviews())

    def cancel(self) -> None:
        """Stop; what was derived so far is kept and used."""
        if self.progress.running:
            self._worker.run_errand(OVERVIEWS, StopDeriving())
            self._set(DerivingProgress(self.progress.n_done, self.progress.n_frames))

    def receive(self, answer: Brought) -> None:
        """Take over how far the errand is."""
        if answer.sentence:
            self._set(DerivingProgress(self.progress.n_done, self.progress.n_frames))
            self.failed.emit(answer.sentence)
        elif isinstance(answer.value, DerivingProgress):
            self._set(answer.value)
            if not answer.value.running:
                self._worker.recall_history()

    def forget(self) -> None:
        """Start over, for another run."""
        self._set(DerivingProgress())

    def _set(self, progress: DerivingProgress) -> None:
        if progress != self.progress:
            self.progress = progress
            self.progress_changed.emit(progress)
