"""The row over the grid while a second run is open: which run is shown, and what to beware of."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from attn_debugger.ui.elided_label import ElidedLabel
from attn_debugger.ui.grid.two_runs import Shown

LONGEST_NAME = 28  # characters on a button


class CompareBar(QWidget):
    """Says what the user wants shown: A, B or the difference. Knows no run."""

    shown_chosen = Signal(str)  # one of two_runs.Shown
    swap_requested = Signal()
    panel_requested = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.warning = ElidedLabel("", self)
        self.buttons: dict[str, QToolButton] = {}
        group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 3, 6, 3)
        row.setSpacing(6)
        row.addWidget(QLabel(self.tr("Grid"), self))
        tips = {
            "a": self.tr("Show run A in the grid"),
            "b": self.tr("Show run B in the grid, at the same step"),
            "difference": self.tr("Show in the grid what differs (C)"),
        }
        for shown in get_args(Shown):
            button = QToolButton(self)
            button.setCheckable(True)
            button.setToolTip(tips[shown])
            button.setAccessibleName(tips[shown])
            button.clicked.connect(lambda _on, shown=shown: self.shown_chosen.emit(shown))
            group.addButton(button)
            self.buttons[shown] = button
            row.addWidget(button)
        self.swap_button = QPushButton(self.tr("Swap"), self)
        self.swap_button.setToolTip(self.tr("Read the change the other way round (X)"))
        self.swap_button.clicked.connect(self.swap_requested)
        self.panel_button = QPushButton(self.tr("What differs…"), self)
        self.panel_button.setToolTip(
            self.tr("Show where the two runs part and what became of the findings")
        )
        self.panel_button.clicked.connect(self.panel_requested)
        self.close_button = QToolButton(self)
        self.close_button.setText("✕")
        self.close_button.setAutoRaise(True)
        self.close_button.setToolTip(self.tr("Close run B"))
        self.close_button.setAccessibleName(self.tr("Close run B"))
        self.close_button.clicked.connect(self.closed)
        row.addWidget(self.swap_button)
        row.addWidget(self.panel_button)
        row.addWidget(self.warning, 1)
        row.addWidget(self.close_button)
        self.show_state("difference", swapped=False)

    def show_runs(self, a: str, b: str) -> None:
        """Name the two runs."""
        for shown, letter, name in (("a", "A", a), ("b", "B", b)):
            self.buttons[shown].setText(f"{letter}  {_shortened(name)}")
        self.setAccessibleName(self.tr("Comparing {0} with {1}").format(a, b))

    @Slot(str)
    def show_state(self, shown: str, *, swapped: bool) -> None:
        """Press the button of what is shown. Emits nothing."""
        self.buttons["difference"].setText(self.tr("A − B") if swapped else self.tr("B − A"))
        self.buttons[shown].setChecked(True)

    def warn(self, words: str) -> None:
        """Say what must be known of this step."""
        self.warning.set_text(words)


def _shortened(name: str) -> str:
    """Return a file name that fits a button: of a long one its beginning and its end."""
    if len(name) <= LONGEST_NAME:
        return name
    half = (LONGEST_NAME - 1) // 2
    return f"{name[:half]}…{name[-half:]}"
