"""The axis and the curve: pure arithmetic between frames, values and pixels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_debugger.core.run import LayerFacts, Run
from attn_debugger.ui.timeline.axis import (
    distinct,
    gaps,
    has_times,
    make_axis,
    quantile,
    tick_text,
    ticks,
)
from attn_debugger.ui.timeline.curve import curve_names, curve_of, on_axis, polyline, value_range


def run_of(steps, **other) -> Run:
    steps = np.asarray(steps, np.int64)
    facts = {
        "times": None,
        "scalars": {},
        "curves": {},
        "streams": ("train",) * len(steps),
    }
    return Run(
        path="a.h5",
        version=1,
        steps=steps,
        layers=(),
        facts=LayerFacts(),
        attributes={},
        **(facts | other),
    )


def axis_of(steps, mode="step", width=1000.0, **other):
    run = run_of(steps, **other)
    return make_axis(run, np.arange(len(steps)), mode, 40.0, width)


def test_the_axis_runs_from_the_first_to_the_last_step():
    axis = axis_of([100, 200, 400])
    assert axis.x_of_frame(0) == 40
    assert axis.x_of_frame(2) == 1040
    assert axis.x_of_frame(1) == pytest.approx(40 + 1000 / 3)


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=60, unique=True))
def test_every_frame_is_under_its_own_pixel(steps):
    axis = axis_of(sorted(steps))
    for frame in range(len(steps)):
        assert axis.frame_at(axis.x_of_frame(frame)) == frame


@given(st.floats(0.2, 5.0), st.floats(40, 1040))
def test_zooming_keeps_what_is_under_the_pointer(factor, x):
    axis = axis_of(range(0, 100_000, 100)).zoomed(50.0, 500.0)
    zoomed = axis.zoomed(factor, x)
    if zoomed.low > 0 and zoomed.high < 99_900:
        assert zoomed.value_at(x) == pytest.approx(axis.value_at(x))


def test_zoom_and_pan_stay_inside_the_run():
    axis = axis_of(range(0, 1000, 10))
    assert not axis.zoomed(0.1, 500).is_zoomed
    near = axis.zoomed(10**9, 500)
    assert near.high - near.low == pytest.approx(40)
    assert near.panned(-(10**6)).high == 990
    assert near.panned(10**6).low == 0


def test_a_frame_out_of_sight_is_brought_into_it():
    axis = axis_of(range(0, 1000, 10)).zoomed(10, 40)
    assert axis.x_of_frame(99) > 1040
    moved = axis.revealing(99)
    assert 40 <= moved.x_of_frame(99) <= 1040
    assert moved.revealing(99) is moved


def test_only_the_frames_of_the_stream_can_be_reached():
    run = run_of([0, 0, 100, 100])
    axis = make_axis(run, np.array([1, 3]), "step", 0.0, 100.0)
    assert axis.frame_at(0.0) == 1
    assert axis.frame_at(90.0) == 3


def test_a_single_frame_has_an_axis_too():
    axis = axis_of([700])
    assert axis.frame_at(500) == 0
    assert 40 <= axis.x_of_frame(0) <= 1040


def test_wall_time_needs_all_times():
    times = np.array([5.0, 65.0, 3665.0])
    assert has_times(run_of([0, 1, 2], times=times))
    assert not has_times(run_of([0, 1, 2], times=np.array([5.0, np.nan, 7.0])))
    axis = axis_of([0, 1, 2], "time", times=times)
    assert axis.values.tolist() == [0, 60, 3660]
    assert tick_text(3660, "time") == "1:01:00"
    assert tick_text(75, "time") == "1:15"


def test_ticks_are_round_and_whole():
    assert ticks(0, 4900, 10) == [0, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500]
    assert ticks(0, 3, 10) == [0, 1, 2, 3]
    assert ticks(5, 5, 10) == []


def test_gaps_are_stretches_far_longer_than_usual():
    steps = np.array([0, 100, 200, 300, 5000, 5100, 5200], float)
    assert gaps(steps) == [(300, 5000)]
    assert gaps(np.arange(10.0)) == []


def test_the_loss_comes_first_and_the_dense_curve_wins():
    run = run_of(
        [0, 100],
        scalars={"loss": np.array([4.0, 2.0]), "a": np.array([1.0, np.nan])},
        curves={"loss": np.array([[0, 4.0], [50, 3.0], [100, 2.0]])},
    )
    assert curve_names(run) == ["loss", "a"]
    assert curve_of(run, "loss").values.tolist() == [4, 3, 2]
    assert curve_of(run, "a").values.tolist() == [1]  # NaN in a scalar: it was not logged


def test_a_curve_finds_its_place_on_every_axis():
    run = run_of([0, 100, 300], curves={"loss": np.array([[50, 1.0], [200, 2.0]])})
    curve = curve_of(run, "loss")
    assert on_axis(curve, run, "step").tolist() == [50, 200]
    assert on_axis(curve, run, "frame").tolist() == [0.5, 1.5]


def test_lines_break_where_a_value_is_not_finite():
    x = np.arange(6.0)
    values = np.array([1, 2, np.nan, 3, np.inf, 4])
    lines = polyline(x, values, 0.0, 5.0)
    assert [line[0].tolist() for line in lines] == [[0, 1], [3], [5]]


def test_long_curves_keep_their_extremes():
    x = np.linspace(0, 100, 50_000)
    values = np.zeros(50_000)
    values[31_234] = 9.0
    ((xs, thinned),) = polyline(x, values, 0.0, 100.0)
    assert len(xs) < 500
    assert thinned.max() == 9


def test_a_lone_spike_does_not_flatten_the_curve():
    values = np.concatenate([np.linspace(4, 2, 200), [500.0]])
    low, high = value_range(values)
    assert low == 2
    assert high < 10
    assert value_range(np.array([np.nan])) == (0.0, 1.0)


def test_values_and_quantiles_are_those_of_numpy():
    rng = np.random.default_rng(2)
    for n in (1, 2, 3, 50, 51):
        values = rng.integers(-9, 9, n).astype(np.float64)
        np.testing.assert_array_equal(distinct(values), np.unique(values))
        for share in (0.0, 0.5, 0.98, 1.0):
            assert quantile(values, share) == pytest.approx(np.quantile(values, share))
    assert distinct(np.empty(0)).tolist() == []
