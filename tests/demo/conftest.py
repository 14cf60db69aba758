from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from attn_debugger.analysis.examination import Examination
from attn_debugger.archive.reader import open_archive
from attn_debugger.core.flags import Diagnosis
from attn_debugger.demo.catalog import run_demo


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Train each demo at most once a session; return where it was recorded."""
    folder = tmp_path_factory.mktemp("demos")
    done: dict[str, Path] = {}

    def record(name: str) -> Path:
        if name not in done:
            path = folder / f"{name}.h5"
            run_demo(name, path)
            done[name] = path
        return done[name]

    return record


@pytest.fixture
def examine() -> Callable[[Path], Diagnosis]:
    def examined(path: Path) -> Diagnosis:
        with open_archive(path) as archive:
            examination = Examination(archive.run)
            for index in range(archive.run.n_frames):
                for frame in archive.scan(index):
                    examination.observe(frame)
            return examination.diagnosis()

    return examined
