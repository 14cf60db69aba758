"""The real window over the synthetic runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import synthetic_runs

from attn_debugger.app import Options, build_window, start
from attn_debugger.ui.window.main_window import MainWindow


@pytest.fixture(scope="session")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the path of a synthetic run, written when it is first asked for."""
    folder = tmp_path_factory.mktemp("runs")

    def path_of(name: str) -> Path:
        path = folder / f"{name}.h5"
        if not path.exists():
            synthetic_runs.WRITERS[name](path)
        return path

    return path_of


OpenWindow = Callable[..., MainWindow]


@pytest.fixture
def open_window(qtbot) -> Iterator[OpenWindow]:
    """Return a function that opens the window as `main.py PATH ...` does, and waits for a grid."""
    windows: list[MainWindow] = []

    def open_it(path: Path | None = None, *, scanned: bool = False, **options) -> MainWindow:
        options.setdefault("fresh", True)
        asked = Options(path=None if path is None else str(path), **options)
        window = build_window(asked)
        windows.append(window)
        window.resize(1600, 1000)
        window.show()
        start(window, asked)
        if path is not None:
            qtbot.waitUntil(lambda: window.session.run is not None, timeout=20_000)
            qtbot.waitUntil(lambda: not window.session.reading.is_loading, timeout=20_000)
        qtbot.waitUntil(lambda: window.sides is not None, timeout=20_000)
        if scanned:
            progress = window.session.findings
            qtbot.waitUntil(lambda: progress.progress.is_complete, timeout=120_000)
        window.activateWindow()
        return window

    yield open_it
    for window in windows:
        window.close()
        window.session.shutdown()
        window.deleteLater()
