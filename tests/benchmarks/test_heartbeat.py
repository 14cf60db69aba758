"""Whether the window answers while the worker reads: how late a 4 ms timer ticks."""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

from measuring import Reach, percentile
from PySide6.QtCore import Qt, QTimer
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from attn_debugger.app import examine, open_source
from attn_debugger.session.session import Session
from attn_debugger.ui.grid.head_grid import HeadGrid

TICK_MS = 4
SWITCH_SECONDS = 0.0005  # as `app.run_window` sets it


class Heartbeat:
    """A timer of 4 ms and how late each of its ticks came, in ms."""

    def __init__(self) -> None:
        self.lateness: list[float] = []
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._last = 0.0

    def _tick(self) -> None:
        now = time.perf_counter()
        self.lateness.append(max(0.0, 1000 * (now - self._last) - TICK_MS))
        self._last = now

    def start(self) -> None:
        self._last = time.perf_counter()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def beat(self, qtbot: QtBot, milliseconds: int) -> float:
        """Return the 99th percentile of the lateness over a while."""
        self.lateness.clear()
        self.start()
        qtbot.wait(milliseconds)
        self.stop()
        return percentile(self.lateness, 99)


def test_heartbeat_while_reading(
    qtbot: QtBot, benchmark: BenchmarkFixture, reach: Reach, run_file
) -> None:
    path: Path = run_file(frames=300 if reach.judges else 20)
    session = Session(open_source, examine)
    grid = HeadGrid()
    qtbot.addWidget(grid)
    grid.resize(900, 900)
    session.reading.grid_ready.connect(grid.show_frame)
    session.run_opened.connect(grid.show_run)
    grid.show()
    session.open(str(path))
    qtbot.waitUntil(lambda: session.run is not None, timeout=20_000)
    session.cancel_scan()
    session.wait_until_idle()

    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    heartbeat = Heartbeat()
    length = 2000 if reach.judges else 100
    idle: list[float] = []
    reading: list[float] = []

    def while_idle() -> None:
        idle.append(heartbeat.beat(qtbot, length))

    def while_reading() -> None:
        # The examination reads every full map of the run, one layer after the other.
        session.start_scan()
        reading.append(heartbeat.beat(qtbot, length))
        session.cancel_scan()
        session.wait_until_idle()

    benchmark.pedantic(while_reading, setup=while_idle, rounds=5)
    sys.setswitchinterval(before)
    session.shutdown()
    late, floor = statistics.median(reading), statistics.median(idle)
    reach.at_most(
        "heartbeat p99 while reading / idle",
        late / floor,
        4,
        note=f"{late:.1f} ms / {floor:.1f} ms",
    )
