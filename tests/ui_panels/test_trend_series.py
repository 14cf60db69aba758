"""The numbers behind the curves: NaN is a gap, infinity has no place, order of streams is kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from panel_values import HEAD, make_history, make_run

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.ui.plots.axes import log_ticks, step_text
from attn_debugger.ui.plots.curves import Curves, curves_of, value_text
from attn_debugger.ui.plots.quantities import DEFAULT_KEYS, Quantity, quantities
from attn_debugger.ui.plots.series import (
    head_curve,
    limits,
    nearest,
    segments,
    spread,
    stream_frames,
    stretches,
    thin_band,
    thin_line,
    visible,
)
from attn_debugger.ui.timeline.curve import curve_names

ALL = np.arange(50)


def quantity(key: str, run=None) -> Quantity:
    return next(one for one in quantities(run) if one.key == key)


@given(
    arrays(
        np.float32,
        (5, 2, 6),
        elements=st.floats(-1e6, 1e6, width=32) | st.just(np.float32(np.nan)),
    )
)
def test_the_band_agrees_with_numpys_quantiles(values: np.ndarray) -> None:
    history = History(values={"entropy": values}, scanned=np.ones(5, bool))
    band = spread(history, "entropy", 1)
    for curve, share in (
        (band.low, 0.0),
        (band.lower_quartile, 0.25),
        (band.median, 0.5),
        (band.upper_quartile, 0.75),
        (band.high, 1.0),
    ):
        for frame in range(5):
            known = values[frame, 1][np.isfinite(values[frame, 1])].astype(np.float64)
            if known.size:
                assert curve[frame] == pytest.approx(np.quantile(known, share), rel=1e-9, abs=1e-9)
            else:
                assert np.isnan(curve[frame])


def test_the_band_without_a_layer_is_that_of_the_model() -> None:
    history = make_history()
    assert spread(history, "entropy", None).low[0] == pytest.approx(4.0 - 1.1)
    assert spread(history, "entropy", None).high[0] == pytest.approx(4.0)


def test_infinity_does_not_stretch_the_band() -> None:
    values = np.array([[[1.0, np.inf, 2.0]]], np.float32)
    band = spread(History(values={"score_max": values}, scanned=np.ones(1, bool)), "score_max", 0)
    assert (band.low[0], band.high[0]) == (1.0, 2.0)


def test_unknown_heads_and_names_are_gaps() -> None:
    history = make_history()
    assert np.isnan(head_curve(history, "entropy", HeadRef(99, 0))).all()
    assert np.isnan(head_curve(history, "nothing", HEAD)).all()
    assert np.isnan(spread(history, "entropy", 99).median).all()


@given(st.lists(st.floats(0, 1) | st.just(float("nan")), max_size=30))
def test_segments_cover_exactly_what_is_finite(values: list[float]) -> None:
    array = np.array(values, dtype=np.float64)
    covered = np.zeros(len(array), bool)
    for first, stop in segments(array):
        assert stop > first
        covered[first:stop] = True
    assert (covered == np.isfinite(array)).all()


@given(st.lists(st.floats(-1e3, 1e3) | st.just(float("nan")), max_size=300), st.integers(3, 60))
def test_a_thinned_curve_keeps_its_extremes_and_its_gaps(values: list[float], most: int) -> None:
    y = np.array(values, dtype=np.float64)
    x = np.arange(len(y), dtype=np.float64)
    thin_x, thin_y = thin_line(x, y, most)
    assert len(thin_x) == len(thin_y) <= max(most + 3, 3)
    assert (np.diff(thin_x) > 0).all()
    if np.isfinite(y).any():
        assert np.nanmax(thin_y) == np.nanmax(y)
        assert np.nanmin(thin_y) == np.nanmin(y)
    assert np.isnan(thin_y).any() == np.isnan(y).any()


@given(st.lists(st.floats(-1e3, 1e3), max_size=300), st.integers(3, 60))
def test_a_thinned_band_covers_the_whole_one(values: list[float], most: int) -> None:
    low = np.array(values, dtype=np.float64)
    x = np.arange(len(low), dtype=np.float64)
    thin_x, thin_low, thin_high = thin_band(x, low, low + 1, most)
    assert len(thin_x) == len(thin_low) == len(thin_high) <= most
    if len(low):
        assert thin_low.min() == low.min()
        assert thin_high.max() == (low + 1).max()


def test_only_what_is_in_view_is_drawn_and_one_neighbour() -> None:
    x = np.arange(10.0)
    assert visible(x, 2.5, 4.5) == slice(2, 6)
    assert visible(x, -5, 50) == slice(0, 10)
    assert visible(np.zeros(0), 0, 1) == slice(0, 0)


def test_stretches() -> None:
    assert stretches(np.array([True, True, False, True])) == [(0, 1), (3, 3)]
    assert stretches(np.zeros(3, bool)) == []


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=20, unique=True), st.floats(-50, 1050))
def test_nearest_is_nearest(steps: list[int], step: float) -> None:
    ordered = np.array(sorted(steps), dtype=np.float64)
    found = nearest(ordered, step)
    assert abs(ordered[found] - step) == np.abs(ordered - step).min()


def test_curves_run_through_one_stream_only() -> None:
    run = make_run(6, streams=("train", "probe") * 3)
    assert stream_frames(run, 1).tolist() == [1, 3, 5]
    assert stream_frames(run, 4).tolist() == [0, 2, 4]
    assert stream_frames(make_run(0, streams=()), 0).tolist() == []


def test_limits_leave_air_and_know_nothing_of_nan() -> None:
    assert limits(np.array([np.nan])) is None
    low, high = limits(np.array([1.0, np.nan, 3.0]))
    assert low < 1.0
    assert high > 3.0
    low, high = limits(np.array([0.5]))
    assert low < 0.5 < high


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (950, "950"), (12_500, "12.5k"), (1.2e6, "1.2M")]
)
def test_steps_are_written_briefly(value: float, text: str) -> None:
    assert step_text(value) == text


@pytest.mark.parametrize(
    ("low", "high", "most", "values"),
    [
        (-2.2, -0.9, 6, [0.01, 0.02, 0.05, 0.1]),
        (-2.2, -0.9, 3, [0.01, 0.03, 0.1]),
        (-3.0, 3.0, 4, [0.01, 1, 100]),
        (0.1, 0.2, 5, []),
    ],
)
def test_logarithmic_ticks_are_round_and_few(
    low: float, high: float, most: int, values: list[float]
) -> None:
    ticks = log_ticks(low, high, most)
    assert len(ticks) <= most
    assert [10**tick for tick in ticks] == pytest.approx(values)


# From a history to one plot


def test_the_head_stands_against_its_layer() -> None:
    curves = curves_of(quantity("entropy"), make_run(), make_history(), HEAD, ALL)
    assert curves.message == ""
    assert curves.lines[0][0] == pytest.approx(4.0 - 0.7)
    assert curves.bands[0].high[0] == pytest.approx(4.0)
    assert curves.steps[-1] == 4900


@pytest.mark.parametrize(
    ("key", "head", "history", "message"),
    [
        ("score", HEAD, make_history(), "scores not recorded"),
        ("loss", HEAD, make_history(), "loss not logged"),
        ("entropy", HEAD, None, "not scanned yet"),
        ("entropy", HEAD, make_history(scanned=0), "not scanned yet"),
        ("score", HEAD, make_history(scanned=3), "not known so far"),
    ],
)
def test_an_empty_plot_says_why(
    key: str, head: HeadRef, history: History | None, message: str
) -> None:
    assert curves_of(quantity(key), make_run(), history, head, ALL).message == message


def test_all_nan_is_said_and_is_not_called_unrecorded() -> None:
    history = make_history()
    history.values["entropy"][:] = np.nan
    history.values["nonfinite"][:] = 16
    curves = curves_of(quantity("entropy"), make_run(), history, HEAD, ALL)
    assert curves.message == "every value is NaN or infinite"


def test_frames_with_nan_rows_are_marked() -> None:
    history = make_history()
    history.values["entropy"][30:, 4, 7] = np.nan
    history.values["nonfinite"][30:, 4, 7] = 2
    curves = curves_of(quantity("entropy"), make_run(), history, HEAD, ALL)
    assert curves.nonfinite is not None
    assert np.flatnonzero(curves.nonfinite).tolist() == list(range(30, 50))
    assert np.isnan(curves.lines[0][30:]).all()


def test_what_was_not_scanned_is_marked() -> None:
    curves = curves_of(quantity("entropy"), make_run(), make_history(scanned=31), HEAD, ALL)
    assert curves.unknown is not None
    assert curves.unknown.sum() == 19


def test_a_history_shorter_than_a_growing_run_is_drawn_as_far_as_it_goes() -> None:
    curves = curves_of(quantity("entropy"), make_run(50), make_history(40), HEAD, ALL)
    assert len(curves.steps) == len(curves.lines[0]) == 40


def test_a_dense_curve_is_preferred_and_its_nan_is_an_event() -> None:
    dense = np.array([[0, 3.0], [1, 2.0], [2, np.nan]])
    run = make_run(2, curves={"loss": dense}, scalars={"loss": np.array([3.0, 9.0])})
    curves = curves_of(quantity("loss", run), run, None, None, np.arange(2))
    assert curves.steps.tolist() == [0, 1, 2]
    assert curves.nonfinite is not None
    assert curves.nonfinite.tolist() == [False, False, True]


def test_a_nan_at_a_frame_means_not_logged() -> None:
    run = make_run(3, scalars={"loss": np.array([3.0, np.nan, 2.0])})
    curves = curves_of(quantity("loss", run), run, None, None, np.arange(3))
    assert curves.nonfinite is not None
    assert not curves.nonfinite.any()


def test_everything_logged_can_be_plotted() -> None:
    run = make_run(2, scalars={"loss": np.ones(2), "my_metric": np.ones(2)})
    keys = [one.key for one in quantities(run)]
    assert set(DEFAULT_KEYS) <= set(keys)
    assert "my_metric" in keys
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("line", "nonfinite", "unknown", "text"),
    [
        (3.25, False, False, "3.25 nats"),
        (np.nan, True, False, "NaN"),
        (np.nan, False, False, "–"),
        (np.inf, True, False, "+inf"),
        (3.25, False, True, "not scanned"),
    ],
)
def test_a_read_out_tells_nan_unknown_and_unscanned_apart(
    line: float, nonfinite: bool, unknown: bool, text: str
) -> None:
    curves = Curves(
        steps=np.array([0.0, 100.0]),
        lines=(np.array([1.0, line]),),
        nonfinite=np.array([False, nonfinite]),
        unknown=np.array([False, unknown]),
    )
    assert value_text(curves, 90.0, "nats", with_step=False) == text
    assert value_text(curves, 90.0, "nats", with_step=True) == f"step 100: {text}"
    assert value_text(curves, None, "nats", with_step=True) == ""


def test_the_mean_weight_tells_its_true_meaning() -> None:
    mean = quantity("mean")
    assert "1/keys" in mean.title
    assert "flat line is healthy" in mean.meaning
    assert mean.reference == (0.01, 0.1)


def test_facts_of_frames_are_not_offered_as_curves() -> None:
    values = np.zeros(50)
    run = make_run(scalars={"loss": values, "training": values, "active_dropout": values})
    offered = [one.scalar for one in quantities(run) if one.scalar is not None]
    assert offered == ["loss"]
    assert curve_names(run) == ["loss"]


def test_what_the_loop_logged_under_such_a_name_is_offered() -> None:
    values = np.zeros(50)
    dense = np.stack([np.arange(50.0), values], 1)
    run = make_run(scalars={"loss": values, "training": values}, curves={"training": dense})
    assert set(curve_names(run)) == {"loss", "training"}
