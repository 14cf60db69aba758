"""A vision model's map over its picture: which patch is which token, colours, clicks, labels."""

import numpy as np
import pytest
from head_fakes import make_layer_frame, softmax_map
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import LayerFacts
from attn_debugger.ui.head.head_view import HeadView
from attn_debugger.ui.head.patch_heat import heat_pixels, patch_weights
from attn_debugger.ui.head.patches import PatchGrid, patch_grid
from attn_debugger.ui.head.picture import head_map
from attn_debugger.ui.theme import LIGHT, colour_table

VIT = LayerFacts(grid=(2, 3), prefix_tokens=1)


def vision_frame(weights: np.ndarray | None = None, *, with_image: bool = True) -> LayerFrame:
    """2 x 3 patches after a CLS token; the picture is black on the left, white on the right."""
    image = np.zeros((40, 60, 3), np.uint8)
    image[:, 30:] = 255
    return make_layer_frame(
        softmax_map(7, 7) if weights is None else weights,
        facts=VIT,
        image=image if with_image else None,
    )


@pytest.fixture
def view(qtbot: QtBot) -> HeadView:
    widget = HeadView()
    qtbot.addWidget(widget)
    widget.resize(700, 700)
    widget.show()
    return widget


def test_patches_follow_the_prefix_row_by_row() -> None:
    grid = PatchGrid(2, 3, prefix=1)
    assert [grid.patch_of(token) for token in (0, 1, 3, 4, 6, 7)] == [
        None,
        (0, 0),
        (0, 2),
        (1, 0),
        (1, 2),
        None,
    ]
    assert all(grid.token_of(*(grid.patch_of(token) or (9, 9))) == token for token in range(1, 7))
    assert grid.token_of(2, 0) is None


@pytest.mark.parametrize(
    ("facts", "n_tokens", "prefix"),
    [
        (LayerFacts(grid=(2, 3), prefix_tokens=1), 7, 1),
        (LayerFacts(grid=(2, 3)), 6, 0),
        (LayerFacts(grid=(2, 3)), 7, None),  # where the seventh stands nobody told
        (LayerFacts(grid=(2, 3), prefix_tokens=2), 7, None),  # they do not fit
        (LayerFacts(), 6, None),
    ],
)
def test_what_the_archive_does_not_tell_is_not_guessed(
    facts: LayerFacts, n_tokens: int, prefix: int | None
) -> None:
    grid = patch_grid(facts, n_tokens)
    assert (None if grid is None else grid.prefix) == prefix


def test_labels_are_rows_and_columns_where_there_are_no_tokens() -> None:
    shown = head_map(vision_frame())
    assert shown.key_labels == ("0", "r0 c0", "r0 c1", "r0 c2", "r1 c0", "r1 c1", "r1 c2")
    assert shown.query_labels == shown.key_labels


def test_the_heat_reaches_its_top_on_the_brightest_patch_and_never_hides_nan() -> None:
    row = np.array([0.4, 0.1, 0.3, 0.0, np.nan, 0.0, 0.2])
    weights = patch_weights(row, PatchGrid(2, 3, 1))
    masked = np.zeros((2, 3), bool)
    masked[1, 1] = True
    colours = colour_table("viridis")
    pixels = heat_pixels(weights, masked, colours, LIGHT)
    assert pixels.shape == (2, 3, 4)
    assert tuple(pixels[0, 1, :3]) == tuple(colours[255, :3])
    assert pixels[0, 1, 3] == pixels[..., 3][np.isfinite(weights)].max()
    assert QColor(*pixels[1, 0, :3].tolist()).name() == QColor(LIGHT.nan).name()
    assert QColor(*pixels[1, 1, :3].tolist()).name() == QColor(LIGHT.masked).name()


def test_the_button_is_there_only_for_maps_of_patches(view: HeadView) -> None:
    view.show_head(make_layer_frame(softmax_map(7, 7)))
    assert not view.header.picture_button.isVisible()
    view.show_head(vision_frame())
    assert view.header.picture_button.isVisible()
    view.header.picture_button.click()
    assert view.picture.isVisible()
    view.show_head(make_layer_frame(softmax_map(7, 7)))  # of another model: the matrix stands in
    assert view.canvas.isVisible()


def test_a_click_on_a_patch_selects_it_and_shows_where_it_looks(
    view: HeadView, qtbot: QtBot
) -> None:
    weights = np.full((1, 7, 7), 0.01)
    weights[0, 5, 3] = 0.94  # the patch in row 1, column 1 looks at the one in row 0, column 2
    view.show_head(vision_frame(weights))
    view.header.picture_button.click()
    view.cell_selected.connect(view.show_cell)
    box = view.picture.token_box(5)
    assert box is not None
    with qtbot.waitSignal(view.cell_selected) as caught:
        qtbot.mouseClick(
            view.picture, Qt.MouseButton.LeftButton, pos=QPoint(*map(int, box.center().toTuple()))
        )
    assert caught.args == [5, 3]
    assert "query 5 “r1 c1”" in view.picture.caption()
    assert "brightest patch 0.94" in view.picture.caption()
    image = view.picture.grab().toImage()
    bright, dark = view.picture.token_box(3), view.picture.token_box(6)
    assert bright is not None
    assert dark is not None

    def colour(at: QPoint) -> QColor:
        return QColor(image.pixel(at))

    top = QColor(*colour_table("viridis")[255, :3].tolist())
    found = colour(QPoint(int(bright.right()) - 6, int(bright.top()) + 6))
    assert abs(found.red() - top.red()) + abs(found.green() - top.green()) < 90
    faint = colour(QPoint(int(dark.center().x()), int(dark.center().y())))
    assert faint.lightness() > 150  # the white of the picture shines through


def test_shift_click_selects_the_key_and_prefix_tokens_can_be_chosen(
    view: HeadView, qtbot: QtBot
) -> None:
    view.show_head(vision_frame())
    view.header.picture_button.click()
    view.show_cell(5, 3)
    boxes = [view.picture.token_box(token) for token in (0, 2)]
    points = [QPoint(*map(int, box.center().toTuple())) for box in boxes if box is not None]
    with qtbot.waitSignal(view.cell_selected) as caught:
        qtbot.mouseClick(
            view.picture,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.ShiftModifier,
            pos=points[1],
        )
    assert caught.args == [5, 2]
    with qtbot.waitSignal(view.cell_selected) as caught:
        qtbot.mouseClick(view.picture, Qt.MouseButton.LeftButton, pos=points[0])
    assert caught.args is not None
    assert caught.args[0] == 0


def test_without_a_picture_the_patches_still_stand_in_place(view: HeadView) -> None:
    view.show_head(vision_frame(with_image=False))
    view.header.picture_button.click()
    assert view.picture.isVisible()
    assert "the picture itself was not recorded" in view.picture.caption()
    box = view.picture.picture_box()
    assert box.width() / box.height() == pytest.approx(3 / 2)


def test_a_query_of_nan_is_painted_and_said(view: HeadView) -> None:
    view.show_head(vision_frame(np.full((1, 7, 7), np.nan)))
    view.header.picture_button.click()
    assert "NaN of its weight on patches" in view.picture.caption()
    assert not view.picture.grab().isNull()
