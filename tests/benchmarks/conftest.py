"""Fixtures of the benchmarks.

    pytest tests/benchmarks --benchmark-enable          measure, and hold against the reach
    ATTN_BENCHMARK_GB=5 pytest ... --benchmark-enable   with an archive of 5 GB to scrub
    ATTN_BENCHMARK_RUN=RUN.h5 pytest ...                with one that is there already

Without `--benchmark-enable` every benchmark runs once, on small archives, and judges nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from benchmark_runs import write_run
from measuring import TABLE, Reach
from pytest_benchmark.fixture import BenchmarkFixture

GIGABYTES = float(os.environ.get("ATTN_BENCHMARK_GB", "0"))
GIVEN_RUN = os.environ.get("ATTN_BENCHMARK_RUN", "")

RunFile = Callable[..., Path]


@pytest.fixture(scope="session")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> RunFile:
    """Return a function from the arguments of `write_run` to the archive, written once."""
    folder = tmp_path_factory.mktemp("benchmark-runs")
    known: dict[str, Path] = {}

    def path_of(**arguments: float | str) -> Path:
        name = "-".join(f"{key}{value}" for key, value in sorted(arguments.items()))
        if name not in known:
            known[name] = folder / f"{name}.h5"
            write_run(known[name], **arguments)  # type: ignore[arg-type]
        return known[name]

    return path_of


@pytest.fixture
def scrubbed_run(run_file: RunFile, reach: Reach) -> Path:
    """1,000 steps of 144 heads x 128 tokens, or as many as make `ATTN_BENCHMARK_GB`.

    By default every tenth step has full maps: scrubbing reads overviews only.
    """
    if GIVEN_RUN:
        return Path(GIVEN_RUN)
    if not reach.judges:
        return run_file(frames=20)
    if GIGABYTES:
        return run_file(frames=1000, gigabytes=GIGABYTES)
    return run_file(frames=1000, full_every=10)


@pytest.fixture
def reach(benchmark: BenchmarkFixture) -> Iterator[Reach]:
    """Hold values against their reach; what was missed fails the test after all was printed."""
    found = Reach(benchmark)
    yield found
    assert not found.rows, "; ".join(found.rows)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if TABLE:
        terminalreporter.section("reach")
        for row in TABLE:
            terminalreporter.write_line(row)
