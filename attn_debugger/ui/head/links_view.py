"""The line view: queries on the left, keys on the right, a line as thick as its weight."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from attn_debugger.ui.grid.canvas_parts import paint_focus
from attn_debugger.ui.head.labels import label_font, shown_labels
from attn_debugger.ui.head.links import Link, links_of_query, strongest_links
from attn_debugger.ui.head.picture import NO_MAP, HeadMap
from attn_debugger.ui.theme import LIGHT, Theme

MARGIN = 16.0
LARGEST_ROW = 26.0
SMALLEST_ROW = 13.0  # below, tokens are thinned or the columns scroll
THICKEST = 9.0
LABELLED_KEYS = 8  # the strongest keys of a query get their weight written beside them


class LinksView(QWidget):
    """Shows where one query looks, or the strongest links of all. Long inputs scroll by wheel."""

    cell_pointed = Signal(object)  # (query, its strongest key), or None
    cell_clicked = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(QSize(160, 100))
        self.setAccessibleName(self.tr("Lines from queries to the keys they look at"))
        self._map: HeadMap = NO_MAP
        self._theme: Theme = LIGHT
        self._selected: int | None = None
        self._pointed: int | None = None
        self._all: tuple[Link, ...] | None = None
        self._scroll = 0.0

    # What it shows

    def show_map(self, head_map: HeadMap) -> None:
        self._map, self._all = head_map, None
        self._pointed = None
        self._scroll = min(self._scroll, self._most_scroll())
        self.update()

    def select(self, cell: tuple[int, int] | None) -> None:
        """Select the query of a cell. Emits nothing."""
        query = None if cell is None else cell[0]
        if query == self._selected:
            return
        self._selected = query
        if query is not None and query < self._map.n_queries:
            middle = (query + 0.5) * self.row_height - self.height() / 2
            if not 0 <= self.token_y(query) <= self.height():
                self._scroll = min(max(0.0, middle), self._most_scroll())
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    @property
    def query(self) -> int | None:
        """The query whose links are shown; `None` = the strongest links of all queries."""
        query = self._pointed if self._pointed is not None else self._selected
        return query if query is not None and query < self._map.n_queries else None

    def links(self) -> tuple[Link, ...]:
        """Return the links that are drawn, the strongest first."""
        if self._map.is_empty:
            return ()
        if self.query is not None:
            return links_of_query(self._map.weights, self.query)
        if self._all is None:
            self._all = strongest_links(self._map.weights)
        return self._all

    # Where things lie

    @property
    def row_height(self) -> float:
        """Pixels from one token to the next."""
        longest = max(self._map.n_queries, self._map.n_keys, 1)
        room = (self.height() - 2 * MARGIN) / longest
        return min(LARGEST_ROW, max(SMALLEST_ROW, room))

    def token_y(self, position: int) -> float:
        """Return the middle of a token's row on the screen."""
        return MARGIN + (position + 0.5) * self.row_height - self._scroll

    def _most_scroll(self) -> float:
        longest = max(self._map.n_queries, self._map.n_keys)
        return max(0.0, longest * self.row_height + 2 * MARGIN - self.height())

    def _columns(self) -> tuple[float, float]:
        """Return the x where lines leave the queries and where they reach the keys."""
        words = min(150.0, self.width() * 0.3)
        spread = min(self.width() - 2 * words, 460.0)
        left = (self.width() - spread) / 2
        return left, left + spread

    def query_at(self, x: float, y: float) -> int | None:
        """Return the query whose token is at a point; the right half of the view has none."""
        if x > self.width() / 2 or self._map.is_empty:
            return None
        query = int((y + self._scroll - MARGIN) // self.row_height)
        return query if 0 <= query < self._map.n_queries else None

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.background))
        paint_focus(painter, self, self._theme)
        if self._map.is_empty:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        links = self.links()
        for link in reversed(links):  # the strongest on top
            self._paint_link(painter, link, links[0].weight)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_tokens(painter, links)

    def _paint_link(self, painter: QPainter, link: Link, strongest: float) -> None:
        left, right = self._columns()
        start = QPointF(left, self.token_y(link.query))
        end = QPointF(right, self.token_y(link.key))
        bend = (right - left) * 0.45
        path = QPainterPath(start)
        path.cubicTo(start + QPointF(bend, 0), end - QPointF(bend, 0), end)
        colour = QColor(self._theme.accent)
        colour.setAlpha(60 + int(170 * link.weight / strongest))
        width = max(0.6, THICKEST * min(1.0, link.weight))
        # Smooth thick lines cost five times as much; the weights of one query leave few of them.
        is_smooth = self.query is not None or width <= 1.0
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, is_smooth)
        pen = QPen(colour, width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)

    def _paint_tokens(self, painter: QPainter, links: tuple[Link, ...]) -> None:
        font = label_font(self.font())
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        left, right = self._columns()
        first = max(0, int((self._scroll - MARGIN) // self.row_height))
        last = first + int(self.height() / self.row_height) + 2
        for count, labels, x, side in (
            (self._map.n_queries, self._map.query_labels, left, Qt.AlignmentFlag.AlignRight),
            (self._map.n_keys, self._map.key_labels, right, Qt.AlignmentFlag.AlignLeft),
        ):
            visible = range(first, min(count, last))
            for position in shown_labels(visible, metrics.height(), self.row_height):
                self._write(painter, x, position, labels[position], side, self._theme.muted)
        if self.query is None:
            return
        text = self._map.query_labels[self.query]
        self._write(
            painter, left, self.query, text, Qt.AlignmentFlag.AlignRight, self._theme.accent
        )
        for link in links[:LABELLED_KEYS]:
            words = f"{self._map.key_labels[link.key]}   {link.weight:.3g}"
            side = Qt.AlignmentFlag.AlignLeft
            self._write(painter, right, link.key, words, side, self._theme.text)

    def _write(
        self,
        painter: QPainter,
        x: float,
        position: int,
        text: str,
        side: Qt.AlignmentFlag,
        colour: str,
    ) -> None:
        height = painter.fontMetrics().height()
        to_the_left = side == Qt.AlignmentFlag.AlignRight
        room = x - 14.0 if to_the_left else self.width() - x - 14.0
        text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(room))
        width = painter.fontMetrics().horizontalAdvance(text) + 8.0
        start = x - 6.0 - width if to_the_left else x + 6.0
        box = QRectF(start, self.token_y(position) - height / 2, width, height)
        if colour != self._theme.muted:  # written over what was there
            painter.fillRect(box, QColor(self._theme.background))
        painter.setPen(QColor(colour))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    # The pointer

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        step = event.angleDelta().y() / 120.0 * 3 * self.row_height
        self._scroll = min(max(0.0, self._scroll - step), self._most_scroll())
        self.update()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._point(self.query_at(event.position().x(), event.position().y()))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        query = self.query_at(event.position().x(), event.position().y())
        if query is None or event.button() != Qt.MouseButton.LeftButton:
            return
        links = links_of_query(self._map.weights, query)
        self.cell_clicked.emit(query, links[0].key if links else 0)

    def leaveEvent(self, event: Any) -> None:  # noqa: N802
        super().leaveEvent(event)
        self._point(None)

    def _point(self, query: int | None) -> None:
        if query == self._pointed:
            return
        self._pointed = query
        self.update()
        links = () if query is None else self.links()
        self.cell_pointed.emit((query, links[0].key) if links else None)
