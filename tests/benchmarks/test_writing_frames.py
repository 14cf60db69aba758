"""What one frame costs the recorder's writing thread, against one look at the same array.

The recorder hands over half floats, which torch has made of the model's. Neither side finds its
array in the cache, as after a step of training; `numpy.max` is twice as quick when it does.
"""

from __future__ import annotations

import time
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from benchmark_runs import key_frame, layer_specs, record_of
from measuring import Reach, medians
from pytest_benchmark.fixture import BenchmarkFixture

from attn_debugger.archive.half import to_float16
from attn_debugger.archive.writer import ArchiveWriter


@pytest.mark.parametrize(("compression", "limit"), [("fast", 80), ("lzf", 250)])
def test_one_frame_with_everything_derived(
    benchmark: BenchmarkFixture, reach: Reach, tmp_path: Path, compression: str, limit: float
) -> None:
    if compression == "fast":
        pytest.importorskip("hdf5plugin", reason="compression=fast needs hdf5plugin")
    benchmark.group = "writing one frame of 144 x 128 x 128"
    frames = [key_frame(index, 12, 12, 128) for index in range(3 if reach.judges else 1)]
    halves = [to_float16(maps) for maps in frames]
    turns = {name: count() for name in ("halves", "singles", "maximum")}
    specs = layer_specs(12, 12, 128)
    with ArchiveWriter(
        tmp_path / "run.h5", specs, attributes={"causal": True}, compression=compression
    ) as writer:
        writer.append(record_of(0, halves[0]))  # creates all datasets

        def append(name: str, source: list[np.ndarray]) -> None:
            newest = source[next(turns[name]) % len(source)]
            writer.append(record_of(writer.n_frames, newest))

        found = medians(
            benchmark,
            {
                "halves": lambda: append("halves", halves),
                "maximum": lambda: np.max(frames[next(turns["maximum"]) % len(frames)]),
                "singles": lambda: append("singles", frames),
            },
            rounds=31,
            clock=time.process_time,
            warm=False,
        )
    reach.at_most(
        f"writing a frame ({compression}) / numpy.max of the same array, CPU",
        found["halves"] / found["maximum"],
        limit,
        note=f"{found['halves']:.1f} ms / {found['maximum']:.2f} ms",
    )
    reach.tell(
        f"writing a frame of float32 ({compression}) / numpy.max of the same array, CPU",
        found["singles"] / found["maximum"],
        "x",
    )
