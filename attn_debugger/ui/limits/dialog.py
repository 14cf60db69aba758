"""The thresholds beside the window: typed, reset, loaded, saved; the flags follow as one types."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attn_debugger.analysis.limits import as_toml, changed_limits
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import Diagnosis, Severity
from attn_debugger.errors import UsageError
from attn_debugger.session.findings import ScanProgress
from attn_debugger.session.translated import translated
from attn_debugger.ui.flags.rows import severity_counts
from attn_debugger.ui.flags.words import severity_words, signal_title
from attn_debugger.ui.help.context import set_help
from attn_debugger.ui.limits.tree import LimitsTree
from attn_debugger.ui.theme import Theme

PAUSE_MS = 500  # of typing, until the run is checked by the new limits


class LimitsDialog(QDialog):
    """Shows limits and tells the new ones when the typing has paused. It keeps none itself."""

    limits_chosen = Signal(object)  # Thresholds

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Limits of the signals"))
        set_help(self, "window.md#limits")
        self._signal = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._choose)
        self.tree = LimitsTree()
        self.tree.edited.connect(self._edited)
        self.tree.refused.connect(self._refuse)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search: what it limits, its name, a signal"))
        self.search.setAccessibleName(self.tr("Search in the limits"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._narrow)
        self._of_signal = QPushButton()
        self._of_signal.setToolTip(self.tr("Show the limits of all signals again"))
        self._of_signal.clicked.connect(lambda: self.show_signal(""))
        self._state = QLabel()
        self._state.setWordWrap(True)
        self.count = QLabel()
        self.count.setWordWrap(True)
        self.count.setAccessibleName(self.tr("What the run's flags are by these limits"))
        self._reset_one = self._button(self.tr("Reset this"), self.tree.reset_current)
        self._reset_all = self._button(self.tr("Reset all"), self.tree.reset_all)
        self._load = self._button(self.tr("Load…"), self.ask_to_load)
        self._load.setToolTip(self.tr("Read limits from a TOML file, as check --thresholds does"))
        self._save = self._button(self.tr("Save…"), self.ask_to_save)
        self._save.setToolTip(self.tr("Write the changed limits as a file for check --thresholds"))
        self._close = self._button(self.tr("Close"), self.close)
        self.tree.currentItemChanged.connect(self._enable)
        self._lay_out()
        self.show_signal("")
        self._show_state()

    def show_thresholds(self, thresholds: Thresholds) -> None:
        """Show the limits that hold."""
        self.tree.show_thresholds(thresholds)
        self._show_state()

    def show_signal(self, signal: str) -> None:
        """Narrow the table to the limits that decide on a signal; empty = all."""
        self._signal = signal
        self._of_signal.setVisible(bool(signal))
        if signal:
            self._of_signal.setText(
                self.tr("Only: {signal}  ✕").format(signal=signal_title(signal))
            )
        self._narrow()

    def show_count(self, diagnosis: Diagnosis, progress: ScanProgress) -> None:
        """Say how many flags there are by these limits, as far as the run is checked."""
        counts = severity_counts(diagnosis)
        parts = [
            self.tr("{n} {severity}").format(n=counts[severity], severity=severity_words(severity))
            for severity in sorted(Severity, reverse=True)
            if counts.get(severity)
        ]
        found = ", ".join(parts) or self.tr("no flags")
        if progress.is_complete and not progress.again:
            self.count.setText(self.tr("This run by these limits: {found}").format(found=found))
            return
        text = self.tr("Checking anew, {n}/{total}: {found} so far")
        if not progress.again:
            text = self.tr("Checking, {n}/{total}: {found} so far")
        self.count.setText(text.format(n=progress.n_scanned, total=progress.n_frames, found=found))

    def show_no_run(self) -> None:
        self.count.setText(self.tr("No run is open; the limits hold for the next one."))

    def set_theme(self, theme: Theme) -> None:
        self.tree.set_theme(theme)

    def ask_to_load(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self, self.tr("Load limits"), "", self.tr("Limits (*.toml);;All files (*)")
        )
        if name:
            self.load(Path(name))

    def load(self, path: Path) -> None:
        """Take the limits of a file, or say what is wrong with it."""
        try:
            thresholds = Thresholds.from_toml(path)
        except UsageError as error:
            self._refuse(translated(str(error)))
            return
        self.tree.show_thresholds(thresholds)
        self._edited()

    def ask_to_save(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self, self.tr("Save limits"), "limits.toml", self.tr("Limits (*.toml)")
        )
        if name:
            self.save(Path(name))

    def save(self, path: Path) -> None:
        """Write the changed limits for `check --thresholds`, or say why that failed."""
        try:
            path.write_text(as_toml(self.tree.thresholds), encoding="utf-8")
        except OSError as error:
            said = self.tr("{path} cannot be written ({why}); choose another place")
            self._refuse(said.format(path=path, why=error.strerror or error))
            return
        self._state.setText(self.tr("Written: {path}").format(path=path))

    @Slot()
    def _edited(self) -> None:
        self._show_state()
        self._pause.start()

    @Slot()
    def _choose(self) -> None:
        self.limits_chosen.emit(self.tree.thresholds)

    @Slot(str)
    def _refuse(self, sentence: str) -> None:
        self._state.setText(sentence)

    @Slot()
    def _narrow(self) -> None:
        if not self.tree.narrow(self.search.text(), self._signal):
            self._state.setText(
                self.tr("This signal has no limits: it holds or it does not")
                if self._signal and not self.search.text()
                else self.tr("No limit matches")
            )
        else:
            self._show_state()

    def _show_state(self) -> None:
        n = len(changed_limits(self.tree.thresholds))
        if n == 0:
            self._state.setText(self.tr("All limits are at their defaults."))
        elif n == 1:
            self._state.setText(self.tr("1 limit is changed; it holds for every run you open."))
        else:
            self._state.setText(
                self.tr("{n} limits are changed; they hold for every run you open.").format(n=n)
            )
        self._reset_all.setEnabled(n > 0)
        self._enable()

    @Slot()
    def _enable(self) -> None:
        item = self.tree.currentItem()
        self._reset_one.setEnabled(item is not None and item.parent() is not None)

    def closeEvent(self, event: object) -> None:  # noqa: N802
        if self._pause.isActive():  # what was typed last counts too
            self._pause.stop()
            self._choose()
        super().closeEvent(event)  # type: ignore[arg-type]

    def _button(self, text: str, do: object) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.clicked.connect(do)
        return button

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.search, 1)
        top.addWidget(self._of_signal)
        buttons = QHBoxLayout()
        for button in (self._reset_one, self._reset_all, self._load, self._save):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self._close)
        column = QVBoxLayout(self)
        column.addLayout(top)
        column.addWidget(self.tree, 1)
        column.addWidget(self.count)
        column.addWidget(self._state)
        column.addLayout(buttons)
        self.resize(max(720, 105 * self.fontMetrics().averageCharWidth()), 600)
