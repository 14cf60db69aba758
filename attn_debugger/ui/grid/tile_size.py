"""Which tile size suits the screen: enough pixels to see, none that only cost time.

While the user moves through a run, large maps are shown by their overviews, of 64 pixels at most.
What is drawn larger than that on the screen is sharpened once they rest.
"""

from __future__ import annotations

from collections.abc import Iterable

TILE_SIZES = (32, 64, 128, 256, 512)
MAX_MOSAIC_PIXELS = 20_000_000  # 20 MB of codes, 80 MB of colours: beyond, stepping stutters
SHRINKS_WELL_TO = 0.75  # a tile of 64 still reads well at 48 pixels on the screen
LARGEST_OVERVIEW = 64  # what archives keep
SHARP_SIZES = (128, 256, 512, 1024, 2048)
# Full maps of a frame that are this small together are read as fast as overviews.
QUICK_CELLS = 1 << 18


def best_tile(side_on_screen: float, n_heads: int, shapes: Iterable[tuple[int, int]]) -> int:
    """Return the tile size for tiles of `side_on_screen` device pixels.

    No larger than the screen shows or memory allows, and no larger than the first size that all
    maps divide evenly: more pixels would only repeat cells.
    """
    lengths = {length for shape in shapes for length in shape if length}
    best = TILE_SIZES[0]
    for tile in TILE_SIZES:
        too_small = tile * SHRINKS_WELL_TO > side_on_screen
        if tile > best and (too_small or tile * tile * n_heads > MAX_MOSAIC_PIXELS):
            break
        best = tile
        if lengths and all(tile % length == 0 for length in lengths):
            break
    return best


def moving_tile(best: int, n_cells: int, shapes: Iterable[tuple[int, int]]) -> int:
    """Return the size to read at every step where `best` would suit the screen.

    `n_cells` are those of all maps of a frame. Overviews show maps up to their own size cell by
    cell, at any tile size.
    """
    longest = max((max(shape) for shape in shapes), default=0)
    if longest <= LARGEST_OVERVIEW or n_cells <= QUICK_CELLS:
        return best
    return min(best, LARGEST_OVERVIEW)


def sharp_tile(
    side_on_screen: float, moving: int, n_heads: int, shapes: Iterable[tuple[int, int]]
) -> int:
    """Return the size for `n_heads` heads in sight at rest; 0 = what is shown while moving, tiles
    of `moving` pixels, has all that the screen can show of them.
    """
    lengths = {length for shape in shapes for length in shape if length}
    overview = max(moving, LARGEST_OVERVIEW)
    if max(lengths, default=0) <= overview or side_on_screen <= overview:
        return 0
    best = 0
    for tile in SHARP_SIZES:
        if tile <= overview or tile * tile * n_heads > MAX_MOSAIC_PIXELS:
            continue
        is_even = best and all(best % length == 0 for length in lengths)
        if is_even or (best and tile * SHRINKS_WELL_TO > side_on_screen):
            break
        best = tile
    return best
