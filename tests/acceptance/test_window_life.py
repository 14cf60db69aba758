"""Acceptance 20 and 25: a scan that can be cancelled, a layout that comes back, a guard on Qt."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from attn_debugger.analysis.examination import Examination
from attn_debugger.display import refuse_broken_qt
from attn_debugger.errors import UsageError


class SlowExamination(Examination):
    """Takes its time with every layer, as a long run would."""

    n_seen = 0

    def observe(self, frame):
        time.sleep(0.01)
        SlowExamination.n_seen += 1
        return super().observe(frame)


def test_escape_cancels_a_long_check_and_keeps_what_was_found(
    run_file, open_window, qtbot, monkeypatch
):
    monkeypatch.setattr("attn_debugger.app.examine", SlowExamination)
    window = open_window(run_file("bad"))
    session = window.session
    qtbot.waitUntil(lambda: session.findings.progress.n_scanned > 3, timeout=30_000)
    assert window.status.work.startswith("checking ")
    assert window.status._cancel.isVisible()

    QTest.keyClick(window, Qt.Key.Key_Right)  # the window answers while the check runs
    assert session.state.frame == 1
    seen_before = SlowExamination.n_seen
    QTest.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not session.findings.progress.running, timeout=5000)
    assert SlowExamination.n_seen <= seen_before + 12  # a frame at most, not the rest of the run
    progress = session.findings.progress
    assert 3 < progress.n_scanned < 50
    assert session.findings.history.n_scanned >= progress.n_scanned
    assert "checking" not in window.status.work  # overviews may go on being made
    assert f"{progress.n_scanned} of 50 steps checked" in window.health.health.text

    window.actions_by_name["check"].trigger()
    qtbot.waitUntil(
        lambda: session.findings.progress.n_scanned > progress.n_scanned, timeout=30_000
    )


def test_docks_come_back_after_a_restart(run_file, open_window):
    window = open_window(run_file("ok"), fresh=False)
    assert not window.docks["flags"].isHidden()
    window.actions_by_name["toggle_flags"].trigger()
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, window.docks["plots"])
    window.close()
    again = open_window(run_file("ok"), fresh=False)
    assert again.docks["flags"].isHidden()
    assert again.dockWidgetArea(again.docks["plots"]) == Qt.DockWidgetArea.LeftDockWidgetArea
    again.actions_by_name["reset_layout"].trigger()
    assert not again.docks["flags"].isHidden()
    assert again.dockWidgetArea(again.docks["plots"]) != Qt.DockWidgetArea.LeftDockWidgetArea


def test_fresh_ignores_and_keeps_no_settings(run_file, open_window):
    window = open_window(run_file("ok"), fresh=False)
    window.actions_by_name["toggle_flags"].trigger()
    window.close()
    fresh = open_window(run_file("ok"), fresh=True)
    assert not fresh.docks["flags"].isHidden()
    fresh.actions_by_name["toggle_plots"].trigger()
    fresh.close()
    third = open_window(run_file("ok"), fresh=False)
    assert third.docks["flags"].isHidden()
    assert not third.docks["plots"].isHidden()


def test_a_run_is_opened_again_where_it_was_left(run_file, open_window):
    window = open_window(run_file("ok"), fresh=False)
    window.session.go_to_frame(17)
    window.session.move_head(3, 2)
    window.close()
    again = open_window(run_file("ok"), fresh=False)
    assert again.session.state.frame == 17
    assert again.session.state.head == (3, 2)


@pytest.mark.parametrize(
    ("version", "python"), [("6.12.0", (3, 11)), ("6.10.1", (3, 13)), ("6.13.0", (3, 11))]
)
def test_a_qt_that_would_abort_is_refused_in_a_sentence(version, python):
    with pytest.raises(UsageError, match=r"crashes on Python .*pip install"):
        refuse_broken_qt(version, python)


@pytest.mark.parametrize(
    ("version", "python"), [("6.11.3", (3, 11)), ("6.12.0", (3, 12)), ("6.8.3", (3, 11))]
)
def test_a_qt_that_works_is_let_through(version, python):
    refuse_broken_qt(version, python)
