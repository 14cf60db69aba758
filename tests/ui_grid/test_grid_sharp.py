"""Full maps of the heads in sight over the overview: finer, never of another frame, always said."""

from __future__ import annotations

import numpy as np
import pytest
from grid_fakes import encoded, make_frame, make_run, pooled
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from attn_debugger.core.frame import GridFrame, SharpTile, SharpTiles
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.head_grid import HeadGrid
from attn_debugger.ui.grid.ordering import Arrangement

N_TOKENS = 512
HOT = QColor("#fde725").name()


@pytest.fixture
def weights() -> np.ndarray:
    """Two layers of two heads; head (1, 0) alone has one hot cell."""
    maps = np.zeros((2, 2, N_TOKENS, N_TOKENS))
    maps[1, 0, 100, 37] = 1.0
    return maps


@pytest.fixture
def grid(qtbot: QtBot) -> HeadGrid:
    widget = HeadGrid()
    qtbot.addWidget(widget)
    widget.resize(640, 700)
    widget.show()
    qtbot.waitExposed(widget)
    widget.show_run(make_run((2, 2), N_TOKENS))
    return widget


def sharp(weights: np.ndarray, tile: int = 256, frame: int = 0, **fields: object) -> SharpTiles:
    refs = [HeadRef(layer, head) for layer in range(2) for head in range(2)]
    hidden = np.zeros((tile, tile), np.bool_)
    tiles = tuple(
        SharpTile(head=ref, codes=pooled(encoded(weights[ref]), tile), masked=hidden)
        for ref in refs
    )
    told = {"tiles": tiles, "n_wanted": 4, "is_complete": True} | fields
    return SharpTiles(frame_index=frame, sample=0, tile=tile, **told)


def hot_width(grid: HeadGrid) -> float:
    """Return the widest run of pixels on the screen that have the colour of weight 1."""
    screen = grid.canvas.grab().toImage()
    tile = grid.canvas.tile_on_screen(HeadRef(1, 0))
    box = tile.toAlignedRect()
    rows = [
        sum(screen.pixelColor(x, y).name() == HOT for x in range(box.left(), box.right()))
        for y in range(box.top(), box.bottom())
    ]
    return max(rows)


def test_the_hot_cell_becomes_as_fine_as_the_screen(grid: HeadGrid, weights: np.ndarray) -> None:
    grid.show_frame(make_frame(weights, 64))
    coarse = hot_width(grid)
    grid.show_sharp(sharp(weights))
    side = grid.canvas.tile_on_screen(HeadRef(1, 0)).width()
    assert coarse == pytest.approx(side / 64, abs=1)
    assert hot_width(grid) == pytest.approx(side / 256, abs=1)
    cell = QPointF(*grid.canvas.tile_on_screen(HeadRef(1, 0)).topLeft().toTuple())
    cell += QPointF(37.5 / N_TOKENS * side, 100.5 / N_TOKENS * side)
    hover = grid.hover_at(*grid.canvas.to_mosaic(cell))
    assert (hover.head, hover.value, hover.n_cells) == (HeadRef(1, 0), 1.0, 4)
    assert hover.query in (100, 101)
    assert hover.key in (36, 37)


def test_moving_on_falls_back_at_once(grid: HeadGrid, weights: np.ndarray) -> None:
    grid.show_frame(make_frame(weights, 64))
    grid.show_sharp(sharp(weights))
    assert "full maps of the heads in sight" in grid.legend.sentence()
    assert "512 tokens max-pooled to 256 px" in grid.legend.sentence()
    empty = make_frame(np.zeros_like(weights), 64)
    grid.show_frame(
        GridFrame(**{name: getattr(empty, name) for name in empty.__slots__} | {"frame_index": 1})
    )
    assert hot_width(grid) == 0
    assert "in sight" not in grid.legend.sentence()
    assert "max-pooled to 64 px" in grid.legend.sentence()


def test_tiles_of_another_frame_are_never_shown(grid: HeadGrid, weights: np.ndarray) -> None:
    grid.show_sharp(sharp(weights))  # nothing is shown yet
    assert "in sight" not in grid.legend.sentence()
    grid.show_frame(make_frame(np.zeros_like(weights), 64))
    before = grid.legend.sentence()
    grid.show_sharp(sharp(weights, frame=2))
    assert hot_width(grid) == 0
    assert grid.legend.sentence() == before


def test_the_legend_says_how_many_of_the_heads_are_shown_in_full(
    grid: HeadGrid, weights: np.ndarray
) -> None:
    grid.show_frame(make_frame(weights, 64))
    some = sharp(weights)
    grid.show_sharp(sharp(weights, tiles=some.tiles[:3], is_complete=False))
    assert "full maps of 3 of the 4 heads in sight" in grid.legend.sentence()
    grid.show_sharp(sharp(weights, tiles=()))
    assert "no full maps were stored at this step" in grid.legend.sentence()
    assert "max-pooled to 64 px" in grid.legend.sentence()
    grid.show_sharp(sharp(weights, tiles=(), note="layer 0 is damaged"))
    assert "layer 0 is damaged" in grid.legend.sentence()
    assert "no full maps" not in grid.legend.sentence()


def test_sharp_tiles_wear_the_range_of_their_head(grid: HeadGrid, weights: np.ndarray) -> None:
    weights[1, 0] *= 0.01
    grid.set_scale("linear")
    grid.show_frame(make_frame(weights, 64))
    grid.show_sharp(sharp(weights))
    assert hot_width(grid) == 0
    grid.set_range("head")
    assert hot_width(grid) >= 1
    grid.set_range("fixed")
    assert hot_width(grid) == 0


def test_they_follow_their_heads_to_other_places(grid: HeadGrid, weights: np.ndarray) -> None:
    grid.show_frame(make_frame(weights, 64))
    grid.show_sharp(sharp(weights))
    numbers = np.array([[4.0, 3.0], [1.0, 2.0]])
    grid.show_numbers(numbers, "entropy")
    grid.arrange(Arrangement(sort="number"))
    assert grid.order[-1] == HeadRef(1, 0)
    side = grid.canvas.tile_on_screen(HeadRef(1, 0)).width()
    grid.show_numbers(None, "")
    assert 1 <= hot_width(grid) <= side / 256 + 1


def test_a_difference_is_not_sharpened(grid: HeadGrid, weights: np.ndarray) -> None:
    seen = []
    grid.sight_changed.connect(lambda tile, heads: seen.append((tile, heads)))
    grid.show_frame(make_frame(weights, 64))
    grid.show_sharp(sharp(weights))
    grid.show_pinned(make_frame(np.zeros_like(weights), 64), 100)
    assert grid.shows_difference
    assert seen[-1] == (0, ())
    assert not grid.canvas.sharp.isVisible()
    grid.show_pinned(None, None)
    assert grid.canvas.sharp.isVisible()
    assert seen[-1][0] == 256


def test_it_tells_which_heads_are_in_sight_when_they_are_large(
    grid: HeadGrid, weights: np.ndarray, qtbot: QtBot
) -> None:
    grid.show_frame(make_frame(weights, 64))
    assert grid.tile_size == 64
    with qtbot.waitSignal(grid.sight_changed) as caught:
        grid.canvas.zoom(4.0, grid.canvas.tile_on_screen(HeadRef(0, 1)).center())
    tile, heads = caught.args
    assert heads == (HeadRef(0, 1),)
    assert tile == N_TOKENS  # a tile of some 1,200 pixels on the screen: each cell has its own
    assert grid.tile_size == 64
    with qtbot.waitSignal(grid.sight_changed) as caught:
        grid.resize(150, 180)
        grid.fit()
    assert caught.args == [0, ()]


def test_what_is_drawn_small_is_not_asked_for(qtbot: QtBot) -> None:
    small = HeadGrid()
    qtbot.addWidget(small)
    seen = []
    small.sight_changed.connect(lambda *args: seen.append(args))
    small.resize(640, 700)
    small.show()
    small.show_run(make_run((12,) * 12, N_TOKENS))
    assert small.canvas.tile_side < 64
    assert seen == []
