"""Searching two archives for the step at which they part: in a child process, nothing waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attn_debugger.analysis.beside.divergence import Divergence
from attn_debugger.core.telling import heard
from attn_debugger.session.jobs import Job

AGAIN_MS = 10_000  # a live run grows every second; starting Python takes half of one


class DivergenceSearch(QObject):
    """Keeps what was found; goes on behind the last step that was looked at when a run grows."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.found: Divergence | None = None  # None = nothing was looked at yet
        self.progress: tuple[int, int, int] | None = None  # done, total, step; None = not running
        self.failure = ""  # why there is no answer, in words
        self._paths: tuple[str, str] | None = None
        self._job: Job | None = None
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(AGAIN_MS)
        self._again.timeout.connect(self._go_on)

    @property
    def is_running(self) -> bool:
        return self.progress is not None

    def start(self, a: str, b: str) -> None:
        """Search in the archives at `a` and `b`, from their beginning."""
        self._stop()
        self._paths, self.found, self.failure = (a, b), None, ""
        self._run([])

    def put_off(self, why: str) -> None:
        """Do not search by itself, and say why."""
        self._stop()
        self._paths, self.found, self.failure = None, None, why
        self.changed.emit()

    def grow(self) -> None:
        """Look at what was added, soon, unless the two have parted already."""
        parted = self.found is not None and self.found.step is not None
        if self._paths is not None and not parted and not self.failure:
            self._again.start()

    @Slot()
    def cancel(self) -> None:
        """Stop; the runs may then part at a step that was not looked at."""
        if self.is_running:
            self._stop()
            self.failure = self.tr("cancelled")
            self.changed.emit()

    def forget(self) -> None:
        """Stop and start over, for other runs."""
        self._stop()
        self._paths, self.found, self.failure = None, None, ""
        self.changed.emit()

    def _stop(self) -> None:
        self._again.stop()
        job, self._job, self.progress = self._job, None, None
        if job is not None:
            job.blockSignals(True)  # what it still says is of runs that are no longer compared
            job.cancel()
            job.deleteLater()

    def _run(self, more: Sequence[str]) -> None:
        if self._paths is None:
            return
        arguments = ["-m", "attn_debugger.commands.diverging", *self._paths, *more]
        self._job = job = Job(self.tr("comparing two runs"), arguments, self)
        job.progressed.connect(self._show_progress)
        job.succeeded.connect(self._take)
        job.failed.connect(self._fail)
        self.progress = (0, 0, 0)
        job.start()
        self.changed.emit()

    @Slot()
    def _go_on(self) -> None:
        if self.is_running:
            self._again.start()
        else:
            last = None if self.found is None else self.found.last_step
            self._run([] if last is None else ["--after", str(last)])

    @Slot(int, int, str)
    def _show_progress(self, done: int, total: int, text: str) -> None:
        self.progress = (done, total, int(text) if text.isdigit() else 0)
        self.changed.emit()

    @Slot(str)
    def _take(self, output: str) -> None:
        try:
            self.found = _joined(self.found, Divergence.from_json(heard(output)))
        except ValueError as error:
            self.failure = str(error)
        self._end()

    @Slot(str)
    def _fail(self, sentence: str) -> None:
        self.failure = sentence
        self._end()

    def _end(self) -> None:
        if self._job is not None:
            self._job.deleteLater()
        self._job = self.progress = None
        self.changed.emit()


def _joined(before: Divergence | None, after: Divergence) -> Divergence:
    """Return what two searches say together, the second of which went on where one stopped."""
    if before is None or before.last_step is None:
        return after
    return replace(
        after,
        n_common=before.n_common + after.n_common,
        n_compared=before.n_compared + after.n_compared,
        n_other_input=before.n_other_input + after.n_other_input,
        last_step=after.last_step if after.last_step is not None else before.last_step,
        problems=(*before.problems, *after.problems),
    )
