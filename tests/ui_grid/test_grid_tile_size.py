import pytest

from attn_debugger.ui.grid.tile_size import (
    MAX_MOSAIC_PIXELS,
    TILE_SIZES,
    best_tile,
    moving_tile,
    sharp_tile,
)


@pytest.mark.parametrize(
    ("side", "expected"), [(10, 32), (32, 32), (47, 32), (48, 64), (60, 64), (96, 128), (200, 256)]
)
def test_the_tile_follows_the_screen(side: float, expected: int) -> None:
    assert best_tile(side, 4, [(1000, 1000)]) == expected


def test_no_more_pixels_than_memory_allows() -> None:
    for n_heads in (1, 144, 1024, 100_000):
        tile = best_tile(4000, n_heads, [(4096, 4096)])
        assert tile == TILE_SIZES[0] or tile * tile * n_heads <= MAX_MOSAIC_PIXELS


def test_a_tile_that_shows_each_cell_evenly_is_enough() -> None:
    assert best_tile(500, 144, [(32, 32)]) == 32
    assert best_tile(250, 144, [(64, 64), (32, 32)]) == 64
    assert best_tile(250, 4, [(10, 10)]) == 256  # never even: as sharp as the screen shows
    assert best_tile(250, 4, [(0, 0)]) == 256  # nothing known yet


def test_large_maps_are_stepped_through_by_their_overviews() -> None:
    cells = 144 * 512 * 512
    assert moving_tile(256, cells, [(512, 512)]) == 64
    assert moving_tile(32, cells, [(512, 512)]) == 32
    assert moving_tile(256, cells, [(40, 64)]) == 256  # the overview has every cell
    assert moving_tile(256, 4 * 128 * 128, [(128, 128)]) == 256  # read in no time


@pytest.mark.parametrize(
    ("side", "expected"),
    [(64, 0), (65, 128), (96, 128), (191, 128), (192, 256), (700, 512), (4000, 1024)],
)
def test_what_is_drawn_larger_than_the_overview_is_sharpened(side: float, expected: int) -> None:
    assert sharp_tile(side, 64, 12, [(1000, 1000)]) == expected


def test_sharpening_stops_at_the_cells_and_at_the_memory() -> None:
    assert sharp_tile(900, 64, 4, [(128, 128)]) == 128  # each cell has a pixel, evenly
    assert sharp_tile(900, 64, 4, [(64, 64)]) == 0  # all cells are shown already
    assert sharp_tile(900, 256, 4, [(200, 200)]) == 0
    assert sharp_tile(900, 64, 4, [(0, 0)]) == 0  # nothing was captured
    for n_heads in (1, 30, 144, 1024):
        tile = sharp_tile(4000, 64, n_heads, [(4096, 4096)])
        assert tile
        assert tile * tile * n_heads <= MAX_MOSAIC_PIXELS
    assert sharp_tile(4000, 64, 100_000, [(4096, 4096)]) == 0
