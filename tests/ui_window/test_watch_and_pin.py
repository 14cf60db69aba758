"""Watched tokens and a pinned step in the window: what is typed and what is then seen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.window.main_window import MainWindow

N = 8


def write_run(path: Path, frames: int = 4) -> Path:
    """Two samples; head H1.L1 turns to the padding more and more, all others are uniform."""
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "attn-debugger", "version": 1, "causal": False})
        file["steps"] = np.arange(frames) * 100
        tokens = ["[CLS]", "the", "page", "head", "##er", "of", "[PAD]", "[PAD]"]
        file["tokens"] = np.array(tokens, dtype=h5py.string_dtype())
        for layer in range(2):
            weights = np.full((frames, 2, 3, N, N), 1 / N, np.float32)
            if layer == 1:
                for frame in range(frames):
                    leak = frame / frames
                    weights[frame, :, 1, :, :6] = (1 - leak) / 6
                    weights[frame, :, 1, :, 6:] = leak / 2
            file[f"layers/{layer}/weights"] = weights
    return path


def type_watch(window: MainWindow, qtbot, text: str) -> None:
    window.actions_by_name["watch"].trigger()
    bar = window.watching.bar
    assert bar.isVisible()
    bar.field.setText(text)
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert window.session.wait_until_idle(30)


def test_the_grid_is_sorted_and_numbered_by_what_is_watched(
    open_window: Callable[..., MainWindow], tmp_path: Path, qtbot
) -> None:
    window = open_window(write_run(tmp_path / "run.h5"))
    session, grid = window.session, window.views.grid
    session.go_to_end()
    assert session.wait_until_idle(30)
    assert grid.order[0] == HeadRef(0, 0)
    type_watch(window, qtbot, "[pad]")  # in small letters: a word like any other
    assert grid.order[0] == HeadRef(1, 1)
    session.select_head(HeadRef(1, 1))
    assert "weight on “[pad]” 0.75" in grid.accessibleName()
    assert "largest weight on “[pad]” first" in grid.legend.sentence()
    assert "keys found: 2" in window.watching.bar.status.text()
    session.step_by(-2)
    assert session.wait_until_idle(30)
    assert "weight on “[pad]” 0.25" in grid.accessibleName()
    plot = window.sides.plots.plots[0]
    assert plot.quantity.title == "weight on “[pad]”"
    window.sides.plots.flush()
    readings = []
    for frame in range(4):
        session.go_to_frame(frame)
        qtbot.waitUntil(lambda: window.sides.plots.plots[0].read_out() not in readings)
        readings.append(plot.read_out())
    assert readings == ["0", "0.25", "0.5", "0.75"]
    qtbot.keyClick(window.watching.bar.field, Qt.Key.Key_Escape)
    assert not window.watching.bar.isVisible()
    assert session.aside.watch is None
    assert grid.order[0] == HeadRef(0, 0)
    assert "weight on" not in grid.accessibleName()
    assert window.sides.plots.plots[0].quantity.key == "entropy"


def test_what_is_not_there_is_said(
    open_window: Callable[..., MainWindow], tmp_path: Path, qtbot
) -> None:
    window = open_window(write_run(tmp_path / "run.h5"))
    type_watch(window, qtbot, "zebra")
    assert "not in this sample" in window.watching.bar.status.text()
    type_watch(window, qtbot, "/(/")
    assert "no regular expression" in window.watching.bar.status.text()
    type_watch(window, qtbot, "header")
    assert "keys found: 2  ·  head ##er" in window.watching.bar.status.text()


def test_the_selected_query_can_be_the_one_that_looks(
    open_window: Callable[..., MainWindow], tmp_path: Path, qtbot
) -> None:
    window = open_window(write_run(tmp_path / "run.h5"))
    bar = window.watching.bar
    bar.choose_queries("selected")
    type_watch(window, qtbot, "page")
    assert "select a cell first" in bar.status.text()
    window.session.jump(1, HeadRef(0, 0), (3, 2))
    type_watch(window, qtbot, "page")
    assert window.session.aside.watch.queries == 3


def test_a_pinned_step_turns_the_grid_into_what_changed(
    open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    window = open_window(write_run(tmp_path / "run.h5"))
    session, grid = window.session, window.views.grid
    window.actions_by_name["pin_step"].trigger()
    assert session.wait_until_idle(30)
    session.go_to_end()
    assert session.wait_until_idle(30)
    assert grid.shows_difference
    assert "this step − step 0" in grid.legend.sentence()
    session.select_head(HeadRef(1, 1))
    # Uniform at first, later 0.75 of it on two of eight keys: half of the attention has moved.
    assert "≈ 75 % of its attention moved since step 0" in grid.accessibleName()
    assert window.actions_by_name["pin_step"].isChecked()
    window.resize(700, 500)  # other tiles: the pinned step is read again
    QApplication.processEvents()
    assert session.wait_until_idle(30)
    assert grid.shows_difference
    window.actions_by_name["pin_step"].trigger()
    assert not grid.shows_difference
    assert session.state.pinned is None


def test_the_film_fills_itself_around_the_current_step(
    open_window: Callable[..., MainWindow], tmp_path: Path
) -> None:
    window = open_window(write_run(tmp_path / "run.h5", frames=30))
    window.session.go_to_frame(20)
    window.actions_by_name["film"].trigger()
    assert window.session.wait_until_idle(30)
    head = window.views.head
    assert head.film.frame_indices == tuple(range(16, 25))
    window.session.step_by(2)
    assert window.session.wait_until_idle(30)
    assert head.film.frame_indices == tuple(range(18, 27))
    assert head.film.panes[4].title == "▸ step 2200"
    head.film.panes[0].activated.emit()
    assert window.session.state.frame == 18
