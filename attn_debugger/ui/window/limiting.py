"""Thresholds in the window: the dialog bound to the settings, the check and the flags panel."""

from __future__ import annotations

import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from attn_debugger.analysis.limits import as_toml, changed_limits, known_thresholds
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import EMPTY_DIAGNOSIS, Diagnosis
from attn_debugger.ui.limits.dialog import LimitsDialog
from attn_debugger.ui.theme import Theme

if TYPE_CHECKING:
    from attn_debugger.ui.flags.panel import FlagsPanel
    from attn_debugger.ui.window.main_window import MainWindow


class Limiting(QObject):
    """Shows the limits, keeps them for this user, and lets the run be checked by them."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._flags: FlagsPanel | None = None
        self.dialog: LimitsDialog | None = None
        self._recount: Diagnosis | None = None  # what a check that is done anew has found
        findings = self._session.findings
        findings.recounted.connect(self._count_anew)
        findings.diagnosis_changed.connect(self._show_count)
        findings.progress_changed.connect(self._show_count)
        self._session.run_closed.connect(self._show_count)

    @property
    def thresholds(self) -> Thresholds:
        """The limits that hold: the defaults, and what the user has changed."""
        return known_thresholds(self._window.settings.own_limits)

    def connect_flags(self, flags: FlagsPanel) -> None:
        """Let the panel open the limits and say when some are changed."""
        self._flags = flags
        flags.limits_requested.connect(self.open)
        flags.show_limits(len(changed_limits(self.thresholds)))

    @Slot(str)
    def open(self, signal: str = "") -> None:
        """Show the limits beside the window: those of one signal, or all."""
        if self.dialog is None:
            self.dialog = LimitsDialog(self._window)
            self.dialog.limits_chosen.connect(self.choose)
            self.dialog.set_theme(self._window.theme)
        self.dialog.show_thresholds(self.thresholds)
        self.dialog.show_signal(signal)
        self._show_count()
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    @Slot(object)
    def choose(self, thresholds: Thresholds) -> None:
        """Judge by these limits from now on, the open run at once."""
        if thresholds == self.thresholds:
            return
        values, defaults = asdict(thresholds), asdict(Thresholds())
        self._window.settings.own_limits = {
            name: value for name, value in values.items() if value != defaults[name]
        }
        if self.dialog is not None and self.dialog.tree.thresholds != thresholds:
            self.dialog.show_thresholds(thresholds)
        if self._flags is not None:
            self._flags.show_limits(len(changed_limits(thresholds)))
        self._recount = None
        self._session.start_scan_anew()
        if self._window.second_run is not None:
            self._window.second_run.beside.examine_anew()

    def write_file(self) -> Path | None:
        """Write the changed limits where a child process can read them; None = all are default."""
        if not self._window.settings.own_limits:
            return None
        with tempfile.NamedTemporaryFile(
            "w", suffix=".toml", prefix="attn-debugger-", delete=False, encoding="utf-8"
        ) as file:
            file.write(as_toml(self.thresholds))
        return Path(file.name)

    def set_theme(self, theme: Theme) -> None:
        if self.dialog is not None:
            self.dialog.set_theme(theme)

    @Slot(object)
    def _count_anew(self, diagnosis: Diagnosis) -> None:
        self._recount = diagnosis
        self._show_count()

    @Slot()
    def _show_count(self) -> None:
        if self.dialog is None:
            return
        if self._session.run is None:
            self.dialog.show_no_run()
            return
        findings = self._session.findings
        diagnosis = findings.diagnosis
        if findings.progress.again:
            diagnosis = self._recount or EMPTY_DIAGNOSIS
        self.dialog.show_count(diagnosis, findings.progress)
