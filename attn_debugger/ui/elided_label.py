"""A label that ends in an ellipsis when there is no room, and tells the rest in its tooltip."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOption, QWidget


class ElidedLabel(QWidget):
    """One line of plain text. Its own text colour is the palette's window text.

    With `parted_by`, parts at the end are left out as long as one fits as a whole, at last without
    what stands in brackets.
    """

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parted_by: str = "",
    ) -> None:
        super().__init__(parent)
        self._text = text
        self._parted_by = parted_by
        self._mode = mode
        self._tip = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def text(self) -> str:
        return self._text

    def set_text(self, text: str, tip: str = "") -> None:
        """Show `text`; `tip` is its tooltip, or the text itself while it is cut."""
        if (text, tip) == (self._text, self._tip):
            return
        self._text, self._tip = text, tip
        self.setAccessibleName(text)
        self.updateGeometry()
        self._set_tip()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._text) + 2, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        metrics = self.fontMetrics()
        return QSize(min(60, metrics.horizontalAdvance(self._text) + 2), metrics.height() + 2)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._set_tip()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        option = QStyleOption()
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        metrics = self.fontMetrics()
        shown = metrics.elidedText(self._fitting_parts(), self._mode, self.width())
        alignment = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(self.palette().windowText().color())
        painter.drawText(self.rect(), int(alignment), shown)

    def _fitting_parts(self) -> str:
        metrics = self.fontMetrics()
        parts = self._text.split(self._parted_by) if self._parted_by else []
        for n in range(len(parts), 0, -1):
            some = self._parted_by.join(parts[:n])
            if metrics.horizontalAdvance(some) <= self.width():
                return some
        first = re.split(r" ?[(（]", parts[0])[0] if parts else ""
        return first if 0 < metrics.horizontalAdvance(first) <= self.width() else self._text

    def _set_tip(self) -> None:
        cut = self.fontMetrics().horizontalAdvance(self._text) > self.width()
        self.setToolTip(self._tip or (self._text if cut else ""))
