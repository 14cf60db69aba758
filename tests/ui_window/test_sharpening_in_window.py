"""Long inputs in the window: overviews while moving, full maps of what is in sight at rest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.window.main_window import MainWindow

N, FRAMES = 256, 4


@pytest.fixture
def long_inputs(tmp_path: Path) -> Path:
    """Every head of frame f attends from query 101 to key 10 * f + 5 alone, else uniformly."""
    path = tmp_path / "long.h5"
    weights = np.full((FRAMES, 4, N, N), 1 / N, np.float16)
    for frame in range(FRAMES):
        weights[frame, :, 101] = 0
        weights[frame, :, 101, 10 * frame + 5] = 1
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "attn-debugger", "version": 1, "causal": False})
        file["steps"] = np.arange(FRAMES) * 100
        for layer in range(2):
            file.create_dataset(f"layers/{layer}/weights", data=weights, chunks=(1, 1, N, N))
    return path


def turn_wheel(window: MainWindow, head: HeadRef, notches: int) -> None:
    """Zoom the grid at the middle of a head, as the wheel does."""
    canvas = window.views.grid.canvas
    point = canvas.tile_on_screen(head).center()
    for _ in range(notches):
        event = QWheelEvent(
            point,
            QPointF(canvas.mapToGlobal(point)),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(canvas.viewport(), event)


def test_what_the_user_rests_on_is_shown_in_full(
    open_window: Callable[..., MainWindow], long_inputs: Path, qtbot
) -> None:
    window = open_window(long_inputs)
    session, grid = window.session, window.views.grid
    turn_wheel(window, HeadRef(1, 1), 5)
    assert grid.canvas.tile_side > 64

    def shows_all_cells() -> bool:
        said = grid.legend.sentence()
        return "full maps of the heads in sight" in said and "max-pooled" not in said

    qtbot.waitUntil(shows_all_cells)
    assert grid.tile_size == 64

    def weight_at(head: HeadRef, query: int, key: int) -> tuple[int, float | None]:
        box = grid.canvas.tile_on_screen(head)
        point = box.topLeft() + QPointF(key + 0.5, query + 0.5) * box.width() / N
        hover = grid.hover_at(*grid.canvas.to_mosaic(point))
        return hover.n_cells, hover.value

    assert weight_at(HeadRef(1, 1), 101, 5) == (1, 1.0)
    assert weight_at(HeadRef(1, 1), 101, 6) == (1, 0.0)

    sentences = []
    session.reading.grid_ready.connect(lambda _: sentences.append(grid.legend.sentence()))
    for frame in range(1, FRAMES):
        session.go_to_frame(frame)
        qtbot.waitUntil(lambda: not session.reading.is_loading)
        assert weight_at(HeadRef(1, 1), 101, 10 * frame + 5)[1] == 1.0
        assert weight_at(HeadRef(1, 1), 101, 10 * frame + 5)[0] > 1
    assert all("in sight" not in sentence for sentence in sentences)
    qtbot.waitUntil(shows_all_cells)
    assert weight_at(HeadRef(1, 1), 101, 35) == (1, 1.0)
    assert weight_at(HeadRef(1, 1), 101, 36) == (1, 0.0)
