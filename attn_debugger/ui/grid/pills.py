"""Short texts on a ground of their own, painted once and kept: numbers change at every step."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPixmap

from attn_debugger.ui.grid.placement import faded
from attn_debugger.ui.theme import Theme

MOST_KEPT = 4000  # some 8 MB; numbers with two decimals repeat long before


class PillCache:
    """Pixmaps of pills, by text; emptied when font, theme or pixel ratio change."""

    def __init__(self) -> None:
        self._kept: dict[str, QPixmap] = {}
        self._style: tuple[str, int, str, float] | None = None

    def get(self, text: str, font: QFont, theme: Theme, ratio: float) -> QPixmap:
        """Return the picture of a text: readable on any heatmap."""
        style = (font.family(), font.pixelSize(), theme.name, ratio)
        if style != self._style or len(self._kept) >= MOST_KEPT:
            self._kept.clear()
            self._style = style
        if text not in self._kept:
            self._kept[text] = _painted(text, font, theme, ratio)
        return self._kept[text]


def pill_size(text: str, font: QFont) -> tuple[float, float]:
    """Return the width and height of a pill, in screen pixels."""
    metrics = QFontMetricsF(font)
    return metrics.horizontalAdvance(text) + 6, metrics.height()


def _painted(text: str, font: QFont, theme: Theme, ratio: float) -> QPixmap:
    width, height = pill_size(text, font)
    picture = QPixmap(QSize(round(width * ratio), round(height * ratio)))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(faded(theme.background, 215))
        box = QRectF(0, 0, width, height)
        painter.drawRoundedRect(box, 2.5, 2.5)
        painter.setPen(QColor(theme.text))
        painter.setFont(font)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    return picture
