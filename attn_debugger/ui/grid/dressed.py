"""The parts of the head grid, and how weights become colours in it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QVBoxLayout, QWidget

from attn_debugger.ui.grid.canvas import GridCanvas
from attn_debugger.ui.grid.legend import LegendBar
from attn_debugger.ui.grid.look import GridLook, checked_range
from attn_debugger.ui.grid.tiles import GridTiles
from attn_debugger.ui.theme import Theme


class DressedGrid(QWidget):
    """Canvas, legend and tiles under one look: scale, range, colour map and theme."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = GridCanvas(self)
        self.legend = LegendBar(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.canvas, 1)
        layout.addWidget(self.legend)
        self.setFocusProxy(self.canvas)

        self._tiles = GridTiles(self.canvas)

    def set_scale(self, scale: str) -> None:
        """Set `linear`, `sqrt` or `log`. Raises `ValueError` for any other name."""
        self._wear(self._tiles.look.with_scale(scale))

    def set_range(self, mode: str, low: float | None = None, high: float = 1.0) -> None:
        """Set what the colour bar spans: `fixed` (low to high), or up to the largest weight of
        the `head`, the `layer` or the whole frame (`data`). Raises `ValueError` for other modes.
        """
        self._wear(replace(self._tiles.look, range=checked_range(mode, low, high)))

    def set_colour_map(self, name: str) -> None:
        """Set the colour map. Raises `ValueError` for one that is not on offer."""
        self._wear(self._tiles.look.with_colour_map(name))

    def set_theme(self, theme: Theme) -> None:
        self.canvas.set_theme(theme)
        self.legend.set_theme(theme)
        self._wear(replace(self._tiles.look, theme=theme))

    def show_nonfinite(self, only: bool) -> None:
        """Mute all weights to grey, so that non-finite cells are all that has a colour."""
        self._wear(replace(self._tiles.look, only_nonfinite=only))

    def leave_out_special(self, left_out: bool) -> None:
        """Let ranges from the data ignore first keys and declared special tokens: a sink hides
        everything else.
        """
        self._wear(replace(self._tiles.look, without_special=left_out))

    def fit(self) -> None:
        """Show the whole grid."""
        self.canvas.fit()

    def zoom(self, factor: float) -> None:
        """Zoom around the middle of the canvas."""
        self.canvas.zoom(factor)

    def _wear(self, look: GridLook) -> None:
        if look != self._tiles.look:
            self._tiles.wear(look)
            self._show_legend()

    def _show_legend(self) -> None:
        """Say what the colours mean now."""
        raise NotImplementedError
