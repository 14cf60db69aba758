"""Opening a run costs what its structure costs, not what its frames do."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from benchmark_runs import stretch_run, write_run
from measuring import Reach, medians
from pytest_benchmark.fixture import BenchmarkFixture

from attn_debugger.archive.reader import open_archive

CHILD = Path(__file__).parent / "measured_process.py"


def first_grid(path: Path) -> None:
    """What stands between a double click and a picture: open, and read the grid of a frame."""
    with open_archive(path) as archive:
        archive.grid(archive.run.n_frames // 2, 0, 32)


def only_open(path: Path) -> None:
    open_archive(path).close()


def test_opening_ten_times_as_many_steps(
    benchmark: BenchmarkFixture, reach: Reach, tmp_path: Path
) -> None:
    benchmark.group = "opening"
    few, many = (1_000, 10_000) if reach.judges else (100, 1_000)
    block, short, long = (tmp_path / f"{name}.h5" for name in ("block", "short", "long"))
    write_run(block, frames=100, n_heads=1, n_tokens=4, compression="lzf")
    for frames, path in ((few, short), (many, long)):
        stretch_run(block, path, frames)
    found = medians(
        benchmark,
        {
            "many": lambda: only_open(long),
            "few": lambda: only_open(short),
            "grid": lambda: first_grid(long),
        },
        rounds=15,
        clock=time.process_time,
    )
    what = f"opening {many:,} steps"
    reach.at_most(f"{what} / {few:,} steps", found["many"] / found["few"], 3)
    reach.at_most(what, found["many"], 50, "ms", "of processor time")
    reach.tell(f"{what} and reading the grid in the middle", found["grid"])


def test_memory_does_not_follow_the_size_of_the_archive(
    benchmark: BenchmarkFixture, reach: Reach, run_file
) -> None:
    benchmark.group = "opening"
    small = run_file(frames=4)
    large = run_file(frames=300 if reach.judges else 8)

    def resident(path: Path) -> float:
        """Return the megabytes of a process that opened `path` and read a grid."""
        command = [sys.executable, str(CHILD), "open", str(path)]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    values: dict[Path, list[float]] = {small: [], large: []}

    def both() -> None:
        for path, found in values.items():
            found.append(resident(path))

    benchmark.pedantic(both, rounds=3)
    size = large.stat().st_size / small.stat().st_size
    reach.at_most(
        f"memory of an archive {size:.0f} times as large / the small one",
        min(values[large]) / min(values[small]),
        1.1,
        note=f"{min(values[large]):.0f} MB",
    )
