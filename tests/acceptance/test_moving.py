"""Acceptance 5, 6, 7, 12, 13: keys move the view, everywhere the same, and each means one thing."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.window.actions import ACTIONS, MENUS
from attn_debugger.ui.window.command_palette import CommandPalette
from attn_debugger.ui.window.shortcuts_sheet import sheet_html

SHIFT = Qt.KeyboardModifier.ShiftModifier


def test_step_keys(run_file, open_window):
    window = open_window(run_file("bad"))
    places = []
    for key, held in (
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Right, SHIFT),
        (Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier),
    ):
        QTest.keyClick(window, key, held)
        places.append(window.session.state.frame)
    assert places == [1, 11, 49, 0]


def test_holding_right_never_shows_a_step_that_was_overtaken(run_file, open_window, qtbot):
    window = open_window(run_file("bad"))
    shown = []
    window.session.reading.grid_ready.connect(
        lambda frame: shown.append((frame.frame_index, window.session.state.frame))
    )
    for _ in range(45):  # a held key repeats some 30 times a second
        QTest.keyPress(window, Qt.Key.Key_Right)
        QTest.qWait(33)
    QTest.keyRelease(window, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: not window.session.reading.is_loading)
    assert window.session.state.frame == 45
    assert shown[-1] == (45, 45)
    assert [frame for frame, _ in shown] == sorted({frame for frame, _ in shown})
    # Only a standstill of a quarter second lets an overtaken frame through.
    overtaken = [frame for frame, wanted in shown if frame != wanted]
    assert len(overtaken) <= 6


def test_the_same_keys_work_in_lists_and_plots_but_not_in_text_fields(run_file, open_window):
    window = open_window(run_file("bad"), scanned=True)
    session, flags = window.session, window.sides.flags
    for widget in (flags._list, window.sides.plots.plots[0]._widget, window.views.timeline.track):
        widget.setFocus()
        before = session.state.frame
        QTest.keyClick(widget, Qt.Key.Key_Right)
        assert session.state.frame == before + 1, widget
        QTest.keyClick(widget, Qt.Key.Key_Space)
        assert session.state.playing, widget
        QTest.keyClick(widget, Qt.Key.Key_Space)
        assert not session.state.playing, widget
    before = session.state.frame
    search = flags._filter_bar._search
    search.setFocus()
    QTest.keyClicks(search, "nan")
    QTest.keyClick(search, Qt.Key.Key_Left)
    assert search.cursorPosition() == 2
    QTest.keyClick(search, Qt.Key.Key_Space)
    assert search.text() == "na n"
    assert session.state.frame == before
    assert not session.state.playing


def test_up_down_and_enter_belong_to_the_focused_list(run_file, open_window):
    window = open_window(run_file("bad"), scanned=True)
    flags = window.sides.flags._list
    flags.setFocus()
    flags.setCurrentIndex(flags.model().index(0, 0))
    head = window.session.state.head
    QTest.keyClick(flags, Qt.Key.Key_Down)
    assert flags.currentIndex().row() == 1
    assert window.session.state.head == head
    QTest.keyClick(flags, Qt.Key.Key_Return)
    assert window.session.step == 2000
    assert not window.session.state.head_open


def test_no_two_actions_share_a_key_and_each_is_in_menu_palette_and_sheet(open_window):
    keys = [key for spec in ACTIONS for key in spec.keys]
    assert len(keys) == len(set(keys))
    window = open_window()
    actions = window.actions_by_name.by_name
    shown = [key.toString() for action in actions.values() for key in action.shortcuts()]
    assert len(shown) == len(set(shown))
    assert set(actions) == {spec.name for spec in ACTIONS}

    in_menus = set()
    for menu in window.menus.values():
        for action in menu.actions():
            in_menus |= {action} if action.menu() is None else set(action.menu().actions())
    assert set(actions.values()) <= in_menus
    assert len(window.menus) == len(MENUS)

    palette = CommandPalette(list(actions.values()), window)
    listed = {
        palette.list.topLevelItem(row).data(0, Qt.ItemDataRole.UserRole).objectName()
        for row in range(palette.list.topLevelItemCount())
    }
    assert listed == set(actions)
    palette.close()

    sheet = sheet_html()
    for spec in ACTIONS:
        assert spec.explanation.replace("'", "&#x27;") in sheet


def test_the_head_view_opens_and_returns_to_the_same_place(run_file, open_window):
    window = open_window(run_file("bad"), step=3000, layer=4, head=7)
    grid, head = window.views.grid, window.views.head
    grid.zoom(2.0)
    camera, state = grid.canvas.camera, window.session.state
    window.session.wait_until_idle(0.0)
    QTest.keyClick(window, Qt.Key.Key_F)
    assert not grid.isVisible()
    assert head.isVisible()
    assert "Layer 4, head 7" in head.heading.text()
    assert head._map.key_labels[:3] == ("the", "previous", "token")
    window.session.cancel_scan()
    QTest.qWait(50)
    while window.work.is_running:
        QTest.qWait(10)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert grid.isVisible()
    assert grid.canvas.camera == camera
    assert window.session.state == state
    assert window.session.state.head == HeadRef(4, 7)


def test_a_step_that_was_not_recorded_opens_the_nearest(run_file, open_window):
    window = open_window(run_file("bad"), step=3050, layer=4, head=7)
    assert window.session.step == 3000
    assert window.session.state.head == HeadRef(4, 7)
    assert window.notice.text == "Step 3050 not recorded, showing 3000"


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        (["--layer", "99"], "has no layer 99: layers are 0 to 11"),
        (["--layer", "4", "--head", "12"], "has no head 12: 0 to 11"),
        (["--stream", "val"], "has no stream 'val'"),
    ],
)
def test_a_place_that_does_not_exist_exits_with_2(run_file, place, sentence):
    run = subprocess.run(
        [sys.executable, "-m", "attn_debugger", str(run_file("bad")), *place],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 2
    assert sentence in run.stderr
    assert run.stdout == ""
    assert "Traceback" not in run.stderr
