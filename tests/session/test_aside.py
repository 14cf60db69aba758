"""Beside the current frame: the pinned step and watched tokens, read behind what the user sees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from session_doubles import N_HEADS, N_LAYERS, Bench, make_run

from attn_debugger.analysis.watch import parse_watch
from attn_debugger.core.frame import GridFrame
from attn_debugger.session.watching import WatchReport


class AsideBench(Bench):
    """A bench that also keeps what came aside."""

    def __init__(self, n_frames: int = 50) -> None:
        super().__init__(make_run(n_frames))
        self.pinned: list[GridFrame | None] = []
        self.reports: list[WatchReport | None] = []
        self.session.aside.pinned_ready.connect(self.pinned.append)
        self.session.aside.watch_changed.connect(self.reports.append)
        self.session.open("fake.h5")
        self.settle()


@pytest.fixture
def bench(qapp: object) -> Iterator[AsideBench]:
    bench = AsideBench()
    yield bench
    bench.session.shutdown()


def test_the_pinned_step_is_read_once_and_again_for_other_tiles(bench: AsideBench) -> None:
    session = bench.session
    session.pin_frame(7)
    bench.settle()
    assert bench.pinned[-1] is not None
    assert bench.pinned[-1].frame_index == 7
    count = len(bench.pinned)
    session.step_by(3)
    bench.settle()
    assert len(bench.pinned) == count  # stepping on reads nothing anew
    session.set_tile(64)
    session.show_sample(1)
    bench.settle()
    assert (bench.pinned[-1].tile, bench.pinned[-1].sample) == (64, 1)
    session.pin_frame(None)
    assert bench.pinned[-1] is None


def test_a_pinned_step_that_cannot_be_read_is_said(bench: AsideBench) -> None:
    bench.source.broken.add(9)
    bench.session.pin_frame(9)
    bench.settle()
    assert any("frame 9 is damaged" in sentence for sentence in bench.failures)
    bench.session.pin_frame(10)
    bench.settle()
    assert bench.pinned[-1] is not None
    assert bench.pinned[-1].frame_index == 10


def test_a_watch_covers_every_frame_layer_and_head(bench: AsideBench) -> None:
    bench.session.watch_tokens(parse_watch("#1-2", "all"))
    bench.settle()
    report = bench.reports[-1]
    assert report is not None
    assert report.is_complete
    assert report.values.shape == (50, N_LAYERS, N_HEADS)
    np.testing.assert_allclose(report.values, 2 / 5, rtol=1e-5)
    assert (report.n_matched[49], report.matched[49]) == (2, "#1 #2")
    assert not bench.session.aside.is_watching


def test_the_frame_in_view_comes_first(bench: AsideBench) -> None:
    bench.session.go_to_frame(31)
    bench.settle()
    bench.session.watch_tokens(parse_watch("#0"))
    bench.session.wait_until_idle(20)
    first = bench.reports[1]  # the one before it says that all is to be found anew
    assert first is not None
    assert first.done[31]


def test_words_are_unknown_where_no_tokens_were_recorded(bench: AsideBench) -> None:
    bench.session.watch_tokens(parse_watch("[PAD]"))
    bench.settle()
    report = bench.reports[-1]
    assert report is not None
    assert np.isnan(report.values).all()
    assert set(report.n_matched.values()) == {0}


def test_another_sample_is_watched_too_and_remembered(bench: AsideBench) -> None:
    bench.session.watch_tokens(parse_watch("#0"))
    bench.settle()
    bench.session.show_sample(1)
    bench.settle()
    report = bench.reports[-1]
    assert report is not None
    assert (report.sample, report.is_complete) == (1, True)
    count = len(bench.reports)
    bench.session.show_sample(0)
    assert len(bench.reports) == count + 1
    back = bench.reports[-1]  # at once, from before
    assert back is not None
    assert (back.sample, back.is_complete) == (0, True)


def test_a_growing_run_is_watched_on(bench: AsideBench) -> None:
    bench.session.watch_tokens(parse_watch("#0"))
    bench.settle()
    bench.source.grown.append(replace(make_run(60), ended="writing"))
    bench.session.follow(True)
    bench.settle()
    report = bench.reports[-1]
    assert report is not None
    assert len(report.done) == 60
    assert report.is_complete


def test_a_cancelled_watch_keeps_what_it_has(bench: AsideBench) -> None:
    bench.source.gate.clear()
    bench.session.watch_tokens(parse_watch("#0"))
    assert bench.session.aside.is_watching
    bench.session.aside.cancel_watch()
    bench.source.gate.set()
    bench.settle()
    assert not bench.session.aside.is_watching
    assert bench.session.aside.watch is not None
    bench.session.watch_tokens(None)
    assert bench.session.aside.watch is None
    assert bench.session.aside.report is None


def test_another_run_forgets_pin_and_watch(bench: AsideBench) -> None:
    bench.session.pin_frame(3)
    bench.session.watch_tokens(parse_watch("#0"))
    bench.settle()
    bench.session.open("other.h5")
    bench.settle()
    assert bench.session.state.pinned is None
    assert bench.session.aside.watch is None
    assert bench.pinned[-1] is None
    assert bench.reports[-1] is None
