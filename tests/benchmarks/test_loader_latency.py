"""How long a data loader that reads HDF5 in the same process waits while the recorder writes.

h5py lets one call in at a time, whatever the file: what the recorder's writing thread does inside
a call, a loader in the training process waits for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest
from measuring import Reach
from pytest_benchmark.fixture import BenchmarkFixture

torch = pytest.importorskip("torch")

LAYERS, HEADS, WIDTH, TOKENS, BATCH = 6, 8, 256, 128, 4


@pytest.fixture
def rows(tmp_path: Path) -> Iterator[h5py.Dataset]:
    path = tmp_path / "rows.h5"
    with h5py.File(path, "w") as file:
        ids = np.random.default_rng(0).integers(1, 100, (4096, TOKENS))
        file.create_dataset("ids", data=ids, chunks=(64, TOKENS), compression="lzf")
    with h5py.File(path) as file:
        yield file["ids"]


def encoder() -> torch.nn.Module:
    layer = torch.nn.TransformerEncoderLayer(WIDTH, HEADS, 2 * WIDTH, batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
    return torch.nn.Sequential(torch.nn.Embedding(100, WIDTH), encoder)


def read_times(rows: h5py.Dataset, recorder: object, steps: int) -> list[float]:
    """Milliseconds of each read: four an optimiser step, as often as a loader would."""
    model, times = recorder._engine._model, []  # type: ignore[attr-defined]
    order = np.random.default_rng(1)
    for step in range(steps):
        for _ in range(4):
            at = int(order.integers(0, len(rows) - BATCH))
            began = time.perf_counter()
            batch = rows[at : at + BATCH]
            times.append((time.perf_counter() - began) * 1000)
        with recorder.step(step):  # type: ignore[attr-defined]
            model(torch.from_numpy(batch))
    return times


def test_reading_rows_while_every_step_is_recorded(
    benchmark: BenchmarkFixture, reach: Reach, tmp_path: Path, rows: h5py.Dataset
) -> None:
    from attn_debugger import record

    torch.set_num_threads(1)
    torch.manual_seed(0)
    benchmark.group = "reading rows of a training set in the training process"
    steps = 40 if reach.judges else 3
    model = encoder()
    with record(model, tmp_path / "idle.h5", every=10**9) as recorder:
        read_times(rows, recorder, 2)
        alone = read_times(rows, recorder, steps)
    path = tmp_path / "busy.h5"
    with record(model, path, every=1, queue=steps) as recorder:
        recorded = benchmark.pedantic(read_times, (rows, recorder, steps), rounds=1)
    with h5py.File(path) as file:
        assert len(file["steps"]) == steps  # the writer was at work all the time
    note = (
        f"median {np.median(alone):.2f} -> {np.median(recorded):.2f} ms, "
        f"95 % {np.percentile(alone, 95):.2f} -> {np.percentile(recorded, 95):.2f} ms, "
        f"longest {max(alone):.1f} -> {max(recorded):.1f} ms"
    )
    reach.at_most(
        "a loader's read of rows while every step is recorded, 95 % of reads",
        float(np.percentile(recorded, 95)),
        30.0,
        unit="ms",
        note=note,
    )
