"""What the screen has room for: which tile sizes suit it, and which heads are in sight."""

from __future__ import annotations

from dataclasses import dataclass

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.ui.grid.canvas import GridCanvas
from attn_debugger.ui.grid.tile_size import (
    LARGEST_OVERVIEW,
    best_tile,
    moving_tile,
    sharp_tile,
)


@dataclass(frozen=True, slots=True)
class Sight:
    """Tile sizes in pixels; 0 = nothing to show yet.

    `best` for a picture that is painted once, `moving` to read at every step, `sharp` for `heads`
    once the user rests (0 and none = `moving` shows all there is).
    """

    best: int = 0
    moving: int = 0
    sharp: int = 0
    heads: tuple[HeadRef, ...] = ()


def sight_of(canvas: GridCanvas, run: Run | None, *, may_sharpen: bool) -> Sight:
    """Return what suits a canvas that shows heads of `run`."""
    mosaic = canvas.mosaic
    if run is None or not mosaic.n_rows:
        return Sight()
    side, shapes = canvas.tile_side, mosaic.shapes
    best = best_tile(side, len(mosaic.heads()), shapes)
    n_cells = sum(
        layer.n_heads * n_queries * n_keys
        for layer, (n_queries, n_keys) in zip(run.layers, shapes, strict=False)
    )
    moving = moving_tile(best, n_cells, shapes)
    if not may_sharpen or side <= LARGEST_OVERVIEW:
        return Sight(best, moving)
    heads = canvas.heads_in_sight()
    sharp = sharp_tile(side, moving, len(heads), shapes)
    return Sight(best, moving, sharp, heads if sharp else ())
