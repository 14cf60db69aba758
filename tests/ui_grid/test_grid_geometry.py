from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.geometry import (
    GridGeometry,
    cells_under,
    layers_by_heads,
    pixels_of,
)

lengths = st.integers(1, 300)
tiles = st.sampled_from([1, 7, 16, 32, 48, 64])


@st.composite
def geometries(draw: st.DrawFn) -> GridGeometry:
    heads = tuple(draw(st.lists(st.integers(1, 6), min_size=1, max_size=5)))
    shapes = tuple((draw(lengths), draw(lengths)) for _ in heads)
    return GridGeometry(layers_by_heads(heads), shapes, draw(tiles))


@given(tiles, lengths)
def test_the_pixels_of_a_tile_are_shared_out_among_the_cells(tile: int, n_cells: int) -> None:
    seen = [cells_under(pixel, tile, n_cells) for pixel in range(tile)]
    assert seen[0][0] == 0
    assert seen[-1][1] == n_cells
    for (_, end), (start, _) in pairwise(seen):
        assert start in (end, end - 1)  # the next cells, or the same cell once more
    if n_cells >= tile:
        assert all(before[1] == after[0] for before, after in pairwise(seen))


@given(tiles, lengths, st.data())
def test_a_cell_lies_under_each_of_its_pixels(tile: int, n_cells: int, data: st.DataObject) -> None:
    cell = data.draw(st.integers(0, n_cells - 1))
    first, end = pixels_of(cell, tile, n_cells)
    assert 0 <= first < end <= tile
    for pixel in range(first, end):
        start, stop = cells_under(pixel, tile, n_cells)
        assert start <= cell < stop


@given(geometries(), st.data())
def test_cell_to_pixel_to_cell_is_the_way_back(geometry: GridGeometry, data: st.DataObject) -> None:
    head = data.draw(st.sampled_from(geometry.heads()))
    n_queries, n_keys = geometry.shape_of(head)
    query, key = data.draw(st.integers(0, n_queries - 1)), data.draw(st.integers(0, n_keys - 1))
    box = geometry.cell_rectangle(head, query, key)
    assert box is not None
    x, y, width, height = box
    assert 0 <= x <= x + width <= geometry.width
    assert 0 <= y <= y + height <= geometry.height
    for corner in ((x, y), (x + width - 0.01, y + height - 0.01)):
        cells = geometry.cells_at(*corner)
        assert cells is not None
        assert cells.head == head
        assert cells.queries[0] <= query < cells.queries[1]
        assert cells.keys[0] <= key < cells.keys[1]


def test_pooling_shares_cells_as_the_overviews_of_the_archive_do() -> None:
    n_cells, tile = 100, 32
    for pixel in range(tile):
        start, stop = cells_under(pixel, tile, n_cells)
        assert [cell * tile // n_cells for cell in range(start, stop)] == [pixel] * (stop - start)


def test_layers_stand_in_rows_and_heads_in_columns() -> None:
    geometry = GridGeometry(layers_by_heads((3, 2)), ((8, 8), (8, 8)), 16)
    assert (geometry.n_rows, geometry.n_columns) == (2, 3)
    assert geometry.head_at(0, 0) == HeadRef(0, 0)
    assert geometry.head_at(2 * geometry.pitch + 1, 1) == HeadRef(0, 2)
    assert geometry.head_at(geometry.pitch, geometry.pitch) == HeadRef(1, 1)
    assert geometry.head_at(2 * geometry.pitch, geometry.pitch) is None  # layer 1 has two heads
    assert geometry.head_at(16.0, 3.0) is None  # between two tiles
    assert geometry.head_at(-0.5, 3.0) is None
    assert geometry.slot_arrays.in_model_order


def test_queries_run_down_and_keys_run_right() -> None:
    geometry = GridGeometry(layers_by_heads((1,)), ((4, 8),), 32)
    assert geometry.cell_rectangle(HeadRef(0, 0), query=3, key=1) == (4, 24, 4, 8)


def test_a_gap_has_no_cells() -> None:
    geometry = GridGeometry(layers_by_heads((1,)), ((0, 0),), 32)
    assert geometry.cells_at(3, 3) is None
    assert geometry.cell_rectangle(HeadRef(0, 0), 0, 0) is None


def test_a_sorted_arrangement_knows_where_each_head_stands() -> None:
    slots = ((HeadRef(1, 0), HeadRef(0, 1)), (HeadRef(0, 0), None))
    geometry = GridGeometry(slots, ((8, 8), (8, 8)), 16)
    assert geometry.slot_of(HeadRef(0, 1)) == (0, 1)
    assert geometry.slot_of(HeadRef(1, 1)) is None
    assert not geometry.slot_arrays.in_model_order
    assert np.array_equal(geometry.slot_arrays.filled, [[True, True], [True, False]])


@pytest.mark.parametrize("tile", [1, 16, 64, 512])
def test_there_is_room_for_an_outline_between_the_tiles(tile: int) -> None:
    geometry = GridGeometry(layers_by_heads((2,)), ((8, 8),), tile)
    assert geometry.pitch > geometry.tile
