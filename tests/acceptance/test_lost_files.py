"""Files that go away or shrink under the window: a sentence is said and the window lives on."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from synthetic_runs import healthy_frames

from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.writer import ArchiveWriter
from attn_debugger.errors import ArchiveError


@pytest.fixture
def path(run_file, tmp_path: Path) -> Path:
    """A run of its own, in a folder of its own."""
    folder = tmp_path / "mount"
    folder.mkdir()
    shutil.copy(run_file("ok"), folder / "run.h5")
    return folder / "run.h5"


def is_alive(window, qtbot) -> bool:
    """Whether the window still does what it is told."""
    window.session.show_film(False)
    qtbot.waitUntil(lambda: not window.session.reading.is_loading, timeout=20_000)
    return window.isVisible() and "defect" not in window.notice.text


def test_a_cut_file_opens_up_to_its_last_good_frame_with_a_notice(run_file, open_window) -> None:
    window = open_window(run_file("trunc"))
    assert window.session.run.n_frames > 20
    assert window.session.run.missing
    assert window.notice.text
    assert "defect" not in window.notice.text


def test_a_deleted_run_is_missed_when_it_is_read_anew(path, open_window, qtbot) -> None:
    window = open_window(path)
    shutil.rmtree(path.parent)  # as when a network folder goes away
    window.session.go_to_end()  # what is open can still be read
    assert is_alive(window, qtbot)
    window.session.reload()
    qtbot.waitUntil(lambda: window.session.run is None, timeout=20_000)
    assert str(path) in window.notice.text
    assert "defect" not in window.notice.text
    assert not window.shows_run


def test_a_run_that_is_cut_while_it_is_open_says_so(path, open_window, qtbot) -> None:
    window = open_window(path)
    notes: list[str] = []
    window.session.reading.grid_ready.connect(lambda frame: notes.append(frame.note))
    os.truncate(path, path.stat().st_size // 3)
    for frame in (49, 25, 0):
        window.session.go_to_frame(frame)
        assert is_alive(window, qtbot)
        assert window.session.state.frame == frame
    assert any("cannot be read" in note for note in notes)  # written above the grid
    window.notice.dismiss()
    window.session.reload()
    qtbot.waitUntil(lambda: "cut short" in window.notice.text.lower(), timeout=20_000)
    assert window.isVisible()
    assert "defect" not in window.notice.text


def test_a_live_run_that_is_deleted_is_missed_at_once(tmp_path: Path, open_window, qtbot) -> None:
    path = tmp_path / "live.h5"
    specs = [LayerSpec(name="layer.0", heads=4, queries=16, keys=16)]
    writer = ArchiveWriter(path, specs)
    for step, weights in enumerate(healthy_frames(5, 16)):
        maps = weights[0, None, :4].astype(np.float16)
        writer.append(FrameRecord(step=step, layers=(LayerRecord(weights=maps, captures=1),)))
    window = open_window(path, follow=True)
    assert window.session.run.ended == "writing"
    path.unlink()
    qtbot.waitUntil(lambda: "can no longer be read" in window.notice.text, timeout=20_000)
    assert window.session.run.n_frames == 5
    window.session.go_to_start()
    assert is_alive(window, qtbot)
    with pytest.raises(ArchiveError, match="the file is gone"):
        writer.close()


def write_live(path: Path, n_frames: int) -> ArchiveWriter:
    """Write frames into an archive whose writer stays open."""
    writer = ArchiveWriter(path, [LayerSpec(name="layer.0", heads=4, queries=16, keys=16)])
    for step, weights in enumerate(healthy_frames(n_frames, 16)):
        maps = weights[0, None, :4].astype(np.float16)
        writer.append(FrameRecord(step=step, layers=(LayerRecord(weights=maps, captures=1),)))
    return writer


def test_a_live_run_that_becomes_shorter_leaves_the_window_on_a_step_that_is_there(
    tmp_path: Path, open_window, qtbot
) -> None:
    """As when a training is begun anew under the same name."""
    path, other = tmp_path / "live.h5", tmp_path / "other.h5"
    writer = write_live(path, 30)
    with write_live(other, 6):
        pass
    window = open_window(path, follow=True)
    session = window.session
    assert session.state.frame == 29
    told: list[str] = []
    session.said.connect(told.append)
    opened: list[int] = []
    session.run_opened.connect(lambda run: opened.append(run.n_frames))
    other.replace(path)
    qtbot.waitUntil(lambda: opened == [6], timeout=20_000)  # nothing of the old file is kept
    assert any("6 of 30 steps are left" in sentence for sentence in told)
    assert session.state.frame == 5
    session.go_to_start()
    assert is_alive(window, qtbot)
    session.wait_until_idle(20)
    assert session.findings.progress.is_complete
    assert session.findings.history.n_scanned == 6
    with suppress(ArchiveError):  # its file is gone, and another one open under that name
        writer.close()
