"""The examination behind the user's requests: progressive, cancellable, never in the way."""

from __future__ import annotations

from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from session_doubles import make_flag, make_run

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import SUMMARY_NAMES
from attn_debugger.session.history_log import HistoryLog


def test_a_scan_ends_with_everything_known(make_bench):
    bench = make_bench()
    findings = bench.session.findings
    assert findings.progress.is_complete
    assert not findings.progress.running
    assert findings.history.n_scanned == 50
    assert findings.history.values["entropy"][7, 2, 3] == 7
    assert np.isnan(findings.history.values["diagonal"]).all()


def test_scrubbing_waits_for_at_most_one_layer_of_the_scan(make_bench, monkeypatch, qtbot):
    monkeypatch.setattr("attn_debugger.session.wishes.QUIET_SECONDS", 0.0)
    bench = make_bench(400)
    source, session = bench.source, bench.session
    source.scanned.clear()
    source.held = {200: Event()}
    session.open("fake.h5")
    qtbot.waitUntil(lambda: (199, 2) in source.scanned)
    session.go_to_frame(300)
    n_scanned = len(source.scanned)
    source.held[200].set()
    bench.settle()
    assert source.scanned_before[300] <= n_scanned + 1


def test_cancelled_scans_keep_what_they_found_and_can_go_on(make_bench, monkeypatch, qtbot):
    monkeypatch.setattr("attn_debugger.session.wishes.QUIET_SECONDS", 0.0)
    bench = make_bench(400)
    source, session = bench.source, bench.session
    source.scanned.clear()
    source.held = {20: Event()}
    session.open("fake.h5")
    qtbot.waitUntil(lambda: (19, 2) in source.scanned)
    session.cancel_scan()
    source.held[20].set()
    bench.settle()
    progress = session.findings.progress
    assert not progress.running
    assert 0 < progress.n_scanned < 400
    assert session.findings.diagnosis.n_frames > 0
    session.start_scan()
    bench.settle()
    assert session.findings.progress.is_complete
    assert sorted(set(source.scanned)) == sorted(source.scanned)  # nothing was examined twice


def test_a_damaged_frame_is_passed_over_and_said(make_bench):
    bench = make_bench()
    bench.source.broken.add(20)
    bench.session.open("fake.h5")
    bench.settle()
    assert bench.session.findings.progress.is_complete
    assert bench.session.findings.history.n_scanned == 49
    assert "fake.h5: frame 20 is damaged; the others are not" in bench.said


FLAGS = (
    make_flag(20, 1, 0),
    make_flag(20, 2, 1),
    make_flag(30, 2, 2),
    make_flag(40, 0, 0, caused_by=0),
)


def test_flags_are_walked_in_the_order_of_their_onset(make_bench):
    session = make_bench(flags=FLAGS).session
    walked = []
    for _ in range(4):
        session.next_flag()
        walked.append((session.state.frame, session.state.head))
    assert walked == [
        (20, HeadRef(1, 0)),
        (20, HeadRef(2, 1)),
        (30, HeadRef(2, 2)),
        (30, HeadRef(2, 2)),  # the last: what only follows from another is not visited
    ]
    session.previous_flag()
    assert (session.state.frame, session.state.head) == (20, HeadRef(2, 1))
    assert session.findings.flag == FLAGS[1]


def test_flags_of_one_head_can_be_walked(make_bench):
    session = make_bench(flags=FLAGS).session
    session.select_head(HeadRef(2, 2))
    session.next_flag(of_this_head=True)
    assert session.state.frame == 30


def test_walking_from_between_two_flags(make_bench):
    session = make_bench(flags=FLAGS).session
    session.go_to_frame(25)
    session.previous_flag()
    assert session.state.frame == 20
    session.go_to_frame(25)
    session.next_flag()
    assert session.state.frame == 30


def test_a_flag_that_begins_where_the_view_stands_is_visited_first(make_bench):
    session = make_bench(flags=(make_flag(0, 1, 3), make_flag(5, 0, 0))).session
    session.next_flag()
    assert (session.state.frame, session.state.head) == (0, HeadRef(1, 3))
    session.next_flag()
    assert session.state.frame == 5


def test_a_run_without_flags_says_so(make_bench):
    bench = make_bench()
    bench.session.next_flag()
    assert bench.hints == ["no flag of warning or louder"]


def test_growth_is_examined_too(make_bench, qtbot):
    bench = make_bench(10, ended="writing")
    run = bench.session.run
    bench.source.grown.append(replace(run, steps=np.arange(14) * 100, streams=("train",) * 14))
    bench.session.follow(True)
    qtbot.waitUntil(lambda: bench.session.findings.history.n_scanned == 14)
    assert bench.session.findings.history.values["peak"][13, 0, 0] == 13


def test_a_history_beyond_its_budget_is_unknown_not_zero():
    run = make_run(10)
    log = HistoryLog(run, budget=1)
    assert np.isnan(log.history(1).values["entropy"]).all()
    assert set(log.history(1).values) == set(SUMMARY_NAMES)
    assert log.history(1).n_scanned == 0


@pytest.mark.parametrize("sample", [0, 1])
def test_histories_are_copies_that_cannot_be_written(make_bench, sample):
    bench = make_bench()
    bench.session.show_sample(sample)
    bench.settle()
    with pytest.raises(ValueError, match="read-only"):
        bench.session.findings.history.values["entropy"][0, 0, 0] = 1


def test_a_live_file_is_not_looked_at_anew_in_the_middle_of_a_frame(make_bench, monkeypatch, qtbot):
    monkeypatch.setattr("attn_debugger.session.wishes.QUIET_SECONDS", 0.0)
    monkeypatch.setattr("attn_debugger.session.session.FOLLOW_SECONDS", 0.001)
    bench = make_bench(60, ended="writing")
    source, session = bench.source, bench.session
    layers_at_refresh = []
    refresh = source.refresh

    def watched_refresh() -> bool:
        layers_at_refresh.append(len(source.scanned) % 3)
        return refresh()

    source.refresh = watched_refresh
    source.scanned.clear()
    session.run_opened.connect(lambda _run: session.follow(True))
    session.open("fake.h5")
    qtbot.waitUntil(lambda: (59, 2) in source.scanned, timeout=20_000)
    assert len(layers_at_refresh) > 2
    assert set(layers_at_refresh) == {0}  # frames have three layers


def test_a_checkpoint_speaks_in_the_examination_at_once(make_bench):
    bench = make_bench()
    told = []
    bench.session.findings.diagnosis_changed.connect(told.append)
    model = object()
    bench.session.attach_model(model)
    bench.settle()
    assert bench.session._worker._run.examining._scan._examiner.model is model
    assert len(told) == 1
