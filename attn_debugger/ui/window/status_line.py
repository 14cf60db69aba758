"""The status line: where the view is, what is under the pointer, what is running."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QLabel, QProgressBar, QSizePolicy, QStatusBar, QToolButton, QWidget

from attn_debugger.ui.elided_label import ElidedLabel
from attn_debugger.ui.window.readout import sentence_case

SAID_MS = 6000
# What is done sooner is never announced: it would only flicker.
PATIENCE_MS = 150


class StatusLine(QStatusBar):
    """Place and cell on the left, work in progress with its cancel button on the right."""

    cancel_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._place = QLabel(self)
        self._place.setContentsMargins(8, 0, 8, 0)
        self._cell = ElidedLabel("", self)
        self._loading = QLabel(self.tr("loading…"), self)
        self._loading.hide()
        self._link = QLabel(self)
        self._link.hide()
        self._work = QLabel(self)
        self._bar = QProgressBar(self)
        self._bar.setFixedWidth(120)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._cancel = QToolButton(self)
        self._cancel.setText(self.tr("Cancel  Esc"))
        self._cancel.setAccessibleName(self.tr("Cancel what is running"))
        self._cancel.clicked.connect(self.cancel_requested)
        self._cell.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.addWidget(self._place)
        self.addWidget(self._cell, 1)
        for widget in (self._link, self._loading, self._work, self._bar, self._cancel):
            self.addPermanentWidget(widget)
        self._said = ""
        self._cell_text = ""
        self._said_timer = QTimer(self)
        self._said_timer.setSingleShot(True)
        self._said_timer.timeout.connect(self._hush)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self._loading.show)
        self.show_work("", 0, 0)

    @property
    def text(self) -> str:
        """What the line says at the moment, place and cell."""
        return "  ·  ".join(part for part in (self._place.text(), self._middle()) if part)

    @property
    def cell_text(self) -> str:
        """What is said of the cell, also while a message covers it."""
        return self._cell_text

    def show_place(self, words: str) -> None:
        self._place.setText(words)

    def show_cell(self, words: str) -> None:
        self._cell_text = words
        self._draw()

    def say(self, sentence: str) -> None:
        """Show a sentence for some seconds in place of the cell."""
        self._said = sentence_case(sentence)
        self._said_timer.start(SAID_MS)
        self._draw()

    def show_loading(self, loading: bool) -> None:
        """Say that the frame is on its way, if it takes longer than a moment."""
        if not loading:
            self._late.stop()
            self._loading.hide()
        elif not self._late.isActive() and not self._loading.isVisible():
            self._late.start(PATIENCE_MS)

    def show_link(self, words: str) -> None:
        """Say what the link to another machine does; empty = there is none."""
        self._link.setText(words)
        self._link.setVisible(bool(words))

    @property
    def link(self) -> str:
        """What is said of the link."""
        return self._link.text()

    def show_work(self, words: str, done: int, total: int) -> None:
        """Show work in progress; `total` 0 with words = how long is not known."""
        busy = bool(words)
        for widget in (self._work, self._bar, self._cancel):
            widget.setVisible(busy)
        self._work.setText(words)
        self._bar.setRange(0, total)
        self._bar.setValue(min(done, total))

    @property
    def work(self) -> str:
        """What is running, in words; empty when nothing is."""
        return self._work.text()

    def _middle(self) -> str:
        return self._said or self._cell_text

    def _draw(self) -> None:
        self._cell.set_text(self._middle())

    @Slot()
    def _hush(self) -> None:
        self._said = ""
        self._draw()
