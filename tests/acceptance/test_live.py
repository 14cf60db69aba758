"""Acceptance 21: a run that is still training grows in the window, and its end hurts nobody."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest


@pytest.fixture
def trainer(tmp_path):
    path = tmp_path / "live.h5"
    writer = subprocess.Popen(
        [sys.executable, str(Path(__file__).parent / "live_writer.py"), str(path), "400"],
        stdout=subprocess.PIPE,
        text=True,
    )
    for _ in range(4):
        writer.stdout.readline()
    yield writer, path
    writer.kill()
    writer.communicate()


def test_following_a_live_run(trainer, open_window, qtbot):
    writer, path = trainer
    window = open_window(path, follow=True)
    session = window.session
    assert session.state.following
    follow = window.actions_by_name["follow"]
    first = session.state.frame
    qtbot.waitUntil(lambda: session.state.frame >= first + 3, timeout=10_000)
    assert session.state.frame == session.run.n_frames - 1
    assert follow.iconText() == "LIVE"
    assert follow.isChecked()

    QTest.keyClick(window, Qt.Key.Key_Left)
    here = session.state.frame
    assert not session.state.following
    qtbot.waitUntil(lambda: session.unseen >= 2, timeout=10_000)
    assert session.state.frame == here
    assert follow.iconText() == f"+{session.unseen} new"

    QTest.keyClick(window, Qt.Key.Key_L)
    assert session.state.frame == session.run.n_frames - 1
    assert session.unseen == 0
    qtbot.waitUntil(lambda: session.findings.history.n_scanned > first + 3, timeout=10_000)

    writer.kill()
    writer.wait()
    qtbot.waitUntil(lambda: session.run.ended == "abrupt", timeout=10_000)
    assert "ended abruptly at step" in window.notice.text
    assert follow.iconText() == "Following"
    n_frames = session.run.n_frames
    QTest.keyClick(window, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: not session.reading.is_loading)
    assert session.state.frame == 0
    assert session.run.n_frames == n_frames
    QTest.keyClick(window, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: not session.reading.is_loading)
    assert session.state.frame == n_frames - 1
    assert not window.notice.text.startswith("This is a defect")
