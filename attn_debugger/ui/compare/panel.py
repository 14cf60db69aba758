"""The panel of two runs: what is compared, where they part, and what became of the findings."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.analysis.beside.divergence import Divergence
from attn_debugger.analysis.compare import Compared
from attn_debugger.ui.compare.flag_list import ComparedList
from attn_debugger.ui.compare.words import count_words, divergence_words, scalar_words
from attn_debugger.ui.help.context import set_help
from attn_debugger.ui.theme import Theme


class ComparePanel(QWidget):
    """Is shown things and emits what the user wants."""

    step_requested = Signal(object)  # (frame of A or None, step, HeadRef or None)
    flag_activated = Signal(object)  # Compared
    cancel_requested = Signal()
    search_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_help(self, "comparing.md")
        self._found: Divergence | None = None
        self.runs = self._label()
        self.parting = self._label()
        self.go_button = QPushButton(self.tr("Go there"), self)
        self.go_button.setToolTip(self.tr("Show the step and the head at which the weights part"))
        self.go_button.clicked.connect(self._go_to_weights)
        self.scalar = self._label()
        self.go_scalar_button = QPushButton(self.tr("Go there"), self)
        self.go_scalar_button.setToolTip(self.tr("Show the step at which the loss parts"))
        self.go_scalar_button.clicked.connect(self._go_to_scalar)
        self.progress = QProgressBar(self)
        self.progress.setAccessibleName(self.tr("Progress of the search"))
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self.cancel_button.clicked.connect(self.cancel_requested)
        self.search_button = QPushButton(self.tr("Search"), self)
        self.search_button.clicked.connect(self.search_requested)
        self.remarks = self._label()
        self.findings = self._label()
        self.list = ComparedList(self)
        self.list.flag_activated.connect(self.flag_activated)
        self._lay_out()
        self.show_nothing()

    def show_nothing(self) -> None:
        """Say how to compare."""
        self.runs.setText(
            self.tr("File > Compare with another run… opens a second run beside this one.")
        )
        self.show_remarks([])
        self.show_divergence(None, None, "")
        self.search_button.hide()
        self.show_flags((), "")

    def show_runs(self, a: str, b: str) -> None:
        """Name the two runs, by their paths."""
        self.runs.setText(self.tr("A: {0}\nB: {1}").format(a, b))

    def show_remarks(self, sentences: list[str]) -> None:
        """Say what of the two is compared, and what is not."""
        self.remarks.setText("\n".join(sentences))
        self.remarks.setVisible(bool(sentences))

    def show_divergence(
        self, found: Divergence | None, progress: tuple[int, int, int] | None, failure: str
    ) -> None:
        """Show what the search for the first parting found; `progress` = done, total, step."""
        self._found = found
        running = progress is not None
        self.progress.setVisible(running)
        self.cancel_button.setVisible(running)
        words = ""
        if progress is not None:
            done, total, step = progress
            self.progress.setRange(0, total)
            self.progress.setValue(done)
            words = self.tr("Looking for the step at which the two part: step {0}").format(step)
        elif failure:
            words = self.tr("Where the two part is not known: {0}").format(failure)
        elif found is not None:
            words = divergence_words(found)
        self.parting.setText(words)
        self.parting.setVisible(bool(words))
        self.search_button.setVisible(bool(failure))
        self.go_button.setVisible(found is not None and found.step is not None and not running)
        scalar = None if found is None else found.scalar
        self.scalar.setText("" if scalar is None else scalar_words(scalar))
        self.scalar.setVisible(scalar is not None)
        self.go_scalar_button.setVisible(scalar is not None)

    def show_flags(self, items: tuple[Compared, ...], heading: str) -> None:
        """Show what became of the findings, under a heading."""
        self.findings.setText(f"{heading}\n{count_words(items)}" if heading else "")
        self.findings.setVisible(bool(heading))
        self.list.show_items(items)

    def set_theme(self, theme: Theme) -> None:
        self.list.set_theme(theme)

    def _go_to_weights(self) -> None:
        if self._found is not None and self._found.step is not None:
            head = self._found.heads[0][0] if self._found.heads else None
            self.step_requested.emit((self._found.frame, self._found.step, head))

    def _go_to_scalar(self) -> None:
        if self._found is not None and self._found.scalar is not None:
            self.step_requested.emit((None, self._found.scalar.step, None))

    def _label(self) -> QLabel:
        label = QLabel(self)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.setSpacing(6)
        column.addWidget(self.runs)
        for label, button in (
            (self.parting, self.go_button),
            (self.scalar, self.go_scalar_button),
        ):
            row = QHBoxLayout()
            row.addWidget(label, 1)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            column.addLayout(row)
        row = QHBoxLayout()
        row.addWidget(self.progress, 1)
        row.addWidget(self.cancel_button)
        row.addWidget(self.search_button)
        column.addLayout(row)
        column.addWidget(self.remarks)
        column.addWidget(self.findings)
        column.addWidget(self.list, 1)
