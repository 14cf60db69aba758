"""One small map with a title: a tile of the strip that shows several side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from attn_debugger.ui.grid.canvas_parts import WHEEL_STEP, Drag
from attn_debugger.ui.head.cell_values import paint_values
from attn_debugger.ui.head.crosshair import paint_crosshair, paint_ring
from attn_debugger.ui.head.matrix_image import paint_matrix
from attn_debugger.ui.head.stage import Stage, bare_stage
from attn_debugger.ui.printing import picture_ratio
from attn_debugger.ui.theme import LIGHT, Theme

TITLE = 22.0
Cell = tuple[int, int]


class MapPane(QWidget):
    """Paints codes; zoom, pan and the pointed cell are told to the strip, which keeps all alike."""

    stage_changed = Signal(object)  # Stage, after a zoom or a pan
    cell_pointed = Signal(object)  # (query, key), or None
    cell_clicked = Signal(int, int)
    activated = Signal()  # double-clicked

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setMinimumSize(QSize(90, 48))
        self.title = ""
        self.values: NDArray[np.floating] = np.zeros((0, 0), np.float32)
        self.codes: NDArray[np.uint8] = np.zeros((0, 0), np.uint8)
        self._message = ""
        self._signed = False
        self._table: NDArray[np.uint32] = np.zeros(256, np.uint32)
        self._theme: Theme = LIGHT
        self.stage: Stage | None = None
        self._zoomed = False
        self._pointed: Cell | None = None
        self._selected: Cell | None = None
        self._still: QPixmap | None = None
        self._drag = Drag()

    def show_codes(
        self,
        title: str,
        values: NDArray[np.floating],
        codes: NDArray[np.uint8],
        table: NDArray[np.uint32],
        message: str = "",
        *,
        signed: bool = False,
    ) -> None:
        """Show a map, (query, key), under a title; `message` stands in place of an empty one.

        `signed`: the middle of the colours is zero, and either end is what must not get lost.
        """
        self._signed = signed
        same_shape = codes.shape == self.codes.shape
        self.title, self.values, self.codes, self._table = title, values, codes, table
        self._message = message
        self.setAccessibleName(title)
        if not same_shape or self.stage is None:
            self._fit()
        self._repaint()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._repaint()

    def point(self, cell: Cell | None) -> None:
        """Mark the cell that is pointed at in this pane or in another one."""
        if cell != self._pointed:
            self._pointed = cell
            self.update()

    def select(self, cell: Cell | None) -> None:
        if cell != self._selected:
            self._selected = cell
            self.update()

    def look(self, stage: Stage) -> None:
        """Show the part that another pane of the same shape shows."""
        if self.stage is not None and self.codes.shape == (stage.n_queries, stage.n_keys):
            self.stage = self.stage.like(stage)
            self._zoomed = not self.stage.is_whole()
            self._repaint()

    def _fit(self) -> None:
        self._zoomed = False
        self.stage = None
        if self.codes.size:
            n_queries, n_keys = self.codes.shape
            self.stage = bare_stage(n_queries, n_keys, self.width(), self.height(), top=TITLE)

    def _repaint(self) -> None:
        self._still = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        del event
        painter = QPainter(self)
        ratio = picture_ratio(self)
        if self._still is None or self._still.devicePixelRatio() != ratio:
            self._still = QPixmap(self.size() * ratio)
            self._still.setDevicePixelRatio(ratio)
            self._still.fill(QColor(self._theme.background))
            with QPainter(self._still) as still:
                self._paint_still(still, ratio)
        painter.drawPixmap(0, 0, self._still)
        if self.stage is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._selected is not None and self._has(self._selected):
            paint_ring(painter, self.stage, self._selected, self._theme)
        if self._pointed is not None and self._has(self._pointed):
            paint_crosshair(painter, self.stage, self._pointed, self._theme)

    def _has(self, cell: Cell) -> bool:
        return bool(cell[0] < self.codes.shape[0] and cell[1] < self.codes.shape[1])

    def _paint_still(self, painter: QPainter, ratio: float) -> None:
        font = self.font()
        font.setPixelSize(12)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.text))
        line = QRectF(6, 0, self.width() - 12.0, TITLE)
        title = QFontMetricsF(font).elidedText(
            self.title, Qt.TextElideMode.ElideRight, line.width()
        )
        painter.drawText(line, Qt.AlignmentFlag.AlignCenter, title)
        if self.stage is None:
            painter.setPen(QColor(self._theme.muted))
            room = QRectF(self.rect()).adjusted(8, TITLE, -8, -8)
            words = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(room, int(words), self._message)
            return
        paint_matrix(painter, self.stage, self.codes, self._table, ratio, signed=self._signed)
        paint_values(painter, self.stage, self.values, self.codes, self._table, self.font())
        box = self.stage.matrix
        painter.setPen(QPen(QColor(self._theme.border), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(box.left - 0.5, box.top - 0.5, box.width + 1, box.height + 1))

    # The pointer

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit()
        self._still = None

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        notches = event.angleDelta().y() / 120.0
        if self.stage is not None and notches:
            at = event.position()
            self._look_and_tell(self.stage.zoomed(WHEEL_STEP**notches, at.x(), at.y()))
        event.accept()

    def _look_and_tell(self, stage: Stage) -> None:
        self.look(stage)
        self.stage_changed.emit(stage)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._drag.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        step = self._drag.move(event)
        if self.stage is None:
            return
        if step is None:
            here = event.position()
            self.cell_pointed.emit(self.stage.cell_at(here.x(), here.y()))
        elif self._zoomed:
            self._look_and_tell(self.stage.panned(step.x(), step.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self._drag.release(event) and self.stage is not None:
            cell = self.stage.cell_at(event.position().x(), event.position().y())
            if cell is not None:
                self.cell_clicked.emit(*cell)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._drag.cancel()
        if event.button() == Qt.MouseButton.LeftButton:
            self.activated.emit()

    def leaveEvent(self, event: Any) -> None:  # noqa: N802
        super().leaveEvent(event)
        self.cell_pointed.emit(None)
