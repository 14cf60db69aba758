"""How fast the grid paints a new frame, as ratios to baselines in the same process.

Rounds of all contenders are interleaved and lower quartiles of CPU time compared: Qt paints off
screen in this one thread, and what neighbours do to the clock on the wall and to the caches says
nothing about it. Run with `-s` to see the ratios.
"""

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from attn_debugger.core.frame import GridFrame
from attn_debugger.core.run import LayerFacts, LayerInfo, Run
from attn_debugger.ui.grid.head_grid import HeadGrid
from attn_debugger.ui.theme import colour_table

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
ROUNDS = 7


class Blit(QWidget):
    """The physical floor: a ready RGB32 picture drawn into the same rectangle."""

    def __init__(self, picture: QImage, where: QRectF) -> None:
        super().__init__()
        self.picture, self.where = picture, where

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        QPainter(self).drawImage(self.where, self.picture)


def make_run(n_layers: int, n_heads: int, n_tokens: int) -> Run:
    facts = LayerFacts()
    layers = tuple(
        LayerInfo(
            index=index,
            facts=facts,
            n_samples=1,
            n_heads=n_heads,
            n_queries=n_tokens,
            n_keys=n_tokens,
            storage="float16",
            maps=frozenset({"weights"}),
            stats=frozenset(),
        )
        for index in range(n_layers)
    )
    return Run(
        path="",
        version=1,
        steps=np.arange(3),
        streams=("train",) * 3,
        times=None,
        scalars={},
        curves={},
        layers=layers,
        facts=facts,
        attributes={},
    )


def make_frames(n_layers: int, n_heads: int, tile: int) -> list[GridFrame]:
    rng = np.random.default_rng(0)
    shape = (n_layers, n_heads, tile, tile)
    masked = np.broadcast_to(np.triu(np.ones((tile, tile), bool), 1), (n_layers, tile, tile))
    return [
        GridFrame(
            frame_index=index,
            sample=0,
            tile=tile,
            codes=rng.integers(0, 255, shape, dtype=np.uint8),
            known=np.ones((n_layers, n_heads), bool),
            masked=masked,
            shapes=((2 * tile, 2 * tile),) * n_layers,
        )
        for index in range(3)
    ]


@dataclass
class Contender:
    """A window and what paints the next picture in it."""

    window: QWidget
    update: Callable[[int], None]


def typical_times(qtbot: QtBot, contenders: dict[str, Contender]) -> dict[str, float]:
    """Return the milliseconds of each contender: the lower quartile over interleaved rounds."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, contender in contenders.items():
            contender.window.show()  # a window that another one covers is not painted
            qtbot.waitExposed(contender.window)
            QApplication.processEvents()
            for turn in range(5):
                start = time.thread_time()
                contender.update(turn)
                if turn >= 2:  # the first turns fill caches
                    times[name].append(1000 * (time.thread_time() - start))
            contender.window.hide()
    return {name: statistics.quantiles(values, n=4)[0] for name, values in times.items()}


def shown_grid(qtbot: QtBot, n_layers: int, n_heads: int, tile: int, side: int) -> HeadGrid:
    grid = HeadGrid()
    qtbot.addWidget(grid)
    grid.resize(side, side)
    grid.show_run(make_run(n_layers, n_heads, 2 * tile))
    grid.show()
    qtbot.waitExposed(grid)
    QApplication.processEvents()
    return grid


def grid_update(grid: HeadGrid, frames: list[GridFrame]) -> Contender:
    def update(turn: int) -> None:
        grid.show_frame(frames[turn % len(frames)])
        grid.canvas.viewport().repaint()

    return Contender(grid, update)


def ready_blit(qtbot: QtBot, grid: HeadGrid, frames: list[GridFrame]) -> Contender:
    grid.show_frame(frames[0])
    camera, mosaic = grid.canvas.camera, grid.canvas.mosaic
    where = QRectF(
        *camera.to_screen(0, 0), mosaic.n_columns * camera.scale, mosaic.n_rows * camera.scale
    )
    blit = Blit(grid.canvas.atlas.picture().copy(), where)
    qtbot.addWidget(blit)
    blit.resize(grid.canvas.size())
    return Contender(blit, lambda turn: blit.repaint())


def test_a_full_update_is_near_the_cost_of_a_blit(qtbot: QtBot) -> None:
    frames = make_frames(12, 12, 64)
    grid = shown_grid(qtbot, 12, 12, 64, 900)
    found = typical_times(
        qtbot, {"grid": grid_update(grid, frames), "blit": ready_blit(qtbot, grid, frames)}
    )
    ratio = found["grid"] / found["blit"]
    print(
        f"\n144 heads, tiles of 64 px: grid {found['grid']:.2f} ms, "
        f"ready picture {found['blit']:.2f} ms, ratio {ratio:.1f} (at most 6)"
    )
    assert ratio <= 6


def test_a_thousand_heads_cost_their_pixels_not_their_number(qtbot: QtBot) -> None:
    few, many = make_frames(12, 12, 32), make_frames(32, 32, 32)
    grid_few = shown_grid(qtbot, 12, 12, 32, 460)
    grid_many = shown_grid(qtbot, 32, 32, 32, 1150)
    found = typical_times(
        qtbot, {"few": grid_update(grid_few, few), "many": grid_update(grid_many, many)}
    )
    per_pixel = {
        name: found[name] / (frames[0].codes.size / 1e6)
        for name, frames in (("few", few), ("many", many))
    }
    ratio = per_pixel["many"] / per_pixel["few"]
    print(
        f"\n1,024 heads at 32 px {found['many']:.2f} ms, 144 heads {found['few']:.2f} ms, "
        f"a million pixels cost {ratio:.2f} times as much (at most 2)"
    )
    assert ratio <= 2


def test_one_mosaic_against_one_image_item_a_head(qtbot: QtBot) -> None:
    frames = make_frames(12, 12, 64)
    grid = shown_grid(qtbot, 12, 12, 64, 900)
    view = pg.GraphicsView()
    qtbot.addWidget(view)
    box = pg.ViewBox(enableMenu=False, invertY=True, lockAspect=True)
    view.setCentralItem(box)
    items = []
    for layer in range(12):
        for head in range(12):
            item = pg.ImageItem(
                frames[0].codes[layer, head], axisOrder="row-major", autoLevels=False
            )
            item.setLookupTable(colour_table("viridis"))
            item.setPos(head * 68, layer * 68)
            box.addItem(item)
            items.append(item)
    box.setRange(xRange=(0, 816), yRange=(0, 816), padding=0)
    view.resize(900, 900)

    def update_items(turn: int) -> None:
        codes = frames[turn % len(frames)].codes
        for index, item in enumerate(items):
            item.setImage(codes[index // 12, index % 12], autoLevels=False)
        view.viewport().repaint()

    found = typical_times(
        qtbot, {"grid": grid_update(grid, frames), "items": Contender(view, update_items)}
    )
    ratio = found["items"] / found["grid"]
    print(
        f"\n144 heads, tiles of 64 px: mosaic {found['grid']:.2f} ms, one pyqtgraph ImageItem a "
        f"head {found['items']:.2f} ms, {ratio:.1f} times faster (at least 6)"
    )
    assert ratio >= 6


def test_numbers_on_all_tiles_leave_room_in_a_frame(qtbot: QtBot) -> None:
    frames = make_frames(12, 12, 64)
    grid = shown_grid(qtbot, 12, 12, 64, 900)
    plain = shown_grid(qtbot, 12, 12, 64, 900)
    numbers = [np.random.default_rng(seed).random((12, 12)) for seed in range(3)]
    with_frame = grid_update(grid, frames)

    def update(turn: int) -> None:
        grid.show_numbers(numbers[turn % 3], "entropy")
        with_frame.update(turn)

    found = typical_times(
        qtbot, {"numbers": Contender(grid, update), "plain": grid_update(plain, frames)}
    )
    ratio = found["numbers"] / found["plain"]
    print(
        f"\n144 heads: with a number on each tile {found['numbers']:.2f} ms, without "
        f"{found['plain']:.2f} ms, ratio {ratio:.1f} (at most 4)"
    )
    assert ratio <= 4


def test_recolouring_costs_no_more_than_an_update(qtbot: QtBot) -> None:
    frames = make_frames(32, 32, 32)
    grid = shown_grid(qtbot, 32, 32, 32, 1150)

    def recolour(turn: int) -> None:
        grid.set_colour_map(("viridis", "magma")[turn % 2])
        grid.canvas.viewport().repaint()

    found = typical_times(
        qtbot, {"update": grid_update(grid, frames), "recolour": Contender(grid, recolour)}
    )
    ratio = found["recolour"] / found["update"]
    print(f"\nrecolour {found['recolour']:.2f} ms, update {found['update']:.2f} ms, {ratio:.2f}")
    assert ratio <= 1.2
