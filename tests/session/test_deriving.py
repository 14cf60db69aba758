"""Overviews for runs without any: an errand beside the examination, in turns, with progress."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import numpy as np
import pytest
from session_doubles import N_HEADS, N_LAYERS, Bench, FakeSource, make_run

from attn_debugger.core.history import SUMMARY_NAMES, History
from attn_debugger.core.run import Run
from attn_debugger.errors import ArchiveError
from attn_debugger.session.deriving import DerivingProgress


class DerivingSource(FakeSource):
    """Lacks overviews; has numbers of the frames that were derived."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.n_derived = 0
        self.stopped_at: int | None = None
        self.fails = False
        self.turns: list[int] = []  # layers scanned when a frame was derived

    @property
    def wants_overviews(self) -> bool:
        return self.n_derived < self._run.n_frames and self.stopped_at is None

    def derive_some(self) -> tuple[int, int]:
        if self.fails:
            raise ArchiveError("the cache cannot be written: no space left")
        self.turns.append(len(self.scanned))
        self.n_derived += 1
        return self.n_derived, self._run.n_frames

    def stop_deriving(self) -> None:
        self.stopped_at = self.n_derived

    def history(self, sample: int = 0, first: int = 0) -> History | None:
        n = self._run.n_frames - first
        values = np.full((n, N_LAYERS, N_HEADS), -1, np.float32)
        scanned = np.arange(first, first + n) < self.n_derived
        return History(values=dict.fromkeys(SUMMARY_NAMES, values), scanned=scanned)


class DerivingBench(Bench):
    def __init__(self, n_frames: int, **facts: object) -> None:
        super().__init__(make_run(n_frames))
        self.source = DerivingSource(make_run(n_frames, **facts))
        self.told: list[DerivingProgress] = []
        self.session.deriving.progress_changed.connect(self.told.append)


@pytest.fixture
def bench(qapp: object) -> Iterator[DerivingBench]:
    bench = DerivingBench(40)
    yield bench
    bench.session.shutdown()


def test_it_is_done_in_turns_with_the_examination(bench: DerivingBench) -> None:
    bench.session.open("fake.h5")
    bench.settle()
    assert bench.source.n_derived == 40
    assert bench.told[-1] == DerivingProgress(40, 40, running=False)
    steps = np.diff(bench.source.turns)
    assert steps.max() <= 1  # one layer is examined, one derived
    assert bench.session.findings.progress.is_complete


def test_its_numbers_fill_the_curves_before_the_examination_comes_there(
    bench: DerivingBench, qtbot
) -> None:
    histories: list[History] = []
    bench.session.findings.history_changed.connect(histories.append)
    bench.source.n_derived = 30  # known from an earlier time
    bench.source.stopped_at = 30
    bench.source.gate.clear()
    bench.session.open("fake.h5")
    bench.session.cancel_scan()
    bench.source.gate.set()
    bench.settle()
    assert histories[0].n_scanned >= 30
    assert histories[0].values["diagonal"][29, 0, 0] == -1
    bench.session.start_scan()
    bench.settle()
    last = bench.session.findings.history
    assert last.n_scanned == 40
    assert last.values["entropy"][29, 0, 0] == 29  # what was examined counts more


def test_cancelled_it_keeps_what_it_has(bench: DerivingBench, qtbot, monkeypatch) -> None:
    monkeypatch.setattr("attn_debugger.session.deriving._REPORT_SECONDS", 0.0)
    # The examination, with which it takes turns, is held up behind the grids read ahead.
    bench.source.held[9] = Event()
    bench.session.open("fake.h5")
    qtbot.waitUntil(lambda: bench.session.deriving.progress.running)
    bench.session.deriving.cancel()
    bench.source.held[9].set()
    bench.settle()
    assert bench.source.stopped_at is not None
    assert bench.source.stopped_at < 40
    assert not bench.session.deriving.progress.running
    assert bench.session.findings.progress.is_complete


def test_a_full_disk_is_said_once_and_the_check_goes_on(bench: DerivingBench) -> None:
    bench.source.fails = True
    bench.session.open("fake.h5")
    bench.settle()
    assert bench.said == ["the cache cannot be written: no space left"]
    assert bench.session.findings.progress.is_complete


class DoubtingSource(DerivingSource):
    """Finds out in the middle of the examination that its overviews are wrong."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.n_derived = run.n_frames
        self.overview_problem = ""

    def scan(self, frame_index):
        if frame_index == 20 and not self.overview_problem:
            self.overview_problem = "the overviews are not used: they are wrong"
            self.n_derived = 0
        yield from super().scan(frame_index)


def test_overviews_that_prove_wrong_are_said_read_anew_and_derived(qapp, qtbot) -> None:
    bench = DerivingBench(40)
    bench.source = DoubtingSource(make_run(40))
    bench.session.open("fake.h5")
    bench.settle()
    assert bench.said == ["the overviews are not used: they are wrong"]
    assert bench.source.grids.count(0) == 2  # what was kept of it is void
    assert bench.source.n_derived == 40
    assert bench.session.findings.progress.is_complete
    bench.session.shutdown()
