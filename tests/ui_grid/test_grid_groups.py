"""Heads that share a key head stand under one bracket, and say so."""

from dataclasses import replace

import numpy as np
from grid_fakes import make_frame, make_run
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.ui.grid.geometry import GridGeometry, layers_by_heads
from attn_debugger.ui.grid.groups import brackets, key_head_groups
from attn_debugger.ui.grid.head_grid import HeadGrid
from attn_debugger.ui.grid.ordering import Arrangement
from attn_debugger.ui.theme import LIGHT


def grouped_run() -> Run:
    """Layer 0 has 4 heads in 2 groups, layer 1 has none."""
    run = make_run((4, 4))
    return replace(run, layers=(replace(run.layers[0], n_key_heads=2), run.layers[1]))


def test_every_group_of_the_model_has_a_bracket() -> None:
    groups = key_head_groups(grouped_run())
    assert groups[HeadRef(0, 3)] == (1, 2)
    assert HeadRef(1, 0) not in groups
    geometry = GridGeometry(layers_by_heads((4, 4)), ((8, 8), (8, 8)))
    assert brackets(geometry, groups) == [(0, 0, 1), (0, 2, 3)]


def test_a_group_torn_apart_has_none() -> None:
    heads = [HeadRef(0, 2), HeadRef(0, 0), HeadRef(0, 1), HeadRef(0, 3)]
    geometry = GridGeometry((tuple(heads),), ((8, 8),))
    assert brackets(geometry, key_head_groups(grouped_run())) == [(0, 1, 2)]


def test_the_bracket_is_painted_over_its_tiles_only(qtbot: QtBot) -> None:
    grid = HeadGrid()
    qtbot.addWidget(grid)
    grid.resize(700, 420)
    grid.show()
    grid.show_run(grouped_run())
    grid.show_frame(make_frame(np.full((2, 4, 8, 8), 0.125), tile=64))
    image = grid.canvas.grab().toImage()
    one, two = grid.canvas.tile_on_screen(HeadRef(0, 1)), grid.canvas.tile_on_screen(HeadRef(0, 2))
    assert one is not None
    assert two is not None
    gap = two.left() - one.right()
    y = round(one.top() - gap / 2)
    ink = QColor(LIGHT.muted).lightness()
    paper = QColor(LIGHT.background).lightness()

    def darkness(x: float) -> int:
        return min(QColor(image.pixel(round(x), y + d)).lightness() for d in (-1, 0, 1))

    assert abs(darkness(one.center().x()) - ink) < abs(darkness(one.center().x()) - paper)
    assert darkness(one.right() + gap / 2) > (ink + paper) / 2  # between two groups: nothing


def test_a_head_says_with_whom_it_shares_its_keys(qtbot: QtBot) -> None:
    grid = HeadGrid()
    qtbot.addWidget(grid)
    grid.show_run(grouped_run())
    grid.select(HeadRef(0, 3))
    assert "key head 1, shared by heads 2 to 3" in grid.accessibleName()
    grid.arrange(Arrangement(sort="severity"))
    assert grid.order[0] == HeadRef(0, 0)
