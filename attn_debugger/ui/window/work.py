"""Long work on the status line: one task at a time, or else the check of the run."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from attn_debugger.core.address import is_remote
from attn_debugger.session.deriving import DerivingProgress
from attn_debugger.session.findings import ScanProgress
from attn_debugger.session.session import Session
from attn_debugger.session.tasks import Task
from attn_debugger.ui.window.status_line import StatusLine


class Work(QObject):
    """Runs tasks and shows how far they, or the check, are; `cancel` stops what is shown."""

    failed = Signal(str)
    changed = Signal()
    progressed = Signal(int, int, str)  # of a job: done, total, text
    ended = Signal()  # a job, however it ended

    def __init__(self, session: Session, status: StatusLine, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._status = status
        self._job: Task | None = None
        self._then: Callable[[str], None] | None = None
        self._progress = ScanProgress()
        self._connecting = ""  # to which machine
        status.cancel_requested.connect(self.cancel)
        session.opening_started.connect(self._show_opening)
        session.run_opened.connect(self._end_opening)
        session.open_failed.connect(self._end_opening)
        session.findings.progress_changed.connect(self._show_scan)
        session.aside.watch_changed.connect(self.changed)
        session.deriving.progress_changed.connect(self._show_deriving)

    @property
    def is_running(self) -> bool:
        """Whether there is something to cancel."""
        watching = self._session.aside.is_watching
        deriving = self._session.deriving.progress.running
        busy = self._job is not None or bool(self._connecting)
        return busy or watching or deriving or self._progress.running

    def start(self, job: Task, then: Callable[[str], None]) -> None:
        """Run a task; `then` gets its output. A job that is still running is refused in words."""
        if self._job is not None:
            self.failed.emit(
                self.tr("{0} is still running; cancel it or wait").format(self._job.title)
            )
            return
        self._job, self._then = job, then
        job.progressed.connect(self._show_job)
        job.succeeded.connect(self._succeed)
        job.failed.connect(self._fail)
        job.cancelled.connect(self._end)
        self._status.show_work(job.title, 0, 0)
        self.progressed.emit(0, 0, job.title)
        job.start()
        self.changed.emit()

    @Slot()
    def cancel(self) -> None:
        """Stop the job, else connecting to another machine, else what is read by itself.

        What was found or made so far stays.
        """
        if self._job is not None:
            self._job.cancel()
        elif self._connecting:
            self._session.give_up_opening()
        elif self._session.aside.is_watching:
            self._session.aside.cancel_watch()
        elif self._progress.running:
            self._session.cancel_scan()
        else:
            self._session.deriving.cancel()

    @Slot(int, int, str)
    def _show_job(self, done: int, total: int, text: str) -> None:
        if self._job is not None:
            self._status.show_work(f"{self._job.title}: {text}", done, total)
            self.progressed.emit(done, total, text)

    @Slot(str)
    def _succeed(self, output: str) -> None:
        then = self._then
        self._end()
        if then is not None:
            then(output)

    @Slot(str)
    def _fail(self, sentence: str) -> None:
        self._end()
        self.failed.emit(sentence)

    @Slot()
    def _end(self) -> None:
        if self._job is not None:
            self._job.deleteLater()
            self.ended.emit()
        self._job = self._then = None
        self._show_scan(self._progress)

    @Slot(object)
    def _show_scan(self, progress: ScanProgress) -> None:
        self._progress = progress
        self._show_progress()

    @Slot(object)
    def _show_deriving(self, progress: DerivingProgress) -> None:
        del progress
        self._show_progress()

    @Slot(str)
    def _show_opening(self, path: str) -> None:
        self._connecting = path if is_remote(path) else ""
        self._show_progress()

    @Slot()
    def _end_opening(self) -> None:
        if self._connecting:
            self._connecting = ""
            self._show_progress()

    def _show_progress(self) -> None:
        """Show what is being opened far away, else how far the check or making overviews is."""
        if self._job is None and self._connecting:
            self._status.show_work(self.tr("opening {0}…").format(self._connecting), 0, 0)
            self.changed.emit()
            return
        scan, deriving = self._progress, self._session.deriving.progress
        if self._job is None and scan.running:
            words = self.tr("checking {0}/{1}").format(scan.n_scanned, scan.n_frames)
            if deriving.running:
                words += " · " + self.tr("overviews {0}/{1}").format(
                    deriving.n_done, deriving.n_frames
                )
            self._status.show_work(words, scan.n_scanned, scan.n_frames)
        elif self._job is None:
            words = ""
            if deriving.running:
                words = self.tr("making overviews for quick scrubbing {0}/{1}").format(
                    deriving.n_done, deriving.n_frames
                )
            self._status.show_work(words, deriving.n_done, deriving.n_frames)
        self.changed.emit()
