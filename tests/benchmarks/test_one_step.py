"""One step of the grid, from the archive to the screen, against what people use today."""

from __future__ import annotations

import shutil
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import h5py
import numpy as np
import pyqtgraph as pg
import pytest
from benchmark_runs import key_frame
from measuring import Reach, medians
from numpy.typing import NDArray
from PySide6.QtWidgets import QApplication, QWidget
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from attn_debugger.archive.reader import Archive, open_archive
from attn_debugger.ui.grid.head_grid import HeadGrid
from attn_debugger.ui.theme import colour_table

SIDE = 900  # pixels of the window
Maps = NDArray[np.float32]  # (layer, head, query, key)


@dataclass
class Contender:
    """A window, where there is one, and what paints the next frame in it."""

    window: QWidget | None
    step: Callable[[], None]


def compared(
    qtbot: QtBot, benchmark: BenchmarkFixture, contenders: Mapping[str, Contender], rounds: int
) -> dict[str, float]:
    """Return the median milliseconds of processor time; one window is on the screen at a time."""

    def show_alone(name: str) -> None:
        for contender in contenders.values():
            if contender.window is not None:
                contender.window.hide()  # a window that another one covers is not painted
        window = contenders[name].window
        if window is not None:
            window.show()
            qtbot.waitExposed(window)
            QApplication.processEvents()

    return medians(
        benchmark,
        {name: contender.step for name, contender in contenders.items()},
        rounds=rounds,
        clock=time.process_time,
        prepare=show_alone,
    )


def shown_grid(qtbot: QtBot, archive: Archive) -> HeadGrid:
    grid = HeadGrid()
    qtbot.addWidget(grid)
    grid.resize(SIDE, SIDE)
    grid.show_run(archive.run)
    grid.show()
    qtbot.waitExposed(grid)
    QApplication.processEvents()
    return grid


def stepper(qtbot: QtBot, archive: Archive) -> Contender:
    """Read the next frame and paint it, with no cache in between."""
    grid = shown_grid(qtbot, archive)
    turns = count()

    def step() -> None:
        frame = archive.grid(next(turns) % archive.run.n_frames, 0, grid.tile_size)
        grid.show_frame(frame)
        grid.canvas.viewport().repaint()

    return Contender(grid, step)


def image_items(qtbot: QtBot, maps: list[Maps]) -> Contender:
    """The usual way with pyqtgraph: one ImageItem a head, here in one ViewBox to its favour."""
    n_layers, n_heads, n, _ = maps[0].shape
    view = pg.GraphicsView()
    qtbot.addWidget(view)
    box = pg.ViewBox(enableMenu=False, invertY=True, lockAspect=True)
    view.setCentralItem(box)
    items = []
    for layer in range(n_layers):
        for head in range(n_heads):
            item = pg.ImageItem(maps[0][layer, head], axisOrder="row-major", levels=(0, 1))
            item.setLookupTable(colour_table("viridis"))
            item.setPos(head * (n + 4), layer * (n + 4))
            box.addItem(item)
            items.append(item)
    box.setRange(xRange=(0, n_heads * (n + 4)), yRange=(0, n_layers * (n + 4)), padding=0)
    view.resize(SIDE, SIDE)
    view.show()
    qtbot.waitExposed(view)
    turns = count()

    def step() -> None:
        newest = maps[next(turns) % len(maps)]
        for index, item in enumerate(items):
            item.setImage(newest[index // n_heads, index % n_heads], autoLevels=False)
        view.viewport().repaint()

    return Contender(view, step)


def subplots(maps: list[Maps], axes_style: str) -> Contender:
    """The usual way with matplotlib: a figure of 12 x 12 subplots, new data by `set_data`.

    `axes_style`: `as they come`, `no ticks`, which leaves frames around the heads, or `axes off`.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        figure_module = pytest.importorskip(
            "matplotlib.figure", reason="matplotlib, the peer to compare with, is not installed"
        )
        from matplotlib.backends.backend_agg import FigureCanvasAgg
    n_layers, n_heads, _, _ = maps[0].shape
    figure = figure_module.Figure(figsize=(SIDE / 100, SIDE / 100), dpi=100)
    canvas = FigureCanvasAgg(figure)
    images = []
    for index, axes in enumerate(figure.subplots(n_layers, n_heads).flat):
        if axes_style == "axes off":
            axes.set_axis_off()
        elif axes_style == "no ticks":
            axes.set(xticks=[], yticks=[])
        newest = maps[0][index // n_heads, index % n_heads]
        images.append(axes.imshow(newest, vmin=0, vmax=1))
    turns = count()

    def step() -> None:
        newest = maps[next(turns) % len(maps)]
        for index, image in enumerate(images):
            image.set_data(newest[index // n_heads, index % n_heads])
        canvas.draw()

    return Contender(None, step)


def test_one_step_against_one_item_a_head(
    qtbot: QtBot, benchmark: BenchmarkFixture, reach: Reach, run_file
) -> None:
    with open_archive(run_file(frames=20)) as archive:
        items = image_items(qtbot, [key_frame(i, 12, 12, 128) for i in range(2)])
        both = {"grid": stepper(qtbot, archive), "items": items}
        found = compared(qtbot, benchmark, both, rounds=21)
    reach.at_least(
        "a step of 144 heads x 128 tokens: one pyqtgraph ImageItem a head / grid",
        found["items"] / found["grid"],
        6,
        note=f"{found['items']:.1f} ms / {found['grid']:.1f} ms",
    )


def test_one_step_against_matplotlib(
    qtbot: QtBot, benchmark: BenchmarkFixture, reach: Reach, run_file
) -> None:
    small = not reach.judges
    maps = [key_frame(i, *((2, 2) if small else (12, 12)), 128) for i in range(2)]
    styles = ("no ticks", "as they come", "axes off")
    with open_archive(run_file(frames=20)) as archive:
        contenders = {"grid": stepper(qtbot, archive)}
        contenders |= {style: subplots(maps, style) for style in styles}
        found = compared(qtbot, benchmark, contenders, rounds=5)
    heads = 4 if small else 144
    reach.at_least(
        f"a step of 144 heads x 128 tokens: matplotlib's redraw of {heads} subplots / grid",
        found["no ticks"] / found["grid"],
        60,
        note=f"{found['no ticks']:.0f} ms / {found['grid']:.1f} ms",
    )
    for style in styles[1:]:
        reach.tell(f"the same, subplots {style}", found[style] / found["grid"], "x")


def test_one_step_without_overviews(
    qtbot: QtBot, benchmark: BenchmarkFixture, reach: Reach, run_file, tmp_path: Path
) -> None:
    with_overviews = run_file(frames=20)
    bare = tmp_path / "bare.h5"
    shutil.copy(with_overviews, bare)
    with h5py.File(bare, "r+") as file:
        del file["derived"]
    with open_archive(bare) as plain, open_archive(with_overviews) as archive:
        both = {"full maps": stepper(qtbot, plain), "overviews": stepper(qtbot, archive)}
        found = compared(qtbot, benchmark, both, rounds=9)
    reach.tell(
        "a step of 144 heads x 128 tokens from full maps, no overviews",
        found["full maps"],
        note=f"{found['full maps'] / found['overviews']:.1f} x that from overviews",
    )


def test_512_tokens_step_like_128(
    qtbot: QtBot, benchmark: BenchmarkFixture, reach: Reach, run_file
) -> None:
    shape = {} if reach.judges else {"n_layers": 2, "n_heads": 2}
    frames = 6 if reach.judges else 1
    with (
        open_archive(run_file(frames=20, **shape)) as short,
        open_archive(run_file(frames=frames, n_tokens=512, **shape)) as long,
    ):
        both = {"512": stepper(qtbot, long), "128": stepper(qtbot, short)}
        found = compared(qtbot, benchmark, both, rounds=31)
    reach.at_most(
        "144 heads: a step of 512 tokens / of 128 tokens",
        found["512"] / found["128"],
        1.5,
        note=f"{found['512']:.1f} ms",
    )
