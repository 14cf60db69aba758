"""The start page and its parts: what is offered, what is emitted, what is greyed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from panel_values import cut_off, show
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from attn_debugger.ui.start.demo_chooser import DemoChooser
from attn_debugger.ui.start.demo_list import DemoList
from attn_debugger.ui.start.how_to_record import RECORD_LINES
from attn_debugger.ui.start.job_progress import JobProgress
from attn_debugger.ui.start.recent import RecentEntry, RecentList
from attn_debugger.ui.start.row_button import RowButton
from attn_debugger.ui.start.start_page import StartPage
from attn_debugger.ui.theme import LIGHT, Theme

DEMOS = (
    ("healthy", "A healthy model", "learns its text; heads form before your eyes"),
    ("overflow-nan", "Scores overflow", "half precision and a rate far too high, until NaN"),
)
RECENT = (
    RecentEntry(path="/home/me/a-long-folder/another-long-folder/bad.h5", detail="50 steps"),
    RecentEntry(path="/gone/old.h5", exists=False),
)


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> Iterator[StartPage]:
    made = StartPage()
    qtbot.addWidget(made)
    made.set_theme(theme)
    made.show_demos(DEMOS)
    made.show_recent(RECENT)
    yield made
    made.close()


def row(parent: QWidget, title: str) -> RowButton:
    return next(one for one in parent.findChildren(RowButton) if one.title() == title)


def test_opening_and_the_sample(page: StartPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.open_requested):
        row(page, "Open a run…").click()
    with qtbot.waitSignal(page.sample_requested):
        row(page, "Open the sample run").click()
    with qtbot.waitSignal(page.help_requested) as caught:
        row(page, "A run is broken now, and nothing was recorded").click()
    assert caught.args == ["already-broken.md"]


def test_recent_runs_open_and_missing_ones_can_be_removed(page: StartPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.path_opened) as opened:
        row(page, "bad.h5").click()
    assert opened.args == [RECENT[0].path]
    gone = row(page, "old.h5")
    assert not gone.isEnabled()
    assert "not there any more" in gone.line()
    remove = next(b for b in page.findChildren(QToolButton) if "old.h5" in b.accessibleName())
    with qtbot.waitSignal(page.recent_removed) as removed:
        remove.click()
    assert removed.args == ["/gone/old.h5"]


def test_a_new_list_replaces_the_old_one(qtbot: QtBot) -> None:
    recent = RecentList()
    qtbot.addWidget(recent)
    recent.show_entries(RECENT)
    recent.show_entries(RECENT[:1])
    assert [one.title() for one in recent.rows()] == ["bad.h5"]
    recent.show_entries(())
    assert recent.rows() == ()


def test_demos_are_asked_for_by_name(page: StartPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.demo_requested) as caught:
        row(page, "Scores overflow").click()
    assert caught.args == ["overflow-nan"]


def test_keys_press_a_row(page: StartPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.demo_requested):
        QTest.keyClick(row(page, "A healthy model"), Qt.Key.Key_Space)


def test_a_running_job_shows_its_progress_and_can_be_cancelled(
    page: StartPage, qtbot: QtBot
) -> None:
    show(page, 1100, 760)
    page.show_progress(30, 120, "Training: step 30")
    progress = page.findChild(JobProgress)
    demos = page.findChild(DemoList)
    assert isinstance(progress, JobProgress)
    assert isinstance(demos, DemoList)
    assert progress.isVisible()
    assert progress.text() == "Training: step 30  ·  25 %"
    assert not demos.isEnabled()
    assert "running" in demos.toolTip()
    cancel = progress.findChild(QPushButton)
    assert isinstance(cancel, QPushButton)
    with qtbot.waitSignal(page.cancel_requested):
        cancel.click()
    page.end_progress()
    assert not progress.isVisible()
    assert demos.isEnabled()


def test_a_job_of_unknown_length_claims_no_share(qtbot: QtBot) -> None:
    progress = JobProgress()
    qtbot.addWidget(progress)
    progress.show_progress(0, 0, "Starting")
    assert progress.text() == "Starting"
    progress.close()


def test_the_recording_lines_are_six_and_are_python(page: StartPage) -> None:
    assert len(RECORD_LINES.strip().splitlines()) == 6
    compile(RECORD_LINES, "lines", "exec")
    copy = next(b for b in page.findChildren(QToolButton) if b.text() == "Copy")
    copy.click()
    assert QGuiApplication.clipboard().text() == RECORD_LINES


def test_the_chooser_emits_one_name_and_closes(qtbot: QtBot) -> None:
    chooser = DemoChooser(DEMOS, LIGHT)
    qtbot.addWidget(chooser)
    with qtbot.waitSignal(chooser.demo_requested) as caught:
        chooser.list.rows()[1].click()
    assert caught.args == ["overflow-nan"]
    assert chooser.result() == DemoChooser.DialogCode.Accepted


@pytest.mark.parametrize("width", [420, 1000, 1366])
def test_nothing_is_cut_off(page: StartPage, width: int) -> None:
    show(page, width, 760)
    assert page.width() == width
    assert cut_off(page) == []
    for button in page.findChildren(RowButton):
        assert button.height() >= button.heightForWidth(button.width())


def test_every_row_has_a_name(page: StartPage) -> None:
    for widget in page.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and isinstance(
            widget, (RowButton, QToolButton, QPushButton)
        ):
            assert widget.accessibleName() or widget.text()
