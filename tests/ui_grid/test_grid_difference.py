"""The change of every head since a pinned step: signs, gaps, NaN, and how much moved."""

from dataclasses import replace

import numpy as np
import pytest
from grid_fakes import make_frame, make_run
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from attn_debugger.core.frame import NONFINITE_CODE, GridFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.codes import MASKED_CODE
from attn_debugger.ui.grid.difference import grid_difference, round_limit
from attn_debugger.ui.grid.head_grid import HeadGrid
from attn_debugger.ui.grid.ordering import Arrangement

ONE_HOT = np.eye(4)[None, None]  # (layer, head, query, key)
UNIFORM = np.full((1, 1, 4, 4), 0.25)


def test_more_weight_is_above_the_middle_and_less_below() -> None:
    found = grid_difference(make_frame(UNIFORM), make_frame(ONE_HOT))
    diagonal, beside = found.codes[0, 0, 0, 0], found.codes[0, 0, 0, -1]
    assert diagonal > 129 > beside
    swapped = grid_difference(make_frame(ONE_HOT), make_frame(UNIFORM))
    assert abs(int(swapped.codes[0, 0, 0, 0]) + int(diagonal) - 257) <= 1
    assert found.limit == swapped.limit == 1.0


@pytest.mark.parametrize("tile", [32, 64])
def test_the_change_is_the_share_of_the_attention_that_moved(tile: int) -> None:
    found = grid_difference(make_frame(UNIFORM, tile), make_frame(ONE_HOT, tile))
    assert found.change[0, 0] == pytest.approx(0.75, abs=0.01)
    still = grid_difference(make_frame(UNIFORM, tile), make_frame(UNIFORM, tile))
    assert still.change[0, 0] == 0
    assert len(np.unique(still.codes)) == 1  # neutral everywhere


def test_nan_in_either_is_nan_in_the_difference() -> None:
    broken = UNIFORM.copy()
    broken[0, 0, 1, 2] = np.nan
    for before, after in ((broken, UNIFORM), (UNIFORM, broken)):
        found = grid_difference(make_frame(before), make_frame(after))
        assert (found.codes[0, 0, 8:16, 16:24] == NONFINITE_CODE).all()
        assert (found.codes == NONFINITE_CODE).sum() == 64
        assert found.change[0, 0] == 0  # the other rows did not move
    gone = grid_difference(make_frame(np.full_like(UNIFORM, np.nan)), make_frame(UNIFORM))
    assert np.isnan(gone.change[0, 0])


def test_masked_cells_stay_grey_unless_weight_leaks_in() -> None:
    allowed = np.tri(4, dtype=bool)
    causal = np.tri(4)[None, None] / np.arange(1, 5)[None, None, :, None]
    leaky = causal.copy()
    leaky[0, 0, 0, 3] = 0.5
    before = make_frame(causal, masked=~allowed)
    after = make_frame(leaky, masked=~allowed)
    found = grid_difference(before, after)
    assert (found.codes[0, 0, 0:8, 8:16] == MASKED_CODE).all()
    assert (found.codes[0, 0, 0:8, 24:32] > 129).all()


def test_a_gap_or_another_shape_in_one_of_the_two_is_a_gap() -> None:
    plain = make_frame(UNIFORM)
    gap = make_frame(UNIFORM, known=np.zeros((1, 1), bool))
    assert not grid_difference(gap, plain).frame.known.any()
    shorter = replace(plain, shapes=((3, 3),))
    found = grid_difference(shorter, plain)
    assert not found.frame.known.any()
    assert np.isnan(found.change).all()


def test_tiles_of_other_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be compared"):
        grid_difference(make_frame(UNIFORM, 32), make_frame(UNIFORM, 64))


@pytest.mark.parametrize(
    ("largest", "limit"), [(0, 0.001), (0.03, 0.05), (0.05, 0.05), (0.06, 0.1), (0.7, 1), (1, 1)]
)
def test_limits_are_round(largest: float, limit: float) -> None:
    assert round_limit(largest) == pytest.approx(limit)


@pytest.fixture
def grid(qtbot: QtBot) -> HeadGrid:
    widget = HeadGrid()
    qtbot.addWidget(widget)
    widget.resize(500, 400)
    widget.show()
    widget.show_run(make_run((2,), 4))
    return widget


def two_heads(first: np.ndarray, second: np.ndarray) -> GridFrame:
    return make_frame(np.stack([first[0, 0], second[0, 0]])[None])


def test_the_grid_shows_what_changed_and_the_legend_says_so(grid: HeadGrid) -> None:
    grid.show_frame(two_heads(ONE_HOT, UNIFORM))
    assert not grid.shows_difference
    grid.show_pinned(two_heads(UNIFORM, UNIFORM), 1900)
    assert grid.shows_difference
    sentence = grid.legend.sentence()
    assert sentence.startswith("linear scale, -1 – 1 this step − step 1900")
    assert "black = NaN" in sentence
    table = grid.canvas.atlas.table
    assert table[NONFINITE_CODE] == 0xFF000000  # magenta would be taken for a change
    middle = QColor(int(table[129]))
    assert (
        max(middle.red(), middle.green(), middle.blue())
        - min(middle.red(), middle.green(), middle.blue())
        < 25
    )  # no change is neutral
    grid.select(HeadRef(0, 0))
    assert "≈ 75 % of its attention moved since step 1900" in grid.accessibleName()
    grid.show_difference(False)
    assert grid.legend.sentence().startswith("logarithmic scale")
    grid.show_difference(True)
    grid.show_pinned(None, None)
    assert not grid.shows_difference
    assert grid.legend.sentence().startswith("logarithmic scale")


def test_heads_that_changed_most_come_first(grid: HeadGrid) -> None:
    grid.show_frame(two_heads(UNIFORM, ONE_HOT))
    grid.show_pinned(two_heads(UNIFORM, UNIFORM), 100)
    grid.arrange(Arrangement(sort="change"))
    assert grid.order == (HeadRef(0, 1), HeadRef(0, 0))
    assert "most changed since step 100 first" in grid.legend.sentence()
    grid.show_frame(two_heads(ONE_HOT, UNIFORM))  # the order follows what is shown
    assert grid.order == (HeadRef(0, 0), HeadRef(0, 1))


def test_weights_are_shown_until_the_pinned_tiles_fit(grid: HeadGrid) -> None:
    grid.show_frame(two_heads(UNIFORM, ONE_HOT))
    other = make_frame(np.broadcast_to(UNIFORM, (1, 2, 4, 4)), tile=64)
    grid.show_pinned(other, 100)
    assert not grid.shows_difference
    assert grid.legend.sentence().startswith("logarithmic scale")
    grid.show_pinned(two_heads(UNIFORM, UNIFORM), 100)
    assert grid.shows_difference


def test_the_menu_pins_and_lets_go(grid: HeadGrid, qtbot: QtBot) -> None:
    def press(text: str) -> None:
        menu = grid.menu()
        next(action for action in menu.actions() if action.text().startswith(text)).trigger()
        menu.deleteLater()

    grid.show_frame(two_heads(UNIFORM, ONE_HOT))
    with qtbot.waitSignal(grid.pin_requested) as pinned:
        press("Pin this step")
    assert pinned.args == [True]
    orders = {action.data(): action.isEnabled() for action in grid.menu().actions()}
    assert not orders["change"]
    grid.show_pinned(two_heads(UNIFORM, UNIFORM), 100)
    press("Show the change since step 100")
    assert not grid.shows_difference
    with qtbot.waitSignal(grid.pin_requested) as pinned:
        press("Let go of step 100")
    assert pinned.args == [False]
