"""How long the window's thread is busy with each single action: the longest silence of a timer.

Reach: within one frame of 60 Hz with 144 heads, within two with 1,024. Silences are counted in the
thread's own processor time: on a busy machine the clock on the wall tells how busy it is. How long
the thread waits for the worker is the heartbeat's matter (test_heartbeat.py).
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

import pytest
from measuring import Reach
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from attn_debugger.app import Options, build_window, start
from attn_debugger.ui.window.main_window import MainWindow

FRAME_MS = 1000 / 60
TICK_MS = 2
SWITCH_SECONDS = 0.0005  # as `app.run_window` sets it

# What a user does all day long; each is undone by the one after it or by itself.
ACTIONS = (
    *("next_frame", "previous_frame", "forward_10", "back_10", "last_frame", "first_frame"),
    *("layer_down", "layer_up", "head_right", "head_left", "next_in_order", "previous_in_order"),
    *("next_scale", "next_scale", "next_scale", "fit_range", "fixed_range", "undo", "redo"),
    *("nonfinite_only", "nonfinite_only", "zoom_in", "zoom_out", "fit"),
    *("open_head", "escape", "lines", "lines", "compare", "next_frame", "swap", "compare"),
    *("explain", "explain", "film", "film", "pin_step", "next_frame", "pin_step"),
)


class Silence:
    """The longest time in which a timer of 2 ms did not tick, in ms of the thread and of the wall.

    Starts with the action itself.
    """

    def __init__(self) -> None:
        self.busy = self.wall = 0.0
        self._last_busy = self._last_wall = 0.0
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    def _tick(self) -> None:
        busy, wall = time.thread_time(), time.perf_counter()
        self.busy = max(self.busy, 1000 * (busy - self._last_busy))
        self.wall = max(self.wall, 1000 * (wall - self._last_wall) - TICK_MS)
        self._last_busy, self._last_wall = busy, wall

    def during(
        self, qtbot: QtBot, window: MainWindow, name: str, milliseconds: int
    ) -> tuple[float, float]:
        """Return the longest silence from triggering an action on: the thread's, the wall's."""
        self.busy = self.wall = 0.0
        self._last_busy, self._last_wall = time.thread_time(), time.perf_counter()
        self._timer.start()
        window.actions_by_name[name].trigger()
        qtbot.wait(milliseconds)
        self._timer.stop()
        return self.busy, self.wall


@pytest.mark.parametrize(("side", "frames"), [(12, 1), (32, 2)], ids=["144 heads", "1024 heads"])
def test_every_action_answers(
    qtbot: QtBot, benchmark: BenchmarkFixture, reach: Reach, run_file, side: int, frames: int
) -> None:
    n_frames, n_tokens = (40, 128 if side == 12 else 64) if reach.judges else (12, 16)
    path: Path = run_file(frames=n_frames, n_layers=side, n_heads=side, n_tokens=n_tokens)
    window = build_window(Options(path=str(path), fresh=True))
    qtbot.addWidget(window)
    window.resize(1600, 940)
    window.show()
    start(window, Options(path=str(path), fresh=True))
    qtbot.waitUntil(lambda: window.sides is not None, timeout=60_000)
    qtbot.waitUntil(lambda: window.session.findings.progress.is_complete, timeout=300_000)
    assert window.session.wait_until_idle(60)
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    silence, found = Silence(), dict[str, list[tuple[float, float]]]()

    def once() -> None:
        for name in ACTIONS:
            wait = 250 if reach.judges else 10
            found.setdefault(name, []).append(silence.during(qtbot, window, name, wait))
            window.session.wait_until_idle(60)
            QApplication.processEvents()

    benchmark.pedantic(once, rounds=5)
    sys.setswitchinterval(before)
    window.close()
    window.session.shutdown()
    assert all(len(times) >= 1 for times in found.values())
    for name, times in found.items():
        busy, wall = (statistics.median(column) for column in zip(*times, strict=True))
        what = f"{name}, {side * side} heads: longest silence"
        reach.at_most(what, busy, frames * FRAME_MS, unit="ms", note=f"{wall:.1f} ms on the wall")
