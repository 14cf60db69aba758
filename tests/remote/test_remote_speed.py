"""Round trips and seconds over a link of 50 ms, from the address to the first grid and beyond.

    ATTN_BENCHMARK_RUN=RUN.h5 pytest tests/remote/test_remote_speed.py --benchmark-enable

prints them for a run of yours; without it a small run is measured, and nothing printed. What is
asserted is round trips: seconds belong to the machine.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from remote_doubles import QuietWatcher, write_run
from ssh_server import SlowWire, SshServer

from attn_debugger.archive.remote import open_remote
from attn_debugger.archive.remote.remote_archive import RemoteArchive
from attn_debugger.core.heads import HeadRef

ONE_WAY_SECONDS = 0.025


def test_the_first_grid_takes_few_round_trips(
    server: SshServer,
    wire: SlowWire,
    watcher: QuietWatcher,
    cache: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = os.environ.get("ATTN_BENCHMARK_RUN", "")
    path = Path(given).resolve() if given else write_run(tmp_path / "run.h5", 60)
    wire.delay = ONE_WAY_SECONDS
    rows: list[tuple[str, float, int, int]] = []
    began = time.perf_counter()
    with open_remote(server.address(path, wire.port), watcher, cache) as far:
        rows.append(
            ("log in and open", time.perf_counter() - began, far.round_trips, far.total_bytes)
        )

        def measure(what: str, do: Callable[[], object]) -> None:
            trips, size, start = far.round_trips, far.total_bytes, time.perf_counter()
            do()
            taken = time.perf_counter() - start
            rows.append((what, taken, far.round_trips - trips, far.total_bytes - size))

        measure_all(far, measure)
    if request.config.getoption("benchmark_enable"):
        with capsys.disabled():
            print(f"\n{path.name}, {far.run.n_frames} steps, {1000 * 2 * ONE_WAY_SECONDS:.0f} ms")
            for what, seconds, trips, size in rows:
                print(f"  {what:<24} {seconds:6.2f} s {trips:4} round trips {size / 1e6:7.2f} MB")
    by_name = {what: trips for what, _, trips, _ in rows}
    assert by_name["log in and open"] + by_name["first grid"] <= 20
    assert by_name["next step"] <= 3
    assert by_name["a step far away"] <= 6


def measure_all(far: RemoteArchive, measure: Callable[[str, Callable[[], object]], None]) -> None:
    middle = far.run.n_frames // 2
    measure("first grid", lambda: far.grid(0, 0, 32))
    measure("first head", lambda: far.head(0, HeadRef(0, 0)))
    measure("curves of all heads", far.history)
    measure("a step far away", lambda: far.grid(middle, 0, 32))
    measure("next step", lambda: far.grid(middle + 1, 0, 32))
    measure("one head there", lambda: far.head(middle, HeadRef(1, 1)))
    measure("all layers of a step", lambda: list(far.scan(middle)))
    measure("look for growth", far.refresh)
