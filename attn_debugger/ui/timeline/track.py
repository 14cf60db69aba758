"""The track: the timeline's picture with its cursor, and what mouse and wheel do on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from attn_debugger.core.flags import Flag
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.theme import LIGHT, Theme
from attn_debugger.ui.timeline.axis import TimelineAxis, make_axis
from attn_debugger.ui.timeline.content import TimelineContent
from attn_debugger.ui.timeline.cursor import paint_cursor, paint_loop, paint_selected_row
from attn_debugger.ui.timeline.hits import Hits
from attn_debugger.ui.timeline.lanes import Lanes, lanes
from attn_debugger.ui.timeline.picture import Canvas, TimelinePicture
from attn_debugger.ui.timeline.tooltip import frame_words

LEFT, RIGHT = 46.0, 14.0
WHEEL_ZOOM = 1.25
CLICK_PIXELS = 4

Grip = Literal["scrub", "pan", "loop"]


class TimelineTrack(QWidget):
    """Shows the frames of a run on a line and where the window stands.

    Drag to scrub, Shift+drag to choose a loop, wheel to zoom, Ctrl+drag or middle button to pan.
    A click in the strip of heads also selects the head, a click on a mark goes to its finding.
    """

    frame_requested = Signal(int)
    head_requested = Signal(object)  # HeadRef
    loop_requested = Signal(object)  # (first frame, last frame) | None
    flag_activated = Signal(object)  # Flag

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme = LIGHT
        self._content: TimelineContent | None = None
        self._axis: TimelineAxis | None = None
        self.picture = TimelinePicture()
        self._frame = 0
        self._loop: tuple[int, int] | None = None
        self._selected: HeadRef | None = None
        self._grip: Grip | None = None
        self._pressed = QPointF()
        self._last = QPointF()
        # However fast the mouse moves, one frame is asked for each time the window is free.
        self._wanted: int | None = None
        self._ask = QTimer(self)
        self._ask.setSingleShot(True)
        self._ask.timeout.connect(self._request)
        self.setMouseTracking(True)
        self.setMinimumHeight(104)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setAccessibleName(self.tr("Timeline"))

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(700, 130)

    # What it is shown.

    def show_content(self, content: TimelineContent | None) -> None:
        """Show a run, or nothing. The zoom stays while it is the same run on the same axis."""
        old, self._content = self._content, content
        if content is None:
            self._axis = None
        elif old is None or self._axis is None or not _share_axis(old, content):
            self._axis = self._new_axis(content, old)
        self.update()

    def _new_axis(self, content: TimelineContent, old: TimelineContent | None) -> TimelineAxis:
        before, width = self._axis, self._track_width()
        axis = make_axis(content.run, content.frames, content.axis_mode, LEFT, width)
        is_of_same = (
            old is not None
            and old.run.path == content.run.path
            and old.axis_mode == content.axis_mode
        )
        if is_of_same and before is not None and before.is_zoomed:
            return replace(axis, low=before.low, high=before.high)
        return axis

    def move_cursor(self, frame: int) -> None:
        """Move the cursor; a zoomed track follows it. Emits nothing."""
        self._frame = frame
        if self._axis is not None and self._grip is None:
            moved = self._axis.revealing(frame)
            if moved is not self._axis:
                self._axis = moved
                self.update()
        self._describe()
        self.update()

    def show_loop(self, loop: tuple[int, int] | None) -> None:
        self._loop = loop
        self.update()

    def select_head(self, head: HeadRef | None) -> None:
        self._selected = head
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def fit(self) -> None:
        """Show the whole run."""
        if self._axis is None:
            return
        fitted = self._axis.fitted()
        if (fitted.low, fitted.high) != (self._axis.low, self._axis.high):
            self._axis = fitted
            self.update()

    def zoom(self, factor: float) -> None:
        """Zoom around the cursor."""
        if self._axis is not None:
            self._axis = self._axis.zoomed(factor, self._axis.x_of_frame(self._frame))
            self.update()

    @property
    def axis(self) -> TimelineAxis | None:
        return self._axis

    @property
    def lanes(self) -> Lanes:
        has_curve = self._content is not None and self._content.curve is not None
        return lanes(LEFT, self._track_width(), float(self.height()), with_curve=has_curve)

    # Painting.

    def _track_width(self) -> float:
        return max(1.0, self.width() - LEFT - RIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if self._axis is not None:
            self._axis = self._axis.resized(LEFT, self._track_width())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        del event
        painter = QPainter(self)
        if self._content is None or self._axis is None:
            return
        font = self.font()
        font.setPixelSize(11)
        canvas = Canvas(
            size=self.size(), ratio=self.devicePixelRatio(), font=font, theme=self._theme
        )
        painter.drawPixmap(
            0, 0, self.picture.painted(self._content, self._axis, self.lanes, canvas)
        )
        where, x_of = self.lanes, self._axis.x_of_frame
        if self._loop is not None:
            paint_loop(painter, x_of(self._loop[0]), x_of(self._loop[1]), where, self._theme)
        rows = self._content.rows
        if self._selected in rows:
            paint_selected_row(painter, rows.index(self._selected), len(rows), where, self._theme)
        paint_cursor(painter, x_of(self._frame), where, self._theme)

    # The mouse.

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._pressed = self._last = event.position()
        held = event.modifiers()
        if event.button() == Qt.MouseButton.MiddleButton or (
            event.button() == Qt.MouseButton.LeftButton
            and held & Qt.KeyboardModifier.ControlModifier
        ):
            self._grip = "pan"
        elif event.button() != Qt.MouseButton.LeftButton:
            return
        elif held & Qt.KeyboardModifier.ShiftModifier:
            self._grip = "loop"
        else:
            flag = self.flag_at(event.position())
            if flag is not None:
                self.flag_activated.emit(flag)
                return
            self._grip = "scrub"
            self._want(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self._axis is None:
            return
        if self._grip == "scrub":
            self._want(event.position())
        elif self._grip == "pan":
            self._axis = self._axis.panned(event.position().x() - self._last.x())
            self.update()
        elif self._grip == "loop":
            self.loop_requested.emit(self._brushed(event.position()))
        else:
            over_mark = self.flag_at(event.position()) is not None
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if over_mark else Qt.CursorShape.ArrowCursor
            )
        self._last = event.position()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        grip, self._grip = self._grip, None
        moved = abs(event.position().x() - self._pressed.x())
        if grip == "loop" and moved < CLICK_PIXELS:
            self.loop_requested.emit(None)
        if grip == "scrub" and moved < CLICK_PIXELS:
            hits = self._hits()
            head = None if hits is None else hits.head_at(event.position())
            if head is not None:
                self.head_requested.emit(head)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        if self._axis is None:
            return
        across, down = event.angleDelta().x(), event.angleDelta().y()
        if across or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._axis = self._axis.panned((across or down) / 2)
        else:
            self._axis = self._axis.zoomed(WHEEL_ZOOM ** (down / 120), event.position().x())
        self.update()
        event.accept()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.words_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    # What is where.

    def flag_at(self, point: QPointF) -> Flag | None:
        """Return the finding whose mark is under a point, the loudest first."""
        hits = self._hits()
        return None if hits is None else hits.flag_at(point)

    def words_at(self, point: QPointF) -> str:
        """Return the hover text of a point: a finding, a checkpoint, or the frame there."""
        hits = self._hits()
        return "" if hits is None else hits.words_at(point)

    def _hits(self) -> Hits | None:
        if self._content is None or self._axis is None:
            return None
        return Hits(self._content, self._axis, self.lanes)

    def _brushed(self, point: QPointF) -> tuple[int, int] | None:
        if self._axis is None or abs(point.x() - self._pressed.x()) < CLICK_PIXELS:
            return None
        ends = (self._axis.frame_at(self._pressed.x()), self._axis.frame_at(point.x()))
        return min(ends), max(ends)

    def _want(self, point: QPointF) -> None:
        if self._axis is None:
            return
        self._wanted = self._axis.frame_at(point.x())
        if not self._ask.isActive():
            self._ask.start(0)

    @Slot()
    def _request(self) -> None:
        if self._wanted is not None:
            frame, self._wanted = self._wanted, None
            self.frame_requested.emit(frame)

    def _describe(self) -> None:
        if self._content is not None and self._frame < self._content.run.n_frames:
            self.setAccessibleDescription(frame_words(self._content, self._frame, None))


def _share_axis(one: TimelineContent, other: TimelineContent) -> bool:
    """Whether the same frames stand at the same places: findings come in far more often."""
    return one.run is other.run and one.frames is other.frames and one.axis_mode == other.axis_mode
