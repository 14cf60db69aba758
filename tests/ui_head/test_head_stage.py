import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_debugger.ui.head.labels import shown_labels
from attn_debugger.ui.head.stage import Stage, fitted_stage, label_stride

lengths = st.integers(1, 700)
sides = st.floats(120, 2000)


@given(lengths, lengths, sides, sides)
def test_a_whole_map_fits_its_canvas(
    n_queries: int, n_keys: int, width: float, height: float
) -> None:
    stage = fitted_stage(n_queries, n_keys, width, height, left=60, top=40)
    assert stage.is_whole()
    assert stage.matrix.left >= 60
    assert stage.matrix.top >= 40
    assert stage.matrix.right <= width + 60 + 20 + 1e-6
    assert list(stage.visible_keys()) == list(range(n_keys))
    assert list(stage.visible_queries()) == list(range(n_queries))


@given(lengths, lengths, st.data())
def test_point_to_cell_is_the_way_back(n_queries: int, n_keys: int, data: st.DataObject) -> None:
    stage = fitted_stage(n_queries, n_keys, 900, 700, left=60, top=40)
    if data.draw(st.booleans()):
        stage = stage.zoomed(data.draw(st.floats(1, 20)), 400, 300)
    query = data.draw(st.sampled_from(stage.visible_queries()))
    key = data.draw(st.sampled_from(stage.visible_keys()))
    box = stage.cell_box(query, key)
    x = min(max((box.left + box.right) / 2, stage.matrix.left), stage.matrix.right - 1e-3)
    y = min(max((box.top + box.bottom) / 2, stage.matrix.top), stage.matrix.bottom - 1e-3)
    found = stage.cell_at(x, y)
    assert found is not None
    assert abs(found[0] - query) * stage.cell_height < 1.0 + stage.cell_height
    if box.left >= stage.matrix.left and box.right <= stage.matrix.right:
        assert found[1] == key


def test_outside_the_matrix_there_is_no_cell() -> None:
    stage = fitted_stage(8, 8, 600, 600, left=60, top=40)
    assert stage.cell_at(stage.matrix.left - 1, stage.matrix.top + 1) is None
    assert stage.cell_at(stage.matrix.left + 1, stage.matrix.bottom + 1) is None


def test_cells_are_square_unless_that_would_hide_them() -> None:
    square = fitted_stage(8, 16, 900, 700, left=60, top=40)
    assert square.cell_width == pytest.approx(square.cell_height)
    single = fitted_stage(1, 500, 900, 700, left=60, top=40)  # one query over a long cache
    assert single.cell_height > 40
    assert single.cell_width < 2


@given(st.floats(0.1, 30), st.floats(-3000, 3000), st.floats(-3000, 3000))
def test_zoom_and_pan_keep_the_matrix_full(factor: float, dx: float, dy: float) -> None:
    stage = fitted_stage(40, 50, 900, 700, left=60, top=40).zoomed(factor, 500, 300).panned(dx, dy)
    assert stage.first_key >= 0
    assert stage.first_key + stage.matrix.width / stage.cell_width <= 50 + 1e-6
    assert stage.first_query >= 0
    assert stage.first_query + stage.matrix.height / stage.cell_height <= 40 + 1e-6


def test_zooming_keeps_the_cell_under_the_pointer() -> None:
    stage = fitted_stage(100, 100, 900, 700, left=60, top=40)
    x, y = stage.matrix.left + 200, stage.matrix.top + 150
    assert stage.zoomed(4.0, x, y).cell_at(x, y) == stage.cell_at(x, y)


def test_a_cell_out_of_sight_is_brought_to_the_middle() -> None:
    stage = fitted_stage(100, 100, 900, 700, left=60, top=40)
    near = stage.zoomed(8.0, stage.matrix.left, stage.matrix.top)
    assert 90 not in near.visible_keys()
    moved = near.centred_on(80, 90)
    assert 90 in moved.visible_keys()
    assert 80 in moved.visible_queries()
    assert moved.centred_on(80, 90) is moved


@given(st.floats(1, 200), st.floats(0.05, 100), st.integers(1, 5000))
def test_shown_labels_never_overlap(extent: float, pitch: float, n_labels: int) -> None:
    shown = shown_labels(range(n_labels), extent, pitch)
    assert shown.step * pitch >= extent - 1e-6
    assert shown.start % shown.step == 0  # the same tokens keep their labels while panning


def test_labels_thin_to_round_numbers() -> None:
    assert [label_stride(14, pitch) for pitch in (20, 7, 5, 3.6, 1.5)] == [1, 2, 4, 4, 10]


def test_a_stage_tells_what_it_shows_in_part() -> None:
    stage: Stage = fitted_stage(10, 10, 900, 700, left=60, top=40)
    zoomed = stage.zoomed(2.0, stage.matrix.left, stage.matrix.top).panned(-5, 0)
    assert zoomed.visible_keys().start == 0
    assert not zoomed.is_whole()
