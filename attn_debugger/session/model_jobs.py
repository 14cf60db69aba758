"""Child processes that run or read the user's model: checks, probes, trials, surveys.

User code never runs in the window's process. A child may be of another Python, the one that the
user trains with; what it needs of ours it finds by its path.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QProcess, QProcessEnvironment, Signal

from attn_debugger.core.address import absolute
from attn_debugger.core.telling import MESSAGES, heard
from attn_debugger.core.topology import ModelCheck
from attn_debugger.core.weights import CheckpointWeights
from attn_debugger.core.words import say
from attn_debugger.session.jobs import Job
from attn_debugger.session.model_wishes import ProbeInput, RunnableModel, Trial
from attn_debugger.session.translated import translated


class ModelJob(Job):
    """A job in the interpreter and the folder of the user's model.

    `good_codes` are exit codes that are answers, not failures: `checks` exits 1 when one failed.
    """

    line_read = Signal(str)  # a line of the result, as soon as it is there

    def __init__(
        self,
        title: str,
        arguments: Sequence[str],
        *,
        python: str = "",
        folder: str = "",
        good_codes: Collection[int] = (0,),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(title, arguments, parent)
        self._python = python or sys.executable
        self._good_codes = good_codes
        if folder:
            self._process.setWorkingDirectory(folder)
        if not _is_own(self._python):
            self._process.setProcessEnvironment(_environment_of_another())

    def start(self) -> None:
        """Run the chosen Python with the job's arguments."""
        self._process.start(self._python, self._arguments)

    def _take_line(self, line: str) -> None:
        n_before = len(self._output)
        super()._take_line(line)
        if len(self._output) > n_before:
            self.line_read.emit(line)

    def _finish(self, code: int, status: QProcess.ExitStatus) -> None:
        super()._finish(0 if code in self._good_codes else code, status)


def survey_job(
    archive: str | None, checkpoints: Sequence[str] = (), parent: QObject | None = None
) -> ModelJob:
    """Return the job that reads the weights of checkpoints, by default those of the archive."""
    arguments = ["-m", "attn_debugger.model.survey", *checkpoints]
    if archive is not None:
        arguments += ["--archive", archive]
    return ModelJob(_title("checkpoints"), arguments, parent=parent)


def timeline_job(
    checkpoints: Sequence[str],
    output: str,
    heads: int | None = None,
    parent: QObject | None = None,
) -> ModelJob:
    """Return the job that makes checkpoints without a recording an archive of their own."""
    arguments = ["-m", "attn_debugger.model.survey", *checkpoints, "--write", output]
    if heads is not None:
        arguments += ["--heads", str(heads)]
    return ModelJob(_title("checkpoints"), arguments, parent=parent)


def checks_job(
    model: RunnableModel,
    archive: str | None,
    step: int | None,
    given: ProbeInput,
    trial: Trial | None = None,
    parent: QObject | None = None,
) -> ModelJob:
    """Return the job that tries the rules out on the model: `main.py checks --json`."""
    arguments = ["-m", "attn_debugger", "checks", "--json", *_of(model), *given.arguments()]
    arguments += _archive(archive, step)
    if trial is not None and trial.overfit:
        arguments.append("--overfit")
    return _job(_title("checks"), model, arguments, parent, good_codes=(0, 1))


def probe_job(
    model: RunnableModel,
    checkpoints: Sequence[str],
    given: ProbeInput,
    output: str,
    parent: QObject | None = None,
) -> ModelJob:
    """Return the job that runs one batch through checkpoints and writes an archive."""
    arguments = ["-m", "attn_debugger.model.probe_lines", "--model", model.name]
    arguments += ["--checkpoints", *checkpoints, "-o", output, *given.arguments()]
    if model.trusted:
        arguments.append("--trust-code")
    return _job(_title("probe"), model, arguments, parent)


def stand_in_job(
    model: RunnableModel,
    archive: str,
    step: int,
    sample: int,
    given: ProbeInput,
    output: str,
    parent: QObject | None = None,
) -> ModelJob:
    """Return the job that probes the model at one step: an archive of a single frame."""
    arguments = ["-m", "attn_debugger.model.probe_lines", "--model", model.name, "-o", output]
    if model.checkpoint:
        arguments += ["--checkpoints", model.checkpoint]
    if given.recorded:
        arguments += ["--archive", absolute(archive), "--sample", str(sample)]
    else:
        arguments += given.arguments()
    arguments += ["--step", str(step)]
    if model.trusted:
        arguments.append("--trust-code")
    return _job(_title("probe"), model, arguments, parent)


def trial_job(
    what: str,
    model: RunnableModel,
    archive: str | None,
    step: int | None,
    given: ProbeInput,
    *,
    sample: int = 0,
    trial: Trial | None = None,
    parent: QObject | None = None,
) -> ModelJob:
    """Return the job for a `replay`, an `ablate` or an `occlude`."""
    arguments = ["-m", "attn_debugger.model.trial", what, *_of(model), *_archive(archive, step)]
    trial = trial or Trial()
    if what != "replay":  # which runs what was recorded, always
        arguments += given.arguments()
    if what == "ablate":
        arguments += trial.scale_arguments()
    elif what == "occlude":
        # A batch of the user's own need not have as many samples as the archive.
        arguments += ["--sample", str(sample if given.recorded else 0), *trial.token_arguments()]
    return _job(_title(what), model, arguments, parent)


def checkpoint_of(line: str) -> CheckpointWeights:
    """Read a line of a `survey_job`. Raises `ValueError` when it is something else."""
    try:
        return CheckpointWeights.from_json(heard(line))
    except (TypeError, KeyError, AttributeError) as error:
        said = say("not the weights of a checkpoint: {error}", error=error)
        raise ValueError(translated(said)) from error


def checks_of(output: str) -> tuple[ModelCheck, ...]:
    """Read what a `checks_job` printed. Raises `ValueError` when it is something else."""
    return _checks(output, "checks")


def rules_of(output: str) -> tuple[ModelCheck, ...]:
    """Read the rules on weights and settings that a `checks_job` printed beside its checks."""
    return _checks(output, "contracts")


def _checks(output: str, name: str) -> tuple[ModelCheck, ...]:
    try:
        return tuple(ModelCheck(**row) for row in _last_object(output)[name])
    except (TypeError, KeyError) as error:
        said = say("not the result of model checks: {error}", error=error)
        raise ValueError(translated(said)) from error


def trial_of(output: str) -> dict[str, Any]:
    """Read what a `trial_job` printed. Raises `ValueError` when it is something else."""
    return _last_object(output)


def _last_object(output: str) -> dict[str, Any]:
    # A factory may print what it likes before.
    lines = [line for line in output.splitlines() if line.startswith("{")]
    if not lines:
        raise ValueError(QCoreApplication.translate("Jobs", "the child process gave no result"))
    found: dict[str, Any] = heard(lines[-1])
    return found


def _title(what: str) -> str:
    """Return what a job is called in the status line, and before its sentences."""
    translate = QCoreApplication.translate
    return {
        "checks": translate("Jobs", "checks"),
        "probe": translate("Jobs", "probe"),
        "replay": translate("Jobs", "recomputing"),
        "ablate": translate("Jobs", "scaling heads"),
        "occlude": translate("Jobs", "replacing tokens"),
        "checkpoints": translate("Jobs", "checkpoints"),
    }[what]


def _of(model: RunnableModel) -> list[str]:
    arguments = ["--model", model.name]
    if model.checkpoint:
        arguments += ["--checkpoint", model.checkpoint]
    if model.trusted:
        arguments.append("--trust-code")
    return arguments


def _archive(archive: str | None, step: int | None) -> list[str]:
    if archive is None:
        return []
    return ["--archive", absolute(archive), *([] if step is None else ["--step", str(step)])]


def _job(
    title: str,
    model: RunnableModel,
    arguments: list[str],
    parent: QObject | None,
    good_codes: Collection[int] = (0,),
) -> ModelJob:
    return ModelJob(
        title,
        arguments,
        python=model.python,
        folder=model.folder,
        good_codes=good_codes,
        parent=parent,
    )


def _is_own(python: str) -> bool:
    # Not by what links lead to: every virtual environment leads to the same interpreter.
    return os.path.abspath(python) == os.path.abspath(sys.executable)


def _environment_of_another() -> QProcessEnvironment:
    """Another Python gets our package and none of our libraries, which may not fit it."""
    environment = QProcessEnvironment.systemEnvironment()
    environment.insert("PYTHONUNBUFFERED", "1")
    environment.insert(MESSAGES, "1")
    root = str(Path(__file__).resolve().parents[2])
    environment.insert("PYTHONPATH", root)
    return environment
