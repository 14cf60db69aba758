"""The dialog of `--demo` without a name: which failure do you want to see?"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QScrollArea, QVBoxLayout, QWidget

from attn_debugger.ui.start.demo_list import DemoList
from attn_debugger.ui.theme import Theme


class DemoChooser(QDialog):
    """Emits `demo_requested` once and closes."""

    demo_requested = Signal(str)

    def __init__(
        self, demos: Sequence[tuple[str, str, str]], theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Record a demo run"))
        intro = QLabel(
            self.tr(
                "A small model is trained for real, here and now, and its attention recorded; "
                "each takes under a minute. Nothing is painted by hand: the failures come out of "
                "the training."
            )
        )
        intro.setWordWrap(True)
        intro.setProperty("role", "muted")
        self.list = DemoList()
        self.list.set_theme(theme)
        self.list.show_demos(demos)
        self.list.demo_requested.connect(self._choose)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidget(self.list)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(8)
        column.addWidget(intro)
        column.addWidget(scroll, 1)
        column.addWidget(buttons)
        self.resize(560, 540)
        rows = self.list.rows()
        if rows:
            rows[0].setFocus()

    def _choose(self, name: str) -> None:
        self.accept()
        self.demo_requested.emit(name)
