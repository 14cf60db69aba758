"""Which tile size suits the screen: enough pixels to see, none that only cost time."""

from __future__ import annotations

from collections.abc import Iterable

TILE_SIZES = (32, 64, 128, 256, 512)
MAX_MOSAIC_PIXELS = 20_000_000  # 20 MB of codes, 80 MB of colours: beyond, stepping stutters
SHRINKS_WELL_TO = 0.75  # a tile of 64 still reads well at 48 pixels on the screen


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
