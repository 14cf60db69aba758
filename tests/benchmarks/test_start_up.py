"""From the start of the process to the first grid on the screen, against the imports alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from measuring import Reach, medians
from pytest_benchmark.fixture import BenchmarkFixture

CHILD = Path(__file__).parent / "measured_process.py"
IMPORTS = "import PySide6.QtWidgets, pyqtgraph, h5py"


def test_first_grid(benchmark: BenchmarkFixture, reach: Reach, run_file, tmp_path: Path) -> None:
    # As for people: what Python has compiled once it keeps.
    kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path)}
    environment = os.environ | kept
    path = run_file(frames=20, compression="lzf")

    def first_grid() -> None:
        command = [sys.executable, str(CHILD), "first-grid", str(path)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
        assert run.returncode != 3, "torch was imported before the first grid"
        assert run.returncode != 4, "masked arrays were imported before the first grid"
        assert run.returncode == 0, run.stderr

    def imports() -> None:
        leave = "import os; os._exit(0)"
        command = [sys.executable, "-c", f"{IMPORTS}; {leave}"]
        subprocess.run(command, check=True, timeout=60, env=environment)

    found = medians(benchmark, {"first grid": first_grid, "imports": imports}, rounds=7)
    reach.at_most(
        "process start to first grid / the imports alone",
        found["first grid"] / found["imports"],
        2,
        note=f"{found['first grid'] / 1000:.2f} s / {found['imports'] / 1000:.2f} s",
    )
