"""`check`: all detectors over a whole run, without a window."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from attn_debugger.commands.command import Command, answer, say
from attn_debugger.commands.scanning import scan_ahead
from attn_debugger.core.flags import Diagnosis, Severity
from attn_debugger.core.run import Run
from attn_debugger.errors import UsageError

LEVELS = tuple(severity.word for severity in Severity)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("archive", metavar="RUN.h5")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument(
        "--fail-on", choices=LEVELS, default="warning", help="exit 1 from this level (warning)"
    )
    parser.add_argument("--against", metavar="OLD.h5", help="compare with an earlier run's flags")
    parser.add_argument("--thresholds", type=Path, metavar="FILE", help="own limits, as TOML")


def _run(options: argparse.Namespace) -> int:
    level = Severity[options.fail_on.upper()]
    run, diagnosis = examine(options.archive, options.thresholds)
    for sentence in run.missing:
        say(f"{run.path}: {sentence}")
    if options.against:
        return _compare(options, run, diagnosis, level)
    if options.json:
        from attn_debugger.report.answers import check_answer

        answer(json.dumps(check_answer(run, diagnosis), allow_nan=False))
    else:
        from attn_debugger.report.text import check_text

        answer(check_text(run, diagnosis))
    return int(any(flag.severity >= level for flag in diagnosis.flags))


def examine(path: str, thresholds_file: Path | None = None) -> tuple[Run, Diagnosis]:
    """Scan every frame of the archive at `path`, one layer at a time."""
    from attn_debugger.analysis.examination import Examination
    from attn_debugger.analysis.thresholds import Thresholds
    from attn_debugger.commands.opening import open_run

    thresholds = Thresholds.from_toml(thresholds_file) if thresholds_file else Thresholds()
    with open_run(path) as source:
        run = source.run
        examination = Examination(run, thresholds)
        for layer_frame in scan_ahead(source, "checking", examination.prepare):
            examination.observe(layer_frame)
        return run, examination.diagnosis()


def _compare(options: argparse.Namespace, run: Run, diagnosis: Diagnosis, level: Severity) -> int:
    from attn_debugger.report.against import against_answer, against_text

    if Path(options.against).resolve() == Path(options.archive).resolve():
        raise UsageError(f"{options.against} is the archive itself; name an earlier run to compare")
    old_run, old = examine(options.against, options.thresholds)
    if options.json:
        answer(json.dumps(against_answer(run, diagnosis, old_run, old), allow_nan=False))
    else:
        answer(against_text(run, diagnosis, old_run, old))
    # Every flag of the new run is either new or still there; what is resolved is not among them.
    return int(any(flag.severity >= level for flag in diagnosis.flags))


CHECK = Command("check", "run all detectors over a run, without a window", _add_arguments, _run)
