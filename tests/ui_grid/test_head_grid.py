import numpy as np
import pytest
from grid_fakes import make_frame, make_run
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from attn_debugger.core.flags import Severity
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.codes import GAP_CODE, MASKED_CODE, ZERO_CODE
from attn_debugger.ui.grid.head_grid import HeadGrid
from attn_debugger.ui.grid.mosaic import tile_view
from attn_debugger.ui.grid.ordering import Arrangement
from attn_debugger.ui.theme import DARK, LIGHT

MAGENTA = 0xFFFF00FF


@pytest.fixture
def grid(qtbot: QtBot) -> HeadGrid:
    widget = HeadGrid()
    qtbot.addWidget(widget)
    widget.resize(700, 620)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def move_to(widget: QWidget, point: QPoint) -> None:
    """Move the pointer there. (QTest's own does nothing where the last test left the pointer.)"""
    where = QPointF(point)
    none = Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        where,
        widget.mapToGlobal(where),
        none,
        none,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(widget, event)


def picture(grid: HeadGrid) -> np.ndarray:
    """The mosaic's colours, (row, column), 0xFFRRGGBB."""
    image = grid.canvas.atlas.picture()
    assert image.format() == QImage.Format.Format_RGB32
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
    return rows[:, : image.width()]


def point_of(grid: HeadGrid, head: HeadRef, query: int, key: int) -> QPoint:
    """The canvas point in the middle of a cell."""
    mosaic = grid.canvas.mosaic
    box = mosaic.cell_rectangle(head, query, key)
    assert box is not None
    x, y, width, height = box
    world = (x + width / 2) / mosaic.pitch, (y + height / 2) / mosaic.pitch
    return QPointF(*grid.canvas.camera.to_screen(*world)).toPoint()


def test_one_hot_cell_lights_row_4_column_2_from_the_top_left(grid: HeadGrid) -> None:
    weights = np.zeros((2, 2, 8, 8))
    weights[1, 0, 3, 1] = 1.0
    grid.show_run(make_run((2, 2)))
    grid.show_frame(make_frame(weights, 32))
    tiles = tile_view(grid.canvas.atlas.pixels, grid.canvas.mosaic)
    lit = np.zeros((32, 32), bool)
    lit[12:16, 4:8] = True  # cells are 4 pixels wide: row 4, column 2
    assert np.array_equal(tiles[1, :, 0] == 254, lit)
    assert not (tiles[0] == 254).any()
    assert not (tiles[1, :, 1] == 254).any()


def test_on_the_screen_the_hot_cell_is_where_it_belongs(grid: HeadGrid) -> None:
    weights = np.zeros((1, 1, 8, 8))
    weights[0, 0, 3, 1] = 1.0
    grid.show_run(make_run((1,)))
    grid.show_frame(make_frame(weights, 32))
    screen = grid.canvas.grab().toImage()
    tile = grid.canvas.tile_on_screen(HeadRef(0, 0))
    assert tile is not None
    cell = tile.width() / 8
    hot = np.zeros((8, 8), bool)
    for row in range(8):
        for column in range(8):
            x = tile.left() + (column + 0.5) * cell
            y = tile.top() + (row + 0.5) * cell
            hot[row, column] = QColor(screen.pixel(int(x), int(y))).name() == "#fde725"
    assert np.argwhere(hot).tolist() == [[3, 1]]


@pytest.mark.parametrize("n_tokens", [32, 128, 512])
def test_a_single_nan_is_magenta_and_its_head_is_marked(grid: HeadGrid, n_tokens: int) -> None:
    weights = np.full((2, 3, n_tokens, n_tokens), 1 / n_tokens)
    weights[1, 2, n_tokens // 2, n_tokens // 3] = np.nan
    grid.show_run(make_run((3, 3), n_tokens))
    grid.show_frame(make_frame(weights, 64))
    tiles = tile_view(picture(grid), grid.canvas.mosaic)
    magenta = (tiles == MAGENTA).any(axis=(1, 3))
    assert np.argwhere(magenta).tolist() == [[1, 2]]
    # One pixel among thousands is easily missed: the outline and the badge are not.
    screen = grid.canvas.grab().toImage()
    tile = grid.canvas.tile_on_screen(HeadRef(1, 2))
    assert tile is not None
    edge = QColor(screen.pixel(int(tile.center().x()), int(tile.top()) - 1))
    assert edge.name() == "#ff00ff"
    badge = QColor(screen.pixel(int(tile.left()) + 2, int(tile.top()) + 2))
    assert badge.name() == "#ff00ff"


def test_heads_that_were_not_captured_are_hatched_gaps(grid: HeadGrid) -> None:
    grid.show_run(make_run((2,)))
    known = np.array([[True, False]])
    grid.show_frame(make_frame(np.zeros((1, 2, 8, 8)), 32, known=known))
    tiles = tile_view(grid.canvas.atlas.pixels, grid.canvas.mosaic)
    assert (tiles[0, :, 0] == ZERO_CODE).all()
    assert (tiles[0, :, 1] == GAP_CODE).all()
    screen = grid.canvas.grab().toImage()
    tile = grid.canvas.tile_on_screen(HeadRef(0, 1))
    assert tile is not None
    line = {screen.pixel(int(tile.left()) + x, int(tile.center().y())) for x in range(40)}
    assert len(line) > 1  # hatched, not flat


def test_before_the_first_frame_nothing_looks_like_zero(grid: HeadGrid) -> None:
    grid.show_run(make_run((2, 2)))
    assert not (grid.canvas.atlas.pixels == ZERO_CODE).any()


def test_masked_cells_are_grey(grid: HeadGrid) -> None:
    masked = np.triu(np.ones((8, 8), bool), 1)
    grid.show_run(make_run((1,)))
    grid.show_frame(make_frame(np.tril(np.ones((1, 1, 8, 8))) / 8, 32, masked=masked))
    tile = tile_view(grid.canvas.atlas.pixels, grid.canvas.mosaic)[0, :, 0]
    assert ((tile == MASKED_CODE) == np.kron(masked, np.ones((4, 4), bool))).all()


def test_changing_colours_touches_no_pixel(grid: HeadGrid) -> None:
    grid.show_run(make_run((2,)))
    grid.show_frame(make_frame(np.random.default_rng(0).random((1, 2, 8, 8)), 32))
    before = grid.canvas.atlas.pixels.copy()
    shown = picture(grid).copy()
    for change in (
        lambda: grid.set_scale("linear"),
        lambda: grid.set_colour_map("magma"),
        lambda: grid.set_range("fixed", 0.0, 0.5),
        lambda: grid.set_theme(DARK),
        lambda: grid.show_nonfinite(True),
    ):
        change()
        assert np.array_equal(grid.canvas.atlas.pixels, before)
        now = picture(grid).copy()
        assert not np.array_equal(now, shown)
        shown = now


def test_the_range_of_a_head_brings_out_its_own_largest_weight(grid: HeadGrid) -> None:
    weights = np.full((1, 2, 8, 8), 0.001)
    weights[0, 0, 0, 0], weights[0, 1, 0, 0] = 1.0, 0.01
    grid.show_run(make_run((2,)))
    grid.show_frame(make_frame(weights, 32))
    tiles = tile_view(grid.canvas.atlas.pixels, grid.canvas.mosaic)
    assert tiles[0, 0, 1, 0] < 254
    grid.set_range("head")
    assert tiles[0, 0, 0, 0] == tiles[0, 0, 1, 0] == 254
    grid.set_range("layer")
    assert tiles[0, 0, 1, 0] < 254
    grid.set_range("fixed")
    assert grid.legend.sentence().startswith("logarithmic scale, 0.013 – 1;")


def test_a_sink_can_be_left_out_of_the_range(grid: HeadGrid) -> None:
    weights = np.full((1, 1, 8, 8), 0.01)
    weights[0, 0, :, 0] = 1.0  # the sink
    weights[0, 0, 4, 4] = 0.04
    grid.show_run(make_run((1,)))
    grid.show_frame(make_frame(weights, 32))
    grid.set_range("head")
    tile = tile_view(grid.canvas.atlas.pixels, grid.canvas.mosaic)[0, :, 0]
    assert tile[16, 16] < 254
    grid.leave_out_special(True)
    assert tile[16, 16] == 254
    assert tile[0, 0] == 254  # clipped, not hidden
    assert "sinks and special tokens left out" in grid.legend.sentence()
    grid.set_range("data")
    assert grid.legend.sentence().startswith("logarithmic scale, 0.013 – 0.04")


def test_the_range_from_data_ends_at_the_largest_weight_of_the_frame(grid: HeadGrid) -> None:
    grid.show_run(make_run((1,)))
    grid.set_range("data")
    grid.set_scale("linear")
    grid.show_frame(make_frame(np.full((1, 1, 8, 8), 0.125), 32))
    assert (picture(grid)[:32, :32] == 0xFFFDE725).all()


def test_unknown_scales_ranges_and_maps_are_refused_by_name(grid: HeadGrid) -> None:
    with pytest.raises(ValueError, match="linear, sqrt, log"):
        grid.set_scale("cubic")
    with pytest.raises(ValueError, match="fixed, data, layer, head"):
        grid.set_range("mine")
    with pytest.raises(ValueError, match="viridis"):
        grid.set_colour_map("jet")


def test_hover_says_which_cell_and_how_much(grid: HeadGrid, qtbot: QtBot) -> None:
    weights = np.random.default_rng(3).random((2, 2, 8, 8))
    weights[1, 1, 5, 3] = np.nan
    grid.show_run(make_run((2, 2)))
    grid.show_frame(make_frame(weights, 64))
    for head, query, key in ((HeadRef(0, 1), 5, 3), (HeadRef(1, 0), 0, 7), (HeadRef(1, 1), 5, 3)):
        with qtbot.waitSignal(grid.cell_hovered) as caught:
            move_to(grid.canvas.viewport(), point_of(grid, head, query, key))
        hover = caught.args[0]
        assert (hover.head, hover.query, hover.key) == (head, query, key)
        expected = weights[(*head, query, key)]
        assert hover.value == pytest.approx(expected, rel=0.03, nan_ok=True)
        assert not hover.exact


def test_hover_over_a_gap_has_no_value(grid: HeadGrid) -> None:
    grid.show_run(make_run((1,)))
    grid.show_frame(make_frame(np.zeros((1, 1, 8, 8)), 32, known=np.zeros((1, 1), bool)))
    hover = grid.hover_at(4, 4)
    assert hover is not None
    assert hover.value is None


def test_a_pooled_pixel_stands_for_several_cells(grid: HeadGrid) -> None:
    weights = np.zeros((1, 1, 128, 128))
    weights[0, 0, 5, 3] = 0.5
    grid.show_run(make_run((1,), 128))
    grid.show_frame(make_frame(weights, 32))
    hover = grid.hover_at(0.5, 1.5)
    assert hover is not None
    assert (hover.query, hover.key, hover.n_cells) == (4, 0, 16)
    assert hover.value == pytest.approx(0.5, rel=0.03)


def test_click_selects_and_double_click_opens(grid: HeadGrid, qtbot: QtBot) -> None:
    grid.show_run(make_run((3, 3)))
    grid.show_frame(make_frame(np.zeros((2, 3, 8, 8)), 32))
    where = point_of(grid, HeadRef(1, 2), 4, 4)
    with qtbot.waitSignal(grid.head_selected) as caught:
        qtbot.mouseClick(grid.canvas.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert caught.args == [HeadRef(1, 2)]
    with qtbot.waitSignal(grid.head_opened) as caught:
        qtbot.mouseDClick(grid.canvas.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert caught.args == [HeadRef(1, 2)]


def test_enter_opens_the_selected_head(grid: HeadGrid, qtbot: QtBot) -> None:
    grid.show_run(make_run((3, 3)))
    grid.select(HeadRef(0, 1))
    with qtbot.waitSignal(grid.head_opened) as caught:
        qtbot.keyClick(grid.canvas, Qt.Key.Key_Return)
    assert caught.args == [HeadRef(0, 1)]


def test_setters_emit_nothing(grid: HeadGrid, qtbot: QtBot) -> None:
    grid.show_run(make_run((3, 3)))
    grid.show_frame(make_frame(np.zeros((2, 3, 8, 8)), 32))
    signals = [grid.head_selected, grid.head_opened, grid.cell_hovered]
    with qtbot.assertNotEmitted(signals[0]), qtbot.assertNotEmitted(signals[1]):
        grid.select(HeadRef(0, 1))
        grid.select(HeadRef(0, 1))
        grid.show_flags({HeadRef(0, 0): Severity.CRITICAL})
        grid.mark_cell(HeadRef(1, 1), 2, 2)


def test_flags_outline_their_heads_by_severity(grid: HeadGrid) -> None:
    grid.show_run(make_run((2, 2)))
    grid.show_frame(make_frame(np.zeros((2, 2, 8, 8)), 32))
    grid.show_flags({HeadRef(0, 0): Severity.CRITICAL, HeadRef(0, 1): Severity.WARNING})
    screen = grid.canvas.grab().toImage()

    def edge(head: HeadRef) -> str:
        tile = grid.canvas.tile_on_screen(head)
        assert tile is not None
        return QColor(screen.pixel(int(tile.center().x()), int(tile.top()) - 1)).name()

    assert edge(HeadRef(0, 0)) == LIGHT.critical
    assert edge(HeadRef(0, 1)) == LIGHT.warning
    assert edge(HeadRef(1, 0)) == LIGHT.background


def test_numbers_are_written_into_the_corner_and_change_alone(grid: HeadGrid) -> None:
    grid.show_run(make_run((2, 2)))
    grid.show_frame(make_frame(np.zeros((2, 2, 8, 8)), 32))
    tile = grid.canvas.tile_on_screen(HeadRef(1, 1))
    assert tile is not None
    corner = QRect(int(tile.right()) - 24, int(tile.bottom()) - 13, 22, 11)
    rest = QRect(int(tile.left()) + 4, int(tile.top()) + 4, 40, 40)
    plain = grid.canvas.grab()
    grid.show_numbers(np.array([[0.5, np.nan], [0.25, 0.75]]), "peak")
    first = grid.canvas.grab()
    grid.show_numbers(np.array([[0.5, np.nan], [0.25, 0.31]]), "peak")
    second = grid.canvas.grab()
    assert plain.copy(corner).toImage() != first.copy(corner).toImage()
    assert first.copy(corner).toImage() != second.copy(corner).toImage()
    assert plain.copy(rest).toImage() == second.copy(rest).toImage()
    unknown = grid.canvas.tile_on_screen(HeadRef(0, 1))
    assert unknown is not None
    place = unknown.toAlignedRect()
    assert plain.copy(place).toImage() == second.copy(place).toImage()
    grid.show_numbers(None, "")
    assert grid.canvas.grab().toImage() == plain.toImage()


def test_the_wheel_zooms_at_the_pointer_and_dragging_pans(grid: HeadGrid, qtbot: QtBot) -> None:
    grid.show_run(make_run((4, 4, 4, 4)))
    grid.show_frame(make_frame(np.zeros((4, 4, 8, 8)), 32))
    canvas = grid.canvas
    fitted = canvas.camera
    where = QPointF(point_of(grid, HeadRef(2, 2), 4, 4))
    under = canvas.to_mosaic(where)
    canvas.zoom(3.0, where)
    assert canvas.camera.scale == pytest.approx(3 * fitted.scale)
    assert canvas.to_mosaic(where) == pytest.approx(under)
    before = canvas.camera
    start = where.toPoint()
    qtbot.mousePress(canvas.viewport(), Qt.MouseButton.LeftButton, pos=start)
    move_to(canvas.viewport(), start + QPoint(20, 0))
    move_to(canvas.viewport(), start + QPoint(40, 10))
    with qtbot.assertNotEmitted(grid.head_selected):
        qtbot.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton, pos=start + QPoint(40, 10))
    assert canvas.camera.x == pytest.approx(before.x - 40 / before.scale)
    assert canvas.camera.y == pytest.approx(before.y - 10 / before.scale)
    grid.fit()
    assert canvas.camera == fitted


def test_zooming_in_asks_for_larger_tiles(grid: HeadGrid, qtbot: QtBot) -> None:
    grid.show_run(make_run((4, 4, 4, 4), 60))
    first = grid.tile_size
    with qtbot.waitSignal(grid.tile_size_changed) as caught:
        grid.zoom(4.0)
    assert caught.args[0] > first
    assert grid.tile_size == caught.args[0]


def test_another_tile_size_keeps_the_view(grid: HeadGrid) -> None:
    weights = np.zeros((4, 4, 8, 8))
    grid.show_run(make_run((4, 4, 4, 4)))
    grid.show_frame(make_frame(weights, 32))
    grid.zoom(3.0)
    camera = grid.canvas.camera
    grid.show_frame(make_frame(weights, 64))
    assert grid.canvas.camera == camera


def test_selecting_a_head_out_of_sight_brings_it_in(grid: HeadGrid) -> None:
    grid.show_run(make_run((12,) * 12))
    grid.zoom(6.0)
    grid.select(HeadRef(11, 11))
    tile = grid.canvas.tile_on_screen(HeadRef(11, 11))
    assert tile is not None
    assert tile.right() <= grid.canvas.viewport().width()
    assert tile.bottom() <= grid.canvas.viewport().height()


def test_a_screen_reader_hears_the_selected_head(grid: HeadGrid) -> None:
    weights = np.zeros((5, 8, 8, 8))
    weights[4, 7, 1, 1] = np.nan
    grid.show_run(make_run((8,) * 5))
    assert grid.accessibleName() == "Head grid, no head selected"
    grid.show_frame(make_frame(weights, 32))
    grid.select(HeadRef(4, 7))
    assert grid.accessibleName() == "Layer 4, head 7, NaN"
    grid.show_numbers(np.full((5, 8), 0.62), "entropy")
    assert grid.accessibleName() == "Layer 4, head 7, NaN, entropy 0.62"
    assert grid.canvas.accessibleName() == grid.accessibleName()
    grid.select(HeadRef(0, 0))
    assert grid.accessibleName() == "Layer 0, head 0, entropy 0.62"


def test_the_legend_says_what_is_shown(grid: HeadGrid) -> None:
    grid.show_run(make_run((1,), 128))
    grid.show_frame(make_frame(np.zeros((1, 1, 128, 128)), 64, source="overview"))
    assert grid.legend.sentence() == (
        "logarithmic scale, 7.8e-4 – 1; overview, 128 tokens max-pooled to 64 px"
    )
    grid.set_scale("linear")
    assert grid.legend.sentence().startswith("linear scale, 0 – 1;")


def test_the_focus_is_framed(grid: HeadGrid, qtbot: QtBot) -> None:
    grid.show_run(make_run((2, 2)))
    corner = [
        QColor(grid.canvas.grab().toImage().pixel(0, 0)).name()
        for focus in (grid.canvas.setFocus, grid.canvas.clearFocus)
        if focus() is None
    ]
    assert corner == [LIGHT.accent, LIGHT.background]


def test_typing_methods_do_not_swallow_single_keys(grid: HeadGrid) -> None:
    assert not grid.canvas.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)


def test_a_run_without_heads_is_an_empty_grid(grid: HeadGrid) -> None:
    grid.show_run(make_run(()))
    assert grid.hover_at(3, 3) is None
    assert not grid.canvas.grab().isNull()


def test_layers_of_different_width_leave_slots_empty(grid: HeadGrid) -> None:
    grid.show_run(make_run((3, 1)))
    known = np.array([[True, True, True], [True, False, False]])
    grid.show_frame(make_frame(np.zeros((2, 3, 8, 8)), 32, known=known))
    assert grid.order == (HeadRef(0, 0), HeadRef(0, 1), HeadRef(0, 2), HeadRef(1, 0))


def test_a_sorted_grid_shows_the_same_tiles_elsewhere(grid: HeadGrid, qtbot: QtBot) -> None:
    weights = np.zeros((2, 2, 8, 8))
    weights[1, 0, 3, 1] = 1.0
    grid.show_run(make_run((2, 2)))
    grid.show_frame(make_frame(weights, 32))
    grid.show_numbers(np.array([[0.1, 0.2], [0.9, np.nan]]), "peak")
    grid.arrange(Arrangement(sort="number"))
    assert grid.order == (HeadRef(1, 0), HeadRef(0, 1), HeadRef(0, 0), HeadRef(1, 1))
    tile = tile_view(grid.canvas.atlas.pixels, grid.canvas.mosaic)[0, :, 0]
    assert tile[12, 4] == 254
    assert grid.legend.sentence().endswith("largest peak first")
    where = point_of(grid, HeadRef(1, 0), 3, 1)
    with qtbot.waitSignal(grid.head_selected) as caught:
        qtbot.mouseClick(grid.canvas.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert caught.args == [HeadRef(1, 0)]
    assert not grid.canvas.grab().isNull()
    grid.show_numbers(np.array([[0.1, 0.95], [0.9, 0.0]]), "peak")  # the next step
    assert grid.order[0] == HeadRef(0, 1)
    grid.arrange(Arrangement())
    assert grid.canvas.mosaic.slot_arrays.in_model_order


def test_only_heads_with_findings_or_a_word_that_there_are_none(grid: HeadGrid) -> None:
    weights = np.zeros((2, 2, 8, 8))
    weights[0, 1, 0, 0] = np.nan
    grid.show_run(make_run((2, 2)))
    grid.show_flags({HeadRef(1, 1): Severity.NOTICE})
    grid.show_frame(make_frame(weights, 32))
    grid.arrange(Arrangement(sort="severity", only_findings=True))
    assert grid.order == (HeadRef(1, 1), HeadRef(0, 1))
    grid.show_flags({})
    grid.show_frame(make_frame(np.zeros((2, 2, 8, 8)), 32))
    assert grid.order == ()
    assert not grid.canvas.grab().isNull()
    grid.resize(500, 700)
    grid.show_flags({HeadRef(1, 1): Severity.NOTICE})
    assert grid.order == (HeadRef(1, 1),)


def test_the_most_alike_heads_come_first(grid: HeadGrid) -> None:
    weights = np.random.default_rng(0).random((2, 2, 8, 8)) ** 4
    weights[1, 1] = weights[0, 0]
    grid.show_run(make_run((2, 2)))
    grid.show_frame(make_frame(weights, 32))
    grid.arrange(Arrangement(sort="likeness"))
    assert grid.canvas.mosaic.slot_arrays.in_model_order  # no head is selected yet
    grid.select(HeadRef(0, 0))
    assert grid.order[:2] == (HeadRef(0, 0), HeadRef(1, 1))


def test_faded_heads_keep_their_places(grid: HeadGrid) -> None:
    grid.show_run(make_run((2, 2)))
    grid.show_frame(make_frame(np.ones((2, 2, 8, 8)), 32))
    grid.show_flags({HeadRef(0, 1): Severity.WARNING})

    def middle(head: HeadRef) -> QColor:
        tile = grid.canvas.tile_on_screen(head)
        assert tile is not None
        return QColor(grid.canvas.grab().toImage().pixel(tile.center().toPoint()))

    bright = middle(HeadRef(1, 1))
    grid.arrange(Arrangement(fade=True))
    assert middle(HeadRef(1, 1)) != bright
    assert middle(HeadRef(0, 1)) == bright
    assert grid.order[-1] == HeadRef(1, 1)


def test_the_menu_chooses_orders_and_says_what_is_lacking(grid: HeadGrid) -> None:
    grid.show_run(make_run((2, 2)))
    menu = grid.menu()
    actions = {action.text(): action for action in menu.actions() if action.text()}
    assert not actions["Most like the selected head (none is selected)"].isEnabled()
    assert not actions["By the number on the tiles (none is chosen)"].isEnabled()
    assert actions["Layers down, heads right"].isChecked()
    actions["Worst finding first"].trigger()
    menu.close()
    again = grid.menu()
    assert [a.data() for a in again.actions() if a.isChecked()] == ["severity"]
    again.close()


def test_one_head_with_one_cell(grid: HeadGrid, qtbot: QtBot) -> None:
    grid.show_run(make_run((1,), 1))
    grid.show_frame(make_frame(np.ones((1, 1, 1, 1)), 32))
    with qtbot.waitSignal(grid.cell_hovered) as caught:
        move_to(grid.canvas.viewport(), point_of(grid, HeadRef(0, 0), 0, 0))
    assert caught.args[0].value == 1.0


def test_filters_are_in_the_menu_and_in_the_legend(grid: HeadGrid) -> None:
    grid.show_run(make_run((2, 2, 2)))
    grid.show_frame(make_frame(np.full((3, 2, 8, 8), 0.125)))
    grid.show_tags({HeadRef(1, 1): ("sink",), HeadRef(2, 0): ("sink",)})
    grid.show_findings({HeadRef(0, 1): ("NaN",)})
    grid.select(HeadRef(1, 0))

    def press(submenu: str, text: str) -> None:
        menu = grid.menu()
        inner = next(a.menu() for a in menu.actions() if a.menu() and a.text() == submenu)
        next(action for action in inner.actions() if action.text() == text).trigger()
        menu.deleteLater()

    press("With a tag", "sink")
    assert grid.order == (HeadRef(1, 1), HeadRef(2, 0))
    press("Layers", "Only layer 1")
    assert grid.order == (HeadRef(1, 1),)
    assert "only layers 1 to 1, only heads tagged sink" in grid.legend.sentence()
    press("With a tag", "Any, or none")
    press("Layers", "From layer 1 on")
    assert {head.layer for head in grid.order} == {1, 2}
    press("Layers", "All")
    press("With a finding, at any step", "NaN")
    assert grid.order == (HeadRef(0, 1),)
    assert "only heads with: NaN" in grid.legend.sentence()
    press("With a finding, at any step", "Any, or none")
    assert len(grid.order) == 6
    assert "only" not in grid.legend.sentence()


def test_every_tile_of_a_sorted_grid_is_named_itself(grid: HeadGrid) -> None:
    """Also where the sorted heads of one column happen to have the same number."""
    grid.resize(700, 500)
    grid.show_run(make_run((2, 2)))
    grid.show_frame(make_frame(np.full((2, 2, 8, 8), 0.125), tile=64))
    grid.show_numbers(np.array([[0.1, 0.2], [0.8, 0.9]]), "peak")
    grid.arrange(Arrangement(sort="number"))
    assert grid.order == (HeadRef(1, 1), HeadRef(1, 0), HeadRef(0, 1), HeadRef(0, 0))
    named = grid.canvas.grab().toImage()
    for head in grid.order:
        tile = grid.canvas.tile_on_screen(head)
        assert tile is not None
        # The pill with its name: the theme's ground instead of the map's colour.
        middle, top = round(tile.center().x()), round(tile.top()) + 2
        pill = [QColor(named.pixel(middle + d, top)).lightness() for d in range(-14, 15)]
        assert max(pill) > 180
