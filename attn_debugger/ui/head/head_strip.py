"""Several maps side by side: heads of one frame, one head over several steps, or A, B and B - A."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from attn_debugger.core.frame import LayerFrame
from attn_debugger.ui.colour_maps import DEFAULT_DIVERGING_MAP, NAN_BLACK
from attn_debugger.ui.grid.colouring import ColourRange, ScaleName, level_table, levels, lower_end
from attn_debugger.ui.grid.legend import LegendBar, LegendContent
from attn_debugger.ui.grid.look import (
    FULL_RANGE,
    checked_range,
    checked_scale,
    reserved_colours,
)
from attn_debugger.ui.head.comparison import map_name
from attn_debugger.ui.head.difference import SMALLEST_LIMIT, Difference, difference
from attn_debugger.ui.head.elided_label import ElidedLabel
from attn_debugger.ui.head.map_pane import MapPane
from attn_debugger.ui.head.picture import HeadMap, head_map
from attn_debugger.ui.head.stage import Stage
from attn_debugger.ui.head.words import four_digits, why_empty
from attn_debugger.ui.theme import LIGHT, Theme, colour_table

MOST_MAPS = 9
TitledMap = tuple[str, HeadMap, str]  # title, map, why it is empty


class HeadStrip(QWidget):
    """Up to nine maps under one legend. Pointing at a cell marks it in all of them."""

    cell_selected = Signal(int, int)  # query, key
    cell_pointed = Signal(object)  # (query, key), or None
    pin_requested = Signal()
    unpin_requested = Signal()
    swap_requested = Signal()
    map_activated = Signal(int)  # which of the shown maps was double-clicked

    def __init__(self, parent: QWidget | None = None, *, with_buttons: bool = True) -> None:
        super().__init__(parent)
        self._theme: Theme = LIGHT
        self._scale: ScaleName = "linear"
        self._range: ColourRange = FULL_RANGE
        self._colour_map = "viridis"
        self._shown: list[TitledMap] = []
        self._difference: Difference | None = None
        self._turned = False  # the difference is A - B
        self.panes: list[MapPane] = []
        self.reading = ElidedLabel(self)
        self.legend = LegendBar(self)
        self.difference_legend = LegendBar(self)
        self.difference_legend.hide()
        self._grid = QGridLayout()
        self._grid.setSpacing(6)
        self._grid.setContentsMargins(8, 4, 8, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.swap_button = QPushButton(self.tr("Swap A and B"), self)
        self.swap_button.setVisible(with_buttons)
        if with_buttons:
            layout.addLayout(self._buttons())
        layout.addLayout(self._grid, 1)
        layout.addWidget(self.reading)
        layout.addWidget(self.legend)
        layout.addWidget(self.difference_legend)
        self.reading.setContentsMargins(12, 0, 12, 0)

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(12, 2, 12, 2)
        row.setSpacing(6)
        self.pin_button = QPushButton(self.tr("Pin this map"), self)
        self.unpin_button = QPushButton(self.tr("Unpin all"), self)
        for button, tip, signal in (
            (
                self.pin_button,
                self.tr("Keep the current head and step beside what you look at next"),
                self.pin_requested,
            ),
            (
                self.unpin_button,
                self.tr("Let go of all pinned maps and show the current one alone"),
                self.unpin_requested,
            ),
            (self.swap_button, self.tr("Turn the sign of the difference"), self.swap_requested),
        ):
            button.setToolTip(tip)
            button.clicked.connect(signal)
            row.addWidget(button)
        row.addStretch(1)
        return row

    # What it shows

    def show_maps(self, maps: Sequence[tuple[str, LayerFrame]]) -> None:
        """Show maps with their titles, the first head of each frame; at most nine of them.

        Raises `ValueError` for more.
        """
        if len(maps) > MOST_MAPS:
            raise ValueError(f"{len(maps)} maps side by side; at most {MOST_MAPS} can be read")
        self._difference = None
        self.swap_button.setEnabled(False)
        self._shown = [(title, head_map(frame), why_empty(frame, "")) for title, frame in maps]
        self._lay_out(len(maps))
        self._paint()

    def show_difference(self, before: LayerFrame, after: LayerFrame) -> None:
        """Show one head at two steps and, as a third map, what changed: after - before."""
        self.show_pair(
            (f"A   {map_name(before)}", head_map(before), why_empty(before, "")),
            (f"B   {map_name(after)}", head_map(after), why_empty(after, "")),
        )

    def show_pair(self, a_titled: TitledMap, b_titled: TitledMap, *, turned: bool = False) -> None:
        """Show two maps, A and B, each with its title and why it is empty, and B - A; `turned`
        shows A - B.
        """
        a, b = a_titled[1], b_titled[1]
        self.swap_button.setEnabled(True)
        self._shown, self._turned = [a_titled, b_titled], turned
        before, after = (b, a) if turned else (a, b)
        try:
            self._difference = None if a.is_empty or b.is_empty else difference(before, after)
            why = self.tr("One of the two has no map.")
        except ValueError as error:
            self._difference, why = None, str(error)
        self._lay_out(3)
        self._paint()
        if self._difference is None:
            empty = np.zeros((0, 0), np.float32)
            codes, table = empty.astype(np.uint8), np.zeros(256, np.uint32)
            self.panes[2].show_codes(self._difference_title(), empty, codes, table, why)

    def select(self, cell: tuple[int, int] | None) -> None:
        """Mark a cell, (query, key), in every map. Emits nothing."""
        for pane in self.panes:
            pane.select(cell)

    def _lay_out(self, count: int) -> None:
        while len(self.panes) > count:
            pane = self.panes.pop()
            self._grid.removeWidget(pane)
            pane.hide()  # it is deleted only when the event loop comes round
            pane.deleteLater()
        while len(self.panes) < count:
            self.panes.append(self._new_pane(len(self.panes)))
        columns = count if count <= 3 else math.ceil(math.sqrt(count))
        for index, pane in enumerate(self.panes):
            self._grid.addWidget(pane, index // columns, index % columns)

    def _new_pane(self, index: int) -> MapPane:
        pane = MapPane(self)
        pane.set_theme(self._theme)
        pane.cell_pointed.connect(self._point)
        pane.cell_clicked.connect(self.cell_selected)
        pane.stage_changed.connect(self._look)
        pane.activated.connect(lambda: self.map_activated.emit(index))
        return pane

    # How it is shown

    def set_scale(self, scale: str) -> None:
        """Set `linear`, `sqrt` or `log`; a difference is always linear."""
        self._scale = checked_scale(scale)
        self._paint()

    def set_range(self, mode: str, low: float | None = None, high: float = 1.0) -> None:
        """Set what the colour bar spans: `fixed`, or up to the largest weight of all maps shown."""
        self._range = checked_range(mode, low, high)
        self._paint()

    def set_colour_map(self, name: str) -> None:
        """Set the colour map of the weights. Raises `ValueError` for one that is not on offer."""
        colour_table(name)
        self._colour_map = name
        self._paint()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for pane in self.panes:
            pane.set_theme(theme)
        self.legend.set_theme(theme)
        self.difference_legend.set_theme(theme)
        self._paint()

    def _ends(self) -> tuple[float, float]:
        """Return the ends of the one colour bar that all maps share: they are to be compared."""
        high = self._range.high
        if self._range.mode != "fixed":
            peaks = [
                float(finite.max())
                for _, shown, _ in self._shown
                if (finite := shown.weights[np.isfinite(shown.weights)]).size
            ]
            high = max(peaks, default=1.0)
        n_keys = max((shown.n_keys for _, shown, _ in self._shown), default=0)
        low = lower_end(self._scale, self._range, n_keys)
        return low, max(high, low * 1.01, 1e-30)

    def _paint(self) -> None:
        low, high = self._ends()
        reserved = reserved_colours(self._theme)
        colours = colour_table(self._colour_map)
        table = level_table(colours, reserved)
        for pane, (title, shown, why) in zip(self.panes, self._shown, strict=False):
            codes = levels(shown.weights, shown.masked, scale=self._scale, low=low, high=high)
            pane.show_codes(title, shown.weights, codes, table, why)
        self.legend.show_content(LegendContent(colours, self._scale, low, high, with_gap=False))
        self.difference_legend.setVisible(self._difference is not None)
        if self._difference is not None:
            self._paint_difference(self._difference)

    def _paint_difference(self, found: Difference) -> None:
        colours = colour_table(DEFAULT_DIVERGING_MAP)
        reserved = replace(reserved_colours(self._theme), nonfinite=int(NAN_BLACK[1:], 16))
        table = level_table(colours, reserved)
        self.panes[2].show_codes(
            self._difference_title(), found.values, found.codes, table, signed=True
        )
        words = self.tr("difference {0}").format(self._difference_title())
        if found.limit <= SMALLEST_LIMIT and found.n_nonfinite < found.values.size:
            words += "  ·  " + self.tr("no finite cell differs")
        if found.n_nonfinite:
            count = self.tr("{0} of {1} cells not finite")
            words += "  ·  " + count.format(found.n_nonfinite, found.values.size)
        self.difference_legend.show_content(
            LegendContent(
                colours,
                "linear",
                -found.limit,
                found.limit,
                words=words,
                with_gap=False,
                nonfinite=NAN_BLACK,
            )
        )

    def _difference_title(self) -> str:
        return self.tr("A − B") if self._turned else self.tr("B − A")

    # The pointer

    def _look(self, stage: Stage) -> None:
        for pane in self.panes:
            pane.look(stage)

    def _point(self, cell: tuple[int, int] | None) -> None:
        for pane in self.panes:
            pane.point(cell)
        self.reading.setText("" if cell is None else self.reading_of(*cell))
        self.cell_pointed.emit(cell)

    def reading_of(self, query: int, key: int) -> str:
        """Return what every map holds at one cell."""
        parts = [self.tr("q {0} → k {1}").format(query, key)]
        for pane in self.panes:
            if query < pane.values.shape[0] and key < pane.values.shape[1]:
                parts.append(f"{pane.title}: {four_digits(float(pane.values[query, key]))}")
        return "    ".join(parts)
