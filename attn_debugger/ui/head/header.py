"""The lines over the head view: which head, a field to find a token, the buttons; then details."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from attn_debugger.ui.head.elided_label import ElidedLabel
from attn_debugger.ui.head.find_token import FindToken


class HeadHeader(QWidget):
    """Holds the widgets; the head view says what happens."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = QLabel(self)
        font = self.heading.font()
        font.setBold(True)
        self.heading.setFont(font)
        self.details = ElidedLabel(self)
        self.details.setProperty("role", "muted")
        self.find_field = FindToken(self)
        self.lines_button = self._toggle(
            self.tr("Lines"), self.tr("Show lines from queries to keys instead of the matrix")
        )
        self.picture_button = self._toggle(
            self.tr("Picture"),
            self.tr("Lay where the selected query looks over the picture; click a patch"),
        )
        self.picture_button.hide()  # until there is a map of patches
        self.film_button = self._toggle(
            self.tr("Film"), self.tr("Show this head at the steps around the current one")
        )
        self.compare_button = self._toggle(
            self.tr("Compare"),
            self.tr("Pin this map, then step or select another head: A, B and what changed"),
        )
        self.explain_button = self._toggle(
            self.tr("Explain"),
            self.tr("Show how the selected weight came about: q·k, scale, mask, softmax"),
        )
        self.close_button = QToolButton(self)
        self.close_button.setText("✕")
        self.close_button.setAutoRaise(True)
        self.close_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.close_button.setToolTip(self.tr("Back to the grid (Esc)"))
        self.close_button.setAccessibleName(self.tr("Back to the grid"))
        self._top = QHBoxLayout()
        self._top.setSpacing(8)
        self._top.addWidget(self.heading)
        self._top.addStretch(1)
        self._top.addWidget(self.find_field)
        for button in self.buttons():
            self._top.addWidget(button)
        self._lines = QVBoxLayout(self)
        self._lines.setContentsMargins(12, 6, 6, 0)
        self._lines.setSpacing(1)
        self._lines.addLayout(self._top)
        self._lines.addWidget(self.details)

    def _toggle(self, text: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setCheckable(True)
        button.setToolTip(tip)
        return button

    def buttons(self) -> tuple[QToolButton, ...]:
        """Return the buttons from left to right."""
        return (
            self.lines_button,
            self.picture_button,
            self.film_button,
            self.compare_button,
            self.explain_button,
            self.close_button,
        )

    def hide_controls(self) -> None:
        """Leave only the words, on one line: what is shown on a picture cannot be pressed."""
        for button in self.buttons():
            button.hide()
        self.find_field.setMaximumWidth(0)
        self._lines.removeWidget(self.details)
        self._top.insertWidget(1, self.details, 100)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        # Without room for both, the name of the head is worth more than the field.
        self.find_field.setMinimumWidth(self.find_field.least_width())
        needs = self.minimumSizeHint().width() + self.find_field.minimumWidth()
        self.find_field.setVisible(self.width() >= needs)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Ask for the name and the buttons; the field is there only where there is room."""
        margins = self._lines.contentsMargins()
        shown = [self.heading, *(one for one in self.buttons() if not one.isHidden())]
        width = sum(one.sizeHint().width() + self._top.spacing() for one in shown)
        return QSize(width + margins.left() + margins.right(), super().minimumSizeHint().height())
