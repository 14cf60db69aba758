"""The picture that the tokens were cut from, with the weights of one query laid over it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from attn_debugger.ui.grid.canvas_parts import paint_focus
from attn_debugger.ui.head.patch_heat import heat_pixels, patch_weights
from attn_debugger.ui.head.patches import PatchGrid
from attn_debugger.ui.head.picture import NO_MAP, HeadMap
from attn_debugger.ui.head.words import four_digits
from attn_debugger.ui.theme import LIGHT, Theme, colour_table

MARGIN = 14.0
CAPTION = 40.0  # two lines
PREFIX = 26.0  # side of the boxes of tokens that are no patch
Picture = NDArray[np.uint8]


class PictureView(QWidget):
    """Shows where one query looks. A click on a patch selects it as the query, Shift+click as the
    key. Tokens before the patches (CLS, registers) stand in boxes over the picture.
    """

    cell_pointed = Signal(object)  # (query, key under the pointer), or None
    cell_clicked = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(QSize(160, 100))
        self.setAccessibleName(self.tr("The picture, and where the selected query looks"))
        self._map: HeadMap = NO_MAP
        self._image: Picture | None = None
        self._patches: PatchGrid | None = None
        self._query_patches: PatchGrid | None = None
        self._theme: Theme = LIGHT
        self._colour_map = "viridis"
        self._selected: tuple[int, int] | None = None
        self._pointed: int | None = None

    # What it shows

    def show_map(
        self,
        head_map: HeadMap,
        image: Picture | None,
        patches: PatchGrid | None,
        query_patches: PatchGrid | None,
    ) -> None:
        """Show a map over its picture; `patches` tells which keys lie where, `query_patches` which
        queries. Without a picture the patches stand on plain ground.
        """
        self._map, self._image = head_map, image
        self._patches, self._query_patches = patches, query_patches
        self._pointed = None
        self.update()

    @property
    def can_show(self) -> bool:
        """Whether the shown map is one of patches."""
        return self._patches is not None and not self._map.is_empty

    def select(self, cell: tuple[int, int] | None) -> None:
        """Select the query and the key of a cell. Emits nothing."""
        if cell != self._selected:
            self._selected = cell
            self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def set_colour_map(self, name: str) -> None:
        """Set the colour map. Raises `ValueError` for one that is not on offer."""
        colour_table(name)
        self._colour_map = name
        self.update()

    @property
    def query(self) -> int:
        """The query whose weights are shown; the first token (CLS) until one is selected."""
        query = 0 if self._selected is None else self._selected[0]
        return query if query < self._map.n_queries else 0

    # Where things lie

    def picture_box(self) -> QRectF:
        """Return where the picture lies: as large as it goes, its aspect kept."""
        if self._patches is None:
            return QRectF()
        top = MARGIN + (PREFIX + 8 if self._patches.prefix else 0)
        room_x, room_y = self.width() - 2 * MARGIN, self.height() - top - CAPTION - MARGIN
        width, height = float(self._patches.columns), float(self._patches.rows)
        if self._image is not None:
            height, width = (float(side) for side in self._image.shape[:2])
        scale = max(0.01, min(room_x / width, room_y / height))
        left = (self.width() - width * scale) / 2
        return QRectF(left, top, width * scale, height * scale)

    def token_box(self, token: int) -> QRectF | None:
        """Return where a token lies: a patch in the picture, or a box over it."""
        if self._patches is None:
            return None
        patch, box = self._patches.patch_of(token), self.picture_box()
        if patch is None:
            if token >= self._patches.prefix:
                return None
            return QRectF(box.left() + token * (PREFIX + 4), MARGIN, PREFIX, PREFIX)
        width, height = box.width() / self._patches.columns, box.height() / self._patches.rows
        return QRectF(box.left() + patch[1] * width, box.top() + patch[0] * height, width, height)

    def token_at(self, point: QPointF) -> int | None:
        """Return the token under a point of the view."""
        if self._patches is None:
            return None
        box = self.picture_box()
        if box.contains(point):
            row = int((point.y() - box.top()) / box.height() * self._patches.rows)
            column = int((point.x() - box.left()) / box.width() * self._patches.columns)
            return self._patches.token_of(row, column)
        for token in range(self._patches.prefix):
            before = self.token_box(token)
            if before is not None and before.contains(point):
                return token
        return None

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.background))
        paint_focus(painter, self, self._theme)
        if self._patches is None or self._map.is_empty:
            return
        box, row = self.picture_box(), self._map.weights[self.query]
        if self._image is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(box, _as_image(self._image))
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(box, _as_image(self._heat(row, self._patches)))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_prefix(painter, row, self._patches)
        if self._query_patches is not None:
            self._paint_ring(painter, self.query, self._theme.accent)
        if self._selected is not None and self._selected[1] != self.query:
            self._paint_ring(painter, self._selected[1], self._theme.text)
        painter.setPen(QColor(self._theme.text))
        words = QRectF(MARGIN, box.bottom() + 4, self.width() - 2 * MARGIN, CAPTION)
        wrapped = int(Qt.AlignmentFlag.AlignHCenter) | int(Qt.TextFlag.TextWordWrap)
        painter.drawText(words, wrapped, self.caption())

    def _heat(self, row: NDArray[np.floating], patches: PatchGrid) -> Picture:
        masked = None
        if self._map.masked is not None:
            masked = patch_weights(self._map.masked[self.query], patches).astype(bool)
        colours = colour_table(self._colour_map)
        return heat_pixels(patch_weights(row, patches), masked, colours, self._theme)

    def _paint_prefix(
        self, painter: QPainter, row: NDArray[np.floating], patches: PatchGrid
    ) -> None:
        """Paint the tokens before the patches, filled as high as the weight on them."""
        metrics = QFontMetricsF(self.font())
        for token in range(patches.prefix):
            box = self.token_box(token)
            if box is None or box.right() > self.width():
                break
            weight = float(row[token]) if np.isfinite(row[token]) else 1.0
            ink = self._theme.accent if np.isfinite(row[token]) else self._theme.nan
            painter.fillRect(box, QColor(self._theme.raised))
            painter.fillRect(box.adjusted(0, box.height() * (1 - weight), 0, 0), QColor(ink))
            painter.setPen(QColor(self._theme.border))
            painter.drawRect(box)
            painter.setPen(QColor(self._theme.text))
            label = metrics.elidedText(
                self._map.key_labels[token], Qt.TextElideMode.ElideRight, PREFIX - 2
            )
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label)

    def _paint_ring(self, painter: QPainter, token: int, colour: str) -> None:
        box = self.token_box(token)
        if box is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for ink, width in ((self._theme.background, 4.0), (colour, 2.2)):
                painter.setPen(QPen(QColor(ink), width))
                painter.drawRect(box)

    def caption(self) -> str:
        """Return in words what is shown: the query, and how its weight is spread."""
        if self._patches is None or self._map.is_empty:
            return ""
        row = np.asarray(self._map.weights[self.query], np.float64)
        on_patches = patch_weights(row, self._patches)
        parts = [
            self.tr("query {0} “{1}”").format(self.query, self._map.query_labels[self.query]),
            self.tr("{0} of its weight on patches").format(four_digits(float(on_patches.sum()))),
        ]
        if np.isfinite(on_patches).any():
            parts.append(
                self.tr("brightest patch {0}").format(four_digits(float(np.nanmax(on_patches))))
            )
        if self._image is None:
            parts.append(self.tr("the picture itself was not recorded"))
        return "  ·  ".join(parts)

    # The pointer

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        self._point(self.token_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        token = self.token_at(event.position())
        if token is None or event.button() != Qt.MouseButton.LeftButton:
            return
        as_key = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if as_key or self._query_patches is None:
            self.cell_clicked.emit(self.query, token)
        elif token < self._map.n_queries:
            row = np.nan_to_num(self._map.weights[token], nan=-1.0)
            self.cell_clicked.emit(token, int(row.argmax()))

    def leaveEvent(self, event: Any) -> None:  # noqa: N802
        super().leaveEvent(event)
        self._point(None)

    def _point(self, token: int | None) -> None:
        if token != self._pointed:
            self._pointed = token
            self.cell_pointed.emit(None if token is None else (self.query, token))


def _as_image(pixels: Picture) -> QImage:
    """Return (height, width, 3 or 4) as a picture of its own memory."""
    pixels = np.ascontiguousarray(pixels)
    height, width, channels = pixels.shape
    form = QImage.Format.Format_RGB888 if channels == 3 else QImage.Format.Format_RGBA8888
    return QImage(pixels.data, width, height, channels * width, form).copy()
