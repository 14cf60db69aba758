"""The window over small archives that are written by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest

from attn_debugger.app import Options, build_window, start
from attn_debugger.ui.window.main_window import MainWindow


def write_archive(
    path: Path, *, frames: int = 6, layers: int = 2, heads: int = 3, n: int = 8
) -> Path:
    """Write healthy causal maps; every head differs a little, every frame too."""
    noise = np.random.default_rng(0)
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"], file.attrs["causal"] = "attn-debugger", 1, True
        file["steps"] = np.arange(frames) * 100
        file["scalars/loss"] = np.linspace(3, 1, frames)
        file["tokens"] = np.array([f"word{i}" for i in range(n)], dtype=h5py.string_dtype())
        for layer in range(layers):
            scores = noise.standard_normal((frames, heads, n, n))
            scores += np.triu(np.full((n, n), -np.inf), 1)
            weights = np.exp(scores)
            weights /= weights.sum(-1, keepdims=True)
            file[f"layers/{layer}/weights"] = weights.astype(np.float32)
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return write_archive(tmp_path / "run.h5")


@pytest.fixture
def open_window(qtbot) -> Iterator[Callable[..., MainWindow]]:
    windows: list[MainWindow] = []

    def open_it(path: Path | None = None, *, waits: bool = True, **options) -> MainWindow:
        options.setdefault("fresh", True)
        asked = Options(path=None if path is None else str(path), **options)
        window = build_window(asked)
        windows.append(window)
        window.resize(1280, 720)
        window.show()
        start(window, asked)
        qtbot.waitUntil(lambda: window.sides is not None, timeout=20_000)
        if path is not None and waits:
            qtbot.waitUntil(lambda: window.session.run is not None, timeout=20_000)
            assert window.session.wait_until_idle(30)
        return window

    yield open_it
    for window in windows:
        window.close()
        window.session.shutdown()
        window.deleteLater()
