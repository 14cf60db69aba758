import pytest

from attn_debugger.ui.grid.tile_size import MAX_MOSAIC_PIXELS, TILE_SIZES, best_tile


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
