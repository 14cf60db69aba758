"""What can be tried out on the running model, and what came of it."""

from __future__ import annotations

from PySide6.QtCore import QUrl, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QTextBrowser, QVBoxLayout, QWidget

from attn_debugger.core.heads import HeadRef

CHECKS, REPLAY, ABLATE, OCCLUDE = "checks", "replay", "ablate", "occlude"
HERE, PROBE = "here", "probe"  # one step, into the grid; all checkpoints, into an archive


class RunView(QWidget):
    """Six buttons that ask for a run of the model, and its result as text."""

    run_requested = Signal(str)
    head_activated = Signal(object)  # HeadRef: a head in a result was clicked

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, QPushButton] = {}
        rows = QGridLayout()
        rows.setSpacing(4)
        for place, (name, text, tip) in enumerate(self._offers()):
            button = QPushButton(text)
            button.setToolTip(tip)
            button.clicked.connect(lambda _=False, name=name: self.run_requested.emit(name))
            self.buttons[name] = button
            rows.addWidget(button, place // 2, place % 2)
        self._hint = QLabel(
            self.tr(
                "These run your model, in a process of its own: name the function that makes it. "
                "You are asked before any code runs."
            )
        )
        self._hint.setWordWrap(True)
        self._hint.setProperty("role", "muted")
        self.result = QTextBrowser()
        self.result.setAccessibleName(self.tr("Result of running the model"))
        self.result.setOpenLinks(False)
        self.result.anchorClicked.connect(self._follow)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.addLayout(rows)
        column.addWidget(self._hint)
        column.addWidget(self.result, 1)

    def show_result(self, html: str) -> None:
        """Show what a run gave."""
        self._hint.hide()
        self.result.setHtml(html)

    def forget(self) -> None:
        """Show nothing, for another run."""
        self._hint.show()
        self.result.clear()

    @Slot(QUrl)
    def _follow(self, url: QUrl) -> None:
        word, _, place = url.toString().partition(":")
        layer, _, head = place.partition(":")
        if word == "head" and layer.isdigit() and head.isdigit():
            self.head_activated.emit(HeadRef(int(layer), int(head)))

    def _offers(self) -> tuple[tuple[str, str, str], ...]:
        return (
            (
                CHECKS,
                self.tr("Checks…"),
                self.tr("Does padding leak? Is it causal? Is the scale there? Tried out on it."),
            ),
            (
                REPLAY,
                self.tr("Recompute…"),
                self.tr("Run the recorded batch at this step's checkpoint and compare each head"),
            ),
            (
                ABLATE,
                self.tr("Scale heads…"),
                self.tr("What does the batch cost when a head is silenced, or made louder?"),
            ),
            (
                OCCLUDE,
                self.tr("Replace tokens…"),
                self.tr(
                    "What changes without a token or a span of them? Attention alone does not tell."
                ),
            ),
            (
                HERE,
                self.tr("Probe this step…"),
                self.tr("Run a text of yours, or a batch, and show its attention in the grid"),
            ),
            (
                PROBE,
                self.tr("Probe checkpoints…"),
                self.tr("Record one batch through every checkpoint of a run into a new archive"),
            ),
        )
