"""The timeline as a widget: what the mouse asks for, and what is drawn where."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from test_timeline_axis import run_of
from test_timeline_raster import flag, history, layers

from attn_debugger.core.flags import Diagnosis, Severity
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Checkpoint, Event
from attn_debugger.core.view_state import ViewState
from attn_debugger.ui.theme import LIGHT
from attn_debugger.ui.timeline.timeline import Timeline

N = 50


@pytest.fixture
def timeline(qtbot):
    widget = Timeline()
    qtbot.addWidget(widget)
    widget.resize(1000, 220)
    run = replace(
        run_of(np.arange(N) * 100, scalars={"loss": np.linspace(4, 1, N)}),
        layers=layers(2, 2),
        checkpoints=(Checkpoint(1500, "ckpt_1500.pt"),),
        events=(Event(700, "gap", "the queue was full: 3 frames dropped"),),
    )
    widget.show()
    widget.show_run(run, np.arange(N))
    widget.show_diagnosis(
        Diagnosis(flags=(flag(20, 49, 1, 1, severity=Severity.CRITICAL),)), n_scanned=N
    )
    values = np.zeros((N, 2, 2), np.float32)
    widget.show_history(history(N, 2, 2, entropy_normalised=values, peak=values))
    widget.show_state(ViewState(frame=10, head=HeadRef(1, 0)))
    QTest.qWait(150)
    return widget


def at(timeline, frame: int, lane: str = "curve") -> QPoint:
    box = getattr(timeline.track.lanes, lane)
    return QPoint(round(timeline.track.axis.x_of_frame(frame)), round(box.center().y()))


def test_a_drag_asks_for_the_newest_place_once_each_time_the_window_is_free(timeline):
    asked = []
    timeline.frame_requested.connect(asked.append)
    track = timeline.track
    QTest.mousePress(track, Qt.MouseButton.LeftButton, pos=at(timeline, 5))
    for frame in range(6, 40):
        QTest.mouseMove(track, at(timeline, frame))
    assert asked == []  # nothing is asked for while the mouse still moves
    QApplication.processEvents()
    QTest.mouseRelease(track, Qt.MouseButton.LeftButton, pos=at(timeline, 39))
    QTest.qWait(20)
    assert asked
    assert asked[-1] == 39
    assert len(asked) <= 3


def test_it_never_moves_its_own_cursor(timeline):
    QTest.mouseClick(timeline.track, Qt.MouseButton.LeftButton, pos=at(timeline, 30))
    QTest.qWait(20)
    assert timeline.track._frame == 10


def test_a_click_in_the_strip_also_selects_the_head(timeline):
    heads, frames = [], []
    timeline.head_requested.connect(heads.append)
    timeline.frame_requested.connect(frames.append)
    box = timeline.track.lanes.strip
    point = QPoint(at(timeline, 25).x(), round(box.top() + box.height() * 0.6))
    QTest.mouseClick(timeline.track, Qt.MouseButton.LeftButton, pos=point)
    QTest.qWait(20)
    assert heads == [HeadRef(1, 0)]
    assert frames == [25]


def test_shift_drag_chooses_a_loop_and_shift_click_ends_it(timeline):
    loops = []
    timeline.loop_requested.connect(loops.append)
    shift = Qt.KeyboardModifier.ShiftModifier
    track = timeline.track
    QTest.mousePress(track, Qt.MouseButton.LeftButton, shift, at(timeline, 30))
    QTest.mouseMove(track, at(timeline, 12))
    QTest.mouseRelease(track, Qt.MouseButton.LeftButton, shift, at(timeline, 12))
    assert loops[-1] == (12, 30)
    QTest.mouseClick(track, Qt.MouseButton.LeftButton, shift, at(timeline, 12))
    assert loops[-1] is None


def test_a_mark_leads_to_its_finding(timeline):
    found = []
    timeline.flag_activated.connect(found.append)
    QTest.mouseClick(timeline.track, Qt.MouseButton.LeftButton, pos=at(timeline, 20, "marks"))
    assert [one.first_frame for one in found] == [20]


def wheel(timeline, frame: int, notches: int) -> None:
    point = QPointF(at(timeline, frame))
    event = QWheelEvent(
        point,
        timeline.track.mapToGlobal(point),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(timeline.track, event)


def test_the_wheel_zooms_and_the_cursor_is_followed(timeline):
    wheel(timeline, 10, 8)
    assert timeline.track.axis.is_zoomed
    timeline.show_state(ViewState(frame=49))
    x = timeline.track.axis.x_of_frame(49)
    assert timeline.track.lanes.curve.left() <= x <= timeline.track.lanes.curve.right()
    timeline.fit()
    assert not timeline.track.axis.is_zoomed


def test_the_zoom_stays_while_a_run_grows(timeline):
    wheel(timeline, 10, 8)
    low = timeline.track.axis.low
    grown = replace(
        timeline.content.run,
        steps=np.arange(60) * 100,
        streams=("train",) * 60,
        scalars={"loss": np.linspace(4, 1, 60)},
    )
    timeline.show_run(grown, np.arange(60))
    assert timeline.track.axis.low == low
    assert len(timeline.track.axis.frames) == 60


def test_hover_texts_tell_findings_frames_checkpoints_and_events(timeline):
    track = timeline.track
    assert "step 700 (frame 8 of 50)" in track.words_at(QPointF(at(timeline, 7)))
    assert "loss" in track.words_at(QPointF(at(timeline, 7)))
    assert "the queue was full" in track.words_at(QPointF(at(timeline, 7)))
    bottom = QPointF(at(timeline, 15).x(), track.lanes.axis.top())
    assert track.words_at(bottom) == "checkpoint at step 1500: ckpt_1500.pt"
    assert "click to go there" in track.words_at(QPointF(at(timeline, 20, "marks")))
    assert "entropy" in track.words_at(QPointF(at(timeline, 7, "strip")))


def test_what_is_not_scanned_is_never_drawn_as_clean(timeline):
    timeline.show_diagnosis(Diagnosis(), n_scanned=25)
    QTest.qWait(150)
    picture = timeline.track.grab().toImage()
    y = round(timeline.track.lanes.severity.center().y())
    clean = QColor(LIGHT.tint(LIGHT.clean, 0.45)).rgb()
    colours = [picture.pixelColor(at(timeline, frame).x(), y).rgb() for frame in (5, 15, 30, 45)]
    assert colours[0] == colours[1] == clean
    assert colours[2] == colours[3] == QColor(LIGHT.border).rgb()


def test_typed_steps_and_choices_are_emitted(timeline):
    steps, speeds = [], []
    timeline.step_requested.connect(steps.append)
    timeline.speed_requested.connect(speeds.append)
    field = timeline.controls.step
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "1234")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert steps == [1234]
    timeline.controls.speed.setCurrentIndex(timeline.controls.speed.findData(4.0))
    timeline.controls.speed.activated.emit(timeline.controls.speed.currentIndex())
    assert speeds == [4.0]


def test_the_axis_of_time_is_offered_only_where_times_are_known(timeline):
    axis = timeline.controls.axis
    assert [axis.itemData(i) for i in range(axis.count())] == ["step", "frame"]


def test_a_closed_run_leaves_nothing(timeline):
    timeline.close_run()
    assert timeline.content is None
    QTest.mouseClick(timeline.track, Qt.MouseButton.LeftButton, pos=QPoint(300, 60))
    timeline.grab()


def painted_parts(timeline) -> dict[str, int]:
    """Return which picture each part of the timeline is, after what was put off is shown."""
    while timeline._repaint_timer.isActive():
        QTest.qWait(20)
    timeline.track.grab()
    return {name: kept[1].cacheKey() for name, kept in timeline.track.picture._kept.items()}


def changed_parts(timeline, before: dict[str, int]) -> set[str]:
    now = painted_parts(timeline)
    return {name for name in now if now[name] != before[name]}


def choose_strip(timeline, strip: str) -> None:
    timeline.controls.strip_chosen.emit(strip)


def test_only_what_changed_is_painted_anew(timeline):
    choose_strip(timeline, "severity")
    before = painted_parts(timeline)
    timeline.show_state(ViewState(frame=25, head=HeadRef(0, 1)))
    assert changed_parts(timeline, before) == set()

    found = Diagnosis(flags=(flag(20, 49, 1, 1, severity=Severity.CRITICAL), flag(5, 9, 0, 0)))
    timeline.show_diagnosis(found, n_scanned=N)
    assert changed_parts(timeline, before) == {"severity", "strip", "over"}

    before = painted_parts(timeline)
    timeline.show_diagnosis(replace(found), n_scanned=N - 1)
    assert changed_parts(timeline, before) == {"severity", "strip"}

    before = painted_parts(timeline)
    timeline.show_history(history(N, 2, 2))
    assert changed_parts(timeline, before) == set()  # the strip shows findings

    choose_strip(timeline, "peak")
    before = painted_parts(timeline)
    timeline.show_history(history(N, 2, 2, peak=np.ones((N, 2, 2), np.float32)))
    assert changed_parts(timeline, before) == {"strip"}

    before = painted_parts(timeline)
    wheel(timeline, 10, 3)
    assert changed_parts(timeline, before) == set(before)
