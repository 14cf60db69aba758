"""How far a running job is: a sentence, a bar, and a way to stop it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.ui.elided_label import ElidedLabel
from attn_debugger.ui.theme import Theme


class JobProgress(QFrame):
    """Hidden until `show_progress`; `end` hides it again."""

    cancel_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._text = ElidedLabel()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(6)
        self._cancel = QPushButton(self.tr("Cancel"))
        self._cancel.setToolTip(self.tr("Stop this job.  Key: Esc"))
        self._cancel.setAccessibleName(self.tr("Cancel the running job"))
        self._cancel.clicked.connect(self.cancel_requested)
        left = QVBoxLayout()
        left.setSpacing(6)
        left.addWidget(self._text)
        left.addWidget(self._bar)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 10, 12, 12)
        row.setSpacing(12)
        row.addLayout(left, 1)
        row.addWidget(self._cancel)
        self.hide()

    def show_progress(self, done: int, total: int, text: str) -> None:
        """Show `done` of `total`; a total of 0 means that nobody knows how long it takes."""
        self._bar.setRange(0, max(total, 0))
        self._bar.setValue(min(done, total) if total > 0 else 0)
        share = f"  ·  {100 * min(done, total) // total} %" if total > 0 else ""
        self._text.set_text(f"{text}{share}")
        self._bar.setAccessibleName(text)
        self.show()

    def end(self) -> None:
        self.hide()

    def text(self) -> str:
        return self._text.text()

    def set_theme(self, theme: Theme) -> None:
        self._text.setPalette(theme.palette())
