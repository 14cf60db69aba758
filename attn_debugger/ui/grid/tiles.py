"""The tiles of the grid: a run's frames painted through a look into the canvas's atlas."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import GridFrame
from attn_debugger.core.run import Run
from attn_debugger.ui.grid.canvas import GridCanvas
from attn_debugger.ui.grid.geometry import GridGeometry, Slots
from attn_debugger.ui.grid.look import GridLook
from attn_debugger.ui.grid.mosaic import blank_mosaic, fill_mosaic, special_columns

FIRST_TILE = 32  # before the first frame: all it shows is gaps


class GridTiles:
    """Keeps what is painted, so that a change of look or order needs nothing anew."""

    def __init__(self, canvas: GridCanvas) -> None:
        self._canvas = canvas
        self.look = GridLook()
        self.run: Run | None = None
        self.frame: GridFrame | None = None

    def show_run(self, run: Run, slots: Slots) -> None:
        """Show every head of a run as not captured yet."""
        self.run, self.frame = run, None
        shapes = tuple((layer.n_queries, layer.n_keys) for layer in run.layers)
        self._canvas.set_mosaic(GridGeometry(slots, shapes, FIRST_TILE))
        self._paint()

    def show_frame(self, frame: GridFrame, slots: Slots) -> None:
        self.frame = frame
        self._canvas.set_mosaic(GridGeometry(slots, frame.shapes, frame.tile))
        self._paint()

    def stand_in(self, slots: Slots) -> None:
        """Show the same heads in other places."""
        mosaic = self._canvas.mosaic
        self._canvas.set_mosaic(GridGeometry(slots, mosaic.shapes, mosaic.tile))
        self._paint()

    def wear(self, look: GridLook) -> None:
        """Change the look: no pixel is touched unless heads or layers have their own ranges."""
        before, self.look = self.look, look
        alike = (before.range, before.without_special) == (look.range, look.without_special)
        if (before.stretches or look.stretches) and not alike:
            self._paint()
        self.recolour()

    def recolour(self) -> None:
        self._canvas.set_table(self.look.table(*self.ends()))

    def ends(self) -> tuple[float, float]:
        """Return the weights at the two ends of the colour bar."""
        # The longest input of the run: a range that changed with every step could not be read.
        layers = () if self.run is None else self.run.layers
        n_keys = max((layer.n_keys for layer in layers), default=0)
        return self.look.ends(n_keys, self.frame, self._special())

    def _special(self) -> NDArray[np.bool_] | None:
        """Return which tile columns show a sink or special token, (layer, tile column)."""
        if self.run is None or self.frame is None or not self.look.without_special:
            return None
        return special_columns(self.run, self.frame)

    def _paint(self) -> None:
        pixels, mosaic = self._canvas.atlas.pixels, self._canvas.mosaic
        if self.frame is None:
            blank_mosaic(pixels, mosaic)
        else:
            fill_mosaic(pixels, mosaic, self.frame, self.look.codes(self.frame, self._special()))
        self._canvas.atlas.changed()
