"""A button that reads like a line of a list: icon, title, and a quieter sentence that wraps."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from attn_debugger.ui.icons import pixmap
from attn_debugger.ui.theme import LIGHT, Theme

_PAD = 8
_ICON = 18
_GAP = 10
_WRAP = int(Qt.TextFlag.TextWordWrap)


class RowButton(QAbstractButton):
    """`title` and `line` are plain text; `sign` names an icon."""

    def __init__(
        self, title: str, line: str = "", sign: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._line = line
        self._sign = sign
        self._theme: Theme = LIGHT
        self.setText(title.replace("&", "&&"))
        self._title = title
        self.setAccessibleName(title)
        self.setAccessibleDescription(line)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def title(self) -> str:
        return self._title

    def line(self) -> str:
        return self._line

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(120, QFontMetrics(self.font()).height() + 2 * _PAD)

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        room = max(width - self._left() - _PAD, 40)
        title = self._metrics(self._title_font(), self._title, room)
        line = self._metrics(self._line_font(), self._line, room) if self._line else 0
        return max(title + line, _ICON) + 2 * _PAD

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._theme
        frame = self.rect().adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        if self.isEnabled() and (self.underMouse() or self.isDown()):
            painter.setBrush(QColor(theme.hover))
            painter.drawRoundedRect(frame, 5, 5)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(theme.accent))
            painter.drawRoundedRect(frame, 5, 5)
        front = theme.text if self.isEnabled() else theme.muted
        if self._sign:
            sign = pixmap(
                self._sign,
                theme.accent if self.isEnabled() else theme.muted,
                _ICON,
                self.devicePixelRatioF(),
            )
            painter.drawPixmap(_PAD, _PAD, sign)
        room = max(self.width() - self._left() - _PAD, 40)
        height = self._metrics(self._title_font(), self._title, room)
        painter.setFont(self._title_font())
        painter.setPen(QColor(front))
        painter.drawText(QRect(self._left(), _PAD, room, height), _WRAP, self._title)
        if self._line:
            painter.setFont(self._line_font())
            painter.setPen(QColor(theme.muted))
            below = QRect(self._left(), _PAD + height, room, self.height() - _PAD - height)
            painter.drawText(below, _WRAP, self._line)

    def _left(self) -> int:
        return _PAD + (_ICON + _GAP if self._sign else 0)

    def _title_font(self) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def _line_font(self) -> QFont:
        font = QFont(self.font())
        if font.pointSizeF() > 0:
            font.setPointSizeF(font.pointSizeF() * 0.92)
        return font

    @staticmethod
    def _metrics(font: QFont, text: str, room: int) -> int:
        return QFontMetrics(font).boundingRect(QRect(0, 0, room, 10_000), _WRAP, text).height()
