"""Whatever one key or click does, the window is back within a frame, or two with 1,024 heads."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from measuring import Reach
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from attn_debugger.app import Options, build_window, start
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.window.main_window import MainWindow

FRAME_MS = 1000 / 60
TRIGGERED = (
    "next_frame",
    "forward_10",
    "last_frame",
    "first_frame",
    "next_scale",
    "fit_range",
    "fixed_range",
    "nonfinite_only",
    "zoom_in",
    "zoom_out",
    "fit",
    "next_in_order",
    "layer_down",
    "compare",
    "open_head",
    "escape",
    "undo",
    "redo",
    "toggle_plots",
)


@pytest.fixture
def open_window(qtbot: QtBot) -> Iterator[Callable[[Path], MainWindow]]:
    windows: list[MainWindow] = []

    def open_it(path: Path) -> MainWindow:
        options = Options(path=str(path), fresh=True)
        window = build_window(options)
        windows.append(window)
        window.resize(1600, 1000)
        window.show()
        start(window, options)
        session = window.session
        qtbot.waitUntil(lambda: session.run is not None, timeout=20_000)
        qtbot.waitUntil(lambda: not session.reading.is_loading, timeout=20_000)
        session.cancel_scan()
        settle(window)
        return window

    yield open_it
    for window in windows:
        window.session.shutdown()
        window.close()
        window.deleteLater()


def settle(window: MainWindow) -> None:
    """Let the worker finish and everything be painted."""
    for _ in range(3):
        window.session.wait_until_idle()
        QApplication.processEvents()


def actions_of(window: MainWindow) -> dict[str, Callable[[], object]]:
    """Name what is tried, with what does it."""
    session = window.session
    actions: dict[str, Callable[[], object]] = {
        name: window.actions_by_name[name].trigger
        for name in TRIGGERED
        if name in window.actions_by_name.by_name
    }
    heads = [HeadRef(1, 2), HeadRef(3, 1)]
    actions["select a head"] = lambda: session.select_head(
        heads[0] if session.state.head != heads[0] else heads[1]
    )
    actions["jump to a cell"] = lambda: session.jump(
        (session.state.frame + 7) % session.run.n_frames, heads[0], (20, 3)
    )
    return actions


@pytest.mark.parametrize(
    ("n_layers", "n_tokens", "n_frames"), [(12, 128, 1), (32, 32, 2)], ids=["144", "1024"]
)
def test_single_actions(
    benchmark: BenchmarkFixture,
    reach: Reach,
    run_file,
    open_window,
    n_layers: int,
    n_tokens: int,
    n_frames: int,
) -> None:
    window = open_window(
        run_file(frames=20, n_layers=n_layers, n_heads=n_layers, n_tokens=n_tokens)
    )
    actions = actions_of(window)
    blocked: dict[str, list[float]] = {name: [] for name in actions}

    def once() -> None:
        for name, act in actions.items():
            # The thread's own time: what the worker needs meanwhile does not hold the window up.
            start = time.thread_time()
            act()
            QApplication.processEvents()
            answered = time.thread_time() - start
            window.session.wait_until_idle()
            start = time.thread_time()
            QApplication.processEvents()
            blocked[name].append(1000 * max(answered, time.thread_time() - start))
            settle(window)

    if reach.judges:
        once()
        for values in blocked.values():
            values.clear()
    benchmark.pedantic(once, rounds=7)
    longest = {name: statistics.median(values) for name, values in blocked.items()}
    slowest = max(longest, key=lambda name: longest[name])
    heads = n_layers * n_layers
    reach.at_most(
        f"{heads:,} heads: the longest the window is held up by a single action",
        longest[slowest],
        n_frames * FRAME_MS,
        "ms",
        f"{slowest}; median of {len(actions)} actions {statistics.median(longest.values()):.1f}",
    )
    print("".join(f"\n  {name} {value:.1f} ms" for name, value in sorted(longest.items())), end="")
