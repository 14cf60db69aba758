"""The pages of the head view: one head as matrix, as lines, over its picture, compared, as film."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from attn_debugger.core.frame import LayerFrame
from attn_debugger.ui.head.canvas import HeadCanvas
from attn_debugger.ui.head.comparison_view import ComparisonView
from attn_debugger.ui.head.film import FilmStrip
from attn_debugger.ui.head.links_view import LinksView
from attn_debugger.ui.head.patches import patch_grid
from attn_debugger.ui.head.picture import HeadMap, query_patches
from attn_debugger.ui.head.picture_view import PictureView
from attn_debugger.ui.theme import Theme

PageName = Literal["matrix", "lines", "picture", "compare", "film"]


class HeadPages(QStackedWidget):
    """Keeps all pages fed with the same map; `choose` brings one to the front."""

    cell_pointed = Signal(object)  # (query, key), or None
    cell_clicked = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = HeadCanvas(self)
        self.links = LinksView(self)
        self.picture = PictureView(self)
        self.strip = ComparisonView(self)
        self.film = FilmStrip(self)
        self._by_name: Mapping[PageName, QWidget] = {
            "matrix": self.canvas,
            "lines": self.links,
            "picture": self.picture,
            "compare": self.strip,
            "film": self.film,
        }
        for page in self._by_name.values():
            self.addWidget(page)
        for picture in (self.canvas, self.links, self.picture):
            picture.cell_pointed.connect(self.cell_pointed)
            picture.cell_clicked.connect(self.cell_clicked)
        for strip in (self.strip, self.film):
            strip.cell_pointed.connect(self.cell_pointed)
            strip.cell_selected.connect(self.cell_clicked)

    def show_map(self, frame: LayerFrame | None, head_map: HeadMap) -> None:
        """Give every page but the matrix its map; that one also needs colours."""
        self.links.show_map(head_map)
        self.strip.show_current(frame)
        shape = head_map.n_queries, head_map.n_keys
        self.picture.show_map(
            head_map,
            None if frame is None else frame.image,
            None if frame is None else patch_grid(frame.info.facts, head_map.n_keys),
            None if frame is None else query_patches(frame, *shape),
        )

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Ask for what the page in front needs: the film's rows would make small screens grow."""
        shown = self.currentWidget()
        return super().minimumSizeHint() if shown is None else shown.minimumSizeHint()

    def choose(self, name: PageName, *, is_empty: bool) -> PageName:
        """Bring a page to the front and return which one it is.

        Where there is no map, the matrix stands in: it says why. Film and comparison have maps of
        their own.
        """
        if is_empty and name in ("lines", "picture"):
            name = "matrix"
        if name == "picture" and not self.picture.can_show:
            name = "matrix"
        self.setCurrentWidget(self._by_name[name])
        return name

    def select(self, cell: tuple[int, int] | None) -> None:
        """Mark a cell on every page. Emits nothing."""
        for page in (self.canvas, self.links, self.picture, self.strip, self.film):
            page.select(cell)

    def set_theme(self, theme: Theme) -> None:
        for page in (self.canvas, self.links, self.picture, self.strip, self.film):
            page.set_theme(theme)

    def set_scale(self, scale: str) -> None:
        for strip in (self.strip, self.film):
            strip.set_scale(scale)

    def set_range(self, mode: str, low: float | None, high: float) -> None:
        for strip in (self.strip, self.film):
            strip.set_range(mode, low, high)

    def set_colour_map(self, name: str) -> None:
        for page in (self.picture, self.strip, self.film):
            page.set_colour_map(name)
