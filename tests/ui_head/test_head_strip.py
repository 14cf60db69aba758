import numpy as np
import pytest
from head_fakes import make_layer_frame, softmax_map
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from attn_debugger.core.frame import NONFINITE_CODE
from attn_debugger.core.run import LayerFacts
from attn_debugger.ui.colour_maps import colour_table
from attn_debugger.ui.grid.codes import MASKED_CODE, ZERO_CODE
from attn_debugger.ui.head.difference import difference
from attn_debugger.ui.head.head_strip import HeadStrip
from attn_debugger.ui.head.map_pane import MapPane
from attn_debugger.ui.head.picture import head_map, shrunk_signed_codes
from attn_debugger.ui.theme import DARK

MIDDLE = 129


@pytest.fixture
def strip(qtbot: QtBot) -> HeadStrip:
    widget = HeadStrip()
    qtbot.addWidget(widget)
    widget.resize(900, 420)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def colour_of_cell(pane: MapPane, query: int, key: int) -> str:
    QApplication.processEvents()  # new panes have yet to get their place
    assert pane.stage is not None
    box = pane.stage.cell_box(query, key)
    point = QPoint(int(box.left + 3), int(box.top + 3))
    return QColor(pane.grab().toImage().pixel(point)).name()


def shown(weights: np.ndarray, **fields):
    return head_map(make_layer_frame(weights, **fields))


def test_the_difference_is_after_minus_before_with_symmetric_limits() -> None:
    before, after = np.zeros((1, 2, 2)), np.array([[[0.5, -0.0], [0.0, 0.0]]])
    after[0, 1, 0] = 0.25
    found = difference(shown(before), shown(after))
    assert found.values.tolist() == [[0.5, 0.0], [0.25, 0.0]]
    assert found.limit == 0.5
    assert found.codes[0, 1] == MIDDLE
    back = difference(shown(after), shown(before))
    assert np.array_equal(back.values, -found.values)
    assert back.limit == found.limit


def test_equal_maps_are_neutral_everywhere() -> None:
    weights = softmax_map(4, 4)
    assert (difference(shown(weights), shown(weights)).codes == MIDDLE).all()


def test_nan_in_either_map_is_nan_in_the_difference() -> None:
    before, after = softmax_map(3, 3), softmax_map(3, 3)
    before[0, 0, 0], after[0, 1, 1] = np.nan, np.inf
    found = difference(shown(before), shown(after))
    assert np.argwhere(found.codes == NONFINITE_CODE).tolist() == [[0, 0], [1, 1]]
    assert found.n_nonfinite == 2


def test_maps_of_different_shape_are_not_subtracted() -> None:
    with pytest.raises(ValueError, match="3 x 3 and 3 x 4"):
        difference(shown(softmax_map(3, 3)), shown(softmax_map(3, 4)))


def test_pooling_a_difference_keeps_falls_and_rises() -> None:
    codes = np.full((8, 8), MIDDLE, np.uint8)
    codes[1, 1], codes[1, 6], codes[6, 1] = 10, 240, NONFINITE_CODE
    codes[4:, 4:] = MASKED_CODE
    codes[2, 2] = MASKED_CODE  # a masked cell beside others does not win
    assert shrunk_signed_codes(codes, 2, 2).tolist() == [
        [10, 240],
        [NONFINITE_CODE, MASKED_CODE],
    ]
    assert ZERO_CODE < 10


def test_three_maps_a_b_and_b_minus_a(strip: HeadStrip) -> None:
    before, after = np.full((1, 8, 8), 0.25), np.full((1, 8, 8), 0.25)
    after[0, 3, 1], after[0, 5, 5], after[0, 6, 6] = 1.0, 0.0, np.nan
    strip.show_difference(make_layer_frame(before), make_layer_frame(after))
    a, b, change = strip.panes
    assert (a.title, b.title, change.title) == (
        "A   L0.H0   step 300",
        "B   L0.H0   step 300",
        "B − A",
    )
    assert change.values[3, 1] == 0.75
    diverging = colour_table("CET-CBD1")
    assert colour_of_cell(change, 3, 1) == "#{:02x}{:02x}{:02x}".format(*diverging[-1])
    assert colour_of_cell(change, 0, 0) == "#{:02x}{:02x}{:02x}".format(*diverging[128])
    assert colour_of_cell(change, 6, 6) == "#000000"
    assert strip.difference_legend.isVisible()
    assert strip.difference_legend.sentence() == (
        "linear scale, -0.75 – 0.75; difference B − A  ·  1 of 64 cells not finite"
    )
    strip.show_difference(make_layer_frame(after), make_layer_frame(before))
    assert strip.panes[2].values[3, 1] == -0.75


def test_what_cannot_be_compared_is_said(strip: HeadStrip) -> None:
    strip.show_difference(make_layer_frame(softmax_map(3, 3)), make_layer_frame(softmax_map(4, 4)))
    assert strip.panes[2].stage is None
    assert not strip.difference_legend.isVisible()
    strip.show_difference(
        make_layer_frame(softmax_map(3, 3)), make_layer_frame(None, present=False)
    )
    assert strip.panes[1].stage is None
    assert not strip.grab().isNull()


def test_up_to_nine_maps_side_by_side(strip: HeadStrip) -> None:
    maps = [(f"L0.H{n}", make_layer_frame(softmax_map(6, 6, seed=n))) for n in range(9)]
    strip.show_maps(maps)
    assert [pane.title for pane in strip.panes] == [title for title, _ in maps]
    strip.show_maps(maps[:2])
    assert len(strip.panes) == 2
    with pytest.raises(ValueError, match="at most 9"):
        strip.show_maps([*maps, maps[0]])


def test_all_maps_share_one_range(strip: HeadStrip) -> None:
    small, large = np.full((1, 2, 2), 0.1), np.full((1, 2, 2), 0.4)
    strip.set_range("data")
    strip.show_maps([("a", make_layer_frame(small)), ("b", make_layer_frame(large))])
    assert strip.panes[1].codes[0, 0] == 254
    assert strip.panes[0].codes[0, 0] < 100
    strip.set_scale("sqrt")
    assert strip.legend.sentence().startswith("square-root scale, 0 – 0.4")


def test_pointing_at_a_cell_marks_it_in_all_maps(strip: HeadStrip) -> None:
    maps = [("a", make_layer_frame(softmax_map(6, 6))), ("b", make_layer_frame(softmax_map(3, 3)))]
    strip.show_maps(maps)
    first = strip.panes[0]
    assert first.stage is not None
    box = first.stage.cell_box(5, 4)
    where = QPointF(box.left + box.width / 2, box.top + box.height / 2)
    none, keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    event = QMouseEvent(QEvent.Type.MouseMove, where, first.mapToGlobal(where), none, none, keys)
    QApplication.sendEvent(first, event)
    weight = first.values[5, 4]
    assert strip.reading.text() == f"q 5 → k 4    a: {weight:.4g}"  # b has no such cell


def test_zooming_one_map_zooms_all_alike(strip: HeadStrip) -> None:
    maps = [(name, make_layer_frame(softmax_map(40, 40))) for name in "abc"]
    strip.show_maps(maps)
    stage = strip.panes[0].stage
    assert stage is not None
    strip.panes[0].stage_changed.emit(stage.zoomed(4.0, stage.matrix.left, stage.matrix.top))
    for pane in strip.panes:
        assert pane.stage is not None
        assert pane.stage.visible_keys() == range(10)


def test_a_click_selects_and_a_double_click_opens(strip: HeadStrip, qtbot: QtBot) -> None:
    strip.show_maps([(name, make_layer_frame(softmax_map(4, 4))) for name in "ab"])
    pane = strip.panes[1]
    assert pane.stage is not None
    box = pane.stage.cell_box(2, 3)
    where = QPoint(int(box.left + 4), int(box.top + 4))
    with qtbot.waitSignal(strip.cell_selected) as caught:
        qtbot.mouseClick(pane, Qt.MouseButton.LeftButton, pos=where)
    assert caught.args == [2, 3]
    strip.select((2, 3))
    with qtbot.waitSignal(strip.map_activated) as caught:
        qtbot.mouseDClick(pane, Qt.MouseButton.LeftButton, pos=where)
    assert caught.args == [1]


def test_masked_cells_and_themes(strip: HeadStrip) -> None:
    frame = make_layer_frame(np.tril(np.ones((1, 8, 8))) / 8, facts=LayerFacts(causal=True))
    strip.show_difference(frame, frame)
    assert strip.panes[2].codes[0, 5] == MASKED_CODE
    strip.set_theme(DARK)
    assert colour_of_cell(strip.panes[2], 0, 5) == DARK.masked
    strip.set_colour_map("magma")
    assert colour_of_cell(strip.panes[0], 0, 5) == DARK.masked
