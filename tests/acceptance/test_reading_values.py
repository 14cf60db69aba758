"""Acceptance 10, 11, 14, 23: the value under the pointer, which way is up, undo, and by ear."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import h5py
import numpy as np
import pytest
import synthetic_runs
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attn_debugger.core.heads import HeadRef


def test_the_status_line_tells_tokens_and_the_exact_value(run_file, open_window, qtbot):
    with h5py.File(run_file("bad")) as file:
        row = file["layers/4/weights"][0, 7, 5].astype(np.float32)
    window = open_window(run_file("bad"), layer=4, head=7)
    assert window.devicePixelRatioF() == float(os.environ.get("QT_SCALE_FACTOR", 1))
    qtbot.waitUntil(lambda: window.views.head_frame is not None, timeout=20_000)
    words = synthetic_runs.words(128)
    canvas = window.views.head.canvas

    def the_cell_is_told() -> bool:
        # Looked up each time: panels that are still being built move the map.
        box = canvas.stage.cell_box(5, 3)
        middle = QPoint(round((box.left + box.right) / 2), round((box.top + box.bottom) / 2))
        QTest.mouseMove(canvas, middle)
        return f"query 5 “{words[5]}” → key 3 “{words[3]}”" in window.cell_text

    qtbot.waitUntil(the_cell_is_told, timeout=20_000)
    assert f"weight {row[3]:.4g}" in window.cell_text
    assert "row sum 1" in window.cell_text


def test_at_double_pixel_density_it_is_the_same_value(tmp_path):
    this = f"{__file__}::test_the_status_line_tells_tokens_and_the_exact_value"
    # Qt's offscreen screen is too small at this scale for the pointer to reach the head view.
    screen = {"name": "4K", "x": 0, "y": 0, "width": 3840, "height": 2160, "dpr": 1}
    screen |= {"logicalDpi": 96, "logicalBaseDpi": 96}
    (tmp_path / "screens.json").write_text(json.dumps({"screens": [screen]}))
    platform = f"offscreen:configfile={tmp_path / 'screens.json'}"
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", this],
        env=os.environ | {"QT_SCALE_FACTOR": "2", "QT_QPA_PLATFORM": platform},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    assert "1 passed" in run.stdout


def one_bright_cell(path):
    """Write a run whose only head has all the weight of query 3 on key 1, and of others on 0."""
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "attn-debugger", 1
        file["steps"] = [0]
        weights = np.zeros((1, 1, 8, 8), np.float32)
        weights[0, 0, 3, 1] = 1.0
        file["layers/0/weights"] = weights
    return path


def brightest(widget, area) -> tuple[float, float]:
    """Return the middle of the brightest pixels in an area, as a part of its width and height."""
    image = widget.grab(area).toImage()
    light = np.array(
        [
            [image.pixelColor(x, y).lightnessF() for x in range(image.width())]
            for y in range(image.height())
        ]
    )
    ys, xs = np.nonzero(light >= light.max() - 0.02)
    return float(xs.mean() / image.width()), float(ys.mean() / image.height())


def test_queries_run_down_and_keys_run_right(open_window, tmp_path, qtbot):
    window = open_window(one_bright_cell(tmp_path / "one.h5"), theme="dark")
    qtbot.waitUntil(lambda: window.views.head_frame is not None, timeout=20_000)
    canvas = window.views.grid.canvas
    tile = canvas.tile_on_screen(HeadRef(0, 0)).toRect().adjusted(4, 4, -4, -4)
    # A yellow cell at key 1 of 8 and query 3 of 8, on a dark map.
    x, y = brightest(canvas, tile)
    assert x == pytest.approx(1.5 / 8, abs=0.04)
    assert y == pytest.approx(3.5 / 8, abs=0.04)


def test_two_changes_of_look_are_undone_by_two_undos(run_file, open_window):
    window = open_window(run_file("ok"))
    session = window.session
    before = session.state.look
    QTest.keyClick(window, Qt.Key.Key_Z)
    window.look_bar.range.setCurrentIndex(window.look_bar.range.findData("head"))
    window.look_bar.range.activated.emit(1)
    for _ in range(5):
        QTest.keyClick(window, Qt.Key.Key_Right)
    assert session.state.look.range_mode == "head"  # locked while stepping
    for _ in range(2):
        QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert session.state.look == before
    assert session.state.frame == 5
    QTest.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(window, Qt.Key.Key_R)
    assert session.state.look.range_mode == "fixed"


def test_everything_that_takes_the_keyboard_has_a_name_to_be_read_aloud(run_file, open_window):
    window = open_window(run_file("bad"), scanned=True, step=3000, layer=4, head=7)
    window.docks["model"].show()
    QTest.qWait(50)
    nameless = []
    for widget in QApplication.allWidgets():
        takes_keys = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if takes_keys and widget.isVisible() and widget.window() is window:
            named = widget.accessibleName() or getattr(widget, "text", lambda: "")()
            if not named and widget.focusProxy() is None:
                nameless.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    assert nameless == []
    assert window.views.grid.accessibleName().startswith("Layer 4, head 7, NaN")


def test_tab_reaches_every_dock(run_file, open_window):
    window = open_window(run_file("bad"), scanned=True)
    docks = {window.docks[name] for name in ("flags", "plots", "timeline")}
    window.views.grid.setFocus()
    reached = set()
    for _ in range(150):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        widget = QApplication.focusWidget()
        reached |= {dock for dock in docks if widget is not None and dock.isAncestorOf(widget)}
        if reached == docks:
            break
    assert reached == docks
