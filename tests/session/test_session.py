"""The session over a fake source: one state, newest request first, nothing on the GUI thread."""

from __future__ import annotations

from dataclasses import replace
from threading import Event, get_ident

import numpy as np
import pytest

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.view_state import Look
from attn_debugger.session.places import Place


def test_opening_shows_the_first_frame_and_its_first_head(make_bench):
    bench = make_bench()
    assert bench.session.state.frame == 0
    assert bench.session.state.head == HeadRef(0, 0)
    assert bench.grids == [0]
    assert bench.source.heads == [HeadRef(0, 0)]


def test_fifty_requests_while_the_disk_is_blocked_show_only_the_last(make_bench):
    bench = make_bench()
    bench.grids.clear()
    bench.source.gate.clear()
    bench.source.reading.clear()
    bench.session.go_to_frame(20)
    assert bench.source.reading.wait(5)
    for frame in range(21, 50):
        bench.session.go_to_frame(frame)
    bench.source.gate.set()
    bench.settle()
    assert bench.grids == [49]


def test_a_slow_disk_still_shows_where_a_drag_is(make_bench, monkeypatch, qtbot):
    bench = make_bench()
    bench.grids.clear()
    monkeypatch.setattr("attn_debugger.session.reading.STANDSTILL_SECONDS", 0.0)
    bench.source.held = {20: Event(), 30: Event()}
    bench.source.reading.clear()
    bench.session.go_to_frame(20)
    assert bench.source.reading.wait(5)
    bench.session.go_to_frame(30)
    bench.source.held[20].set()
    qtbot.waitUntil(lambda: bench.grids == [20])
    bench.source.held[30].set()
    bench.settle()
    assert bench.grids == [20, 30]


def test_the_gui_thread_never_touches_the_source_except_its_index(make_bench):
    bench = make_bench()
    bench.session.go_to_end()
    bench.session.move_head(1, 1)
    bench.settle()
    assert get_ident() not in bench.source.threads


def test_a_frame_that_cannot_be_read_is_said_and_shown_as_unknown(make_bench):
    bench = make_bench()
    shown = []
    bench.session.reading.grid_ready.connect(shown.append)
    bench.source.broken.add(30)
    bench.session.go_to_frame(30)
    bench.settle()
    assert bench.failures[0] == "fake.h5: frame 30 is damaged; the others are not"
    assert not shown[-1].known.any()
    assert "damaged" in shown[-1].note
    bench.session.go_to_frame(8)
    bench.settle()
    assert shown[-1].known.all()


def test_stepping_stops_at_the_ends_and_moves_as_the_keys_say(make_bench):
    session = make_bench().session
    session.step_by(1)
    assert session.state.frame == 1
    session.step_by(10)
    assert session.state.frame == 11
    session.go_to_end()
    assert session.state.frame == 49
    session.step_by(1)
    assert session.state.frame == 49
    session.step_far(-1)
    assert session.state.frame == 44  # a tenth of 50 frames
    session.go_to_start()
    session.step_by(-1)
    assert session.state.frame == 0


def test_each_change_is_emitted_once_and_only_when_something_changed(make_bench):
    session = make_bench().session
    frames = []
    session.frame_changed.connect(frames.append)
    session.go_to_frame(5)
    session.go_to_frame(5)
    session.jump(6, HeadRef(1, 1), (2, 3))
    assert frames == [5, 6]
    assert session.state.cell == (2, 3)
    session.select_head(HeadRef(1, 2))
    assert session.state.cell is None


def test_a_step_that_was_not_recorded_shows_the_nearest_and_says_so(make_bench):
    bench = make_bench()
    bench.session.go_to_step(3050)
    assert bench.session.step == 3000
    assert bench.said == ["step 3050 not recorded, showing 3000"]


@pytest.mark.parametrize(
    ("text", "frame", "head"),
    [("1200", 12, HeadRef(0, 0)), ("L1H2", 0, HeadRef(1, 2)), ("1200 l2.h3", 12, HeadRef(2, 3))],
)
def test_typed_places(make_bench, text, frame, head):
    session = make_bench().session
    session.go_to_typed(text)
    assert (session.state.frame, session.state.head) == (frame, head)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("L99", "there is no layer 99: layers are 0 to 2"),
        ("L1H9", "layer 1 has no head 9: heads are 0 to 3"),
        ("later", "“later” is neither a step nor a head: type 1200, L4H7 or 1200 L4H7"),
    ],
)
def test_typed_places_that_do_not_exist_are_said(make_bench, text, sentence):
    bench = make_bench()
    bench.session.go_to_typed(text)
    assert bench.failures == [sentence]
    assert bench.session.state.frame == 0


def test_opening_at_a_place(make_bench):
    bench = make_bench()
    bench.session.open("fake.h5", Place(step=1250, layer=2, head=1, sample=1))
    bench.settle()
    assert bench.session.state.frame == 12
    assert bench.session.state.head == HeadRef(2, 1)
    assert bench.session.state.sample == 1
    assert bench.said == ["step 1250 not recorded, showing 1200"]


def test_a_run_that_cannot_be_opened_leaves_the_open_one(make_bench):
    bench = make_bench()
    bench.session.go_to_frame(9)
    bench.settle()
    failures = []
    bench.session.open_failed.connect(lambda path, sentence: failures.append((path, sentence)))
    bench.session.open("missing.h5")
    bench.settle()
    assert failures == [("missing.h5", "missing.h5: there is no such file; check the path")]
    assert not bench.source.is_closed
    bench.session.go_to_frame(10)
    bench.settle()
    assert bench.grids[-1] == 10


def test_a_run_that_vanished_before_its_reload_is_closed(make_bench):
    bench = make_bench()
    told = []
    bench.session.run_closed.connect(lambda: told.append("closed"))
    bench.session.open_failed.connect(lambda path, sentence: told.append(sentence))
    bench.missing.add("fake.h5")
    bench.session.reload()
    bench.settle()
    assert told == ["closed", "fake.h5: there is no such file; check the path"]
    assert bench.session.run is None


def test_a_reload_returns_to_the_same_place(make_bench):
    bench = make_bench()
    bench.session.jump(17, HeadRef(2, 3))
    bench.session.reload()
    bench.settle()
    assert (bench.session.state.frame, bench.session.state.head) == (17, HeadRef(2, 3))


def test_closing_forgets_everything(make_bench):
    bench = make_bench()
    closed = []
    bench.session.run_closed.connect(lambda: closed.append(True))
    bench.session.close_run()
    bench.settle()
    assert closed == [True]
    assert bench.session.run is None
    assert bench.source.is_closed
    bench.session.step_by(1)  # nothing to step through, nothing happens
    assert bench.session.state.frame == 0


def test_stepping_stays_in_the_chosen_stream(make_bench):
    bench = make_bench(6, streams=("train", "probe") * 3)
    session = bench.session
    session.show_stream("probe")
    assert session.state.frame == 1
    session.step_by(1)
    assert session.state.frame == 3
    session.go_to_end()
    assert session.state.frame == 5
    session.show_stream("val")
    assert bench.failures == ["this run has no stream “val”"]
    assert session.state.stream == "probe"


def test_playing_advances_by_time_and_stops_at_the_end(make_bench):
    session = make_bench().session
    session.go_to_frame(40)
    session.play()
    session.wait_until_idle()
    session._playback.pass_time(0.25)
    assert session.state.frame == 41
    session.wait_until_idle()
    session.set_speed(4.0)
    session._playback.pass_time(0.25)
    assert session.state.frame == 46
    session.wait_until_idle()
    session._playback.pass_time(1.0)
    assert session.state.frame == 49
    session.wait_until_idle()
    session._playback.pass_time(1.0)
    assert not session.state.playing


def test_playing_waits_for_a_slow_frame_and_then_passes_frames_over(make_bench):
    bench = make_bench()
    session = bench.session
    session.play()
    bench.source.gate.clear()
    session._playback.pass_time(0.2)
    assert session.state.frame == 1
    session._playback.pass_time(0.4)
    assert session.state.frame == 1  # frame 1 is not on screen yet
    bench.source.gate.set()
    bench.settle()
    session._playback.pass_time(0.2)
    assert session.state.frame == 4


def test_a_loop_starts_over(make_bench):
    session = make_bench().session
    session.set_loop((12, 10))
    session.play()
    assert session.state.frame == 10
    for expected in (11, 12, 10):
        session.wait_until_idle()
        session._playback.pass_time(0.2)
        assert session.state.frame == expected


def test_looks_can_be_undone_and_redone(make_bench):
    session = make_bench().session
    session.set_look(Look(grid_scale="linear"))
    session.set_look(Look(grid_scale="linear", range_mode="head"))
    session.undo()
    session.undo()
    session.undo()
    assert session.state.look == Look()
    session.redo()
    assert session.state.look == Look(grid_scale="linear")


def test_back_and_forward_through_jumps(make_bench):
    session = make_bench().session
    session.jump(10, HeadRef(1, 1), (2, 2))
    session.jump(20, HeadRef(2, 0))
    session.go_back()
    assert (session.state.frame, session.state.head, session.state.cell) == (
        10,
        HeadRef(1, 1),
        (2, 2),
    )
    session.go_back()
    assert session.state.frame == 0
    session.go_forward()
    session.go_forward()
    assert (session.state.frame, session.state.head) == (20, HeadRef(2, 0))


def test_heads_move_within_the_model(make_bench):
    session = make_bench().session
    session.move_head(1, 0)
    session.move_head(0, 1)
    assert session.state.head == HeadRef(1, 1)
    session.move_head(5, 9)
    assert session.state.head == HeadRef(2, 3)
    session.move_head(-9, -9)
    assert session.state.head == HeadRef(0, 0)


def test_samples_are_clamped_and_read_anew(make_bench):
    bench = make_bench()
    bench.session.show_sample(7)
    bench.settle()
    assert bench.session.state.sample == 1
    assert bench.grids == [0, 0]


def test_prefetch_goes_in_the_direction_of_motion(make_bench):
    bench = make_bench()
    bench.session.go_to_frame(30)
    bench.settle()
    bench.source.grids.clear()
    bench.session.go_to_frame(29)
    bench.settle()
    assert bench.source.grids == list(range(29, 20, -1))
    bench.session.go_to_frame(25)
    bench.settle()
    assert 25 not in bench.source.grids[9:]  # it was there already


def test_twenty_thousand_changes_survive(make_bench):
    """PySide6 6.12 on Python 3.11 drops a reference to True at every emit and aborts."""
    session = make_bench().session
    seen = []
    session.frame_changed.connect(seen.append)
    for n in range(20_000):
        session.go_to_frame(1 + n % 2)
    assert len(seen) == 20_000
    assert session.wait_until_idle()


def test_growth_follows_only_who_follows(make_bench, qtbot):
    bench = make_bench(10, ended="writing")
    session, run = bench.session, bench.session.run
    unseen = []
    session.unseen_changed.connect(unseen.append)
    grown = replace(run, steps=np.arange(12) * 100, streams=("train",) * 12)
    session.follow(True)
    assert session.state.frame == 9
    bench.settle()
    bench.source.grown.append(grown)
    qtbot.waitUntil(lambda: session.run.n_frames == 12)
    assert session.state.frame == 11
    session.step_by(-1)
    assert not session.state.following
    bench.source.grown.append(replace(run, steps=np.arange(15) * 100, streams=("train",) * 15))
    qtbot.waitUntil(lambda: session.run.n_frames == 15)
    assert session.state.frame == 10
    assert unseen == [3]
    session.go_to_end()
    assert unseen == [3, 0]


@pytest.mark.parametrize("follows", [True, False])
def test_a_file_that_is_cut_while_it_is_open_leaves_the_view_inside(make_bench, qtbot, follows):
    bench = make_bench(20, ended="writing")
    session, run = bench.session, bench.session.run
    session.pin_frame(15)
    session.set_loop((3, 18))
    session.go_to_frame(19)
    session.follow(follows)
    seen = []
    session.run_grown.connect(lambda run: seen.append((run.n_frames, session.state.frame)))
    cut = replace(run, steps=np.arange(6) * 100, streams=("train",) * 6, ended="abrupt")
    bench.source.grown.append(cut)
    qtbot.waitUntil(lambda: session.run.n_frames == 6, timeout=10_000)
    bench.settle()
    assert seen == [(6, 5)]  # whoever is told of the run finds the view in it
    assert (session.state.pinned, session.state.loop) == (None, None)
    assert "6 of 20 steps are left" in bench.said[-1]
    assert bench.grids[-1] == 5
    session.go_to_end()
    assert session.state.frame == 5


def test_a_film_shows_the_steps_around_and_follows(make_bench):
    bench = make_bench()
    session = bench.session
    films = []
    session.reading.film_ready.connect(
        lambda frames, current: films.append(([f.frame_index for f in frames], current))
    )
    session.go_to_frame(20)
    bench.settle()
    assert films == []  # nobody wants it yet
    session.show_film(True)
    bench.settle()
    assert films == [(list(range(16, 25)), 20)]
    session.go_to_end()
    bench.settle()
    assert films[-1] == (list(range(41, 50)), 49)
    bench.source.broken.add(2)
    session.go_to_start()
    bench.settle()
    assert films[-1] == ([0, 1, 3, 4, 5, 6, 7, 8], 0)
    session.show_film(False)
    n_films = len(films)
    session.go_to_frame(30)
    bench.settle()
    assert len(films) == n_films


def test_the_thread_outlives_a_defect(make_bench):
    bench = make_bench()

    def defect() -> None:
        raise RuntimeError("surprise")

    bench.session._worker._command(defect)
    bench.settle()
    assert "RuntimeError: surprise" in bench.failures[-1]
    bench.session.go_to_frame(5)
    bench.settle()
    assert bench.grids[-1] == 5
