"""How one finding looks in the list: two lines, so that a narrow dock cuts nothing off."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from attn_debugger.core.flags import Flag
from attn_debugger.session.translated import translated
from attn_debugger.ui.flags.model import FLAG_ROLE, FOLLOWERS_ROLE, MUTED_ROLE
from attn_debugger.ui.flags.words import number, place, signal_title, steps
from attn_debugger.ui.icons import icon
from attn_debugger.ui.theme import LIGHT, Theme

_ICON = 16
_GAP = 6
_PAD = 5


class FlagDelegate(QStyledItemDelegate):
    """Icon and signal left, place right; below, quietly, the steps and what was measured."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme: Theme = LIGHT

    def sizeHint(  # noqa: N802
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        font: QFont = option.font
        line = QFontMetrics(font).height()
        small = QFontMetrics(_smaller(font)).height()
        return QSize(120, line + small + 2 * _PAD)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        flag = index.data(FLAG_ROLE)
        if not isinstance(flag, Flag):
            return
        state: QStyle.StateFlag = option.state
        rect: QRect = option.rect
        font: QFont = option.font
        selected = bool(state & QStyle.StateFlag.State_Selected)
        theme = self.theme
        painter.save()
        if selected:
            painter.fillRect(rect, QColor(theme.accent))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, QColor(theme.hover))
        front = QColor(theme.on_accent if selected else theme.text)
        quiet = QColor(theme.on_accent if selected else theme.muted)
        if index.data(MUTED_ROLE):
            painter.setOpacity(0.55)

        inner = rect.adjusted(_GAP, _PAD, -_GAP, -_PAD)
        line = QFontMetrics(font).height()
        colour = theme.on_accent if selected else theme.severity_colour(flag.severity)
        sign = icon(flag.severity.word, theme, colour)
        sign.paint(painter, QRect(inner.left(), inner.top() + (line - _ICON) // 2, _ICON, _ICON))

        left = inner.left() + _ICON + _GAP
        first = QRect(left, inner.top(), inner.right() - left, line)
        second = QRect(left, first.bottom() + 1, first.width(), inner.bottom() - first.bottom())
        bold = QFont(font)
        bold.setWeight(QFont.Weight.DemiBold)
        _two_sided(painter, first, (signal_title(flag.signal), bold), (place(flag), font), front)
        small = _smaller(font)
        extra = self._measured(flag, index.data(FOLLOWERS_ROLE) or 0)
        _two_sided(painter, second, (steps(flag), small), (extra, small), quiet)
        painter.restore()

    def _measured(self, flag: Flag, followers: int) -> str:
        parts = []
        if flag.value is not None:
            parts.append(f"{number(flag.value)} {translated(flag.unit)}".strip())
        if followers:
            parts.append(self.tr("+{n} follow").format(n=followers))
        return " · ".join(parts)


def _smaller(font: QFont) -> QFont:
    small = QFont(font)
    if font.pointSizeF() > 0:
        small.setPointSizeF(max(font.pointSizeF() * 0.9, 7.0))
    return small


def _two_sided(
    painter: QPainter,
    rect: QRect,
    left: tuple[str, QFont],
    right: tuple[str, QFont],
    colour: QColor,
) -> None:
    """Draw two texts on one line. The right one keeps its width; the left one is elided."""
    painter.setPen(colour)
    metrics = QFontMetrics(right[1])
    room = int(rect.width() * 0.62) if left[0] else rect.width()
    text = metrics.elidedText(right[0], Qt.TextElideMode.ElideRight, room)
    used = metrics.horizontalAdvance(text)
    painter.setFont(right[1])
    painter.drawText(rect, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)
    rest = rect.adjusted(0, 0, -(used + _GAP), 0)
    painter.setFont(left[1])
    text = QFontMetrics(left[1]).elidedText(left[0], Qt.TextElideMode.ElideRight, rest.width())
    painter.drawText(rest, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), text)
