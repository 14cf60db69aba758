"""The head view: one attention map at full resolution, and the cell under the pointer in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSplitter, QToolButton, QVBoxLayout, QWidget

from attn_debugger.analysis.layout import LayoutCache
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.hover import Hover
from attn_debugger.ui.grid.legend import LegendBar
from attn_debugger.ui.grid.look import checked_range, checked_scale
from attn_debugger.ui.head.elided_label import ElidedLabel
from attn_debugger.ui.head.explain import explain_cell
from attn_debugger.ui.head.explain_panel import ExplainPanel
from attn_debugger.ui.head.find_token import find_key, find_query
from attn_debugger.ui.head.head_look import HeadLook
from attn_debugger.ui.head.header import HeadHeader
from attn_debugger.ui.head.pages import HeadPages, PageName
from attn_debugger.ui.head.picture import NO_MAP, HeadMap, head_map
from attn_debugger.ui.head.words import details, reading, why_empty
from attn_debugger.ui.theme import Theme


class HeadView(QWidget):
    """One head: `show_head(frame)` paints it, `show_cell(query, key)` selects a cell.

    What cannot be shown is said in words: a gap, a frame with overviews only, a map on its way.
    """

    cell_hovered = Signal(object)  # Hover with the exact weight, or None
    cell_selected = Signal(int, int)  # query, key: clicked
    closed = Signal()  # the user wants the grid back
    film_wanted = Signal(bool)  # whether the steps around the current one are to be shown
    frame_wanted = Signal(int)  # frame index: a step of the film was chosen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = HeadLook()
        self._frame: LayerFrame | None = None
        self._map: HeadMap = NO_MAP
        self._layouts = LayoutCache()
        self._cell: tuple[int, int] | None = None

        self.header = HeadHeader(self)
        self.heading, self.details = self.header.heading, self.header.details
        self._pages = HeadPages(self)
        self.canvas, self.links = self._pages.canvas, self._pages.links
        self.picture, self.strip = self._pages.picture, self._pages.strip
        self.film = self._pages.film
        self._page: PageName = "matrix"  # the one that is wanted
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
        self._wear(self._look)
        self._show_words("")

    def _arrange(self) -> None:
        self._body = body = QSplitter(Qt.Orientation.Vertical, self)
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
        header.find_field.query_wanted.connect(self._find_query)
        header.find_field.key_wanted.connect(self._find_key)
        for name, button in self._page_buttons().items():
            button.clicked.connect(lambda on, name=name: self._turn_to(name if on else "matrix"))
        self._pages.cell_pointed.connect(self._point)
        self._pages.cell_clicked.connect(self.cell_selected)
        self.film.frame_wanted.connect(self.frame_wanted)
        self.strip.ended.connect(self._end_comparison)

    def _page_buttons(self) -> dict[PageName, QToolButton]:
        header = self.header
        return {
            "lines": header.lines_button,
            "picture": header.picture_button,
            "film": header.film_button,
            "compare": header.compare_button,
        }

    # What it is shown

    def show_head(self, frame: LayerFrame | None, note: str = "", head: int | None = None) -> None:
        """Show one head of `frame`: number `head`, by default the first one that it holds.

        With `None`, or where the frame has no full map, `note` or the reason stands instead.
        """
        self._frame = frame
        self._map = NO_MAP if frame is None else head_map(frame, head, self._layouts)
        self.canvas.show_map(self._map, self._look.codes(self._map), why_empty(frame, note))
        self._pages.show_map(frame, self._map)
        self.header.picture_button.setVisible(self.picture.can_show)
        self._choose_page()
        self._mark()
        self._show_words(note)
        self.legend.show_content(self._look.legend(self._map))
        self._show_reading()
        self._explain()

    def show_cell(self, query: int | None, key: int | None) -> None:
        """Select a cell, `None` for none. Emits nothing."""
        self._cell = None if query is None or key is None else (query, key)
        self._mark()
        self._show_reading()
        self._explain()

    def _mark(self) -> None:
        self._pages.select(self._cell)

    def show_film(self, frames: Sequence[LayerFrame], current: int) -> None:
        """Show the head at several frames on the film's page; see `FilmStrip.show_film`."""
        self.film.show_film(frames, current)

    @property
    def page(self) -> PageName:
        """The page that is wanted; the matrix stands in where it has nothing to show."""
        return self._page

    @Slot(bool)
    def show_lines(self, shown: bool) -> None:
        """Show lines from queries to keys instead of the matrix, or the matrix again."""
        self._turn_to("lines" if shown else "matrix")

    @Slot(bool)
    def show_comparison(self, shown: bool) -> None:
        """Pin the current map and compare with it whatever is shown next; or let go of all."""
        self._turn_to("compare" if shown else "matrix")

    def _turn_to(self, page: PageName) -> None:
        before, self._page = self._page, page
        if page == "compare" and not self.strip.is_comparing:
            if self._map.is_empty:
                self._page = "matrix"  # there is nothing to pin
            else:
                self.strip.pin()
        elif page != "compare":
            self.strip.unpin()
        for name, button in self._page_buttons().items():
            button.setChecked(name == self._page)
        self._choose_page()
        if (before == "film") != (self._page == "film"):
            self.film_wanted.emit(self._page == "film")

    def _end_comparison(self) -> None:
        if self._page == "compare":
            self._turn_to("matrix")

    def _choose_page(self) -> None:
        shown = self._pages.choose(self._page, is_empty=self._map.is_empty)
        self.legend.setVisible(shown == "matrix")
        self.reading.setVisible(shown in ("matrix", "lines", "picture"))

    @Slot(bool)
    def show_explanation(self, shown: bool) -> None:
        """Show or hide how the selected weight came about."""
        self.header.explain_button.setChecked(shown)
        comes_up = shown and self.explanation.isHidden()
        self.explanation.setVisible(shown)
        if comes_up:
            room = self._body.height()
            self._body.setSizes([round(room * 0.58), round(room * 0.42)])
        self._explain()

    # How it is shown

    def set_scale(self, scale: str) -> None:
        """Set `linear`, `sqrt` or `log`. Raises `ValueError` for any other name."""
        self._pages.set_scale(scale)
        self._wear(replace(self._look, scale=checked_scale(scale)))

    def set_range(self, mode: str, low: float | None = None, high: float = 1.0) -> None:
        """Set what the colour bar spans: `fixed`, low to high; any other mode: up to the largest
        weight of this head. Raises `ValueError` for modes that do not exist.
        """
        self._pages.set_range(mode, low, high)
        self._wear(replace(self._look, range=checked_range(mode, low, high)))

    def set_colour_map(self, name: str) -> None:
        """Set the colour map. Raises `ValueError` for one that is not on offer."""
        self._pages.set_colour_map(name)
        self._wear(replace(self._look, colour_map=name))

    def set_theme(self, theme: Theme) -> None:
        self._pages.set_theme(theme)
        self.explanation.set_theme()
        self.legend.set_theme(theme)
        self._wear(replace(self._look, theme=theme))

    def _wear(self, look: HeadLook) -> None:
        self._look = look
        self.canvas.set_table(look.table())
        self.canvas.show_codes(look.codes(self._map))
        self.legend.show_content(look.legend(self._map))

    def fit(self) -> None:
        """Show the whole map."""
        self.canvas.fit()

    def zoom(self, factor: float) -> None:
        """Zoom around the middle of the matrix."""
        self.canvas.zoom(factor)

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
