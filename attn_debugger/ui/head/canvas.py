"""The canvas of the head view: matrix, labels, profiles, crosshair; and the pointer over them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from attn_debugger.ui.grid.canvas_parts import WHEEL_STEP, Drag, paint_focus
from attn_debugger.ui.head.cell_values import paint_values
from attn_debugger.ui.head.crosshair import paint_breaks, paint_crosshair, paint_ring
from attn_debugger.ui.head.labels import label_room, paint_cell_labels, paint_labels
from attn_debugger.ui.head.matrix_image import paint_matrix
from attn_debugger.ui.head.picture import NO_MAP, HeadMap
from attn_debugger.ui.head.profiles import (
    attention_received,
    largest_weights,
    paint_column_profile,
    paint_row_profile,
)
from attn_debugger.ui.head.stage import Stage, fitted_stage
from attn_debugger.ui.printing import paints_vectors, picture_ratio
from attn_debugger.ui.theme import LIGHT, Theme

Cell = tuple[int, int]


class HeadCanvas(QWidget):
    """Paints one `HeadMap`. Where it looks and what is selected survive a change of frame."""

    cell_pointed = Signal(object)  # (query, key), or None
    cell_clicked = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(QSize(160, 100))
        self._map: HeadMap = NO_MAP
        self._codes: NDArray[np.uint8] = np.zeros((0, 0), np.uint8)
        self._table: NDArray[np.uint32] = np.zeros(256, np.uint32)
        self._theme: Theme = LIGHT
        self._message = ""
        self._stage: Stage | None = None
        self._zoomed = False
        self._pointed: Cell | None = None
        self._selected: Cell | None = None
        self._still: QPixmap | None = None  # all but what follows the pointer
        self._margins: tuple[NDArray[Any], NDArray[Any]] | None = None
        self._drag = Drag()

    # What it shows

    @property
    def stage(self) -> Stage | None:
        """Where everything lies; `None` while there is nothing to show."""
        return self._stage

    @property
    def message(self) -> str:
        """What stands in place of an empty map."""
        return self._message

    @property
    def codes(self) -> NDArray[np.uint8]:
        """The level code of every cell, (query, key)."""
        return self._codes

    @property
    def table(self) -> NDArray[np.uint32]:
        """The colour of each code, 0xFFRRGGBB."""
        return self._table

    @property
    def cell(self) -> Cell | None:
        """The cell whose row and column are profiled: the pointed one, else the selected one."""
        return self._pointed or self.selected

    @property
    def selected(self) -> Cell | None:
        """The selected cell; `None` where this map has no such cell."""
        cell = self._selected
        if cell is None or cell[0] >= self._map.n_queries or cell[1] >= self._map.n_keys:
            return None
        return cell

    def show_map(self, head_map: HeadMap, codes: NDArray[np.uint8], message: str) -> None:
        """Show a map, or `message` where it is empty."""
        same_layout = (
            head_map.weights.shape == self._map.weights.shape
            and head_map.query_labels == self._map.query_labels
            and head_map.key_labels == self._map.key_labels
        )
        self._map, self._codes, self._message = head_map, codes, message
        if not same_layout:
            self._pointed = None
        self._margins = None
        if not same_layout or self._stage is None:
            self._zoomed = False
            self._lay_out()
        self._repaint()

    def show_codes(self, codes: NDArray[np.uint8]) -> None:
        self._codes = codes
        self._repaint()

    def set_table(self, table: NDArray[np.uint32]) -> None:
        self._table = table
        self._repaint()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._repaint()

    def select(self, cell: Cell | None) -> None:
        """Mark a cell and, if it is another one, bring it into sight. Emits nothing."""
        if cell == self._selected:
            return
        self._selected = cell
        if cell is not None and self._stage is not None and self._zoomed:
            self._look(self._stage.centred_on(*cell))
        self.update()

    def fit(self) -> None:
        """Show the whole map."""
        self._zoomed = False
        self._lay_out()
        self._repaint()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom by `factor` at a point, by default the middle of the matrix."""
        if self._stage is None:
            return
        box = self._stage.matrix
        middle = QPointF(box.left + box.width / 2, box.top + box.height / 2)
        at = at if at is not None else middle
        self._look(self._stage.zoomed(factor, at.x(), at.y()))

    def _look(self, stage: Stage) -> None:
        self._zoomed = not stage.is_whole()
        if self._zoomed:
            self._stage = stage
        else:
            self._lay_out()
        self._repaint()

    def _lay_out(self) -> None:
        if self._map.is_empty:
            self._stage = None
            return
        guess = max(1.0, min(self.width(), self.height()) - 120.0) / max(
            self._map.n_keys, self._map.n_queries
        )
        labels = self._map.query_labels, self._map.key_labels
        room = label_room(*labels, self.font(), guess)
        self._stage = fitted_stage(
            self._map.n_queries,
            self._map.n_keys,
            float(self.width()),
            float(self.height()),
            left=room.left,
            top=room.top,
        )

    # Painting

    def _repaint(self) -> None:
        self._still = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        del event
        painter = QPainter(self)
        if paints_vectors():
            painter.save()
            self._paint_still(painter, picture_ratio(self))
            painter.restore()
        else:
            painter.drawPixmap(0, 0, self._still_picture())
        paint_focus(painter, self, self._theme)
        if self._stage is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_profiles(painter, self._stage)
        if self.cell is not None:
            paint_crosshair(painter, self._stage, self.cell, self._theme)
            labels = self._map.query_labels, self._map.key_labels
            paint_cell_labels(painter, self._stage, self.cell, *labels, self._theme, self.font())
        if self.selected is not None and self.selected != self.cell:
            paint_ring(painter, self._stage, self.selected, self._theme)

    def _still_picture(self) -> QPixmap:
        ratio = picture_ratio(self)
        if self._still is None or self._still.devicePixelRatio() != ratio:
            self._still = QPixmap(self.size() * ratio)
            self._still.setDevicePixelRatio(ratio)
            self._still.fill(QColor(self._theme.background))
            painter = QPainter(self._still)
            self._paint_still(painter, ratio)
            painter.end()
        return self._still

    def _paint_still(self, painter: QPainter, ratio: float) -> None:
        stage = self._stage
        if stage is None:
            painter.setPen(QColor(self._theme.muted))
            room = QRectF(self.rect()).adjusted(24, 24, -24, -24)
            words = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(room, int(words), self._message)
            return
        paint_matrix(painter, stage, self._codes, self._table, ratio)
        paint_values(painter, stage, self._map.weights, self._codes, self._table, self.font())
        paint_breaks(painter, stage, self._map.query_breaks, self._map.key_breaks)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._theme.border), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        box = stage.matrix
        painter.drawRect(QRectF(box.left - 0.5, box.top - 0.5, box.width + 1, box.height + 1))
        paint_labels(
            painter,
            stage,
            self._map.query_labels,
            self._map.key_labels,
            (self._map.padded_queries, self._map.padded_keys),
            self._theme,
            self.font(),
        )

    def _paint_profiles(self, painter: QPainter, stage: Stage) -> None:
        weights = self._map.weights
        if self.cell is not None:
            query, key = self.cell
            row, column = weights[query], weights[:, key]
            below = self.tr("where query {0} looks").format(query)
            beside = self.tr("to {0}").format(key)
        else:
            if self._margins is None:
                self._margins = attention_received(weights), largest_weights(weights)
            row, column = self._margins
            below, beside = self.tr("attention received (mean over queries)"), self.tr("peak")
        paint_row_profile(painter, stage, row, below, self._theme, self.font())
        paint_column_profile(painter, stage, column, beside, self._theme, self.font())

    # The pointer

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._zoomed = False
        self._lay_out()
        self._still = None

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        notches = event.angleDelta().y() / 120.0
        if notches:
            self.zoom(WHEEL_STEP**notches, event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._drag.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        step = self._drag.move(event)
        if self._stage is None:
            return
        if step is None:
            here = event.position()
            self._point(self._stage.cell_at(here.x(), here.y()))
        elif self._zoomed:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._look(self._stage.panned(step.x(), step.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self.unsetCursor()
        if self._drag.release(event) and self._stage is not None:
            cell = self._stage.cell_at(event.position().x(), event.position().y())
            if cell is not None:
                self.cell_clicked.emit(*cell)

    def leaveEvent(self, event: Any) -> None:  # noqa: N802
        super().leaveEvent(event)
        self._point(None)

    def _point(self, cell: Cell | None) -> None:
        if cell != self._pointed:
            self._pointed = cell
            self.update()
            self.cell_pointed.emit(cell)
