"""Somebody else's files, in the real window: what is missing is named, what is there offered."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest
import torch
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent

from attn_debugger.core.heads import HeadRef


@pytest.fixture
def maps() -> np.ndarray:
    scores = np.random.default_rng(3).standard_normal((4, 2, 3, 8, 8)).astype(np.float32)
    weights = np.exp(scores)
    return weights / weights.sum(-1, keepdims=True)  # (step, layer, head, query, key)


def drop(window, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    event = QDropEvent(
        QPointF(50, 50),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)


def wait_for_dialog(window, qtbot):
    qtbot.waitUntil(lambda: window.imports.dialog is not None, timeout=60_000)
    return window.imports.dialog


def test_a_foreign_file_names_what_is_missing_and_use_opens_it(
    open_window, qtbot, tmp_path: Path, maps: np.ndarray
) -> None:
    path = tmp_path / "foreign.h5"
    with h5py.File(path, "w") as file:
        file["attn"] = maps
        file["other"] = np.arange(5)
    before = path.read_bytes()
    window = open_window()
    drop(window, path)
    dialog = wait_for_dialog(window, qtbot)
    assert "steps" in dialog.words
    assert "layers/0/weights" in dialog.words
    assert dialog.datasets.itemText(0) == "/attn  (4 × 2 × 3 × 8 × 8)"
    assert dialog.axes.text() == "step layer head query key"
    assert dialog.use.text() == "Use /attn"
    dialog.use.click()
    qtbot.waitUntil(lambda: window.session.run is not None, timeout=60_000)
    run = window.session.run
    assert (run.n_frames, len(run.layers), run.max_heads) == (4, 2, 3)
    assert path.read_bytes() == before
    assert window.imports.dialog is None
    assert window.notice.text == ""


def test_axes_that_cannot_be_guessed_are_asked_and_a_wrong_answer_is_said(
    open_window, qtbot, tmp_path: Path, maps: np.ndarray
) -> None:
    path = tmp_path / "one.h5"
    with h5py.File(path, "w") as file:
        file["attn"] = maps[0]  # (layer, head, ...) or (sample, head, ...)?
    window = open_window()
    window.commands.open_path(str(path))
    dialog = wait_for_dialog(window, qtbot)
    assert "more than one way" in dialog.words
    assert dialog.axes.text() == ""
    dialog.axes.setText("layer head key")
    dialog.use.click()
    qtbot.waitUntil(dialog.use.isEnabled, timeout=60_000)
    assert window.session.run is None
    dialog.axes.setText("layer head query key")
    dialog.use.click()
    qtbot.waitUntil(lambda: window.session.run is not None, timeout=60_000)
    assert len(window.session.run.layers) == 2


def test_dumps_are_told_from_checkpoints(
    open_window, qtbot, tmp_path: Path, maps: np.ndarray
) -> None:
    folder = tmp_path / "dumps"
    folder.mkdir()
    for step in (0, 100, 200):
        torch.save(torch.tensor(maps[0][None].swapaxes(0, 1)), folder / f"attn_step{step}.pt")
    window = open_window()
    checkpoint = tmp_path / "model.pt"
    torch.save({f"w{i}": torch.randn(8, 8) for i in range(4)}, checkpoint)
    drop(window, checkpoint)
    qtbot.waitUntil(lambda: "open the run first" in window.notice.text, timeout=60_000)
    assert window.imports.dialog is None

    drop(window, folder)
    dialog = wait_for_dialog(window, qtbot)
    assert "3 files, steps 0 to 200" in dialog.words
    dialog.axes.setText("layer sample head query key")
    dialog.use.click()
    qtbot.waitUntil(lambda: window.session.run is not None, timeout=60_000)
    assert window.session.run.steps.tolist() == [0, 100, 200]


def test_what_dumps_do_not_say_is_given_in_the_dialog(
    open_window, qtbot, tmp_path: Path, maps: np.ndarray
) -> None:
    """Batch and heads in one axis, tokens, padding and losses in files of their own."""
    folder = tmp_path / "dumps"
    folder.mkdir()
    for step in range(4):  # (batch x heads, query, key) of one layer
        np.save(folder / f"attn_{100 * step}.npy", maps[step].reshape(6, 8, 8))
    words = [f"word{place}" for place in range(8)]
    (tmp_path / "tokens.txt").write_text("\n".join(words))
    np.save(tmp_path / "padding.npy", np.arange(8) >= 6)
    (tmp_path / "loss.csv").write_text("step,loss\n0,3.5\n100,3.0\n200,2.5\n300,2.0\n")
    window = open_window()
    drop(window, folder)
    dialog = wait_for_dialog(window, qtbot)
    details = dialog.details
    details.heads.setValue(3)
    details.tokens.line.setText(str(tmp_path / "nowhere.txt"))
    details.key_padding.line.setText(str(tmp_path / "padding.npy"))
    details.losses.line.setText(str(tmp_path / "loss.csv"))
    details.attributes.setText("causal=False; model=by hand")
    dialog.use.click()
    qtbot.waitUntil(dialog.use.isEnabled, timeout=60_000)
    assert "nowhere.txt" in dialog._error.text()
    assert window.session.run is None
    details.tokens.line.setText(str(tmp_path / "tokens.txt"))
    dialog.use.click()
    qtbot.waitUntil(lambda: window.session.run is not None, timeout=60_000)
    run = window.session.run
    assert (run.n_samples, run.max_heads, len(run.layers)) == (2, 3, 1)
    assert run.scalars["loss"].tolist() == [3.5, 3.0, 2.5, 2.0]
    assert run.attributes["model"] == "by hand"
    window.session.select_head(HeadRef(0, 1))
    assert window.session.wait_until_idle(30)
    frame = window.views.head_frame
    assert frame.tokens == tuple(words)
    assert frame.key_padding.tolist() == [False] * 6 + [True] * 2
