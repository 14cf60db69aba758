"""The legend: what the colours mean, always in sight, so that no picture can be misread."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from attn_debugger.ui.colour_maps import DEFAULT_DIVERGING_MAP, NAN_BLACK
from attn_debugger.ui.grid.colouring import ScaleName, positions
from attn_debugger.ui.theme import LIGHT, Theme, colour_table

BAR_LEFT = 26.0  # half of the widest number under the bar
BAR_WIDTH = 190
BAR_HEIGHT = 11
SWATCH = 12
WORDS_LINE = 17
WORDS_LEFT = BAR_LEFT - 14.0
MOST_WORDS_LINES = 3
WRAPPED = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignLeft)


@dataclass(frozen=True, eq=False)
class LegendContent:
    """What one picture's colours stand for. `colours` runs from low to high, (n, 3) RGB."""

    colours: NDArray[np.uint8]
    scale: ScaleName
    low: float
    high: float
    relative: str = ""  # "of the head's largest weight", when the range differs from head to head
    words: str = ""  # what is shown: overview or full maps, pooled or not
    with_gap: bool = True
    nonfinite: str = ""  # the colour of NaN where it is not the theme's

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LegendContent):
            return NotImplemented
        return (
            (self.scale, self.low, self.high, self.with_gap)
            == (other.scale, other.low, other.high, other.with_gap)
            and (self.relative, self.words, self.nonfinite)
            == (other.relative, other.words, other.nonfinite)
        ) and (self.colours is other.colours or np.array_equal(self.colours, other.colours))

    __hash__ = None  # type: ignore[assignment]  # arrays have no hash either


def difference_legend(low: float, high: float, relative: str, words: str) -> LegendContent:
    """Return the legend of a signed difference: NaN is black in it."""
    colours = colour_table(DEFAULT_DIVERGING_MAP)
    return LegendContent(colours, "linear", low, high, relative, words, nonfinite=NAN_BLACK)


def tick_values(scale: ScaleName, low: float, high: float) -> list[float]:
    """Return the weights written under the colour bar, the two ends included."""
    if high <= low:
        return [low]
    if scale == "log":
        decades = range(math.ceil(math.log10(low) + 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
        inner = [10.0**decade for decade in decades]
    else:
        inner = [low + part * (high - low) for part in (0.25, 0.5, 0.75)]
    ends = [low, high]
    return sorted(ends + [v for v in inner if not any(math.isclose(v, end) for end in ends)])


def number_text(value: float) -> str:
    """Return a weight in as few characters as its size allows: 0.25, 7.8e-4, 1."""
    if value == 0 or 0.001 <= abs(value) < 1000:
        return f"{value:.2g}" if abs(value) < 0.1 else f"{value:.3g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}"


class LegendBar(QWidget):
    """Under a picture: its colour bar, what else a colour can mean, and what is shown.

    One line; where that is too narrow for the words, they get up to three lines of their own.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content: LegendContent | None = None
        self._theme: Theme = LIGHT
        self._words_lines = 0  # below the bar; 0 = they stand beside it
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Legend of the colours"))

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(480, self._bar_line() + WORDS_LINE * self._words_lines)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(0, self.sizeHint().height())

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def show_content(self, content: LegendContent) -> None:
        if content == self._content:
            return
        self._content = content
        self.setAccessibleDescription(self.sentence())
        self.setToolTip(self.sentence())
        self._settle_height()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._settle_height()

    def _bar_line(self) -> int:
        """Return the height of the line that holds bar and swatches."""
        return BAR_HEIGHT + self.fontMetrics().height() + 9

    def _settle_height(self) -> None:
        """Give the words lines of their own where they do not fit into the first one."""
        metrics = QFontMetricsF(self._small_font())
        swatches = sum(SWATCH + 19 + metrics.horizontalAdvance(y[2]) for y in self._swatches())
        needed = BAR_LEFT + BAR_WIDTH + 18.0 + swatches + metrics.horizontalAdvance(self._words())
        lines = 0
        if self._words() and needed + 24.0 > self.width():
            room = QRectF(0, 0, max(1.0, self.width() - WORDS_LEFT - 10.0), 1000)
            height = metrics.boundingRect(room, WRAPPED, self._words()).height()
            lines = min(MOST_WORDS_LINES, max(1, round(height / metrics.lineSpacing())))
        if lines != self._words_lines:
            self._words_lines = lines
            self.updateGeometry()

    def sentence(self) -> str:
        """Return the legend in words."""
        if self._content is None:
            return ""
        content = self._content
        ends = f"{number_text(content.low)} – {number_text(content.high)}"
        parts = [f"{self._scale_word()}, {ends} {content.relative}".strip(), content.words]
        return "; ".join(part for part in parts if part)

    def _scale_word(self) -> str:
        scale = "linear" if self._content is None else self._content.scale
        return {
            "linear": self.tr("linear scale"),
            "sqrt": self.tr("square-root scale"),
            "log": self.tr("logarithmic scale"),
        }[scale]

    def _small_font(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(11)
        return font

    def _words(self) -> str:
        """Return the scale, what it is relative to, and what is shown."""
        if self._content is None:
            return ""
        parts = (self._scale_word(), self._content.relative, self._content.words)
        return "  ·  ".join(part for part in parts if part)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        del event
        if self._content is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._small_font())
        x = self._paint_bar(painter, self._content, BAR_LEFT)
        x = self._paint_swatches(painter, x + 18.0)
        painter.setPen(QColor(self._theme.muted))
        if self._words_lines:
            height = WORDS_LINE * self._words_lines
            room = QRectF(
                WORDS_LEFT, self._bar_line() - 2.0, self.width() - WORDS_LEFT - 10, height
            )
            painter.drawText(room, WRAPPED | Qt.AlignmentFlag.AlignVCenter, self._words())
        else:
            room = QRectF(x, 0.0, self.width() - x - 10.0, self._bar_line())
            beside = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(room, beside, self._words())

    def _paint_bar(self, painter: QPainter, content: LegendContent, x: float) -> float:
        metrics = QFontMetricsF(painter.font())
        box = QRectF(x, 4.0, BAR_WIDTH, BAR_HEIGHT)
        painter.drawImage(box, _gradient(content.colours))
        painter.setPen(QPen(QColor(self._theme.border), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)
        values = tick_values(content.scale, content.low, content.high)
        places = positions(np.array(values), content.scale, content.low, content.high)
        written: list[tuple[float, float]] = []
        # The ends first: they are what must never be left out for want of room.
        for index in (0, len(values) - 1, *range(1, len(values) - 1)):
            middle = box.left() + box.width() * float(places[index])
            painter.setPen(QPen(QColor(self._theme.muted), 1.0))
            painter.drawLine(int(middle), int(box.bottom()), int(middle), int(box.bottom()) + 3)
            text = number_text(values[index])
            half = metrics.horizontalAdvance(text) / 2
            if all(
                middle + half + 4 < left or right + 4 < middle - half for left, right in written
            ):
                written.append((middle - half, middle + half))
                line = QRectF(middle - half - 2, box.bottom() + 2, 2 * half + 4, metrics.height())
                painter.setPen(QColor(self._theme.text))
                painter.drawText(line, Qt.AlignmentFlag.AlignCenter, text)
        return box.right()

    def _swatches(self) -> list[tuple[str, Qt.BrushStyle, str]]:
        """Return colour, pattern and name of what is no weight."""
        solid, hatched = Qt.BrushStyle.SolidPattern, Qt.BrushStyle.BDiagPattern
        nonfinite = self._content.nonfinite if self._content is not None else ""
        swatches = [
            (nonfinite or self._theme.nan, solid, self.tr("NaN or infinite")),
            (self._theme.masked, solid, self.tr("masked")),
        ]
        if self._content is not None and self._content.with_gap:
            swatches.append((self._theme.muted, hatched, self.tr("not captured")))
        return swatches

    def _paint_swatches(self, painter: QPainter, x: float) -> float:
        metrics = QFontMetricsF(painter.font())
        height = float(self._bar_line())
        for colour, pattern, text in self._swatches():
            width = metrics.horizontalAdvance(text)
            if x + SWATCH + 5 + width > self.width() - 8:
                break
            painter.setPen(QPen(QColor(self._theme.border), 1.0))
            painter.setBrush(QBrush(QColor(colour), pattern))
            painter.drawRect(QRectF(x, (height - SWATCH) / 2, SWATCH, SWATCH))
            painter.setPen(QColor(self._theme.text))
            line = QRectF(x + SWATCH + 5, 0.0, width + 2, height)
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
            x += SWATCH + 19 + width
        return x


def _gradient(colours: NDArray[np.uint8]) -> QImage:
    pixels = np.ascontiguousarray(colours[None, :, :3])
    picture = QImage(
        pixels.data, pixels.shape[1], 1, 3 * pixels.shape[1], QImage.Format.Format_RGB888
    )
    return picture.copy()  # the memory belongs to the array, which ends here
