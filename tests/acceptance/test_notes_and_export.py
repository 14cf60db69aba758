"""Acceptance 17 and 18: bookmarks and notes that stay, and what can be taken out of the window."""

from __future__ import annotations

import hashlib
import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.notes.note_editor import NoteEditor

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def own_copy(run_file, tmp_path):
    """Return a copy of bad.h5 in a folder of the test's own."""
    return shutil.copy(run_file("bad"), tmp_path / "run.h5")


def wait_for_notes(window, qtbot):
    qtbot.waitUntil(lambda: not window.noting.notebook.is_busy, timeout=10_000)


def write_note(window, qtbot, text):
    QTest.keyClick(window, Qt.Key.Key_M)
    editor = window.findChild(NoteEditor)
    QTest.keyClicks(editor.text, text)
    QTest.keyClick(editor.text, Qt.Key.Key_Return, CTRL)
    qtbot.waitUntil(lambda: window.findChild(NoteEditor) is None)


def test_bookmark_and_note_are_back_after_a_restart(own_copy, open_window, qtbot):
    digest = hashlib.sha256(own_copy.read_bytes()).hexdigest()
    window = open_window(own_copy, step=3000, layer=4, head=7)
    wait_for_notes(window, qtbot)
    window.session.select_cell(45, 3)
    QTest.keyClick(window, Qt.Key.Key_B, CTRL)
    write_note(window, qtbot, "first NaN, see the learning rate")
    window.close()

    again = open_window(own_copy, step=0)
    wait_for_notes(again, qtbot)
    (note,) = again.session.notes.bookmarks
    assert note.text == "first NaN, see the learning rate"
    assert again.noting.tab.list.count() == 1
    assert "step 3000" in again.noting.tab.list.item(0).text()
    assert again.views.timeline.content.notes == ((30, note),)
    QTest.keyClick(again, Qt.Key.Key_1, CTRL)
    assert again.session.step == 3000
    assert again.session.state.head == HeadRef(4, 7)
    assert again.session.state.cell == (45, 3)
    again.close()
    assert hashlib.sha256(own_copy.read_bytes()).hexdigest() == digest


def test_notes_are_undone_in_order_with_looks(own_copy, open_window, qtbot):
    window = open_window(own_copy, step=3000)
    wait_for_notes(window, qtbot)
    session = window.session
    scale = session.state.look.grid_scale
    QTest.keyClick(window, Qt.Key.Key_B, CTRL)
    QTest.keyClick(window, Qt.Key.Key_Z)
    assert session.state.look.grid_scale != scale
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert session.state.look.grid_scale == scale
    assert len(session.notes.bookmarks) == 1
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert session.notes.bookmarks == ()
    QTest.keyClick(window, Qt.Key.Key_Y, CTRL)
    assert len(session.notes.bookmarks) == 1


def test_the_list_goes_there_and_deletes(own_copy, open_window, qtbot):
    window = open_window(own_copy, step=3000)
    wait_for_notes(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_B, CTRL)
    window.session.go_to_frame(10)
    QTest.keyClick(window, Qt.Key.Key_B, CTRL)
    tab = window.noting.tab
    assert [tab.list.item(row).text().split("  ")[0] for row in range(2)] == [
        "step 1000",
        "step 3000",
    ]
    tab.list.setCurrentRow(1)
    tab.list.itemClicked.emit(tab.list.item(1))
    assert window.session.step == 3000
    tab.delete.click()
    assert [note.spot.step for note in window.session.notes.notes] == [1000]
    QTest.keyClick(window, Qt.Key.Key_Z, CTRL)
    assert len(window.session.notes.notes) == 2


def test_a_jump_to_no_bookmark_is_said(own_copy, open_window, qtbot):
    window = open_window(own_copy)
    wait_for_notes(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_3, CTRL)
    assert "no bookmark yet" in window.status.text


def test_a_damaged_notes_file_is_said_in_the_window(own_copy, open_window, qtbot):
    own_copy.with_name("run.h5.notes.json").write_text("{ damaged")
    window = open_window(own_copy)
    wait_for_notes(window, qtbot)
    assert "the notes cannot be read" in window.notice.text
    QTest.keyClick(window, Qt.Key.Key_B, CTRL)
    window.close()
    (copy,) = own_copy.parent.glob("*.damaged-*")
    assert copy.read_text() == "{ damaged"
