"""A live run that has become silent says for how long; one that ended or grows again does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from session_doubles import make_run

from attn_debugger.session.silence import Silence, patience

NOW = 1_000_000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [NOW]
    monkeypatch.setattr("attn_debugger.session.silence.time.time", lambda: now[0])
    return now


@pytest.fixture
def silence(qapp: object, clock: list[float]) -> Silence:
    del clock
    return Silence()


def live_run(n_frames: int, seconds: float):
    times = NOW - seconds * np.arange(n_frames)[::-1]
    return make_run(n_frames, ended="writing", times=times)


def test_a_live_run_becomes_silent_and_speaks_again(silence: Silence, clock: list[float]) -> None:
    told: list[int] = []
    silence.changed.connect(told.append)
    run = live_run(10, 1.0)
    silence.show_run(run)
    clock[0] += 59
    silence.look()
    assert told == []
    clock[0] += 130
    silence.look()
    assert told == [3]
    times = np.append(run.times, clock[0])
    silence.show_run(replace(run, steps=np.arange(11), streams=("train",) * 11, times=times))
    assert told == [3, 0]


def test_steps_that_take_long_are_waited_for_longer(silence: Silence, clock: list[float]) -> None:
    run = live_run(10, 60.0)
    assert patience(run) == 600
    silence.show_run(run)
    clock[0] += 300
    silence.look()
    assert silence.minutes == 0


def test_an_archive_without_times_counts_from_when_it_grew(
    silence: Silence, clock: list[float]
) -> None:
    silence.show_run(make_run(5, ended="writing"))
    assert silence.minutes == 0
    clock[0] += 61
    silence.look()
    assert silence.minutes == 1


def test_a_run_that_ended_is_not_silent(silence: Silence, clock: list[float]) -> None:
    run = live_run(10, 1.0)
    silence.show_run(run)
    clock[0] += 100
    silence.look()
    assert silence.minutes == 1
    silence.show_run(replace(run, ended="abrupt"))
    assert silence.minutes == 0
    silence.show_run(None)
    assert silence.minutes == 0
