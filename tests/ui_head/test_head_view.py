import numpy as np
import pytest
from head_fakes import make_layer_frame, softmax_map
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from attn_debugger.core.frame import NONFINITE_CODE, TOP_CODE
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import LayerFacts
from attn_debugger.ui.grid.codes import MASKED_CODE, ZERO_CODE
from attn_debugger.ui.head.head_view import HeadView
from attn_debugger.ui.head.map_pane import MapPane
from attn_debugger.ui.theme import DARK, LIGHT


@pytest.fixture
def view(qtbot: QtBot) -> HeadView:
    widget = HeadView()
    qtbot.addWidget(widget)
    widget.resize(760, 680)
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


def middle_of(view: HeadView, query: int, key: int) -> QPoint:
    stage = view.canvas.stage
    assert stage is not None
    box = stage.cell_box(query, key)
    return QPoint(int(box.left + box.width / 2), int(box.top + box.height / 2))


def colour_at(image: QImage, point: QPoint) -> str:
    return QColor(image.pixel(point)).name()


def test_one_hot_cell_lights_row_4_column_2_from_the_top_left(view: HeadView) -> None:
    weights = np.zeros((1, 20, 20))
    weights[0, 3, 1] = 1.0
    view.show_head(make_layer_frame(weights))
    image = view.canvas.grab().toImage()
    bright = [
        (row, column)
        for row in range(20)
        for column in range(20)
        if colour_at(image, middle_of(view, row, column)) == "#fde725"
    ]
    assert bright == [(3, 1)]


@pytest.mark.parametrize("n_tokens", [32, 128, 512, 1500])
def test_a_single_nan_is_magenta_on_the_screen(view: HeadView, n_tokens: int) -> None:
    weights = np.full((1, n_tokens, n_tokens), 1 / n_tokens)
    weights[0, n_tokens // 2, n_tokens // 3] = np.nan
    view.show_head(make_layer_frame(weights))
    assert (view.canvas.codes == NONFINITE_CODE).sum() == 1
    image = view.canvas.grab().toImage()
    near = middle_of(view, n_tokens // 2, n_tokens // 3)
    colours = {colour_at(image, near + QPoint(x, y)) for x in (-1, 0, 1) for y in (-1, 0, 1)}
    assert "#ff00ff" in colours


def test_masked_cells_are_grey_and_leaks_are_not_hidden(view: HeadView) -> None:
    weights = np.tril(np.ones((20, 20))) / 20
    weights[2, 9] = 0.9
    view.show_head(make_layer_frame(weights[None], facts=LayerFacts(causal=True)))
    codes = view.canvas.codes
    assert codes[0, 5] == MASKED_CODE
    assert codes[2, 9] > ZERO_CODE
    image = view.canvas.grab().toImage()
    assert colour_at(image, middle_of(view, 0, 15)) == LIGHT.masked
    assert colour_at(image, middle_of(view, 2, 9)) != LIGHT.masked
    view.show_cell(2, 9)
    assert view.reading.text().splitlines()[0].endswith("masked, yet it has weight")


def test_the_scale_is_linear_from_0_to_1_unless_told_otherwise(view: HeadView) -> None:
    view.show_head(make_layer_frame(np.array([[[0.0, 0.5, 1.0]]])))
    assert view.canvas.codes[0].tolist() == [ZERO_CODE, 129, TOP_CODE]
    assert view.legend.sentence().startswith("linear scale, 0 – 1;")
    view.set_range("head")
    view.show_head(make_layer_frame(np.array([[[0.0, 0.25, 0.5]]])))
    assert view.canvas.codes[0].tolist() == [ZERO_CODE, 129, TOP_CODE]
    view.set_scale("log")
    assert "up to this head's largest weight" in view.legend.sentence()


def test_hover_reads_the_stored_value_with_its_row(view: HeadView, qtbot: QtBot) -> None:
    weights = softmax_map(8, 8)
    tokens = tuple("abcdefgh")
    view.show_head(
        make_layer_frame(weights, heads=(7,), layer=4, tokens=tokens, query_tokens=tokens)
    )
    with qtbot.waitSignal(view.cell_hovered) as caught:
        move_to(view.canvas, middle_of(view, 5, 3))
    hover = caught.args[0]
    assert (hover.head, hover.query, hover.key) == (HeadRef(4, 7), 5, 3)
    assert hover.exact
    assert hover.value == weights[0, 5, 3]
    row = weights[0, 5].astype(float)
    entropy = -(row * np.log(row)).sum()
    assert view.reading.text() == (
        f"q 5 “f” → k 3 “d”    {weights[0, 5, 3]:.4g}\nrow sum 1.0000    row entropy {entropy:.3f}"
    )


def test_leaving_the_matrix_takes_the_reading_away(view: HeadView, qtbot: QtBot) -> None:
    view.show_head(make_layer_frame(softmax_map(8, 8)))
    with qtbot.waitSignal(view.cell_hovered):
        move_to(view.canvas, middle_of(view, 5, 3))
    with qtbot.waitSignal(view.cell_hovered) as caught:
        move_to(view.canvas, QPoint(1, 1))
    assert caught.args == [None]
    assert view.reading.text().strip() == ""


def test_a_click_selects_a_cell(view: HeadView, qtbot: QtBot) -> None:
    view.show_head(make_layer_frame(softmax_map(8, 8)))
    with qtbot.waitSignal(view.cell_selected) as caught:
        qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=middle_of(view, 2, 6))
    assert caught.args == [2, 6]


def test_the_selected_cell_outlives_the_frame(view: HeadView) -> None:
    view.show_head(make_layer_frame(softmax_map(8, 8)))
    view.show_cell(5, 3)
    assert view.reading.text().startswith("q 5 “5” → k 3 “3”")
    view.show_head(make_layer_frame(softmax_map(8, 8, seed=1)))
    assert view.canvas.cell == (5, 3)
    view.show_head(make_layer_frame(softmax_map(4, 4)))  # a shorter sample has no such cell
    assert view.canvas.cell is None
    view.show_cell(None, None)
    assert view.reading.text().strip() == ""


def test_zoom_survives_stepping_but_not_another_shape(view: HeadView) -> None:
    view.show_head(make_layer_frame(softmax_map(40, 40)))
    view.zoom(4.0)
    zoomed = view.canvas.stage
    view.show_head(make_layer_frame(softmax_map(40, 40, seed=1)))
    assert view.canvas.stage == zoomed
    view.show_head(make_layer_frame(softmax_map(30, 40)))
    assert view.canvas.stage is not None
    assert view.canvas.stage.is_whole()


def test_a_selected_cell_out_of_sight_is_brought_in(view: HeadView) -> None:
    view.show_head(make_layer_frame(softmax_map(100, 100)))
    view.zoom(10.0)
    view.show_cell(99, 99)
    stage = view.canvas.stage
    assert stage is not None
    assert 99 in stage.visible_queries()


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (None, "No head is open"),
        (make_layer_frame(None, present=False), "Nothing was captured in this layer at step 300"),
        (make_layer_frame(None, full=False), "At step 300 only overviews were stored"),
        (make_layer_frame(np.zeros((1, 0, 0))), "no queries or no keys"),
        (make_layer_frame(None, problems=("The file ends here.",)), "The file ends here."),
    ],
)
def test_an_empty_view_says_why(view: HeadView, frame, words: str) -> None:
    view.show_head(frame)
    assert view.canvas.stage is None
    assert words in view.canvas.message
    assert not view.canvas.grab().isNull()


def test_a_note_replaces_the_reason_while_a_map_is_on_its_way(view: HeadView) -> None:
    view.show_head(None, "Loading layer 3, head 1")
    assert view.canvas.message == "Loading layer 3, head 1"


def test_the_heading_says_what_is_shown(view: HeadView) -> None:
    frame = make_layer_frame(
        softmax_map(4, 4), heads=(7,), layer=4, captures=2, facts=LayerFacts(name="h.4.attn")
    )
    view.show_head(frame, "nearest recorded step")
    assert view.heading.text() == "Layer 4, head 7"
    assert view.details.text() == (
        "step 300  ·  sample 0  ·  train  ·  h.4.attn  ·  full map, stored as float32  ·  "
        "captured 2 times in this step  ·  nearest recorded step"
    )
    assert view.accessibleName() == "Layer 4, head 7, step 300, sample 0"


@pytest.mark.parametrize(
    "shape", [(1, 1), (1, 300), (300, 1), (3, 200), (200, 3)], ids=lambda s: f"{s[0]}x{s[1]}"
)
def test_odd_shapes_are_painted_and_read(
    view: HeadView, qtbot: QtBot, shape: tuple[int, int]
) -> None:
    view.show_head(make_layer_frame(softmax_map(*shape)))
    last = shape[0] - 1, shape[1] - 1
    with qtbot.waitSignal(view.cell_hovered) as caught:
        move_to(view.canvas, middle_of(view, *last))
    assert (caught.args[0].query, caught.args[0].key) == last
    assert not view.canvas.grab().isNull()


def test_all_nan_is_painted_and_read(view: HeadView) -> None:
    view.show_head(make_layer_frame(np.full((1, 6, 6), np.nan)))
    view.set_range("head")
    view.show_cell(2, 2)
    assert view.reading.text() == "q 2 “2” → k 2 “2”    NaN\nrow sum NaN    row entropy NaN"
    assert (view.canvas.codes == NONFINITE_CODE).all()


def test_document_breaks_are_drawn_across_the_matrix(view: HeadView) -> None:
    plain = make_layer_frame(softmax_map(20, 20))
    documents = np.repeat([0, 1], 10)
    packed = make_layer_frame(softmax_map(20, 20), key_documents=documents)
    pictures = []
    for frame in (plain, packed):
        view.show_head(frame)
        pictures.append(view.canvas.grab().toImage())
    stage = view.canvas.stage
    assert stage is not None
    x, y = int(stage.key_x(10)), int(stage.query_y(3) + stage.cell_height / 2)
    across = [pictures[n].pixel(x + shift, y) for n in (0, 1) for shift in (-1, 0, 1)]
    assert across[:3] != across[3:]
    inside = QPoint(int(stage.key_x(5) + 3), y)
    assert pictures[0].pixel(inside) == pictures[1].pixel(inside)


def test_another_theme_recolours_everything(view: HeadView) -> None:
    view.show_head(make_layer_frame(softmax_map(20, 20)))
    corner = QPoint(2, 2)
    assert colour_at(view.canvas.grab().toImage(), corner) == LIGHT.background
    view.set_theme(DARK)
    assert colour_at(view.canvas.grab().toImage(), corner) == DARK.background


def test_the_selected_cell_is_explained_and_can_be_copied(view: HeadView, qtbot: QtBot) -> None:
    view.show_head(make_layer_frame(softmax_map(8, 8), heads=(3,), layer=2))
    assert not view.explanation.isVisible()
    view.header.explain_button.click()
    assert view.explanation.isVisible()
    assert view.explanation.text.toPlainText() == "Click a cell, and its weight is explained here."
    assert not view.explanation.copy_button.isEnabled()
    view.show_cell(5, 3)
    text = view.explanation.text.toPlainText()
    assert text.startswith("Layer 2, head 3, step 300, sample 0\nquery 5 looks at key 3\n")
    view.explanation.copy_button.click()
    assert QApplication.clipboard().text() == text
    view.show_head(make_layer_frame(softmax_map(8, 8, seed=1), heads=(3,), layer=2))
    assert view.explanation.text.toPlainText() != text
    view.show_head(None)
    assert not view.explanation.copy_button.isEnabled()
    view.show_explanation(False)
    assert not view.explanation.isVisible()


def test_lines_replace_the_matrix_and_share_the_selection(view: HeadView, qtbot: QtBot) -> None:
    weights = np.full((1, 8, 8), 0.02)
    weights[0, 5, 3] = 0.86
    view.show_head(make_layer_frame(weights))
    view.header.lines_button.click()
    assert view.links.isVisible()
    assert not view.canvas.isVisible()
    strongest = view.links.links()[0]
    assert (strongest.query, strongest.key) == (5, 3)
    view.show_cell(2, 0)
    assert {link.query for link in view.links.links()} == {2}
    row = QPoint(20, int(view.links.token_y(5)))
    with qtbot.waitSignal(view.cell_hovered) as caught:
        move_to(view.links, row)
    assert (caught.args[0].query, caught.args[0].key) == (5, 3)
    with qtbot.waitSignal(view.cell_selected) as caught:
        qtbot.mouseClick(view.links, Qt.MouseButton.LeftButton, pos=row)
    assert caught.args == [5, 3]
    assert not view.links.grab().isNull()
    view.show_head(None, "loading")
    assert view.canvas.isVisible()  # it is the one that says why
    view.show_lines(False)
    assert view.canvas.isVisible()


def test_long_inputs_scroll_in_the_line_view(view: HeadView) -> None:
    view.show_head(make_layer_frame(softmax_map(300, 300)))
    view.show_lines(True)
    assert view.links.token_y(299) > view.links.height()
    view.show_cell(299, 0)
    assert 0 <= view.links.token_y(299) <= view.links.height()


def test_a_pinned_map_is_compared_with_what_is_shown_next(view: HeadView, qtbot: QtBot) -> None:
    before, after = np.full((1, 8, 8), 0.125), np.full((1, 8, 8), 0.125)
    after[0, 3, 1] = 1.0
    view.show_head(make_layer_frame(before, frame_index=19))
    view.header.compare_button.click()
    assert view.strip.isVisible()
    view.show_head(make_layer_frame(after, frame_index=30))
    titles = [pane.title for pane in view.strip.panes]
    assert titles == ["A   L0.H0   step 1900", "B   L0.H0   step 3000", "B − A"]
    assert view.strip.panes[2].values[3, 1] == 0.875
    view.strip.swap_button.click()
    assert view.strip.panes[2].values[3, 1] == -0.875
    view.strip.pin()  # a second one: now they stand side by side
    view.show_head(make_layer_frame(softmax_map(8, 8), heads=(5,), frame_index=30))
    titles = [pane.title for pane in view.strip.panes]
    assert titles == ["L0.H0   step 1900", "L0.H0   step 3000", "L0.H5   step 3000"]
    QApplication.processEvents()
    assert len([pane for pane in view.strip.findChildren(MapPane) if pane.isVisible()]) == 3
    with qtbot.waitSignal(view.cell_selected):
        view.strip.panes[0].cell_clicked.emit(2, 2)
    view.show_lines(True)
    assert view.links.isVisible()
    view.show_comparison(False)
    view.show_lines(False)
    assert view.canvas.isVisible()


def test_comparing_can_be_switched_from_outside(view: HeadView) -> None:
    view.show_head(make_layer_frame(softmax_map(8, 8)))
    for _ in range(2):
        view.show_comparison(True)
        assert view.header.compare_button.isChecked()
        assert view.strip.isVisible()
    view.strip.unpin()
    assert not view.header.compare_button.isChecked()
    assert view.canvas.isVisible()


def test_nothing_can_be_pinned_while_there_is_no_map(view: HeadView) -> None:
    view.header.compare_button.click()
    assert not view.header.compare_button.isChecked()
    assert view.canvas.isVisible()


def test_typing_a_token_jumps_to_its_queries_and_keys(view: HeadView, qtbot: QtBot) -> None:
    weights = np.full((1, 6, 6), 0.02)
    weights[0, 2, 5], weights[0, 4, 1] = 0.9, 0.8
    tokens = ("the", "cat", "sat", "on", "sat", "mat")
    view.show_head(make_layer_frame(weights, tokens=tokens, query_tokens=tokens))
    view.cell_selected.connect(view.show_cell)
    view.header.find_field.setText("sat")
    for expected in ([2, 5], [4, 1], [2, 5]):
        with qtbot.waitSignal(view.cell_selected) as caught:
            qtbot.keyClick(view.header.find_field, Qt.Key.Key_Return)
        assert caught.args == expected
    view.header.find_field.setText("cat")
    with qtbot.waitSignal(view.cell_selected) as caught:
        shift = Qt.KeyboardModifier.ShiftModifier
        qtbot.keyClick(view.header.find_field, Qt.Key.Key_Return, shift)
    assert caught.args == [2, 1]  # the key in the row that is selected
    view.header.find_field.setText("dog")
    with qtbot.assertNotEmitted(view.cell_selected):
        qtbot.keyClick(view.header.find_field, Qt.Key.Key_Return)
    assert view.header.find_field.property("missing")


def test_the_close_button_and_input_methods(view: HeadView, qtbot: QtBot) -> None:
    assert not view.canvas.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
    with qtbot.waitSignal(view.closed):
        view.header.close_button.click()


def test_the_words_fit_a_head_view_of_a_laptop(view: HeadView) -> None:
    tokens = tuple("abcdefgh")
    mask = np.tri(8, dtype=bool)
    view.resize(560, 560)
    view.show_head(
        make_layer_frame(softmax_map(8, 8), mask=mask, tokens=tokens, query_tokens=tokens)
    )
    view.show_cell(2, 5)
    assert view.header.find_field.isVisibleTo(view)
    for label in (view.details, view.reading):
        widest = max(label.fontMetrics().horizontalAdvance(y) for y in label.text().split("\n"))
        assert widest <= label.contentsRect().width()
    height = view.reading.height()
    view.show_cell(None, None)
    assert view.reading.height() == height  # the map over it stays where it is


def test_the_explanation_leaves_the_map_the_larger_part(view: HeadView) -> None:
    view.show_head(make_layer_frame(softmax_map(8, 8)))
    view.show_cell(3, 2)
    view.header.explain_button.click()
    QApplication.processEvents()
    assert view.canvas.height() > view.explanation.height()
