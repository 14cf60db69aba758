"""Six lines that record a run, to be copied into a training loop."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from attn_debugger.ui.icons import icon
from attn_debugger.ui.theme import Theme, fixed_font

RECORD_LINES = """\
from attn_debugger import record
with record(model, "run.h5", every=100) as recorder:
    for step, batch in enumerate(loader):
        with recorder.step(step):
            loss = model(**batch).loss
        loss.backward(); optimizer.step(); recorder.log(loss=loss)
"""


class HowToRecord(QWidget):
    """The lines, and a button that copies them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._code = QLabel(RECORD_LINES.rstrip())
        self._code.setProperty("role", "code")
        self._code.setFont(fixed_font(0.88))
        self._code.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._code.setAccessibleName(self.tr("Six lines that record a run"))
        self._copy = QToolButton()
        self._copy.setText(self.tr("Copy"))
        self._copy.setAccessibleName(self.tr("Copy the six lines"))
        self._copy.setToolTip(self.tr("Copy the six lines"))
        self._copy.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(RECORD_LINES))
        hint = QLabel(self.tr("Works on models whose code it does not touch."))
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        below = QHBoxLayout()
        below.addWidget(hint, 1)
        below.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 2, 8, 2)
        column.setSpacing(4)
        column.addWidget(self._code)
        column.addLayout(below)

    def set_theme(self, theme: Theme) -> None:
        self._code.setFont(fixed_font(0.88))
        self._copy.setIcon(icon("copy", theme))
