"""Reading a checkpoint of 500 MB never blocks the window for longer than a frame."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import pytest
import torch
from measuring import Reach
from PySide6.QtCore import QEventLoop
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot
from test_heartbeat import Heartbeat

from attn_debugger.session.jobs import Job, model_job, topology_of
from attn_debugger.session.model_jobs import survey_job
from attn_debugger.ui.model.panel import ModelPanel

FRAME_MS = 1000 / 60


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """About 500 MB in 24 layers of width 1024; small where nothing is judged."""
    judged = request.config.getoption("benchmark_enable")
    layers, width = (24, 1024) if judged else (2, 64)
    tensors = {"config": {"n_head": 16 if judged else 4}, "state_dict": {}}
    for layer in range(layers):
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            key = f"layers.{layer}.self_attn.{name}.weight"
            tensors["state_dict"][key] = torch.randn(width, width) * 0.02
        tensors["state_dict"][f"layers.{layer}.fc1.weight"] = torch.randn(width, width) * 0.02
    path = tmp_path_factory.mktemp("large") / "step_10.pt"
    torch.save(tensors, path)
    return path


class BusyBeat(Heartbeat):
    """Also tells how long this thread itself computed between two ticks, in ms.

    On a machine whose cores are all taken a tick comes late because the system lets others go
    first; what the window does to itself is the time it computes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.busy: list[float] = []
        self._computed = time.thread_time()

    def _tick(self) -> None:
        super()._tick()
        computed = time.thread_time()
        self.busy.append(1000 * (computed - self._computed))
        self._computed = computed


@pytest.mark.parametrize("what", ["one checkpoint", "survey"])
def test_the_window_beats_on_while_a_checkpoint_is_read(
    qtbot: QtBot, benchmark: BenchmarkFixture, reach: Reach, checkpoint: Path, what: str
) -> None:
    panel = ModelPanel()
    qtbot.addWidget(panel)
    panel.show()
    heartbeat = BusyBeat()
    late: list[float] = []

    def read() -> None:
        is_one = what == "one checkpoint"
        paths = [str(checkpoint)]
        job: Job = model_job(paths[0], None) if is_one else survey_job(None, paths)
        loop = QEventLoop()
        outputs: list[str] = []

        def take(output: str) -> None:
            outputs.append(output)
            if is_one:
                panel.show_topology(topology_of(output))
            loop.quit()

        job.succeeded.connect(take)
        job.failed.connect(lambda _sentence: loop.quit())
        heartbeat.lateness.clear()
        heartbeat.start()
        job.start()
        loop.exec()
        qtbot.wait(20)  # the tick after the last piece of work
        heartbeat.stop()
        assert outputs
        late.append(max(heartbeat.lateness))

    qtbot.wait(50)
    benchmark.pedantic(read, rounds=3 if reach.judges else 1)
    busy = heartbeat.busy[1:]
    size = checkpoint.stat().st_size / 1e6
    note = f"{size:.0f} MB, {len(busy)} ticks, median {statistics.median(busy):.2f} ms"
    reach.at_most(f"longest work of the window, {what} read", max(busy), FRAME_MS, "ms", note)
    reach.tell(f"longest wait for a tick, {what} read", statistics.median(late))
