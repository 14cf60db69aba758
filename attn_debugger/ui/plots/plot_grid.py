"""The plots side by side, in as many columns as their least width allows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QSizePolicy, QWidget

MIN_WIDTH = 200  # of one plot, before the row wraps
_MIN_HEIGHT = 96
_SIDES = 16


class PlotGrid(QScrollArea):
    """Scrolls when there is less height than the plots need."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plots: tuple[QWidget, ...] = ()
        self._columns = 0
        self.body = QWidget()
        self._grid = QGridLayout(self.body)
        self._grid.setContentsMargins(4, 0, 4, 4)
        self._grid.setSpacing(8)
        self.setWidget(self.body)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(_MIN_HEIGHT + 8)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_plots(self, plots: Sequence[QWidget]) -> None:
        """Show these plots instead of those before, which are destroyed."""
        for plot in self._plots:
            self._grid.removeWidget(plot)
            plot.setParent(None)
            plot.deleteLater()
        self._plots = tuple(plots)
        self._columns = 0
        self._arrange()
        for plot in self._plots:
            plot.show()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        room = max(self.width() - _SIDES, 1)
        columns = max(1, min(len(self._plots), room // MIN_WIDTH))
        if columns == self._columns:
            return
        self._columns = columns
        for plot in self._plots:
            self._grid.removeWidget(plot)
        for place, plot in enumerate(self._plots):
            self._grid.addWidget(plot, place // columns, place % columns)
        for column in range(max(self._grid.columnCount(), columns)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        for row in range(self._grid.rowCount()):
            used = row * columns < len(self._plots)
            self._grid.setRowMinimumHeight(row, _MIN_HEIGHT if used else 0)
            self._grid.setRowStretch(row, 1 if used else 0)
