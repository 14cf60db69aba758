"""The page that stands where a run will be: open, come back, try a demo, record your own."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.ui.help.context import set_help
from attn_debugger.ui.icons import pixmap
from attn_debugger.ui.start.card import Card
from attn_debugger.ui.start.demo_list import DemoList
from attn_debugger.ui.start.how_to_record import HowToRecord
from attn_debugger.ui.start.job_progress import JobProgress
from attn_debugger.ui.start.recent import RecentEntry, RecentList
from attn_debugger.ui.start.row_button import RowButton
from attn_debugger.ui.theme import LIGHT, Theme

_TWO_COLUMNS = 960  # pixels; narrower pages stand in one column
_WIDEST = 1080


class StartPage(QWidget):
    """Shows what can be opened; opens nothing itself. Files are dropped on the window."""

    open_requested = Signal()
    path_opened = Signal(str)
    recent_removed = Signal(str)
    demo_requested = Signal(str)
    sample_requested = Signal()
    cancel_requested = Signal()
    help_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_help(self, "index.md")
        self._theme: Theme = LIGHT
        self._sign = QLabel()
        self._sign.setFixedSize(56, 56)
        self._open = RowButton(
            self.tr("Open a run…"),
            self.tr("A recorded run (.h5). Key: Ctrl+O. Or drop a file anywhere on this window."),
            "open",
        )
        self._open.clicked.connect(self.open_requested)
        self._sample = RowButton(
            self.tr("Open the sample run"),
            self.tr("A small bundled recording of a training that broke."),
            "sample",
        )
        self._sample.clicked.connect(self.sample_requested)
        self._broken = RowButton(
            self.tr("A run is broken now, and nothing was recorded"),
            self.tr("What can still be done."),
            "help",
        )
        self._broken.clicked.connect(lambda: self.help_requested.emit("already-broken.md"))
        self._recent = RecentList()
        self._recent.path_opened.connect(self.path_opened)
        self._recent.remove_requested.connect(self.recent_removed)
        self._demos = DemoList()
        self._demos.demo_requested.connect(self.demo_requested)
        self._how = HowToRecord()
        self._progress = JobProgress()
        self._progress.cancel_requested.connect(self.cancel_requested)
        self._lay_out()
        self.set_theme(LIGHT)

    def show_recent(self, entries: Sequence[RecentEntry]) -> None:
        """Show the runs that were open before, newest first."""
        self._recent.show_entries(tuple(entries))

    def show_demos(self, demos: Sequence[tuple[str, str, str]]) -> None:
        """Show (name, title, line) of each demo run."""
        self._demos.show_demos(demos)

    def show_progress(self, done: int, total: int, text: str) -> None:
        """Show how far a running job is; demos cannot be started meanwhile."""
        self._progress.show_progress(done, total, text)
        self._demos.setEnabled(False)
        self._demos.setToolTip(self.tr("A job is running: wait for it, or cancel it."))

    def end_progress(self) -> None:
        self._progress.end()
        self._demos.setEnabled(True)
        self._demos.setToolTip("")

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._sign.setPixmap(pixmap("app", "#000000", 56, self.devicePixelRatioF()))
        for button in (self._open, self._sample, self._broken):
            button.set_theme(theme)
        for part in (self._recent, self._demos, self._how, self._progress):
            part.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        wide = self.width() >= _TWO_COLUMNS
        direction = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        if self._columns.direction() != direction:
            self._columns.setDirection(direction)

    def _lay_out(self) -> None:
        title = QLabel(self.tr("Attention Debugger"))
        title.setProperty("role", "title")
        line = QLabel(
            self.tr("Replay a training step by step, and see which head broke first, and why.")
        )
        line.setProperty("role", "muted")
        line.setWordWrap(True)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(title)
        words.addWidget(line)
        head = QHBoxLayout()
        head.setSpacing(14)
        head.addWidget(self._sign)
        head.addLayout(words, 1)

        open_card = Card(self.tr("Start"))
        for button in (self._open, self._sample, self._broken):
            open_card.body.addWidget(button)
        recent_card = Card(self.tr("Recent"))
        recent_card.body.addWidget(self._recent)
        how_card = Card(self.tr("Record your own run"))
        how_card.body.addWidget(self._how)
        demo_card = Card(self.tr("Demo runs"))
        intro = QLabel(self.tr("Trained and recorded here and now, each in under a minute."))
        intro.setProperty("role", "muted")
        intro.setWordWrap(True)
        intro.setContentsMargins(8, 0, 8, 4)
        demo_card.body.addWidget(intro)
        demo_card.body.addWidget(self._demos)
        left = QVBoxLayout()
        left.setSpacing(12)
        for card in (open_card, recent_card, how_card):
            left.addWidget(card)
        left.addStretch(1)
        right = QVBoxLayout()
        right.setSpacing(12)
        right.addWidget(demo_card)
        right.addStretch(1)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._columns.setSpacing(12)
        self._columns.addLayout(left, 1)
        self._columns.addLayout(right, 1)

        hint = QLabel(
            self.tr("From a terminal: {command}").format(
                command="python main.py run.h5 --step 1200 --layer 4 --head 7"
            )
        )
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        hint.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        page = QWidget()
        page.setMaximumWidth(_WIDEST)
        column = QVBoxLayout(page)
        column.setContentsMargins(20, 24, 20, 16)
        column.setSpacing(14)
        column.addLayout(head)
        column.addWidget(self._progress)
        column.addLayout(self._columns)
        column.addWidget(hint)
        column.addStretch(1)
        middle = QWidget()
        row = QHBoxLayout(middle)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(page, 100)
        row.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(middle)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
