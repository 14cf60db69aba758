"""Shared by the corpus tests: an archive becomes a diagnosis, and what `check --json` says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attn_debugger.analysis.examination import Examination
from attn_debugger.archive.reader import open_archive
from attn_debugger.core.flags import Diagnosis
from attn_debugger.core.run import Run
from attn_debugger.report.answers import check_answer


def examine(path: Path) -> tuple[Run, Diagnosis]:
    """Scan a whole archive."""
    source = open_archive(path)
    try:
        examination = Examination(source.run)
        for index in range(source.run.n_frames):
            for frame in source.scan(index):
                examination.observe(frame)
        return source.run, examination.diagnosis()
    finally:
        source.close()


def answer(path: Path) -> dict[str, Any]:
    """What `check --json` says about an archive."""
    return check_answer(*examine(path))
