"""Dragging the slider: real session, real worker thread, real grid, sixty moves a second."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from measuring import Reach, percentile
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from attn_debugger.app import Options, build_window, examine, open_source, start
from attn_debugger.core.frame import GridFrame
from attn_debugger.session.session import Session
from attn_debugger.ui.grid.canvas import GridCanvas
from attn_debugger.ui.grid.head_grid import HeadGrid

MOVE_SECONDS = 1 / 60


@dataclass
class Drag:
    """What became of the moves: when each was made, and when its frame was on the canvas."""

    made: list[tuple[float, int]] = field(default_factory=list)  # when, frame
    painted: list[tuple[float, int]] = field(default_factory=list)

    def latencies(self) -> list[float]:
        """Milliseconds from a move to its frame's paint; moves overtaken by the next have none."""
        found = []
        paints = iter(self.painted)
        paint = next(paints, None)
        for (when, frame), following in zip(self.made, [*self.made[1:], None], strict=True):
            until = math.inf if following is None else following[0]
            while paint is not None and (paint[0] < when or paint[1] != frame):
                if paint[0] > when and paint[0] > until:
                    break
                paint = next(paints, None)
            if paint is not None and paint[1] == frame and paint[0] >= when:
                found.append(1000 * (paint[0] - when))
        return found


class PaintLog:
    """Notes which frame each paint of a canvas showed, and when it was done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.paints: list[tuple[float, int]] = []
        self.frame: GridFrame | None = None
        paint = GridCanvas.paintEvent

        def paint_and_note(canvas: GridCanvas, event) -> None:
            paint(canvas, event)
            if self.frame is not None:
                self.paints.append((time.perf_counter(), self.frame.frame_index))

        monkeypatch.setattr(GridCanvas, "paintEvent", paint_and_note)

    def show(self, frame: GridFrame) -> None:
        self.frame = frame


def positions(n_moves: int, n_frames: int) -> Iterator[int]:
    """A hand on the slider: to the end and back, slow at the ends, with jumps in between."""
    jump = 0
    for move in range(n_moves):
        sweep = 0.5 - 0.5 * math.cos(2 * math.pi * move / n_moves)
        jump = (jump * 1103 + 12345) % n_frames
        yield jump if move % 20 == 19 else round(sweep * (n_frames - 1))


def drag(
    qtbot: QtBot, go_to_frame: Callable[[int], None], log: PaintLog, n_moves: int, n_frames: int
) -> Drag:
    """Move sixty times a second, whatever the painting does; wait for the last frame."""
    result = Drag()
    log.paints.clear()
    moves = positions(n_moves, n_frames)
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(round(1000 * MOVE_SECONDS))

    def move() -> None:
        frame = next(moves, None)
        if frame is None:
            timer.stop()
            return
        if result.made and result.made[-1][1] == frame:
            return
        result.made.append((time.perf_counter(), frame))
        go_to_frame(frame)

    timer.timeout.connect(move)
    timer.start()
    qtbot.waitUntil(lambda: not timer.isActive(), timeout=120_000)
    last = result.made[-1][1]
    qtbot.waitUntil(lambda: bool(log.paints) and log.paints[-1][1] == last, timeout=20_000)
    result.painted = list(log.paints)
    return result


@dataclass
class Open:
    """An open run: the widget to look at, the session, and how to end it."""

    widget: QWidget
    session: Session
    grid: HeadGrid


def in_grid(path: Path, side: int = 900) -> Open:
    """Session, worker and head grid without the rest of the window."""
    session = Session(open_source, examine)
    grid = HeadGrid()
    grid.resize(side, side)
    session.reading.grid_ready.connect(grid.show_frame)
    session.run_opened.connect(grid.show_run)
    grid.tile_size_changed.connect(session.set_tile)
    grid.show()
    session.open(str(path))
    return Open(grid, session, grid)


def in_large_grid(path: Path) -> Open:
    return in_grid(path, 1150)


def in_window(path: Path) -> Open:
    """The whole window as `main.py RUN.h5` builds it."""
    options = Options(path=str(path), fresh=True)
    window = build_window(options)
    window.resize(1600, 1000)
    window.show()
    start(window, options)
    assert window.views is not None
    return Open(window, window.session, window.views.grid)


def drag_in_memory(qtbot: QtBot, opened: Open, log: PaintLog, n_moves: int, n_frames: int) -> Drag:
    """The baseline: the same drag over frames that are ready in memory, no worker between."""
    frame = log.frame
    assert frame is not None

    def show(index: int) -> None:
        log.show(replace(frame, frame_index=index))
        opened.grid.show_frame(replace(frame, frame_index=index))

    return drag(qtbot, show, log, n_moves, n_frames)


def measure(
    qtbot: QtBot,
    benchmark: BenchmarkFixture,
    reach: Reach,
    opened: Open,
    log: PaintLog,
    what: str,
    least_painted: float,
    slowest: float,
) -> None:
    """Drag in interleaved rounds with and without the archive, and hold it against the reach."""
    session = opened.session
    session.reading.grid_ready.connect(log.show)
    session.go_to_frame(1)
    qtbot.waitUntil(lambda: log.frame is not None, timeout=20_000)
    n_moves = 300 if reach.judges else 40
    n_frames = session.run.n_frames
    shares: list[float] = []
    slow: dict[str, list[float]] = {"archive": [], "memory": []}

    def from_memory() -> None:
        done = drag_in_memory(qtbot, opened, log, n_moves, n_frames)
        slow["memory"].append(percentile(done.latencies(), 95))

    def from_archive() -> None:
        done = drag(qtbot, session.go_to_frame, log, n_moves, n_frames)
        found = done.latencies()
        shares.append(100 * len(found) / len(done.made))
        slow["archive"].append(percentile(found, 95))

    benchmark.pedantic(from_archive, setup=from_memory, rounds=3)
    archive, memory = (statistics.median(slow[name]) for name in ("archive", "memory"))
    reach.at_least(f"{what}: moves painted", statistics.median(shares), least_painted, "%")
    reach.at_most(
        f"{what}: latency p95",
        archive,
        slowest,
        "ms",
        f"{archive / memory:.1f} x that of the same drag over frames in memory ({memory:.1f} ms)",
    )


Opener = Callable[[Callable[..., Open], Path], Open]


@pytest.fixture
def opened_run(qtbot: QtBot) -> Iterator[Opener]:
    """Open a run in a way (`in_grid`, `in_window`) and close everything in the end."""
    parts: list[Open] = []

    def open_it(way: Callable[..., Open], path: Path) -> Open:
        opened = way(path)
        parts.append(opened)
        session = opened.session
        qtbot.waitUntil(lambda: session.run is not None, timeout=20_000)
        qtbot.waitUntil(lambda: not session.reading.is_loading, timeout=20_000)
        return opened

    yield open_it
    for opened in parts:
        opened.session.shutdown()
        opened.widget.close()
        opened.widget.deleteLater()


@pytest.fixture
def paint_log(monkeypatch: pytest.MonkeyPatch) -> PaintLog:
    return PaintLog(monkeypatch)


def test_drag_over_144_heads(
    qtbot: QtBot,
    benchmark: BenchmarkFixture,
    reach: Reach,
    scrubbed_run: Path,
    paint_log: PaintLog,
    opened_run: Opener,
) -> None:
    opened = opened_run(in_grid, scrubbed_run)
    what = f"drag over {opened.session.run.n_frames:,} steps x 144 heads"
    measure(qtbot, benchmark, reach, opened, paint_log, what, 95, 20)


def test_drag_in_the_whole_window(
    qtbot: QtBot,
    benchmark: BenchmarkFixture,
    reach: Reach,
    scrubbed_run: Path,
    paint_log: PaintLog,
    opened_run: Opener,
) -> None:
    opened = opened_run(in_window, scrubbed_run)
    what = "the same in the whole window"
    measure(qtbot, benchmark, reach, opened, paint_log, what, 95, 20)


def test_drag_over_1024_heads(
    qtbot: QtBot,
    benchmark: BenchmarkFixture,
    reach: Reach,
    run_file,
    paint_log: PaintLog,
    opened_run: Opener,
) -> None:
    frames = 400 if reach.judges else 10
    path = run_file(frames=frames, n_layers=32, n_heads=32, n_tokens=32)
    opened = opened_run(in_large_grid, path)
    what = "drag over 1,024 heads at 32 px"
    measure(qtbot, benchmark, reach, opened, paint_log, what, 90, 33)
