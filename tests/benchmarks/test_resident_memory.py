"""What the window keeps in memory, seen from outside, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from measuring import Reach
from pytest_benchmark.fixture import BenchmarkFixture

CHILD = Path(__file__).parent / "measured_process.py"


def scrub(path: Path, seeks: int, cache_megabytes: float) -> list[tuple[int, float]]:
    """Return (seek, resident megabytes) along `seeks` random seeks in the whole window."""
    command = [sys.executable, str(CHILD), "scrub", str(path), str(seeks), str(cache_megabytes)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert run.returncode == 0, run.stderr or "torch was imported"
    lines = [line.split() for line in run.stdout.splitlines()]
    return [(int(seek), float(megabytes)) for seek, megabytes in lines]


def test_memory_over_5000_random_seeks(
    benchmark: BenchmarkFixture, reach: Reach, scrubbed_run: Path
) -> None:
    seeks, cache = (5_000, 256) if reach.judges else (50, 4)
    found = benchmark.pedantic(scrub, args=(scrubbed_run, seeks, cache), rounds=1)
    # A thousand seeks fill the cache; from there on nothing may grow.
    settled = [megabytes for seek, megabytes in found if seek >= 0.4 * seeks]
    half = len(settled) // 2
    early, late = (sum(part) / len(part) for part in (settled[:half], settled[half:]))
    reach.at_most(
        "memory of the whole window above its cache budget",
        max(settled) - cache,
        200,
        "MB",
        f"{max(settled):.0f} MB with a cache of {cache} MB",
    )
    reach.at_most(f"growth of it in the second half of {seeks:,} seeks", late - early, 8, "MB")


def test_memory_with_512_tokens(benchmark: BenchmarkFixture, reach: Reach, run_file) -> None:
    shape = {} if reach.judges else {"n_layers": 2, "n_heads": 2}
    path = run_file(frames=6 if reach.judges else 1, n_tokens=512, **shape)
    found = benchmark.pedantic(scrub, args=(path, 200 if reach.judges else 20, 256), rounds=1)
    highest = max(megabytes for _, megabytes in found)
    reach.at_most("144 heads x 512 tokens: memory of the whole window", highest, 400, "MB")
