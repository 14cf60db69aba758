"""What one frame costs the recorder's writing thread, against one look at the same array."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from benchmark_runs import key_frame, layer_specs, record_of
from measuring import Reach, medians
from pytest_benchmark.fixture import BenchmarkFixture

from attn_debugger.archive.writer import ArchiveWriter


@pytest.mark.parametrize(("compression", "limit"), [("fast", 80), ("lzf", 250)])
def test_one_frame_with_everything_derived(
    benchmark: BenchmarkFixture, reach: Reach, tmp_path: Path, compression: str, limit: float
) -> None:
    if compression == "fast":
        pytest.importorskip("hdf5plugin", reason="compression=fast needs hdf5plugin")
    benchmark.group = "writing one frame of 144 x 128 x 128"
    frames = [key_frame(index, 12, 12, 128) for index in range(3 if reach.judges else 1)]
    specs = layer_specs(12, 12, 128)
    with ArchiveWriter(
        tmp_path / "run.h5", specs, attributes={"causal": True}, compression=compression
    ) as writer:
        writer.append(record_of(0, frames[0]))  # creates all datasets

        def newest() -> np.ndarray:
            return frames[writer.n_frames % len(frames)]

        found = medians(
            benchmark,
            {
                "append": lambda: writer.append(record_of(writer.n_frames, newest())),
                "maximum": lambda: np.max(newest()),
            },
            rounds=31,
            clock=time.process_time,
        )
    reach.at_most(
        f"writing a frame ({compression}) / numpy.max of the same array, CPU",
        found["append"] / found["maximum"],
        limit,
        note=f"{found['append']:.1f} ms / {found['maximum']:.2f} ms",
    )
