"""How fast `check` scans 144 heads of 128 x 128 from float16 lzf, and what reading ahead gains.

Walls are compared, because overlapping is about nothing else; the rate in processor time says
what one core would reach if it were left alone.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import synthetic_runs
from measuring import Reach, medians
from pytest_benchmark.fixture import BenchmarkFixture

from attn_debugger.analysis.examination import Examination
from attn_debugger.archive.reader import open_archive
from attn_debugger.commands.scanning import scan_ahead

FRAMES = 12


@pytest.mark.benchmark
def test_check_keeps_up_with_reading(
    benchmark: BenchmarkFixture, reach: Reach, tmp_path: Path
) -> None:
    path = tmp_path / "ok.h5"
    synthetic_runs.write_run(path, frames=FRAMES)
    with open_archive(str(path)) as archive:

        def ahead() -> None:
            examination = Examination(archive.run)
            for layer in scan_ahead(archive, "checking", examination.prepare):
                examination.observe(layer)

        def in_turn() -> None:
            examination = Examination(archive.run)
            for frame in range(FRAMES):
                for layer in archive.scan(frame):
                    examination.observe(layer)

        took = medians(benchmark, {"ahead": ahead, "in turn": in_turn}, rounds=5)
        start = time.process_time()
        ahead()
        processor = time.process_time() - start

    ratio = took["ahead"] / took["in turn"]
    # Told, not judged: a neighbour on the second core takes away what there is to gain.
    reach.tell("check: reading ahead, of one after the other", ratio, "x", "0.75 on two idle cores")
    reach.at_least("check: frames a second", 1000 * FRAMES / took["ahead"], 15, "frames/s")
    reach.tell("check: frames a second of processor time", FRAMES / processor, "frames/s")
