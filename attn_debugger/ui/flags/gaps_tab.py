"""The tab `Not evaluated`: reasons, and a line to paste so that next time it can be judged."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.core.flags import NotEvaluated
from attn_debugger.ui.flags.gaps import combined_advice, gaps_html
from attn_debugger.ui.icons import icon
from attn_debugger.ui.theme import LIGHT, Theme, fixed_font


class GapsTab(QWidget):
    """Shows what could not be judged."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gaps: tuple[NotEvaluated, ...] = ()
        self._theme: Theme = LIGHT
        self._text = QTextBrowser()
        self._text.setAccessibleName(self.tr("Signals that could not be judged"))
        self._caption = QLabel(self.tr("Next time, record with:"))
        self._caption.setProperty("role", "muted")
        self._line = QLineEdit()
        self._line.setReadOnly(True)
        self._line.setAccessibleName(self.tr("The line to record with next time"))
        self._copy = QToolButton()
        self._copy.setAutoRaise(True)
        self._copy.setToolTip(self.tr("Copy the line"))
        self._copy.setAccessibleName(self.tr("Copy the line"))
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._line.text()))
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self._line, 1)
        row.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.setSpacing(4)
        column.addWidget(self._text, 1)
        column.addWidget(self._caption)
        column.addLayout(row)
        self._draw()

    def show_gaps(self, gaps: tuple[NotEvaluated, ...]) -> None:
        if gaps != self._gaps:
            self._gaps = gaps
            self._draw()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._line.setFont(fixed_font(0.9))
        self._copy.setIcon(icon("copy", theme))
        self._draw()

    def _draw(self) -> None:
        self._text.setHtml(gaps_html(self._gaps, self._theme))
        advice = combined_advice(self._gaps)
        self._line.setText(advice)
        self._line.setCursorPosition(0)
        self._line.setToolTip(advice)
        for widget in (self._caption, self._line, self._copy):
            widget.setVisible(bool(advice))
