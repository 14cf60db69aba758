"""Lines of text that end in an ellipsis where the window is too narrow, whole in the tooltip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


class ElidedLabel(QLabel):
    """Takes whatever width there is; `text()` stays the whole text.

    It keeps room for `lines` lines whether or not there is text: a picture over it stays put.
    """

    def __init__(self, parent: QWidget | None = None, *, lines: int = 1) -> None:
        super().__init__(parent)
        self._lines = lines
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:  # noqa: N802
        super().setText(text)
        self.setToolTip(text.strip())

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(0, self._lines * self.fontMetrics().height() + 4)

    def sizeHint(self) -> QSize:  # noqa: N802
        return self.minimumSizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        del event
        painter = QPainter(self)
        width = self.contentsRect().width()
        shown = "\n".join(
            self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, width)
            for line in self.text().split("\n")
        )
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            int(left),
            self.palette(),
            self.isEnabled(),
            shown,
            self.foregroundRole(),
        )
