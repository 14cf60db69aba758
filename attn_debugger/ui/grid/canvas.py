"""The canvas of the head grid: one atlas in one ViewBox, an overlay, and the pointer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QPixmap,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.atlas import AtlasItem
from attn_debugger.ui.grid.camera import Camera, Stage
from attn_debugger.ui.grid.canvas_parts import WHEEL_STEP, Drag, paint_focus
from attn_debugger.ui.grid.geometry import GridGeometry
from attn_debugger.ui.grid.overlay import (
    OverlayContent,
    paint_cell,
    paint_numbers,
    paint_overlay,
    paint_selection,
)
from attn_debugger.ui.grid.pills import PillCache
from attn_debugger.ui.grid.placement import Placement
from attn_debugger.ui.printing import paints_vectors, picture_ratio
from attn_debugger.ui.theme import LIGHT, Theme

HEADER_LEFT = 42.0
HEADER_TOP = 24.0
MARGIN = 8.0
EMPTY_GEOMETRY = GridGeometry((), ())


class GridCanvas(pg.GraphicsView):
    """Shows the mosaic and says where the pointer is. It knows tiles, not frames."""

    point_hovered = Signal(object)  # (x, y) in mosaic pixels, None = the pointer left
    head_clicked = Signal(object)  # HeadRef
    head_activated = Signal(object)  # HeadRef: double-clicked
    enter_pressed = Signal()
    zoom_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.atlas = AtlasItem()
        self.view_box = pg.ViewBox(
            enableMenu=False, enableMouse=False, invertY=True, defaultPadding=0, border=None
        )
        self.setCentralItem(self.view_box)
        self.sharp = AtlasItem(see_through=True)  # over the atlas
        for item in (self.atlas, self.sharp):
            self.view_box.addItem(item, ignoreBounds=True)
        self._geometry = EMPTY_GEOMETRY
        self._content = OverlayContent()
        self._theme: Theme = LIGHT
        self._camera = Camera()
        self._fitted = True  # follows the window's size until the user zooms
        self._selected: HeadRef | None = None
        self._hovered: HeadRef | None = None
        self._cell: tuple[HeadRef, int, int] | None = None
        self._overlay: QPixmap | None = None
        self._message = ""
        self._pills = PillCache()
        self._drag = Drag()
        self.set_theme(LIGHT)

    # What it shows

    @property
    def mosaic(self) -> GridGeometry:
        return self._geometry

    @property
    def camera(self) -> Camera:
        return self._camera

    def set_mosaic(self, geometry: GridGeometry) -> None:
        """Make room for a mosaic. The camera stays where it is in world units."""
        if geometry == self._geometry:
            return
        resized = (geometry.n_rows, geometry.n_columns) != (
            self._geometry.n_rows,
            self._geometry.n_columns,
        )
        self._geometry = geometry
        self.atlas.allocate(geometry.width, geometry.height)
        self.atlas.setTransform(QTransform.fromScale(1 / geometry.pitch, 1 / geometry.pitch))
        if resized:
            self._fitted = True
        self._overlay = None
        self._look_through(self._camera)

    def set_content(self, content: OverlayContent) -> None:
        if content == self._content:
            return
        if not content.differs_only_in_numbers(self._content):
            self._overlay = None
        elif bool(content.numbers) != bool(self._content.numbers):
            self._overlay = None  # tags leave room for numbers
        self._content = content
        self.viewport().update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setBackground(QColor(theme.background))
        self._repaint_overlay()

    def set_message(self, text: str) -> None:
        """Say something in place of an empty mosaic."""
        if text != self._message:
            self._message = text
            self.viewport().update()

    def set_table(self, table: NDArray[np.uint32]) -> None:
        self.atlas.set_table(table)
        self.sharp.set_table(table)

    def set_selected(self, head: HeadRef | None) -> None:
        if head != self._selected:
            self._selected = head
            self.viewport().update()

    def set_hovered(self, head: HeadRef | None) -> None:
        """Outline a head as hovered, here or in any other view."""
        if head != self._hovered:
            self._hovered = head
            self.viewport().update()

    def set_cell(self, cell: tuple[HeadRef, int, int] | None) -> None:
        """Mark one cell, (head, query, key), e.g. the one a flag points at."""
        if cell != self._cell:
            self._cell = cell
            self.viewport().update()

    # Where it looks

    @property
    def stage(self) -> Stage:
        geometry = self._geometry
        trailing = geometry.gap / geometry.pitch  # the gap after the last tile is not to be seen
        return Stage(
            width=float(self.viewport().width()),
            height=float(self.viewport().height()),
            world_width=geometry.n_columns - trailing if geometry.n_columns else 0.0,
            world_height=geometry.n_rows - trailing if geometry.n_rows else 0.0,
            left=HEADER_LEFT,
            top=HEADER_TOP,
            right=MARGIN,
            bottom=MARGIN,
        )

    def fit(self) -> None:
        """Show the whole mosaic."""
        self._fitted = True
        self._look_through(self._camera)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom by `factor` at a point of the canvas, by default its middle."""
        at = at if at is not None else QPointF(self.viewport().rect().center())
        self._fitted = False
        self._look_through(self._camera.zoomed(factor, at.x(), at.y()))

    def reveal(self, head: HeadRef) -> None:
        """Move the camera, without zooming, so that a head's tile is on the canvas."""
        slot = self._geometry.slot_of(head)
        if slot is None or self._fitted:
            return
        tile = self._placement().tile(*slot)
        inner = QRectF(self.viewport().rect()).adjusted(HEADER_LEFT, HEADER_TOP, -MARGIN, -MARGIN)
        dx = max(0.0, inner.left() - tile.left()) or min(0.0, inner.right() - tile.right())
        dy = max(0.0, inner.top() - tile.top()) or min(0.0, inner.bottom() - tile.bottom())
        if dx or dy:
            self._look_through(self._camera.panned(dx, dy))

    def _look_through(self, camera: Camera) -> None:
        stage = self.stage
        fit = stage.fit()
        self._fitted = self._fitted or camera.scale <= fit.scale
        self._camera = fit if self._fitted else stage.clamp(camera)
        x, y, scale = self._camera.x, self._camera.y, self._camera.scale
        self.view_box.setRange(
            xRange=(x, x + max(1.0, stage.width) / scale),
            yRange=(y, y + max(1.0, stage.height) / scale),
            padding=0,
        )
        self._repaint_overlay()
        self.zoom_changed.emit()

    def _placement(self) -> Placement:
        return Placement(
            self._geometry,
            self._camera,
            float(self.viewport().width()),
            float(self.viewport().height()),
            HEADER_LEFT,
            HEADER_TOP,
        )

    @property
    def tile_side(self) -> float:
        """The side of a tile on the screen, in device pixels."""
        return float(self._placement().tile_side * self.devicePixelRatioF())

    def heads_in_sight(self) -> tuple[HeadRef, ...]:
        """Return the heads that are at least partly on the canvas, those in its middle first."""
        inner = QRectF(self.viewport().rect()).adjusted(HEADER_LEFT, HEADER_TOP, 0, 0)
        seen = [(box, head) for head, box in self._placement().visible() if box.intersects(inner)]
        middle = inner.center()
        seen.sort(key=lambda one: (one[0].center() - middle).manhattanLength())
        return tuple(head for _, head in seen)

    def tile_on_screen(self, head: HeadRef) -> QRectF | None:
        """Return where a head's tile lies on the canvas; `None` when it is not shown."""
        slot = self._geometry.slot_of(head)
        return None if slot is None else self._placement().tile(*slot)

    def to_mosaic(self, point: QPointF) -> tuple[float, float]:
        """Return the mosaic pixel under a point of the canvas."""
        x, y = self._camera.to_world(point.x(), point.y())
        return x * self._geometry.pitch, y * self._geometry.pitch

    # Painting

    def _repaint_overlay(self) -> None:
        self._overlay = None
        self.viewport().update()

    def drawForeground(self, painter: QPainter, rect: Any) -> None:  # noqa: N802
        del rect
        painter.save()
        painter.resetTransform()
        place = self._placement()
        if paints_vectors():
            painter.save()
            paint_overlay(painter, place, self._content, self._theme, self.font(), self._pills)
            painter.restore()
        else:
            painter.drawPixmap(0, 0, self._cached_overlay(place))
        paint_numbers(painter, place, self._content.numbers, self._theme, self.font(), self._pills)
        if self._message:
            painter.setPen(QColor(self._theme.muted))
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, self._message)
        painter.setClipRect(QRectF(HEADER_LEFT - 6, HEADER_TOP - 6, place.width, place.height))
        for head in (self._hovered, self._selected):
            slot = self._geometry.slot_of(head) if head is not None else None
            if slot is None:
                continue
            if head == self._selected:
                paint_selection(painter, place.tile(*slot), self._theme)
            else:
                painter.setPen(QPen(QColor(self._theme.text), 1.0))
                painter.drawRect(place.tile(*slot).adjusted(-1.5, -1.5, 1.5, 1.5))
        if self._cell is not None:
            paint_cell(painter, place, self._cell, self._theme)
        painter.setClipping(False)
        paint_focus(painter, self, self._theme)
        painter.restore()

    def _cached_overlay(self, place: Placement) -> QPixmap:
        ratio = picture_ratio(self)
        if self._overlay is None or self._overlay.devicePixelRatio() != ratio:
            size = self.viewport().size() * ratio
            self._overlay = QPixmap(size)
            self._overlay.setDevicePixelRatio(ratio)
            self._overlay.fill(Qt.GlobalColor.transparent)
            painter = QPainter(self._overlay)
            paint_overlay(painter, place, self._content, self._theme, self.font(), self._pills)
            painter.end()
        return self._overlay

    # The pointer and the keys

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if hasattr(self, "_theme"):  # Qt resizes once before the constructor is through
            self._look_through(self._camera)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        notches = event.angleDelta().y() / 120.0
        if notches:
            self.zoom(WHEEL_STEP**notches, event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._drag.press(event)
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        step = self._drag.move(event)
        if step is not None and not self._fitted:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._look_through(self._camera.panned(step.x(), step.y()))
        elif step is None:
            self.point_hovered.emit(self.to_mosaic(event.position()))
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self.unsetCursor()
        if self._drag.release(event):
            self._emit_head(self.head_clicked, event.position())
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._drag.cancel()
        if event.button() == Qt.MouseButton.LeftButton:
            self._emit_head(self.head_activated, event.position())
        event.accept()

    def _emit_head(self, signal: Any, point: QPointF) -> None:
        head = self._geometry.head_at(*self.to_mosaic(point))
        if head is not None:
            signal.emit(head)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        self.viewport().update()

    def leaveEvent(self, event: Any) -> None:  # noqa: N802
        super().leaveEvent(event)
        self.point_hovered.emit(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        # The scroll keys of a graphics view would eat the window's step keys.
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.enter_pressed.emit()
            event.accept()
        else:
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        event.ignore()
