"""The head view: one attention map at full resolution, and the cell under the pointer in words."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from attn_debugger.analysis.layout import LayoutCache
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.colouring import (
    ColourRange,
    ScaleName,
    level_table,
    levels,
    lower_end,
)
from attn_debugger.ui.grid.hover import Hover
from attn_debugger.ui.grid.legend import LegendBar, LegendContent
from attn_debugger.ui.grid.look import checked_range, checked_scale, reserved_colours
from attn_debugger.ui.head.canvas import HeadCanvas
from attn_debugger.ui.head.comparison_view import ComparisonView
from attn_debugger.ui.head.elided_label import ElidedLabel
from attn_debugger.ui.head.explain import explain_cell
from attn_debugger.ui.head.explain_panel import ExplainPanel
from attn_debugger.ui.head.find_token import find_key, find_query
from attn_debugger.ui.head.header import HeadHeader
from attn_debugger.ui.head.links_view import LinksView
from attn_debugger.ui.head.picture import NO_MAP, HeadMap, head_map
from attn_debugger.ui.head.words import details, reading, why_empty
from attn_debugger.ui.theme import LIGHT, Theme, colour_table


class HeadView(QWidget):
    """One head: `show_head(frame)` paints it, `show_cell(query, key)` selects a cell.

    What cannot be shown is said in words: a gap, a frame with overviews only, a map on its way.
    """

    cell_hovered = Signal(object)  # Hover with the exact weight, or None
    cell_selected = Signal(int, int)  # query, key: clicked
    closed = Signal()  # the user wants the grid back

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme = LIGHT
        self._scale: ScaleName = "linear"
        self._range = ColourRange()
        self._colour_map = "viridis"
        self._frame: LayerFrame | None = None
        self._map: HeadMap = NO_MAP
        self._layouts = LayoutCache()
        self._cell: tuple[int, int] | None = None

        self.header = HeadHeader(self)
        self.heading, self.details = self.header.heading, self.header.details
        self.canvas = HeadCanvas(self)
        self.links = LinksView(self)
        self.strip = ComparisonView(self)
        self.explanation = ExplainPanel(self)
        self.explanation.hide()
        self.reading = ElidedLabel(self, lines=2)
        self.reading.setContentsMargins(12, 0, 12, 2)
        self.legend = LegendBar(self)
        self._arrange()
        self._connect()
        header = self.header
        self.setFocusProxy(self.canvas)
        # The picture first: a text field that takes the focus by itself would swallow every key.
        for before, after in pairwise((self.canvas, header.find_field, *header.buttons())):
            QWidget.setTabOrder(before, after)
        self._recolour()
        self._show_words("")

    def _arrange(self) -> None:
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self.canvas)
        self._pages.addWidget(self.links)
        self._pages.addWidget(self.strip)
        body = QSplitter(Qt.Orientation.Vertical, self)
        body.addWidget(self._pages)
        body.addWidget(self.explanation)
        body.setChildrenCollapsible(False)
        body.setStretchFactor(0, 3)
        body.setStretchFactor(1, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(body, 1)
        layout.addWidget(self.reading)
        layout.addWidget(self.legend)

    def _connect(self) -> None:
        header = self.header
        header.close_button.clicked.connect(self.closed)
        header.explain_button.toggled.connect(self.show_explanation)
        header.lines_button.toggled.connect(self.show_lines)
        header.find_field.query_wanted.connect(self._find_query)
        header.find_field.key_wanted.connect(self._find_key)
        header.compare_button.toggled.connect(self.show_comparison)
        for picture in (self.canvas, self.links):
            picture.cell_pointed.connect(self._point)
            picture.cell_clicked.connect(self.cell_selected)
        self.strip.cell_selected.connect(self.cell_selected)
        self.strip.cell_pointed.connect(self._point)
        self.strip.ended.connect(lambda: header.compare_button.setChecked(False))

    # What it is shown

    def show_head(self, frame: LayerFrame | None, note: str = "", head: int | None = None) -> None:
        """Show one head of `frame`: number `head`, by default the first one that it holds.

        With `None`, or where the frame has no full map, `note` or the reason stands instead.
        """
        self._frame = frame
        self._map = NO_MAP if frame is None else head_map(frame, head, self._layouts)
        self.canvas.show_map(self._map, self._codes(), why_empty(frame, note))
        self.links.show_map(self._map)
        self.strip.show_current(frame)
        self._choose_page()
        self._mark()
        self._show_words(note)
        self._show_legend()
        self._show_reading()
        self._explain()

    def show_cell(self, query: int | None, key: int | None) -> None:
        """Select a cell, `None` for none. Emits nothing."""
        self._cell = None if query is None or key is None else (query, key)
        self._mark()
        self._show_reading()
        self._explain()

    def _mark(self) -> None:
        for picture in (self.canvas, self.links, self.strip):
            picture.select(self._cell)

    @Slot(bool)
    def show_lines(self, shown: bool) -> None:
        """Show lines from queries to keys instead of the matrix, or the matrix again."""
        self.header.lines_button.setChecked(shown)
        if shown:
            self.header.compare_button.setChecked(False)
        self._choose_page()

    @Slot(bool)
    def show_comparison(self, shown: bool) -> None:
        """Pin the current map and compare with it whatever is shown next; or let go of all."""
        if shown and not self.strip.is_comparing and not self._map.is_empty:
            self.header.lines_button.setChecked(False)
            self.strip.pin()
        elif not shown:
            self.strip.unpin()
        self.header.compare_button.setChecked(self.strip.is_comparing)
        self._choose_page()

    def _choose_page(self) -> None:
        # The canvas also says why there is nothing to see.
        page: QWidget = self.canvas
        if self.header.lines_button.isChecked() and not self._map.is_empty:
            page = self.links
        if self.strip.is_comparing and self._frame is not None:
            page = self.strip
        self._pages.setCurrentWidget(page)
        self.legend.setVisible(page is self.canvas)
        self.reading.setVisible(page is not self.strip)

    @Slot(bool)
    def show_explanation(self, shown: bool) -> None:
        """Show or hide how the selected weight came about."""
        self.header.explain_button.setChecked(shown)
        self.explanation.setVisible(shown)
        self._explain()

    # How it is shown

    def set_scale(self, scale: str) -> None:
        """Set `linear`, `sqrt` or `log`. Raises `ValueError` for any other name."""
        self._scale = checked_scale(scale)
        self.strip.set_scale(scale)
        self._recolour()

    def set_range(self, mode: str, low: float | None = None, high: float = 1.0) -> None:
        """Set what the colour bar spans: `fixed`, low to high; any other mode: up to the largest
        weight of this head. Raises `ValueError` for modes that do not exist.
        """
        self._range = checked_range(mode, low, high)
        self.strip.set_range(mode, low, high)
        self._recolour()

    def set_colour_map(self, name: str) -> None:
        """Set the colour map. Raises `ValueError` for one that is not on offer."""
        self.strip.set_colour_map(name)
        self._colour_map = name
        self._recolour()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.canvas.set_theme(theme)
        self.links.set_theme(theme)
        self.strip.set_theme(theme)
        self.legend.set_theme(theme)
        self._recolour()

    def fit(self) -> None:
        """Show the whole map."""
        self.canvas.fit()

    def zoom(self, factor: float) -> None:
        """Zoom around the middle of the matrix."""
        self.canvas.zoom(factor)

    # Colours

    def _ends(self) -> tuple[float, float]:
        high = self._range.high
        if self._range.mode != "fixed" and not self._map.is_empty:
            finite = self._map.weights[np.isfinite(self._map.weights)]
            high = float(finite.max()) if finite.size else 1.0
        low = lower_end(self._scale, self._range, self._map.n_keys)
        return low, max(high, low * 1.01, 1e-30)

    def _codes(self) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        low, high = self._ends()
        shown = self._map
        return levels(shown.weights, shown.masked, scale=self._scale, low=low, high=high)

    def _recolour(self) -> None:
        reserved = reserved_colours(self._theme)
        self.canvas.set_table(level_table(colour_table(self._colour_map), reserved))
        self.canvas.show_codes(self._codes())
        self._show_legend()

    def _show_legend(self) -> None:
        low, high = self._ends()
        relative = (
            "" if self._range.mode == "fixed" else self.tr("up to this head's largest weight")
        )
        words = ""
        if not self._map.is_empty:
            words = self.tr("full map, {0} queries x {1} keys").format(*self._map.weights.shape)
        colours = colour_table(self._colour_map)
        self.legend.show_content(
            LegendContent(colours, self._scale, low, high, relative, words, with_gap=False)
        )

    # Words

    def _find_query(self, text: str) -> None:
        self._go_to(find_query(self._map, text, self.canvas.selected), text)

    def _find_key(self, text: str) -> None:
        self._go_to(find_key(self._map, text, self.canvas.selected), text)

    def _go_to(self, cell: tuple[int, int] | None, text: str) -> None:
        self.header.find_field.say_missing(cell is None and bool(text))
        if cell is not None:
            self.cell_selected.emit(*cell)

    def _explain(self) -> None:
        """Explain the selected cell, while the panel is open: it is work."""
        if not self.header.explain_button.isChecked():
            return
        cell = self.canvas.selected
        if self._frame is None or self._map.is_empty or cell is None:
            words = self.tr("Click a cell, and its weight is explained here.")
            self.explanation.show_text(words, can_copy=False)
            return
        found = explain_cell(self._frame, self._map.head.head, *cell)
        self.explanation.show_text(found.text)

    def _show_words(self, note: str) -> None:
        frame = self._frame
        if frame is None:
            self.heading.setText(self.tr("Head view"))
            self.details.setText(note)
            self._rename(self.tr("Head view, no head is open"))
            return
        head = self._map.head
        self.heading.setText(self.tr("Layer {0}, head {1}").format(head.layer, head.head))
        parts = details(frame, note, has_map=not self._map.is_empty)
        self.details.setText("  ·  ".join(parts))
        self._rename(f"{self.heading.text()}, {', '.join(parts[:2])}")

    def _rename(self, name: str) -> None:
        self.setAccessibleName(name)
        self.canvas.setAccessibleName(name)

    def _point(self, cell: tuple[int, int] | None) -> None:
        rows, columns = self._map.weights.shape
        if cell is not None and not (cell[0] < rows and cell[1] < columns):
            cell = None  # only a pinned map has such a cell
        self._show_reading(cell)
        self.cell_hovered.emit(None if cell is None else self.hover_at(*cell))

    def hover_at(self, query: int, key: int) -> Hover:
        """Return what is known of one cell of the shown map."""
        shown = self._map
        value = float(shown.weights[query, key])
        masked = value == 0 and shown.masked is not None and bool(shown.masked[query, key])
        return Hover(HeadRef(*shown.head), query, key, value, exact=True, masked=masked)

    def _show_reading(self, pointed: tuple[int, int] | None = None) -> None:
        cell = pointed or self.canvas.cell
        words = "" if cell is None or self._map.is_empty else reading(self._map, *cell)
        self.reading.setText(words)
        self.canvas.setAccessibleDescription(words)
