"""One small plot: a title with the value at the cursor, and the curves below it."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from attn_debugger.ui.elided_label import ElidedLabel
from attn_debugger.ui.plots.axes import StepAxis, ValueAxis
from attn_debugger.ui.plots.curves import Curves, value_beside, value_text
from attn_debugger.ui.plots.items import BandItem, LineItem, TickItem
from attn_debugger.ui.plots.message import Message
from attn_debugger.ui.plots.quantities import Quantity
from attn_debugger.ui.plots.scrub_box import ScrubBox
from attn_debugger.ui.plots.series import (
    Floats,
    can_be_log,
    limits,
    stretches,
)
from attn_debugger.ui.theme import LIGHT, Theme, fixed_font

_PAD = 6  # pixels around title and value
_BESIDE_TITLE = 3 * _PAD + 2


class TrendPlot(QWidget):
    """Draws `Curves`; emits the step the user points at."""

    scrubbed = Signal(float)
    brushed = Signal(float, float)
    reset_requested = Signal()

    def __init__(self, quantity: Quantity, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.quantity = quantity
        self._theme: Theme = LIGHT
        self._curves = Curves(steps=np.zeros(0), lines=())
        self._beside: Curves | None = None  # of a second run
        self._wants_log = self._is_log = False
        self._cursor_step: float | None = None
        self._hover_step: float | None = None
        self._title = ElidedLabel(quantity.title)
        self._value = QLabel()
        self._value.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self._message = Message()
        self.box = ScrubBox()
        self._widget = pg.PlotWidget(
            viewBox=self.box,
            enableMenu=False,
            axisItems={"bottom": StepAxis("bottom"), "left": ValueAxis("left")},
        )
        self._widget.setAccessibleName(quantity.title)
        self._widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._widget.hideButtons()
        self._widget.setMinimumSize(80, 40)
        for axis in ("left", "bottom"):
            self._widget.getAxis(axis).setStyle(
                tickLength=-4,
                autoExpandTextSpace=False,
                hideOverlappingLabels=True,
                maxTickLevel=0,
            )
        self._widget.getPlotItem().layout.setContentsMargins(0, 6, 6, 0)
        self._widget.getAxis("left").setWidth(42)
        self._widget.getAxis("bottom").setHeight(18)
        self._outer = (BandItem(), BandItem())
        self._inner = (BandItem(), BandItem())
        self._medians = (LineItem(), LineItem())
        self._lines = (LineItem(), LineItem())
        self._others = (LineItem(dashed=True), LineItem(dashed=True))
        self._ticks = TickItem()
        lines = (*self._medians, *self._others, *self._lines)
        for item in (*self._outer, *self._inner, *lines, self._ticks):
            self._widget.addItem(item, ignoreBounds=True)
        self._cursor = pg.InfiniteLine(angle=90, movable=False)
        self._cursor.setZValue(50)
        self._cursor.setVisible(False)
        self._widget.addItem(self._cursor, ignoreBounds=True)
        self._brush = pg.LinearRegionItem(movable=False)
        self._brush.setVisible(False)
        self._widget.addItem(self._brush, ignoreBounds=True)
        self._regions: list[pg.LinearRegionItem] = []
        self._reference = self._reference_item()
        self.box.scrubbed.connect(self.scrubbed)
        self.box.brushing.connect(self._show_brush)
        self.box.brushed.connect(self._end_brush)
        self.box.reset_requested.connect(self.reset_requested)
        self._widget.scene().sigMouseMoved.connect(self._hover)
        self.setToolTip(quantity.meaning)
        self._lay_out()

    def show_curves(self, curves: Curves, beside: Curves | None = None) -> None:
        """Draw curves; those of a second run `beside` them are dashed and have no band."""
        self._curves, self._beside = curves, beside
        self._draw()

    def set_log(self, log: bool) -> None:
        """Use a logarithmic axis where no value is negative; a zero is then a gap."""
        if log != self._wants_log:
            self._wants_log = log
            self._draw()

    @property
    def is_log(self) -> bool:
        """Whether the axis is logarithmic now."""
        return self._is_log

    def move_cursor(self, step: float | None) -> None:
        if step == self._cursor_step:
            return
        self._cursor_step = step
        self._cursor.setVisible(step is not None)
        if step is not None:
            self._cursor.setValue(step)
        self._show_value()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        palette = theme.palette()
        self._widget.setBackground(theme.surface)
        font = fixed_font(0.8)
        for name in ("left", "bottom"):
            axis = self._widget.getAxis(name)
            axis.setPen(pg.mkPen(theme.border))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setTickFont(font)
        self._cursor.setPen(pg.mkPen(theme.accent, width=self.devicePixelRatioF()))
        self._title.setPalette(palette)
        self._message.set_theme(theme)
        self._value.setStyleSheet(f"color: {theme.muted};")
        self._value.setFont(fixed_font(0.9))
        self._draw()

    def read_out(self) -> str:
        """Return the text beside the title: the head's value at the hovered or the current step."""
        return self._value.text()

    def message(self) -> str:
        """Return what is said instead of curves, empty while there are curves."""
        return self._curves.message

    def _draw(self) -> None:
        curves, theme = self._curves, self._theme
        self._stack.setCurrentIndex(1 if curves.message else 0)
        self._message.show_text(curves.message)
        self._is_log = self._wants_log and can_be_log(*self._all_values())
        self._widget.getAxis("left").setLogMode(False, self._is_log)
        if self._reference is not None and self.quantity.reference is not None:
            self._reference.setRegion(self._scaled(np.array(self.quantity.reference)))
        x = curves.steps
        empty = np.zeros(0)
        outer, inner = QColor(theme.band), QColor(theme.band)
        outer.setAlpha(70)
        inner.setAlpha(130)
        for i in (0, 1):
            band = curves.bands[i] if i < len(curves.bands) else None
            if band is None:
                self._outer[i].show_band(empty, empty, empty, outer)
                self._inner[i].show_band(empty, empty, empty, inner)
                self._medians[i].show_line(empty, empty, inner, 1)
            else:
                self._outer[i].show_band(x, self._scaled(band.low), self._scaled(band.high), outer)
                lower, upper = band.lower_quartile, band.upper_quartile
                self._inner[i].show_band(x, self._scaled(lower), self._scaled(upper), inner)
                self._medians[i].show_line(x, self._scaled(band.median), QColor(theme.muted), 1)
            if i < len(curves.lines):
                line = self._scaled(curves.lines[i])
                self._lines[i].show_line(x, line, QColor(theme.accent), 1.6)
            else:
                self._lines[i].show_line(empty, empty, QColor(theme.accent), 1.6)
        for i, other in enumerate(self._others):
            theirs = () if self._beside is None else self._beside.lines
            there = i < len(theirs) and self._beside is not None
            steps = self._beside.steps if there and self._beside is not None else empty
            values = self._scaled(theirs[i]) if there else empty
            other.show_line(steps, values, QColor(theme.text), 1.3)
        bad = curves.nonfinite
        self._ticks.show_ticks(x[bad] if bad is not None else empty, QColor(theme.nan))
        self._show_regions()
        self._fit_values()
        self._show_value()

    def _all_values(self) -> tuple[Floats, ...]:
        edges = [edge for band in self._curves.bands for edge in (band.low, band.high)]
        theirs = () if self._beside is None else self._beside.lines
        return (*self._curves.lines, *theirs, *edges)

    def _scaled(self, values: Floats) -> Floats:
        """Return values as they stand on the axis; what has no place there is a gap."""
        placed = np.where(np.isfinite(values), values, np.nan)
        if not self._is_log:
            return placed
        return np.log10(np.where(placed > 0, placed, np.nan))

    def _fit_values(self) -> None:
        wide = None if self._is_log else self.quantity.limits
        if wide is None:
            wide = limits(*(self._scaled(values) for values in self._all_values()))
        if wide is None:
            return
        low, high = wide
        if self.quantity.reference is not None:
            bottom, top = self._scaled(np.array(self.quantity.reference))
            low, high = min(low, bottom if self._is_log else 0.0), max(high, top + abs(top) * 0.1)
        air = (high - low) * 0.02
        self.box.setYRange(low - air, high + air, padding=0)

    def _show_regions(self) -> None:
        unknown, x = self._curves.unknown, self._curves.steps
        shaded = [] if unknown is None or not len(x) else stretches(unknown)
        while len(self._regions) > len(shaded):
            self._widget.removeItem(self._regions.pop())
        colour = QColor(self._theme.gap)
        for place, (first, last) in enumerate(shaded):
            left = x[first - 1] if first else x[first]
            if place == len(self._regions):
                region = pg.LinearRegionItem(movable=False, pen=pg.mkPen(None))
                region.setZValue(-20)
                self._widget.addItem(region, ignoreBounds=True)
                self._regions.append(region)
            self._regions[place].setBrush(colour)
            self._regions[place].setRegion((left, x[last]))

    def _reference_item(self) -> pg.LinearRegionItem | None:
        if self.quantity.reference is None:
            return None
        grey = QColor(128, 128, 128, 38)
        region = pg.LinearRegionItem(
            self.quantity.reference,
            orientation="horizontal",
            movable=False,
            brush=grey,
            pen=pg.mkPen(None),
        )
        region.setZValue(-30)
        self._widget.addItem(region, ignoreBounds=True)
        return region

    def _show_value(self) -> None:
        hovered = self._hover_step is not None
        step = self._hover_step if hovered else self._cursor_step
        text = value_text(self._curves, step, self.quantity.unit, with_step=hovered)
        both = text
        if theirs := value_beside(self._beside, step):
            both = f"{text}   B {theirs}" if text else f"B {theirs}"
        # What has no room beside the title is left out, not cut: half a number is a wrong one.
        self._value.setText(next((one for one in (both, text) if self._has_room_for(one)), ""))

    def _has_room_for(self, value: str) -> bool:
        taken = self._title.sizeHint().width() + _BESIDE_TITLE
        return taken + self._value.fontMetrics().horizontalAdvance(value) <= self.width()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._show_value()

    def _hover(self, position: QPointF) -> None:
        inside = self.box.sceneBoundingRect().contains(position)
        self._hover_step = self.box.mapSceneToView(position).x() if inside else None
        self._show_value()

    def leaveEvent(self, event: object) -> None:  # noqa: N802
        self._hover_step = None
        self._show_value()

    def _show_brush(self, first: float, last: float) -> None:
        colour = QColor(self._theme.accent)
        colour.setAlpha(50)
        self._brush.setBrush(colour)
        self._brush.setRegion((first, last))
        self._brush.setVisible(True)

    def _end_brush(self, first: float, last: float) -> None:
        self._brush.setVisible(False)
        self.brushed.emit(first, last)

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(_PAD, 0, _PAD, 0)
        header.setSpacing(_PAD)
        header.addWidget(self._title, 1)
        header.addWidget(self._value)
        body = QWidget()
        self._stack = QStackedLayout(body)
        self._stack.addWidget(self._widget)
        self._stack.addWidget(self._message)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(header)
        column.addWidget(body, 1)
