"""A small run in a folder of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from notes_samples import write_run


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Return a run of three steps."""
    folder = tmp_path / "runs"
    folder.mkdir()
    return write_run(folder / "run.h5")
