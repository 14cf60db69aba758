"""Work that needs torch, in a child process: recording a demo run, describing a checkpoint."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QObject, QProcess, QProcessEnvironment, Slot

from attn_debugger.core.telling import MESSAGES, heard, heard_line
from attn_debugger.core.topology import ModelTopology
from attn_debugger.core.words import say
from attn_debugger.session.tasks import Task
from attn_debugger.session.translated import translated

PROGRESS_WORD = "PROGRESS"
# How long a child may take to end by itself once it was asked to.
GRACE_MS = 1500
NICENESS = 10


class Job(Task):
    """One child process: `start` runs it, exactly one of the three outcomes is emitted at its end.

    Lines `PROGRESS done total text` on its standard output become `progressed`; the rest is its
    result. What it writes to standard error before failing is the sentence for the user.
    """

    def __init__(self, title: str, arguments: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(title, parent)
        self._arguments = list(arguments)
        self._is_cancelled = False
        self._unfinished_line = ""
        self._output: list[str] = []
        self._errors = ""
        self._process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("PYTHONUNBUFFERED", "1")
        environment.insert("ATTN_DEBUGGER_PROGRESS_LINES", "1")
        environment.insert(MESSAGES, "1")
        # The child must find this very package, also when it is run from a checkout.
        environment.insert("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
        self._process.setProcessEnvironment(environment)
        self._process.readyReadStandardOutput.connect(self._read_output)
        self._process.readyReadStandardError.connect(self._read_errors)
        self._process.finished.connect(self._finish)
        self._process.errorOccurred.connect(self._fail_to_start)
        self._process.started.connect(self._give_way)

    def start(self) -> None:
        """Run `python` with the job's arguments."""
        self._process.start(sys.executable, self._arguments)

    @property
    def is_running(self) -> bool:
        return self._process.state() != QProcess.ProcessState.NotRunning

    def cancel(self) -> None:
        """End the child; `cancelled` follows."""
        if self.is_running:
            self._is_cancelled = True
            self._process.terminate()
            if not self._process.waitForFinished(GRACE_MS):
                self._process.kill()
                self._process.waitForFinished(GRACE_MS)

    @Slot()
    def _give_way(self) -> None:
        """Let the child compute behind the window: it would else hold it up for whole frames."""
        if hasattr(os, "setpriority"):
            # It may have ended already, or the system may not allow it: then it stays as it is.
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, int(self._process.processId()), NICENESS)

    @Slot()
    def _read_output(self) -> None:
        text = bytes(self._process.readAllStandardOutput().data()).decode("utf-8", "replace")
        *lines, self._unfinished_line = (self._unfinished_line + text).split("\n")
        for line in lines:
            self._take_line(line)

    def _take_line(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == PROGRESS_WORD:
            done, total, text = [*rest.split(" ", 2), "", ""][:3]
            if done.isdigit() and total.isdigit():
                self.progressed.emit(int(done), int(total), translated(heard_line(text)))
                return
        self._output.append(line)

    @Slot()
    def _read_errors(self) -> None:
        data = bytes(self._process.readAllStandardError().data())
        self._errors += data.decode("utf-8", "replace")

    @Slot(int, QProcess.ExitStatus)
    def _finish(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read_output()
        self._read_errors()
        if self._unfinished_line:
            self._take_line(self._unfinished_line)
        if self._is_cancelled:
            self.cancelled.emit()
        elif status == QProcess.ExitStatus.CrashExit:
            self.failed.emit(
                self.tr("{0}: the process ended abruptly; perhaps memory ran out").format(
                    self.title
                )
            )
        elif code:
            self.failed.emit(self._sentence(code))
        else:
            self.succeeded.emit("\n".join(self._output))

    @Slot(QProcess.ProcessError)
    def _fail_to_start(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self.failed.emit(
                self.tr("{0}: Python could not be started: {1}").format(
                    self.title, self._process.errorString()
                )
            )

    def _sentence(self, code: int) -> str:
        """Return the last line of what the child said: of a traceback that is the error itself."""
        lines = [line.strip() for line in self._errors.splitlines() if line.strip()]
        if lines:
            said = translated(heard_line(lines[-1]))
        else:
            said = self.tr("it gave no reason (exit code {0})").format(code)
        return f"{self.title}: {said}"


def demo_job(name: str, path: str, parent: QObject | None = None) -> Job:
    """Return the job that trains the demo `name` and records it into `path`."""
    arguments = ["-m", "attn_debugger.demo", name, "-o", path, "--progress-lines"]
    return Job(QCoreApplication.translate("Jobs", "demo {0}").format(name), arguments, parent)


def model_job(checkpoint: str, archive: str | None, parent: QObject | None = None) -> Job:
    """Return the job that describes a checkpoint, matched with the layers of `archive`."""
    arguments = ["-m", "attn_debugger.model", checkpoint, "--json"]
    if archive is not None:
        arguments += ["--archive", archive]
    return Job(os.path.basename(checkpoint), arguments, parent)


def topology_of(output: str) -> ModelTopology:
    """Read what a `model_job` printed. Raises `ValueError` when it is something else."""
    try:
        return ModelTopology.from_json(heard(output))
    except (TypeError, KeyError) as error:
        said = say("not the description of a model: {error}", error=error)
        raise ValueError(translated(said)) from error
