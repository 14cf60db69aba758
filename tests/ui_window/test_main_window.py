"""The main window: what it says when something is wrong, and what its parts do together."""

from __future__ import annotations

import sys
from dataclasses import replace

import h5py
import numpy as np
import pytest
import torch
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attn_debugger.app import _say_errors_in
from attn_debugger.core.heads import HeadRef
from attn_debugger.session.jobs import Job
from attn_debugger.ui.grid.hover import Hover
from attn_debugger.ui.theme import DARK, LIGHT


def test_without_a_run_there_is_the_start_page_and_no_empty_panel(open_window):
    window = open_window()
    assert window.pages.currentWidget() is window.start_page
    assert all(dock.isHidden() for dock in window.docks.values())
    assert window.windowTitle() == "Attention Debugger"
    for name, action in window.actions_by_name.by_name.items():
        spec = window.actions_by_name.specs[name]
        assert action.isEnabled() is not bool(spec.needs), name
        if spec.needs:
            assert "Not available: " in action.toolTip()


def bad_files(folder):
    empty, text, foreign, newer, none = (
        folder / f"{name}.h5" for name in ("empty", "text", "foreign", "newer", "none")
    )
    empty.touch()
    text.write_text("this is no archive")
    with h5py.File(foreign, "w") as file:
        file["something"] = np.zeros(3)
    with h5py.File(newer, "w") as file:
        file.attrs["format"], file.attrs["version"] = "attn-debugger", 99
        file["steps"] = [0]
    with h5py.File(none, "w") as file:
        file.attrs["format"], file.attrs["version"] = "attn-debugger", 1
        file["steps"] = np.zeros(0, int)
    return [empty, text, foreign, newer, none, folder / "missing.h5", folder]


def test_what_cannot_be_opened_is_said_and_the_window_lives_on(
    open_window, tmp_path, archive, qtbot
):
    window = open_window()
    for path in bad_files(tmp_path):
        window.notice.dismiss()
        window.commands.open_path(str(path))
        qtbot.waitUntil(lambda: bool(window.notice.text), timeout=10_000)
        assert path.name in window.notice.text
        assert "defect" not in window.notice.text, window.notice.text
        assert window.pages.currentWidget() is window.start_page
    window.commands.open_path(str(archive))
    qtbot.waitUntil(lambda: window.shows_run, timeout=10_000)
    assert window.notice.text == ""


def test_an_open_run_stays_when_another_cannot_be_opened(open_window, archive, tmp_path, qtbot):
    window = open_window(archive)
    window.commands.open_path(str(tmp_path / "missing.h5"))
    qtbot.waitUntil(lambda: bool(window.notice.text))
    assert window.shows_run
    QTest.keyClick(window, Qt.Key.Key_Right)
    assert window.session.wait_until_idle()
    assert window.session.state.frame == 1


def test_closing_returns_to_the_start_page_with_the_run_on_the_list(open_window, archive):
    window = open_window(archive)
    QTest.keyClick(window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert window.pages.currentWidget() is window.start_page
    assert all(dock.isHidden() for dock in window.docks.values())
    assert [run.path for run in window.settings.recent] == [str(archive)]
    assert not window.health.isVisible()
    assert not window.actions_by_name["play"].isEnabled()


def test_a_defect_of_ours_is_said_in_the_window(open_window, archive, monkeypatch):
    window = open_window(archive)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    _say_errors_in(window)
    try:
        raise RuntimeError("surprise")
    except RuntimeError:
        sys.excepthook(*sys.exc_info())
    assert "RuntimeError: surprise, test_main_window.py:" in window.notice.text
    assert window.isVisible()


def test_files_can_be_dropped_on_the_window(open_window, archive, tmp_path, qtbot):
    window = open_window()

    def drop(*paths) -> None:
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        event = QDropEvent(
            QPointF(20, 20),
            Qt.DropAction.CopyAction,
            mime,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        window.dropEvent(event)

    torch.save({"wq": torch.randn(8, 8), "wk": torch.randn(8, 8)}, tmp_path / "model.pt")
    drop(tmp_path / "model.pt")
    qtbot.waitUntil(
        lambda: "open the run first, then model.pt" in window.notice.text, timeout=60_000
    )
    drop(archive)
    qtbot.waitUntil(lambda: window.shows_run, timeout=10_000)


def test_a_checkpoint_is_described_in_the_model_panel(open_window, archive, tmp_path, qtbot):
    window = open_window(archive)
    path = tmp_path / "junk.pt"
    path.write_bytes(b"this is no checkpoint")
    window.commands.describe_model(str(path))
    assert not window.docks["model"].isHidden()
    assert window.work.is_running
    qtbot.waitUntil(lambda: not window.work.is_running, timeout=60_000)
    assert "junk.pt" in window.notice.text


def test_one_job_at_a_time_with_progress_and_cancel(open_window, qtbot):
    window = open_window()
    code = "import time; print('PROGRESS 3 10 loss 2.5', flush=True); time.sleep(60)"
    window.work.start(Job("demo x", ["-c", code]), lambda _output: None)
    qtbot.waitUntil(lambda: "loss 2.5" in window.status.work, timeout=20_000)
    assert window.status._bar.value() == 3
    assert window.actions_by_name["escape"].isEnabled()
    window.work.start(Job("demo y", ["-c", ""]), lambda _output: None)
    assert "Demo x is still running" in window.notice.text
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.work.is_running
    assert window.status.work == ""


def test_a_job_that_succeeds_goes_on(open_window, qtbot):
    window = open_window()
    outputs = []
    window.work.start(Job("a job", ["-c", "print('done')"]), outputs.append)
    qtbot.waitUntil(lambda: outputs == ["done"], timeout=20_000)
    assert not window.work.is_running


def test_looks_change_by_keys_and_toolbar_and_are_undone(open_window, archive):
    window = open_window(archive)
    session = window.session
    QTest.keyClick(window, Qt.Key.Key_Z)
    assert session.state.look.grid_scale == "linear"
    window.look_bar.range.setCurrentIndex(window.look_bar.range.findData("head"))
    window.look_bar.range.activated.emit(window.look_bar.range.currentIndex())
    assert session.state.look.range_mode == "head"
    assert session.state.look.grid_scale == "linear"
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(window, Qt.Key.Key_Z, control)
    QTest.keyClick(window, Qt.Key.Key_Z, control)
    assert session.state.look.grid_scale == "log"
    assert window.look_bar.range.currentData() == "fixed"
    QTest.keyClick(window, Qt.Key.Key_Z, control | Qt.KeyboardModifier.ShiftModifier)
    assert session.state.look.grid_scale == "linear"
    window.views.head.canvas.setFocus()
    QTest.keyClick(window.views.head.canvas, Qt.Key.Key_Z)
    assert session.state.look.head_scale == "sqrt"
    QTest.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ShiftModifier)
    assert session.state.look.range_mode == "data"
    QTest.keyClick(window, Qt.Key.Key_R)
    assert session.state.look.range_mode == "fixed"


def test_the_status_line_tells_the_cell_under_the_pointer(open_window, archive):
    with h5py.File(archive) as file:
        row = file["layers/0/weights"][0, 0, 5]
    window = open_window(archive)
    window.views.cell_hovered.emit(Hover(HeadRef(0, 0), 5, 3, float(row[3]), exact=True))
    words = window.cell_text
    assert "query 5 “word5” → key 3 “word3”" in words
    assert f"weight {row[3]:.4g}" in words
    assert "row sum 1" in words
    QTest.keyClick(window, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == words


def test_the_selected_cell_stays_in_the_status_line(open_window, archive):
    with h5py.File(archive) as file:
        weight = file["layers/1/weights"][2, 2, 4, 1]
    window = open_window(archive)
    window.session.jump(2, HeadRef(1, 2), (4, 1))
    assert window.session.wait_until_idle()
    assert f"weight {weight:.4g}" in window.cell_text


def test_the_command_line_of_the_view_can_be_copied(open_window, archive):
    window = open_window(archive)
    window.session.jump(3, HeadRef(1, 2))
    held = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    QTest.keyClick(window, Qt.Key.Key_C, held)
    assert QGuiApplication.clipboard().text().endswith("run.h5 --step 300 --layer 1 --head 2")


def test_palette_and_go_to_field(open_window, archive, qtbot):
    window = open_window(archive)
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(window, Qt.Key.Key_K, control)
    palette = QApplication.activePopupWidget()
    QTest.keyClicks(palette.field, "last step")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.session.state.frame == 5
    QTest.keyClick(window, Qt.Key.Key_G, control)
    field = QApplication.activePopupWidget()
    QTest.keyClicks(field.field, "200 L1H2")
    QTest.keyClick(field.field, Qt.Key.Key_Return)
    assert (window.session.state.frame, window.session.state.head) == (2, HeadRef(1, 2))


def test_the_shortcut_sheet_opens(open_window, qtbot):
    window = open_window()
    window.actions_by_name["shortcuts"].trigger()
    sheets = [w for w in QApplication.topLevelWidgets() if w.windowTitle() == "Keyboard shortcuts"]
    assert "Ten steps on" in sheets[-1].text.toPlainText()
    sheets[-1].close()


def test_the_theme_changes_everything_at_once(open_window, archive):
    window = open_window(archive, theme="light")
    before = window.grab().toImage()
    QTest.keyClick(
        window,
        Qt.Key.Key_T,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert window.theme is DARK
    after = window.grab().toImage()
    n_kept = sum(
        before.pixelColor(x, y) == after.pixelColor(x, y) == LIGHT.background
        for x in range(0, window.width(), 7)
        for y in range(0, window.height(), 7)
    )
    assert n_kept == 0
    assert after.pixelColor(4, window.height() // 2).lightnessF() < 0.3
    window.use_theme("light")


def test_digits_open_the_worst_heads(open_window, tmp_path, archive):
    with h5py.File(archive, "r+") as file:
        file["layers/1/weights"][3:, 2, 4] = np.nan
    window = open_window(archive)
    QTest.keyClick(window, Qt.Key.Key_1)
    assert window.session.state.head == HeadRef(1, 2)
    assert window.session.state.head_open
    assert not window.views.grid.isVisible()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.views.grid.isVisible()
    assert window.windowTitle().startswith("(!) run.h5")


def test_numbers_appear_on_the_tiles(open_window, archive):
    window = open_window(archive)
    session = window.session
    session.set_look(replace(session.state.look, tile_number="peak"))
    numbers = window.views.grid._numbers
    assert numbers.shape == (2, 3)
    assert np.array_equal(numbers, session.findings.history.values["peak"][0])
    assert np.isfinite(numbers).all()


def test_loop_is_toggled_from_the_button(open_window, archive):
    window = open_window(archive)
    window.actions_by_name["loop"].trigger()
    assert window.session.state.loop == (0, 5)
    assert window.actions_by_name["loop"].isChecked()
    window.actions_by_name["loop"].trigger()
    assert window.session.state.loop is None
    assert not window.actions_by_name["loop"].isChecked()


def test_heads_are_walked_in_the_order_of_the_grid(open_window, archive):
    window = open_window(archive)
    for _ in range(4):
        QTest.keyClick(window, Qt.Key.Key_J)
    assert window.session.state.head == HeadRef(1, 1)
    QTest.keyClick(window, Qt.Key.Key_K)
    assert window.session.state.head == HeadRef(1, 0)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_window_fits_common_screens(open_window, archive, size):
    window = open_window(archive)
    window.resize(*size)
    QTest.qWait(50)
    assert (window.width(), window.height()) == size
    for bar in (window.views.timeline.controls, window.status, window.look_bar):
        assert bar.minimumSizeHint().width() <= window.width()
    assert window.views.grid.width() > 250
    assert window.views.timeline.track.height() >= 100
    origin = window.views.timeline.mapTo(window, QPoint(0, 0))
    assert origin.y() + window.views.timeline.height() <= window.height()


def test_layout_and_place_survive_a_crash(open_window, archive):
    window = open_window(archive, fresh=False)
    window.session.go_to_frame(3)
    window.actions_by_name["toggle_plots"].trigger()
    window.keep()  # what a timer does every minute; no close follows
    again = open_window(archive, fresh=False)
    assert again.session.state.frame == 3
    assert again.docks["plots"].isHidden()


def test_a_list_in_a_floating_dock_keeps_its_arrows_and_the_window_its_keys(open_window, archive):
    with h5py.File(archive, "r+") as file:
        for layer in range(2):
            file[f"layers/{layer}/weights"][3:, layer, 4] = np.nan
    window = open_window(archive)
    dock = window.docks["flags"]
    dock.setFloating(True)
    dock.activateWindow()
    flags = window.sides.flags._list
    flags.setFocus()
    QTest.qWait(50)
    flags.setCurrentIndex(flags.model().index(0, 0))
    head = window.session.state.head
    QTest.keyClick(flags, Qt.Key.Key_Down)
    assert window.session.state.head == head
    QTest.keyClick(flags, Qt.Key.Key_Right)
    assert window.session.state.frame == 1
    dock.setFloating(False)
