"""The tiles of the grid: a run's frames painted through a look into the canvas's atlas."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import GridFrame, SharpTile, SharpTiles
from attn_debugger.core.run import Run
from attn_debugger.ui.grid.canvas import GridCanvas
from attn_debugger.ui.grid.codes import Codes, stretch_codes
from attn_debugger.ui.grid.difference import GridDifference, grid_difference
from attn_debugger.ui.grid.geometry import GridGeometry, Slots
from attn_debugger.ui.grid.hover import Hover, hover_in
from attn_debugger.ui.grid.look import GridLook
from attn_debugger.ui.grid.mosaic import blank_mosaic, fill_mosaic, special_columns
from attn_debugger.ui.grid.sharp import SharpLayer
from attn_debugger.ui.grid.two_runs import TwoRuns

FIRST_TILE = 32  # before the first frame: all it shows is gaps


class GridTiles:
    """Keeps what is painted, so that a change of look or order needs nothing anew."""

    def __init__(self, canvas: GridCanvas) -> None:
        self._canvas = canvas
        self.look = GridLook()
        self.run: Run | None = None
        self.frame: GridFrame | None = None
        self.pinned: GridFrame | None = None
        self.shows_difference = False
        self.two: TwoRuns | None = None  # with a second run beside, it is compared, not a pin
        self.sharp: SharpTiles | None = None  # of the frame that is shown
        self._over = SharpLayer(canvas.sharp)
        self._difference: GridDifference | None = None
        self._compared: tuple[GridFrame, GridFrame] | None = None  # what it was made of

    @property
    def difference(self) -> GridDifference | None:
        """What changed since the pinned frame, or from one run to the other; None while the two
        cannot be compared.
        """
        before, after = self.pinned, self.frame
        if self.two is not None:
            before, after = self.two.pair(self.frame) or (None, None)
        if before is None or after is None or before.codes.shape != after.codes.shape:
            return None  # of another tile size: the right one is on its way
        if (
            self._compared is None
            or self._compared[0] is not before
            or self._compared[1] is not after
        ):
            self._difference, self._compared = grid_difference(before, after), (before, after)
        return self._difference

    @property
    def shown_difference(self) -> GridDifference | None:
        """The difference, if it is painted in place of the weights."""
        if self.two is not None:
            return self.difference if self.two.shown == "difference" else None
        return self.difference if self.shows_difference else None

    @property
    def is_waiting(self) -> bool:
        """Whether the second run's half of the picture is on its way: the last one stays."""
        return self.two is not None and self.two.is_waiting(self.frame)

    @property
    def shown_frame(self) -> GridFrame | None:
        """The frame whose weights lie under the pointer."""
        if self.two is not None and self.two.shown == "b":
            return self.two.frame_beside(self.frame)
        return self.frame

    @property
    def shows_weights(self) -> bool:
        """Whether the picture is the frame's own weights: only these are sharpened."""
        return self.shown_difference is None and (self.two is None or self.two.shown == "a")

    @property
    def shown_sharp(self) -> SharpTiles | None:
        """The tiles of full maps, if they are painted."""
        return self.sharp if self.shows_weights else None

    def hover_at(self, x: float, y: float) -> Hover | None:
        """Return what lies under a point of the mosaic, in mosaic pixels."""
        frame, mosaic = self.shown_frame, self._canvas.mosaic
        sharp = self._over.hover_at(x, y, mosaic)
        if sharp is not None or frame is None:
            return sharp
        return hover_in(frame, mosaic, x, y)

    def show_sharp(self, tiles: SharpTiles) -> bool:
        """Paint full maps over the frame; False = they are of another frame than is shown."""
        frame = self.frame
        if frame is None or (frame.frame_index, frame.sample) != (tiles.frame_index, tiles.sample):
            return False
        self.sharp = tiles
        self._paint_sharp()
        return True

    def show_two(self, two: TwoRuns | None) -> None:
        """Show a second run's heads in the same places, or the difference; None = no more."""
        self.two = two
        self._paint()
        self.recolour()

    def pin(self, frame: GridFrame | None, *, shows_difference: bool) -> None:
        """Compare with `frame` from now on; `shows_difference` paints what changed."""
        if frame is not self.pinned or shows_difference != self.shows_difference:
            self.pinned, self.shows_difference = frame, shows_difference
            self._paint()
            self.recolour()

    def show_run(self, run: Run, slots: Slots) -> None:
        """Show every head of a run as not captured yet."""
        self.run, self.frame, self.pinned, self.sharp = run, None, None, None
        self.two = None if self.two is None else replace(self.two, beside=None)
        shapes = tuple((layer.n_queries, layer.n_keys) for layer in run.layers)
        self._canvas.set_mosaic(GridGeometry(slots, shapes, FIRST_TILE))
        self._paint()

    def show_frame(self, frame: GridFrame, slots: Slots) -> None:
        self.frame, self.sharp = frame, None
        before = self._canvas.atlas.pixels
        self._canvas.set_mosaic(GridGeometry(slots, frame.shapes, frame.tile))
        if self.is_waiting and self._canvas.atlas.pixels is not before:
            blank_mosaic(self._canvas.atlas.pixels, self._canvas.mosaic)
        self._paint()
        if self.shows_difference or self.two is not None:
            self.recolour()  # whether there is one may depend on the frame

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
        if self.is_waiting:
            return
        if self.shown_difference is not None:
            self._canvas.set_table(self.look.difference_table())
        else:
            self._canvas.set_table(self.look.table(*self.ends()))

    def ends(self) -> tuple[float, float]:
        """Return the weights at the two ends of the colour bar, or the differences."""
        if self.shown_difference is not None:
            return -self.shown_difference.limit, self.shown_difference.limit
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
        if self.is_waiting:
            return
        shown = self.shown_frame
        if shown is None or (self.two is not None and self.two.why_not(self.frame)):
            blank_mosaic(pixels, mosaic)
        elif (difference := self.shown_difference) is not None:
            fill_mosaic(pixels, mosaic, difference.frame, difference.codes)
        else:
            fill_mosaic(pixels, mosaic, shown, self.look.codes(shown, self._special()))
        self._canvas.atlas.changed()
        self._paint_sharp()

    def _paint_sharp(self) -> None:
        frame, sharp, look = self.frame, self.shown_sharp, self.look
        if sharp is None or frame is None:
            self._over.hide()
            return
        tops = look.tops(frame, self._special()) if look.stretches else None

        def codes_of(tile: SharpTile) -> Codes:
            if tops is None:
                return tile.codes
            top = tops[tile.head][None, None]
            stretched: Codes = stretch_codes(tile.codes[None, None], top)[0, 0]
            return stretched

        self._over.paint(sharp, self._canvas.mosaic, codes_of)
