"""What can be tried out on the running model, and what came of it."""

from __future__ import annotations

from PySide6.QtCore import QUrl, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QTextBrowser, QVBoxLayout, QWidget

from attn_debugger.core.heads import HeadRef

CHECKS, REPLAY, ABLATE, OCCLUDE, PROBE = "checks", "replay", "ablate", "occlude", "probe"


class RunView(QWidget):
    """Five buttons that ask for a run of the model, and its result as text."""

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
            rows.addWidget(button, place // 2, place % 2, 1, 2 if name == PROBE else 1)
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
                self.tr("Silence heads…"),
                self.tr("What does the batch cost without each head?"),
            ),
            (
                OCCLUDE,
                self.tr("Replace tokens…"),
                self.tr("What changes without each token? Attention alone does not tell."),
            ),
            (
                PROBE,
                self.tr("Probe checkpoints…"),
                self.tr("Record one batch through every checkpoint of a run into a new archive"),
            ),
        )
