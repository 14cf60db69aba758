"""The head grid: every head of a frame at a glance, layers down, heads right."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, Signal
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip, QVBoxLayout, QWidget

from attn_debugger.core.flags import Severity
from attn_debugger.core.frame import GridFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.ui.grid.canvas import GridCanvas
from attn_debugger.ui.grid.codes import heads_with_nonfinite
from attn_debugger.ui.grid.describe import (
    describe_head,
    head_facts,
    source_words,
    tile_number,
    tooltip,
)
from attn_debugger.ui.grid.geometry import GridGeometry, Slots, layers_by_heads
from attn_debugger.ui.grid.hover import Hover, hover_in
from attn_debugger.ui.grid.legend import LegendBar, LegendContent
from attn_debugger.ui.grid.look import GridLook, checked_range
from attn_debugger.ui.grid.mosaic import blank_mosaic, fill_mosaic
from attn_debugger.ui.grid.ordering import wrapped
from attn_debugger.ui.grid.overlay import OverlayContent
from attn_debugger.ui.grid.tile_size import best_tile
from attn_debugger.ui.theme import Theme


class HeadGrid(QWidget):
    """All heads of one frame as one mosaic.

    It is shown things and asks for nothing: `show_run` once, `show_frame` at every step,
    `show_flags` and `show_tags` as they are found. `tile_size_changed` tells which tile size would
    suit the screen best, so that whoever reads the archive can read just that.
    """

    head_selected = Signal(object)  # HeadRef: clicked
    head_opened = Signal(object)  # HeadRef: double-clicked, or Enter on the selected head
    cell_hovered = Signal(object)  # Hover, or None when the pointer is over no cell
    tile_size_changed = Signal(int)

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

        self._look = GridLook()
        self._run: Run | None = None
        self._slots: Slots = ()
        self._order: tuple[HeadRef, ...] | None = None
        self._n_keys = 0
        self._frame: GridFrame | None = None
        self._content = OverlayContent()
        self._number_name = ""
        self._selected: HeadRef | None = None
        self._tile = 0

        self.canvas.point_hovered.connect(self._hover)
        self.canvas.point_clicked.connect(self._click)
        self.canvas.point_activated.connect(self._activate)
        self.canvas.enter_pressed.connect(self._open_selected)
        self.canvas.zoom_changed.connect(self._choose_tile_size)
        self._recolour()
        self._rename()

    # What it is shown

    def show_run(self, run: Run) -> None:
        """Lay out the heads of a run; what was shown of another run is forgotten."""
        same_heads = self._run is not None and [layer.n_heads for layer in run.layers] == [
            layer.n_heads for layer in self._run.layers
        ]
        same_file = self._run is not None and self._run.path == run.path
        self._run = run
        if not (same_heads and same_file):
            self._order = None
        self._arrange()
        self._n_keys = max((layer.n_keys for layer in run.layers), default=0)
        if not (same_heads and same_file):
            self._frame = None
            self._say(nonfinite=frozenset(), gaps=frozenset(), dimmed=frozenset())
            self._lay_out(tile=32, shapes=tuple((y.n_queries, y.n_keys) for y in run.layers))
            blank_mosaic(self.canvas.atlas.pixels, self.canvas.mosaic)
            self.canvas.atlas.changed()
        self._choose_tile_size()
        self._recolour()

    def show_frame(self, frame: GridFrame) -> None:
        """Paint a frame of the run. Heads that are not `known` are gaps, never zeros."""
        self._frame = frame
        self._lay_out(tile=frame.tile, shapes=frame.shapes)
        self._paint_tiles(frame)
        bad = heads_with_nonfinite(frame.codes) & frame.known
        self._say(nonfinite=_heads(bad), gaps=_heads(~frame.known))
        if self._look.range.mode == "data":
            self._recolour()
        self._show_legend()

    def show_flags(self, flags: Mapping[HeadRef, Severity]) -> None:
        """Outline heads by the loudest flag that holds of them now; labels get no outline."""
        self._say(flags=dict(flags))

    def show_tags(self, tags: Mapping[HeadRef, tuple[str, ...]]) -> None:
        """Write short structure labels (sink, previous-token, ...) on the tiles."""
        self._say(tags=dict(tags))

    def show_numbers(self, numbers: NDArray[np.floating] | None, name: str) -> None:
        """Write one number on each tile, (layer, head); NaN = not known, nothing is written."""
        texts: dict[HeadRef, str] = {}
        if numbers is not None:
            for layer, head in np.argwhere(np.isfinite(numbers)).tolist():
                texts[HeadRef(layer, head)] = tile_number(float(numbers[layer, head]))
        self._number_name = name
        self._say(numbers=texts)

    def select(self, head: HeadRef | None) -> None:
        """Frame the selected head and, if it is another one, bring it into sight. Emits nothing."""
        if head == self._selected:
            return
        self._selected = head
        self.canvas.set_selected(head)
        if head is not None:
            self.canvas.reveal(head)
        self._rename()

    def show_order(self, order: Sequence[HeadRef] | None) -> None:
        """Show only these heads, in this order, wrapped into rows; `None` = as the model has them.

        Each tile then bears its own name.
        """
        self._order = None if order is None else tuple(order)
        self._arrange()
        self._lay_out(self.canvas.mosaic.tile, self.canvas.mosaic.shapes)
        if self._frame is not None:
            self._paint_tiles(self._frame)
        else:
            blank_mosaic(self.canvas.atlas.pixels, self.canvas.mosaic)
            self.canvas.atlas.changed()
        self._choose_tile_size()

    def dim(self, heads: Collection[HeadRef]) -> None:
        """Fade heads that a filter leaves out; they keep their places."""
        self._say(dimmed=frozenset(heads))

    def mark_cell(self, head: HeadRef | None, query: int | None, key: int | None) -> None:
        """Ring one cell of one head, e.g. where a flag points; `None` takes the ring away."""
        complete = head is not None and query is not None and key is not None
        self.canvas.set_cell((head, query, key) if complete else None)  # type: ignore[arg-type]

    def highlight(self, head: HeadRef | None) -> None:
        """Outline a head that is hovered in another view."""
        self.canvas.set_hovered(head)

    # How it is shown

    def set_scale(self, scale: str) -> None:
        """Set `linear`, `sqrt` or `log`. Raises `ValueError` for any other name."""
        self._wear(self._look.with_scale(scale))

    def set_range(self, mode: str, low: float | None = None, high: float = 1.0) -> None:
        """Set what the colour bar spans: `fixed` (low to high), or up to the largest weight of
        the `head`, the `layer` or the whole frame (`data`). Raises `ValueError` for other modes.
        """
        self._wear(replace(self._look, range=checked_range(mode, low, high)))

    def set_colour_map(self, name: str) -> None:
        """Set the colour map. Raises `ValueError` for one that is not on offer."""
        self._wear(self._look.with_colour_map(name))

    def set_theme(self, theme: Theme) -> None:
        self.canvas.set_theme(theme)
        self.legend.set_theme(theme)
        self._wear(replace(self._look, theme=theme))

    def show_nonfinite(self, only: bool) -> None:
        """Mute all weights to grey, so that non-finite cells are all that has a colour."""
        self._wear(replace(self._look, only_nonfinite=only))

    def fit(self) -> None:
        """Show the whole grid."""
        self.canvas.fit()

    def zoom(self, factor: float) -> None:
        """Zoom around the middle of the canvas."""
        self.canvas.zoom(factor)

    @property
    def tile_size(self) -> int:
        """The tile size, in pixels, that suits the screen best."""
        return self._tile or 32

    @property
    def order(self) -> tuple[HeadRef, ...]:
        """The heads in the order in which they stand, row by row."""
        return self.canvas.mosaic.heads()

    # Painting

    def _lay_out(self, tile: int, shapes: tuple[tuple[int, int], ...]) -> None:
        self.canvas.set_mosaic(GridGeometry(self._slots, shapes, tile))

    def _arrange(self) -> None:
        """Decide which head stands in which slot."""
        counts = () if self._run is None else tuple(y.n_heads for y in self._run.layers)
        in_model_order = layers_by_heads(counts)
        if self._order is None:
            self._slots = in_model_order
            return
        heads = {head for row in in_model_order for head in row}
        order = [head for head in self._order if head in heads]
        self._slots = wrapped(order, self.canvas.width(), self.canvas.height())

    def _paint_tiles(self, frame: GridFrame) -> None:
        fill_mosaic(self.canvas.atlas.pixels, self.canvas.mosaic, frame, self._look.codes(frame))
        self.canvas.atlas.changed()

    def _wear(self, look: GridLook) -> None:
        """Change the look: no pixel is touched unless heads or layers have their own ranges."""
        if look == self._look:
            return
        before, self._look = self._look, look
        stretches = before.stretches or look.stretches
        if self._frame is not None and stretches and before.range != look.range:
            self._paint_tiles(self._frame)
        self._recolour()

    def _recolour(self) -> None:
        self.canvas.set_table(self._look.table(*self._look.ends(self._n_keys, self._frame)))
        self._show_legend()

    def _show_legend(self) -> None:
        look = self._look
        low, high = look.ends(self._n_keys, self._frame)
        relative = {
            "head": self.tr("of each head's largest weight"),
            "layer": self.tr("of each layer's largest weight"),
            "data": self.tr("up to this frame's largest weight"),
        }.get(look.range.mode, "")
        words = "" if self._run is None else self.tr("loading")
        if self._frame is not None:
            words = source_words(self._frame)
        self.legend.show_content(
            LegendContent(look.colours(), look.scale, low, high, relative, words)
        )

    def _say(self, **changes: Any) -> None:
        """Change what is written and outlined over the tiles."""
        self._content = replace(self._content, **changes)
        self.canvas.set_content(self._content)
        self._rename()

    def _choose_tile_size(self) -> None:
        mosaic = self.canvas.mosaic
        if not mosaic.n_rows:
            return
        tile = best_tile(self.canvas.tile_side, len(mosaic.heads()), mosaic.shapes)
        if tile != self._tile:
            self._tile = tile
            self.tile_size_changed.emit(tile)

    # The pointer

    def _hover(self, point: tuple[float, float] | None) -> None:
        hover = None if point is None else self.hover_at(*point)
        head = None if point is None else self.canvas.mosaic.head_at(*point)
        self.canvas.set_hovered(head)
        self.cell_hovered.emit(hover)

    def hover_at(self, x: float, y: float) -> Hover | None:
        """Return what lies under a point of the mosaic, in mosaic pixels."""
        return None if self._frame is None else hover_in(self._frame, self.canvas.mosaic, x, y)

    def _click(self, point: tuple[float, float]) -> None:
        head = self.canvas.mosaic.head_at(*point)
        if head is not None:
            self.head_selected.emit(head)

    def _activate(self, point: tuple[float, float]) -> None:
        head = self.canvas.mosaic.head_at(*point)
        if head is not None:
            self.head_opened.emit(head)

    def _open_selected(self) -> None:
        if self._selected is not None:
            self.head_opened.emit(self._selected)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            point = self.canvas.to_mosaic(QPointF(self.canvas.mapFrom(self, event.pos())))
            hover = self.hover_at(*point)
            text = "" if hover is None else tooltip(hover, self._facts(hover.head))
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def _facts(self, head: HeadRef) -> tuple[str, ...]:
        return head_facts(self._content, head, self._number_name)

    def _rename(self) -> None:
        """Tell a screen reader which head is selected and what is known of it."""
        if self._selected is None:
            name = self.tr("Head grid, no head selected")
        else:
            name = describe_head(self._selected, self._facts(self._selected))
        if name != self.accessibleName():
            self.setAccessibleName(name)
            self.canvas.setAccessibleName(name)


def _heads(chosen: NDArray[np.bool_]) -> frozenset[HeadRef]:
    """Return the heads that are True in (layer, head)."""
    return frozenset(HeadRef(layer, head) for layer, head in np.argwhere(chosen).tolist())
