"""From opening a broken run to its offending cell with the explanation: at most two key presses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from attn_debugger.ui.resources import resource_path

N_FRAMES, N_HEADS, N = 6, 2, 24
BROKEN = 3  # the frame in which each run breaks


def healthy(rng: np.random.Generator, *, causal: bool) -> np.ndarray:
    """(frame, head, query, key): softmax of random scores with some structure."""
    scores = rng.normal(size=(N_FRAMES, N_HEADS, N, N))
    if causal:
        scores[..., np.triu(np.ones((N, N), bool), 1)] = -np.inf
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def write(path: Path, layers: list[np.ndarray], **datasets: object) -> Path:
    attributes = {
        name: datasets.pop(name) for name in ("causal", "trained", "d_head") if name in datasets
    }
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "attn-debugger", "version": 1} | attributes)
        file["steps"] = np.arange(N_FRAMES) * 100
        file["tokens"] = np.array([f"w{i}" for i in range(N)], dtype=h5py.string_dtype())
        for index, weights in enumerate(layers):
            file[f"layers/{index}/weights"] = weights
        for name, values in datasets.items():
            file[name] = values
    return path


def overflowing(path: Path) -> Path:
    rng = np.random.default_rng(1)
    layers = [healthy(rng, causal=True) for _ in range(3)]
    for layer in layers[1:]:
        layer[BROKEN:] = np.nan
    layers[1][BROKEN:, 1, :12] = healthy(rng, causal=True)[BROKEN:, 1, :12]
    return write(path, layers, causal=True)


def looking_ahead(path: Path) -> Path:
    rng = np.random.default_rng(2)
    layers = [healthy(rng, causal=True), healthy(rng, causal=True)]
    layers[1][BROKEN:] = healthy(rng, causal=False)[BROKEN:]
    return write(path, layers, causal=True)


def looking_at_padding(path: Path) -> Path:
    rng = np.random.default_rng(3)
    padding = np.zeros(N, bool)
    padding[18:] = True
    layer = healthy(rng, causal=False)
    layer[:BROKEN, :, :, 18:] = 0
    layer[:BROKEN] /= layer[:BROKEN].sum(-1, keepdims=True)
    return write(path, [layer], causal=False, key_padding=padding)


def collapsed(path: Path) -> Path:
    rng = np.random.default_rng(4)
    layer = healthy(rng, causal=True)
    layer[BROKEN:] = np.eye(N) * 0.99 + 0.01 / N * np.tri(N)
    layer[BROKEN:] /= layer[BROKEN:].sum(-1, keepdims=True)
    return write(path, [layer, layer], causal=True, trained=True)


WRITERS: dict[str, Callable[[Path], Path]] = {
    "overflow": overflowing,
    "future": looking_ahead,
    "padding": looking_at_padding,
    "diagonal": collapsed,
}


def assert_is_explained(window) -> None:
    """The step, the head and the cell are in view, and beside them what, why, what to do."""
    session, head = window.session, window.views.head
    flag = session.findings.flag
    assert flag is not None
    assert session.wait_until_idle(60)
    assert session.state.frame == flag.first_frame
    assert session.state.head == flag.head
    # The map itself is on the screen, at full resolution, at that step.
    assert head.canvas.isVisible()
    assert window.views.head_frame is not None
    assert window.views.head_frame.frame_index == flag.first_frame
    assert head.canvas.codes.shape[0] > 0
    if flag.query is not None or flag.key is not None:
        assert head.canvas.selected is not None
        query, key = head.canvas.selected
        assert flag.query in (None, query)
        assert flag.key in (None, key)
        assert f"q {query} " in head.reading.text()
    detail = window.sides.flags.detail.text()
    assert flag.message in detail.replace("\n", " ")
    assert "Why" in detail
    assert "What to do" in detail


@pytest.mark.parametrize("name", WRITERS)
def test_one_key_shows_the_first_broken_cell_and_why(name, tmp_path, open_window):
    window = open_window(WRITERS[name](tmp_path / f"{name}.h5"), scanned=True)
    QTest.keyClick(window, Qt.Key.Key_BracketRight)
    assert_is_explained(window)


def test_so_does_a_recorded_demo(open_window):
    window = open_window(resource_path("samples/overflow-nan.h5"), scanned=True)
    QTest.keyClick(window, Qt.Key.Key_BracketRight)
    assert_is_explained(window)


def test_a_second_key_gives_it_the_whole_centre(open_window):
    window = open_window(resource_path("samples/overflow-nan.h5"), scanned=True)
    QTest.keyClick(window, Qt.Key.Key_BracketRight)
    QTest.keyClick(window, Qt.Key.Key_F)
    assert not window.views.grid.isVisible()
    assert_is_explained(window)


def test_mouse_only_it_is_one_click(open_window):
    window = open_window(resource_path("samples/overflow-nan.h5"), scanned=True)
    window.health.findChild(QAbstractButton).click()
    assert_is_explained(window)
