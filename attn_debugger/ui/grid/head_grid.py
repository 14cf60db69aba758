"""The head grid: every head of a frame at a glance, layers down, heads right."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, Signal
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip, QVBoxLayout, QWidget

from attn_debugger.core.flags import Severity
from attn_debugger.core.frame import NONFINITE_CODE, GridFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.ui.grid.canvas import GridCanvas
from attn_debugger.ui.grid.codes import (
    heads_with_nonfinite,
    highest_finite_codes,
    stretch_codes,
    weights_of_codes,
)
from attn_debugger.ui.grid.colouring import (
    RANGE_MODES,
    SCALE_NAMES,
    ColourRange,
    ReservedColours,
    ScaleName,
    grid_table,
    lower_end,
)
from attn_debugger.ui.grid.describe import describe_head, tile_number, tooltip
from attn_debugger.ui.grid.geometry import GridGeometry, Slots, layers_by_heads
from attn_debugger.ui.grid.hover import Hover
from attn_debugger.ui.grid.legend import LegendBar, LegendContent
from attn_debugger.ui.grid.mosaic import blank_mosaic, fill_mosaic
from attn_debugger.ui.grid.overlay import OverlayContent
from attn_debugger.ui.grid.tile_size import best_tile
from attn_debugger.ui.theme import LIGHT, Theme, colour_table

WEIGHTS = weights_of_codes()


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

        self._theme: Theme = LIGHT
        self._scale: ScaleName = "log"
        self._range = ColourRange()
        self._colour_map = "viridis"
        self._only_nonfinite = False
        self._run: Run | None = None
        self._slots: Slots = ()
        self._n_keys = 0
        self._frame: GridFrame | None = None
        self._nonfinite: frozenset[HeadRef] = frozenset()
        self._gaps: frozenset[HeadRef] = frozenset()
        self._flags: Mapping[HeadRef, Severity] = {}
        self._tags: Mapping[HeadRef, tuple[str, ...]] = {}
        self._numbers: NDArray[np.floating] | None = None
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
        self._slots = layers_by_heads(tuple(layer.n_heads for layer in run.layers))
        self._n_keys = max((layer.n_keys for layer in run.layers), default=0)
        if not (same_heads and same_file):
            self._frame = None
            self._nonfinite = self._gaps = frozenset()
            self._lay_out(tile=32, shapes=tuple((y.n_queries, y.n_keys) for y in run.layers))
            blank_mosaic(self.canvas.atlas.pixels, self.canvas.mosaic)
            self.canvas.atlas.changed()
        self._choose_tile_size()
        self._recolour()
        self._redraw_overlay()

    def show_frame(self, frame: GridFrame) -> None:
        """Paint a frame of the run. Heads that are not `known` are gaps, never zeros."""
        self._frame = frame
        self._lay_out(tile=frame.tile, shapes=frame.shapes)
        self._paint_tiles(frame)
        bad = heads_with_nonfinite(frame.codes) & frame.known
        self._nonfinite = frozenset(HeadRef(int(y), int(h)) for y, h in np.argwhere(bad))
        self._gaps = frozenset(
            HeadRef(int(y), int(h)) for y, h in np.argwhere(~frame.known) if self._exists(y, h)
        )
        if self._range.mode == "data":
            self._recolour()
        self._redraw_overlay()
        self._show_legend()
        self._rename()

    def show_flags(self, flags: Mapping[HeadRef, Severity]) -> None:
        """Outline heads by the loudest flag that holds of them now; labels get no outline."""
        self._flags = dict(flags)
        self._redraw_overlay()

    def show_tags(self, tags: Mapping[HeadRef, tuple[str, ...]]) -> None:
        """Write short structure labels (sink, previous-token, ...) on the tiles."""
        self._tags = dict(tags)
        self._redraw_overlay()

    def show_numbers(self, numbers: NDArray[np.floating] | None, name: str) -> None:
        """Write one number on each tile, (layer, head); NaN = not known, nothing is written."""
        self._numbers, self._number_name = numbers, name
        self._redraw_overlay()
        self._rename()

    def select(self, head: HeadRef | None) -> None:
        """Frame the selected head and bring it into sight. Emits nothing."""
        self._selected = head
        self.canvas.set_selected(head)
        if head is not None:
            self.canvas.reveal(head)
        self._rename()

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
        if scale not in SCALE_NAMES:
            raise ValueError(f"no scale {scale!r}; choose one of {', '.join(SCALE_NAMES)}")
        self._scale = scale
        self._recolour()

    def set_range(self, mode: str, low: float | None = None, high: float = 1.0) -> None:
        """Set what the colour bar spans: `fixed` (low to high), or up to the largest weight of
        the `head`, the `layer` or the whole frame (`data`). Raises `ValueError` for other modes.
        """
        if mode not in RANGE_MODES:
            raise ValueError(f"no range {mode!r}; choose one of {', '.join(RANGE_MODES)}")
        colour_range = ColourRange(mode, low, high)
        if colour_range == self._range:
            return
        stretched_before = self._stretches()
        self._range = colour_range
        if self._frame is not None and (stretched_before or self._stretches()):
            self._paint_tiles(self._frame)
        self._recolour()

    def set_colour_map(self, name: str) -> None:
        """Set the colour map. Raises `ValueError` for one that is not on offer."""
        colour_table(name)
        self._colour_map = name
        self._recolour()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.canvas.set_theme(theme)
        self.legend.set_theme(theme)
        self._recolour()

    def show_nonfinite(self, only: bool) -> None:
        """Mute all weights to grey, so that non-finite cells are all that has a colour."""
        self._only_nonfinite = only
        self._recolour()

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

    def _exists(self, layer: int, head: int) -> bool:
        if self._run is None:
            return True
        layers = self._run.layers
        return layer < len(layers) and head < layers[layer].n_heads

    def _lay_out(self, tile: int, shapes: tuple[tuple[int, int], ...]) -> None:
        self.canvas.set_mosaic(GridGeometry(self._slots, shapes, tile))

    def _stretches(self) -> bool:
        return self._range.mode in ("head", "layer")

    def _paint_tiles(self, frame: GridFrame) -> None:
        codes = frame.codes
        if self._stretches():
            highest = highest_finite_codes(codes)
            if self._range.mode == "layer":
                highest = np.broadcast_to(highest.max(axis=1, keepdims=True), highest.shape)
            codes = stretch_codes(codes, highest)
        fill_mosaic(self.canvas.atlas.pixels, self.canvas.mosaic, frame, codes)
        self.canvas.atlas.changed()

    def _ends(self) -> tuple[float, float]:
        """Return the weights at the two ends of the colour bar."""
        high = self._range.high if self._range.mode == "fixed" else 1.0
        if self._range.mode == "data" and self._frame is not None and self._frame.codes.size:
            top = int(highest_finite_codes(self._frame.codes).max())
            high = float(WEIGHTS[top]) or 1.0
        low = lower_end(self._scale, self._range, self._n_keys)
        return low, max(high, low * 1.01)

    def _recolour(self) -> None:
        """Rebuild the colour table: no pixel is touched."""
        low, high = self._ends()
        colours = colour_table("gray" if self._only_nonfinite else self._colour_map)
        if self._only_nonfinite:
            colours = (colours // 2 + 50).astype(np.uint8)
        reserved = ReservedColours(
            background=_packed(self._theme.background),
            gap=_packed(self._theme.gap),
            masked=_packed(self._theme.masked),
            nonfinite=_packed(self._theme.nan),
        )
        self.canvas.set_table(grid_table(colours, reserved, scale=self._scale, low=low, high=high))
        self._show_legend()

    def _show_legend(self) -> None:
        low, high = self._ends()
        colours = colour_table("gray" if self._only_nonfinite else self._colour_map)
        relative = {
            "head": self.tr("of each head's largest weight"),
            "layer": self.tr("of each layer's largest weight"),
            "data": self.tr("up to this frame's largest weight"),
        }.get(self._range.mode, "")
        self.legend.show_content(
            LegendContent(colours, self._scale, low, high, relative, self._source_words())
        )

    def _source_words(self) -> str:
        frame = self._frame
        if frame is None:
            return self.tr("loading") if self._run is not None else ""
        source = {
            "full maps": self.tr("full maps"),
            "overview": self.tr("overview"),
        }.get(frame.source, frame.source)
        words = [source]
        longest = max((max(shape) for shape in frame.shapes), default=0)
        if longest > frame.tile:
            pooled = self.tr("{0} tokens max-pooled to {1} px")
            words.append(pooled.format(longest, frame.tile))
        if frame.note:
            words.append(frame.note)
        return ", ".join(words)

    def _redraw_overlay(self) -> None:
        self.canvas.set_content(
            OverlayContent(
                flags=self._flags,
                tags=self._tags,
                numbers=self._number_texts(),
                nonfinite=self._nonfinite,
                gaps=self._gaps,
            )
        )

    def _number_texts(self) -> dict[HeadRef, str]:
        if self._numbers is None:
            return {}
        texts = {}
        for (layer, head), value in np.ndenumerate(self._numbers):
            if np.isfinite(value):
                texts[HeadRef(layer, head)] = tile_number(float(value))
        return texts

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
        cells = self.canvas.mosaic.cells_at(x, y)
        if cells is None or self._frame is None:
            return None
        frame, head = self._frame, cells.head
        if head.layer >= len(frame.known) or head.head >= len(frame.known[head.layer]):
            return None
        value: float | None = None
        masked = False
        if frame.known[head.layer, head.head]:
            row, column = int(y) % self.canvas.mosaic.pitch, int(x) % self.canvas.mosaic.pitch
            code = int(frame.codes[head.layer, head.head, row, column])
            value = float("nan") if code == NONFINITE_CODE else (code / 254) ** 4
            masked = value == 0 and bool(frame.masked[head.layer, row, column])
        return Hover(
            head, cells.queries[0], cells.keys[0], value, n_cells=cells.n_cells, masked=masked
        )

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

    # What a screen reader hears

    def _facts(self, head: HeadRef) -> tuple[str, ...]:
        """Return what is known of a head beside its map: NaN, its number, its tags."""
        facts = []
        if head in self._nonfinite:
            facts.append("NaN")
        if head in self._gaps:
            facts.append(self.tr("not captured in this frame"))
        if self._flags.get(head, Severity.LABEL) > Severity.LABEL:
            facts.append(self._severity_word(self._flags[head]))
        number = self._number_texts().get(head)
        if number is not None:
            facts.append(f"{self._number_name} {number}")
        facts.extend(self._tags.get(head, ()))
        return tuple(facts)

    def _severity_word(self, severity: Severity) -> str:
        return {
            Severity.LABEL: self.tr("label"),
            Severity.NOTICE: self.tr("notice"),
            Severity.WARNING: self.tr("warning"),
            Severity.CRITICAL: self.tr("critical"),
        }[severity]

    def _rename(self) -> None:
        if self._selected is None:
            name = self.tr("Head grid, no head selected")
        else:
            name = describe_head(self._selected, self._facts(self._selected))
        if name != self.accessibleName():
            self.setAccessibleName(name)
            self.canvas.setAccessibleName(name)


def _packed(colour: str) -> int:
    return int(colour.removeprefix("#"), 16)
