from dataclasses import replace

import numpy as np
import pytest
from grid_fakes import make_frame, make_run

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.codes import BACKGROUND_CODE, GAP_CODE, MASKED_CODE, ZERO_CODE
from attn_debugger.ui.grid.geometry import GridGeometry, layers_by_heads
from attn_debugger.ui.grid.mosaic import fill_mosaic, special_columns, tile_view


def painted(geometry: GridGeometry, frame, codes=None) -> np.ndarray:
    pixels = np.zeros((geometry.height, geometry.width), np.uint8)
    fill_mosaic(pixels, geometry, frame, codes)
    return pixels


def test_every_tile_goes_to_its_place() -> None:
    weights = np.random.default_rng(0).random((3, 4, 16, 16))
    frame = make_frame(weights, 16)
    geometry = GridGeometry(layers_by_heads((4, 4, 4)), frame.shapes, 16)
    tiles = tile_view(painted(geometry, frame), geometry)
    for layer in range(3):
        for head in range(4):
            expected = np.maximum(frame.codes[layer, head], ZERO_CODE)
            assert np.array_equal(tiles[layer, :, head], expected)


def test_between_the_tiles_there_is_nothing() -> None:
    frame = make_frame(np.ones((2, 2, 16, 16)), 16)
    geometry = GridGeometry(layers_by_heads((2, 2)), frame.shapes, 16)
    pixels = painted(geometry, frame)
    assert (pixels[16 : geometry.pitch] == BACKGROUND_CODE).all()
    assert (pixels[:, 16 : geometry.pitch] == BACKGROUND_CODE).all()


def test_a_sorted_arrangement_moves_whole_tiles() -> None:
    weights = np.random.default_rng(1).random((2, 2, 16, 16))
    frame = make_frame(weights, 16)
    slots = ((HeadRef(1, 1), HeadRef(0, 0)), (HeadRef(1, 0), None))
    geometry = GridGeometry(slots, frame.shapes, 16)
    tiles = tile_view(painted(geometry, frame), geometry)
    assert np.array_equal(tiles[0, :, 0], np.maximum(frame.codes[1, 1], ZERO_CODE))
    assert np.array_equal(tiles[0, :, 1], np.maximum(frame.codes[0, 0], ZERO_CODE))
    assert np.array_equal(tiles[1, :, 0], np.maximum(frame.codes[1, 0], ZERO_CODE))
    assert (tiles[1, :, 1] == BACKGROUND_CODE).all()


def test_gaps_and_absent_heads_are_not_zeros() -> None:
    known = np.array([[True, True], [False, False]])
    frame = make_frame(np.zeros((2, 2, 16, 16)), 16, known=known)
    geometry = GridGeometry(layers_by_heads((2, 1)), frame.shapes, 16)
    tiles = tile_view(painted(geometry, frame), geometry)
    assert (tiles[0] == ZERO_CODE).all()
    assert (tiles[1, :, 0] == GAP_CODE).all()
    assert (tiles[1, :, 1] == BACKGROUND_CODE).all()  # layer 1 has only one head


def test_a_run_with_more_heads_than_the_frame_shows_gaps() -> None:
    frame = make_frame(np.zeros((1, 1, 16, 16)), 16)
    geometry = GridGeometry(layers_by_heads((2, 2)), ((16, 16), (16, 16)), 16)
    tiles = tile_view(painted(geometry, frame), geometry)
    assert (tiles[0, :, 0] == ZERO_CODE).all()
    assert (tiles[0, :, 1] == GAP_CODE).all()
    assert (tiles[1] == GAP_CODE).all()


def test_masked_cells_are_marked_in_every_head_of_their_layer() -> None:
    masked = np.triu(np.ones((16, 16), bool), 1)
    weights = np.broadcast_to(np.tril(np.ones((16, 16))) / 16, (1, 3, 16, 16))
    frame = make_frame(weights, 16, masked=masked)
    geometry = GridGeometry(layers_by_heads((3,)), frame.shapes, 16)
    tiles = tile_view(painted(geometry, frame), geometry)
    for head in range(3):
        assert ((tiles[0, :, head] == MASKED_CODE) == masked).all()


def test_special_columns_are_first_keys_and_declared_ones() -> None:
    run = make_run((1, 1), 8)
    facts = replace(run.facts, special_keys=(7, 99))
    run = replace(run, layers=(run.layers[0], replace(run.layers[1], facts=facts)))
    found = special_columns(run, make_frame(np.zeros((2, 1, 8, 8)), 16))
    assert np.flatnonzero(found[0]).tolist() == [0, 1]
    assert np.flatnonzero(found[1]).tolist() == [0, 1, 14, 15]


def test_tiles_of_another_size_are_refused() -> None:
    frame = make_frame(np.zeros((1, 1, 16, 16)), 16)
    geometry = GridGeometry(layers_by_heads((1,)), frame.shapes, 32)
    with pytest.raises(ValueError, match="tiles of 16 pixels in a mosaic of 32"):
        painted(geometry, frame)
