"""The strip of heads: which pixel shows what, and what is unknown or broken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_timeline_axis import run_of

from attn_debugger.core.flags import Diagnosis, Flag, Severity
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import SUMMARY_NAMES, History
from attn_debugger.core.run import LayerFacts, LayerInfo
from attn_debugger.ui.timeline.axis import TimelineAxis, make_axis
from attn_debugger.ui.timeline.columns import CROWDED, columns, reduce_frames
from attn_debugger.ui.timeline.raster import (
    NONFINITE,
    UNKNOWN,
    head_rows,
    metric_codes,
    severity_by_column,
    severity_by_head,
)


def layers(*heads: int) -> tuple[LayerInfo, ...]:
    return tuple(
        LayerInfo(
            index=index,
            facts=LayerFacts(),
            n_samples=1,
            n_heads=n,
            n_queries=4,
            n_keys=4,
            storage="float32",
            maps=frozenset({"weights"}),
            stats=frozenset(),
        )
        for index, n in enumerate(heads)
    )


def history(n_frames: int, n_layers: int, n_heads: int, **known: np.ndarray) -> History:
    shape = (n_frames, n_layers, n_heads)
    values = {name: np.full(shape, np.nan, np.float32) for name in SUMMARY_NAMES}
    return History(values=values | known, scanned=np.ones(n_frames, bool))


def flag(first: int, last: int, layer: int, *heads: int, severity=Severity.WARNING) -> Flag:
    return Flag(
        signal="nan_weights",
        severity=severity,
        layer=layer,
        heads=heads,
        first_step=first,
        last_step=last,
        first_frame=first,
        last_frame=last,
        message="",
    )


def axis_of(steps, width=100.0):
    run = run_of(steps)
    return make_axis(run, np.arange(len(steps)), "step", 0.0, width)


def test_frames_reach_half_way_to_their_neighbours():
    where = columns(axis_of([0, 10, 20]), 20)
    shown = [where.order[a] if b > a else -1 for a, b in zip(where.starts, where.ends, strict=True)]
    assert shown == [0] * 5 + [1] * 10 + [2] * 5


def test_gaps_stay_empty():
    where = columns(axis_of([0, 1, 2, 3, 97, 98, 99]), 100)
    filled = where.ends > where.starts
    assert filled[:4].all()
    assert not filled[10:90].any()
    assert filled[-3:].all()


def test_many_frames_in_one_pixel_show_their_worst():
    where = columns(axis_of(range(1000)), 10)
    severity = np.full((1000, 1), -1, np.int8)
    severity[437] = 3
    assert (
        reduce_frames(np.maximum, severity, where, -1)[:, 0].tolist() == [-1] * 4 + [3] + [-1] * 5
    )


def test_every_frame_is_in_exactly_one_pixel_when_there_are_many():
    where = columns(axis_of(range(1000)), 10)
    assert where.starts[0] == 0
    assert where.ends[-1] == 1000
    assert (where.starts[1:] == where.ends[:-1]).all()


def test_codes_tell_low_high_unknown_and_broken_apart():
    rows = [HeadRef(0, 0), HeadRef(0, 1)]
    peak = np.array([[[0.0, np.nan]], [[0.5, np.nan]], [[1.0, 0.25]]], np.float32)
    bad = np.zeros((3, 1, 2), np.float32)
    bad[2, 0, 1] = 7
    codes = metric_codes(
        history(3, 1, 2, peak=peak, nonfinite=bad), "peak", rows, columns(axis_of([0, 1, 2]), 4)
    )
    assert codes[0].tolist() == [0, 126, 126, 253]
    assert codes[1].tolist() == [UNKNOWN, UNKNOWN, UNKNOWN, NONFINITE]


def test_entropy_shows_the_lowest_and_peak_the_highest_of_a_pixel():
    values = np.full((100, 1, 1), 0.5, np.float32)
    values[33], values[66] = 0.1, 0.9
    known = history(100, 1, 1, peak=values, entropy_normalised=values)
    where = columns(axis_of(range(100)), 10)
    peak = metric_codes(known, "peak", [HeadRef(0, 0)], where)[0]
    entropy = metric_codes(known, "entropy_normalised", [HeadRef(0, 0)], where)[0]
    assert peak.max() == round(0.9 * 253)
    assert peak.argmax() == 6
    assert entropy.min() == round(0.1 * 253)
    assert entropy.argmin() == 3


def test_severity_of_frames_and_heads():
    run = replace(run_of(range(6)), layers=layers(2, 3))
    diagnosis = Diagnosis(
        flags=(
            flag(1, 2, 0, 1),
            flag(2, 4, 1, severity=Severity.CRITICAL),
            flag(0, 5, 0, 0, severity=Severity.LABEL),
        )
    )
    where = columns(axis_of(range(6)), 6)
    assert severity_by_column(diagnosis, where).tolist() == [-1, 2, 3, 3, 3, -1]
    rows = head_rows(run)
    assert rows == [HeadRef(0, 0), HeadRef(0, 1), HeadRef(1, 0), HeadRef(1, 1), HeadRef(1, 2)]
    by_head = severity_by_head(run, diagnosis, rows, where)
    assert by_head[0].tolist() == [-1] * 6  # a label is no problem
    assert by_head[1].tolist() == [-1, 2, 2, -1, -1, -1]
    assert (by_head[2:] == [-1, -1, 3, 3, 3, -1]).all()  # a flag of a layer concerns its heads


@pytest.mark.parametrize("n_columns", [1, 3, 50])
def test_no_frames_no_columns(n_columns):
    nothing = TimelineAxis(np.empty(0, np.int64), np.empty(0), 0.0, 1.0, 0.0, 10.0)
    where = columns(nothing, n_columns)
    assert not (where.ends > where.starts).any()


def test_a_run_that_has_grown_since_shows_the_new_frames_as_unknown():
    where = columns(axis_of(range(6)), 6)
    codes = metric_codes(
        history(4, 1, 1, peak=np.ones((4, 1, 1), np.float32)), "peak", [HeadRef(0, 0)], where
    )
    assert codes[0].tolist() == [253, 253, 253, 253, UNKNOWN, UNKNOWN]


def reduced_frame_by_frame(ufunc, values, where, empty):
    result = np.full((len(where.starts), values.shape[1]), empty, values.dtype)
    for column, (start, end) in enumerate(zip(where.starts, where.ends, strict=True)):
        frames = [frame for frame in where.order[start:end] if frame < len(values)]
        if frames:
            result[column] = ufunc.reduce(values[frames], axis=0)
    return result


@pytest.mark.parametrize("n_known", [0, 1, 300, 400])
@pytest.mark.parametrize("order", ["in order", "in turns", "crowded"])
def test_reducing_all_columns_at_once_is_reducing_each(order, n_known):
    rng = np.random.default_rng(3)
    steps = {
        "in order": np.sort(rng.integers(0, 3000, 400)),
        "in turns": rng.permutation(400),
        "crowded": np.concatenate([np.arange(3 * CROWDED) / 1000, np.linspace(5, 90, 208)]),
    }[order]
    where = columns(axis_of(np.asarray(steps, np.float64)), 70)
    values = rng.normal(size=(n_known, 5)).astype(np.float32)
    values[rng.random(values.shape) < 0.2] = np.nan
    for ufunc in (np.fmin, np.fmax):
        expected = reduced_frame_by_frame(ufunc, values, where, np.nan)
        np.testing.assert_array_equal(reduce_frames(ufunc, values, where, np.nan), expected)


@pytest.mark.parametrize("in_turns", [False, True])
def test_the_columns_that_show_some_frames(in_turns):
    steps = np.random.default_rng(5).permutation(200) if in_turns else np.arange(200)
    where = columns(axis_of(steps), 31)
    assert where.ascends is not in_turns
    for first, last in [(0, 0), (17, 40), (199, 199), (0, 199), (5, 4)]:
        expected = [
            any(first <= frame <= last for frame in where.order[start:end])
            for start, end in zip(where.starts, where.ends, strict=True)
        ]
        assert where.showing(first, last).tolist() == expected
