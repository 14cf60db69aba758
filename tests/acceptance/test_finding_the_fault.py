"""Acceptance 2, 3, 4: from "something is wrong" to the first bad head, and never clean too soon."""

from __future__ import annotations

import numpy as np
import pytest
import synthetic_runs
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.flags.words import one_line

MAGENTA = 0xFFFF00FF


def magenta_heads(window) -> set[HeadRef]:
    """Return the heads whose tile holds a magenta pixel in the picture of the mosaic."""
    canvas = window.views.grid.canvas
    picture = canvas.atlas.picture()
    pixels = np.frombuffer(picture.constBits(), np.uint32).reshape(picture.height(), -1)
    pitch, tile = canvas.mosaic.pitch, canvas.mosaic.tile
    found = set()
    for head in canvas.mosaic.heads():
        row, column = canvas.mosaic.slot_of(head)
        part = pixels[row * pitch : row * pitch + tile, column * pitch : column * pitch + tile]
        if (part == MAGENTA).any():
            found.add(head)
    return found


def test_bracket_walks_from_onset_to_onset(run_file, open_window):
    window = open_window(run_file("bad"), scanned=True)
    session = window.session
    assert session.step == 0

    QTest.keyClick(window, Qt.Key.Key_BracketRight)
    assert session.step == 2000
    flag = session.findings.flag
    assert (flag.signal, flag.layer, flag.heads) == ("diagonal_collapse", 9, tuple(range(8)))
    assert session.state.head == HeadRef(9, 0)
    assert "step 2000" in window.health.health.text
    assert window.health.health.target == flag
    content = window.views.timeline.content
    assert flag in content.flag_marks
    index = window.sides.flags._list.currentIndex()
    assert window.sides.flags._model.flag_index(index) == session.findings.diagnosis.flags.index(
        flag
    )

    QTest.keyClick(window, Qt.Key.Key_BracketRight)
    assert session.step == 3000
    assert session.state.head == HeadRef(4, 7)
    assert session.state.query in synthetic_runs.NAN_ROWS

    QTest.keyClick(window, Qt.Key.Key_BracketLeft)
    assert session.step == 2000
    assert session.state.head == HeadRef(9, 0)


def test_the_nan_is_one_root_flag(run_file, open_window):
    window = open_window(run_file("bad"), scanned=True)
    roots = [
        flag
        for flag in window.session.findings.diagnosis.flags
        if flag.signal == "nan_weights" and flag.caused_by is None
    ]
    assert [one_line(flag) for flag in roots] == ["NaN L4.H7 3000-4900 (20)"]


@pytest.mark.parametrize("n", [32, 128, 512])
def test_nan_is_magenta_where_it_is_and_nowhere_else(n, run_file, open_window, tmp_path, qtbot):
    if n == 128:
        path = run_file("bad")
        step = 3000
    else:
        path, step = tmp_path / "nan.h5", 100

        def plant(frame, weights):
            if frame == 1:
                weights[4, 7, n // 2] = np.nan  # one row only: it must survive any pooling
                weights[5:, :, n // 2 :] = np.nan

        synthetic_runs.write_run(path, frames=2, n=n, change=plant)
    window = open_window(path, step=step)
    qtbot.waitUntil(lambda: window.views.grid.canvas.mosaic.tile >= 32)
    assert window.session.step == step
    magenta = magenta_heads(window)
    assert {head for head in magenta if head.layer <= 4} == {HeadRef(4, 7)}
    assert {head.layer for head in magenta} == {4, 5, 6, 7, 8, 9, 10, 11}


def test_a_healthy_run_is_called_clean_only_after_all_of_it_was_seen(run_file, open_window, qtbot):
    window = open_window(run_file("ok"))
    said = []

    def note() -> None:
        said.append((window.health.health.mood, window.session.findings.progress.is_complete))

    window.session.findings.progress_changed.connect(note)
    window.session.findings.diagnosis_changed.connect(note)
    assert window.health.health.text.startswith("Checking ")
    assert window.health.health.text.endswith("/50")
    qtbot.waitUntil(lambda: window.session.findings.progress.is_complete, timeout=120_000)
    assert window.health.health.mood == "clean"
    assert "No problems in 50 steps × 144 heads" in window.health.health.text
    assert not [mood for mood, complete in said if mood == "clean" and not complete]
    assert len(said) > 2
    assert not window.windowTitle().startswith("(!)")
