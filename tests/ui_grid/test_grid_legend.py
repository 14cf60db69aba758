import numpy as np
import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from attn_debugger.ui.grid.legend import (
    BAR_LEFT,
    BAR_WIDTH,
    LegendBar,
    LegendContent,
    number_text,
    tick_values,
)
from attn_debugger.ui.theme import LIGHT, colour_table


def test_ticks_of_each_scale() -> None:
    assert tick_values("linear", 0.0, 1.0) == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert tick_values("log", 7.8125e-4, 1.0) == pytest.approx([7.8125e-4, 0.001, 0.01, 0.1, 1])
    assert tick_values("log", 0.01, 1.0) == pytest.approx([0.01, 0.1, 1.0])
    assert tick_values("linear", 0.5, 0.5) == [0.5]


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (1, "1"), (0.25, "0.25"), (7.8125e-4, "7.8e-4"), (1e-5, "1e-5")]
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert number_text(value) == text


def test_the_bar_runs_from_low_to_high_with_all_swatches(qtbot: QtBot) -> None:
    legend = LegendBar()
    qtbot.addWidget(legend)
    legend.resize(800, legend.sizeHint().height())
    legend.show_content(LegendContent(colour_table("viridis"), "log", 1e-3, 1.0))
    image = legend.grab().toImage()
    row = 10
    left = QColor(image.pixel(int(BAR_LEFT) + 2, row))
    right = QColor(image.pixel(int(BAR_LEFT) + BAR_WIDTH - 2, row))
    assert left.lightness() < 90
    assert right.lightness() > 120
    pixels = np.array(
        [QColor(image.pixel(x, image.height() // 2)).name() for x in range(image.width())]
    )
    assert (pixels == LIGHT.nan.lower()).any()
    assert (pixels == LIGHT.masked).any()


def test_a_narrow_legend_keeps_the_bar(qtbot: QtBot) -> None:
    legend = LegendBar()
    qtbot.addWidget(legend)
    one_line = legend.sizeHint().height()
    legend.resize(230, one_line)
    legend.show_content(LegendContent(colour_table("gray"), "linear", 0.0, 1.0, words="overview"))
    assert legend.sizeHint().height() > one_line  # the words went below
    assert not legend.grab().isNull()
    assert legend.toolTip() == "linear scale, 0 – 1; overview"


def test_long_words_wrap_onto_lines_of_their_own(qtbot: QtBot) -> None:
    legend = LegendBar()
    qtbot.addWidget(legend)
    legend.resize(500, 40)
    words = "No full maps were stored at this step; the overview is enlarged. " * 2
    legend.show_content(LegendContent(colour_table("gray"), "linear", 0.0, 1.0, words=words))
    two_lines = legend.sizeHint().height()
    legend.show_content(LegendContent(colour_table("gray"), "linear", 0.0, 1.0, words="short"))
    assert two_lines >= legend.sizeHint().height() + 15
