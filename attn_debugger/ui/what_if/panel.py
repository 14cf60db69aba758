"""The what-if panel: knobs, the numbers before and after, and both maps with their difference."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.analysis.what_if import Answer, Basis, basis_of, what_if
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.view_state import Look
from attn_debugger.errors import UsageError
from attn_debugger.session.translated import translated
from attn_debugger.ui.head.head_strip import HeadStrip
from attn_debugger.ui.head.picture import NO_MAP, HeadMap, head_map
from attn_debugger.ui.help.context import set_help
from attn_debugger.ui.theme import LIGHT, Theme, fixed_font
from attn_debugger.ui.what_if.controls import Controls
from attn_debugger.ui.what_if.numbers import numbers_html


class WhatIfPanel(QWidget):
    """Shows what the selected head would have done; computes only while it can be seen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_help(self, "window.md#what-if")
        self._theme: Theme = LIGHT
        self._frame: LayerFrame | None = None
        self._sentence = ""
        self._basis: Basis | None = None
        self._map: HeadMap = NO_MAP
        self._is_stale = False
        self.answer: Answer | None = None
        self.controls = Controls()
        self.controls.changed.connect(self._answer)
        self._numbers = QLabel()
        self._numbers.setTextFormat(Qt.TextFormat.RichText)
        self._numbers.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._numbers.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._numbers.setAccessibleName(self.tr("Numbers before and after"))
        self._message = QLabel()
        self._message.setWordWrap(True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._message.setProperty("role", "muted")
        self.strip = HeadStrip(with_buttons=False)
        self._lay_out()
        self.show_head(None, self.tr("Select a head to change its softmax."))

    def show_head(self, frame: LayerFrame | None, sentence: str = "") -> None:
        """Take over the map that was read last; `sentence` says why there is none."""
        self._frame, self._sentence = frame, sentence
        self._is_stale = True
        if self.isVisible():
            self._take_over()

    def show_look(self, look: Look) -> None:
        """Show the maps in the colours of the head view."""
        self.strip.set_scale(look.head_scale)
        self.strip.set_range(look.range_mode)
        self.strip.set_colour_map(look.colour_map)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._numbers.setFont(fixed_font(0.9))
        self.strip.set_theme(theme)
        self._show_numbers()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        if self._is_stale:
            self._take_over()

    def _take_over(self) -> None:
        self._is_stale = False
        frame = self._frame
        self._basis = self.answer = None
        try:
            if frame is None:
                raise UsageError(self._sentence or self.tr("No map of this head could be read."))
            self._basis = basis_of(frame)
            self._map = head_map(frame)
        except UsageError as error:
            self.controls.show_basis(None)
            self._message.setText(translated(str(error)))
            self._pages.setCurrentIndex(1)
            self._numbers.setText("")
            return
        self.controls.show_basis(self._basis)
        self._answer()
        if self.answer is not None:
            before = self.answer.before
            self.controls.show_basis(self._basis, (before.largest_key, before.largest_key_share))

    @Slot()
    def _answer(self) -> None:
        frame, basis = self._frame, self._basis
        if frame is None or basis is None:
            return
        try:
            answer = what_if(basis, self.controls.change())
        except UsageError as error:
            self._message.setText(translated(str(error)))
            self._pages.setCurrentIndex(1)
            return
        self.answer = answer
        masked = None if answer.allowed is None else ~answer.allowed
        changed = replace(self._map, weights=answer.weights, masked=masked)
        words = self.tr("probe, step {0}") if frame.stands_in else self.tr("recorded, step {0}")
        title = "A   " + words.format(frame.step)
        self.strip.show_pair((title, self._map, ""), ("B   " + self.tr("what if"), changed, ""))
        self._pages.setCurrentIndex(0)
        self._show_numbers()

    def _show_numbers(self) -> None:
        if self.answer is not None:
            self._numbers.setText(numbers_html(self.answer, self._theme))

    def _lay_out(self) -> None:
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(10, 8, 6, 8)
        column.addWidget(self._numbers)
        column.addWidget(self.controls, 1)
        scroll = QScrollArea()
        scroll.setWidget(side)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFixedWidth(330)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.strip)
        self._pages.addWidget(self._message)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(scroll)
        row.addWidget(self._pages, 1)
