"""Two runs in the window: from the second session to grid, head view, plots, timeline and panel."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QFileDialog

from attn_debugger.analysis.compare import Compared
from attn_debugger.core.beside import GridBeside, HeadBeside
from attn_debugger.core.flags import Flag
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.link import Question
from attn_debugger.session.beside import Beside
from attn_debugger.ui.compare.bar import CompareBar
from attn_debugger.ui.compare.chooser import RunChooser
from attn_debugger.ui.compare.panel import ComparePanel
from attn_debugger.ui.compare.words import (
    direction_words,
    inputs_words,
    pairing_words,
    short_name,
)
from attn_debugger.ui.grid.two_runs import Shown, TwoRuns
from attn_debugger.ui.theme import Theme
from attn_debugger.ui.timeline.content import SecondRun
from attn_debugger.ui.window.open_remote import SecretDialog

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow

DOCK = "compare"


class Comparing(QObject):
    """Opens run B beside the open run A, and lets every view show it at A's step."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._views = window.build_views()
        self.beside = Beside(window.session, self)
        self._shown: Shown = "difference"
        self._grid: GridBeside | None = None
        self._last_head: HeadBeside | None = None
        self._wants_swapped = False  # for the run that is being opened
        self.bar = CompareBar(window)
        self.bar.hide()
        window.add_bar(self.bar)
        self.panel = ComparePanel(window)
        self.dock = window.docks.add_late(DOCK, self.tr("Comparison"), self.panel, beside="flags")
        self.set_theme(window.theme)
        self._listen()

    def set_theme(self, theme: Theme) -> None:
        self.panel.set_theme(theme)

    @property
    def is_open(self) -> bool:
        """Whether a second run is open."""
        return self.beside.is_open

    def _listen(self) -> None:
        beside, companion, bar, panel = self.beside, self.beside.companion, self.bar, self.panel
        beside.opening_started.connect(self._show_opening)
        beside.opened.connect(self._begin)
        beside.closed.connect(self._end)
        beside.pairing_changed.connect(self._show_pairing)
        beside.curves_changed.connect(self._show_curves)
        beside.flags_changed.connect(self._show_flags)
        beside.divergence.changed.connect(self._show_divergence)
        beside.asked.connect(self._ask_secret)
        beside.said.connect(self._window.say)
        beside.failed.connect(self._window.notice.show_error)
        companion.grid_ready.connect(self._show_grid)
        companion.head_ready.connect(self._show_head)
        companion.inputs_changed.connect(self._warn)
        bar.shown_chosen.connect(self.show)
        bar.swap_requested.connect(self.swap)
        bar.panel_requested.connect(self.show_panel)
        bar.closed.connect(beside.close)
        self._views.head.strip.runs_swapped.connect(self.swap)
        panel.flag_activated.connect(self._jump_to)
        panel.step_requested.connect(self._go_to)
        panel.cancel_requested.connect(beside.divergence.cancel)
        panel.search_requested.connect(beside.search)
        self.dock.visibilityChanged.connect(self._show_flags)

    # What the user asks for.

    def ask(self) -> None:
        """Let the user choose which run to compare with."""
        run = self._session.run
        if run is None:
            return
        recent = [
            entry
            for entry in self._window.commands.recent_entries()
            if os.path.abspath(entry.path) != os.path.abspath(run.path)
        ]
        if not recent:
            self._ask_for_file()
            return
        chooser = RunChooser(short_name(run), recent, self._window)
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.path_chosen.connect(self.open)
        chooser.file_wanted.connect(self._ask_for_file)
        chooser.open()

    @Slot()
    def _ask_for_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Compare with a recorded run"),
            self._window.settings.folder,
            self.tr("Recorded runs (*.h5 *.hdf5);;All files (*)"),
        )
        if path:
            self.open(path)

    @Slot(object)
    def _ask_secret(self, question: Question) -> None:
        """Let the user answer what the host of run B asks."""
        dialog = SecretDialog(
            question.place, question.what, shown=question.shown, parent=self._window
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.beside.reply(dialog.field.text()))
        dialog.rejected.connect(lambda: self.beside.reply(None))
        dialog.open()

    @Slot(str)
    def open(self, path: str, *, swapped: bool = False) -> None:
        """Open run B; `swapped` reads the change from B to A, B being the earlier run."""
        self._wants_swapped = swapped
        self.beside.open(path)

    def close(self) -> None:
        """Close run B."""
        self.beside.close()

    def toggle(self) -> None:
        """Show what differs, in grid and head view, or run A alone again."""
        self.show("a" if self._shown == "difference" else "difference")
        self._views.head.show_comparison(self._shown == "difference")

    @Slot(str)
    def show(self, shown: Shown) -> None:
        """Let the grid show run A, run B, or what differs."""
        self._shown = shown
        self._show_state()

    @Slot()
    def swap(self) -> None:
        """Read the change from B to A, or from A to B again."""
        self.beside.swap()
        self._show_state()
        head = self._last_head
        if head is not None:
            self._show_head(head)

    @Slot()
    def show_panel(self) -> None:
        """Bring the panel of differences to the front."""
        self.dock.show()
        self.dock.raise_()

    # What is shown.

    @Slot(str)
    def _show_opening(self, path: str) -> None:
        self._window.status.say(self.tr("opening {0} as run B…").format(os.path.basename(path)))

    @Slot()
    def _begin(self) -> None:
        run, other = self._session.run, self.beside.run
        if run is None or other is None:
            return
        self.beside.swapped = self._wants_swapped
        self._grid, self._last_head = None, None
        self._session.pin_frame(None)
        self.bar.show_runs(short_name(run), short_name(other))
        self.panel.show_runs(run.path, other.path)
        self.bar.show()
        self.show_panel()
        self._views.head.strip.compare_runs(True)
        self._views.head.show_comparison(True)
        self.show("difference")
        self._window.indicators.show_all()

    @Slot()
    def _end(self) -> None:
        self.bar.hide()
        self.dock.hide()
        self._grid, self._last_head = None, None
        self._views.grid.show_two_runs(None)
        self._views.head.strip.compare_runs(False)
        self._views.timeline.show_second_run(None)
        if self._window.sides is not None:
            self._window.sides.plots.show_beside(None, None)
        self.panel.show_nothing()
        self._window.indicators.show_all()

    def _show_state(self) -> None:
        if self.is_open:
            swapped = self.beside.swapped
            self.bar.show_state(self._shown, swapped=swapped)
            self._views.grid.show_two_runs(TwoRuns(self._grid, self._shown, swapped))

    @Slot(object)
    def _show_grid(self, beside: GridBeside) -> None:
        self._grid = beside
        self._show_state()
        self._warn()

    @Slot(object)
    def _show_head(self, beside: HeadBeside) -> None:
        self._last_head = beside
        self._views.head.strip.show_beside(beside, turned=self.beside.swapped)

    @Slot()
    def _warn(self) -> None:
        companion = self.beside.companion
        self.bar.warn(companion.why_not() or inputs_words(companion.inputs))

    @Slot()
    def _show_pairing(self) -> None:
        run, other, pairing = self._session.run, self.beside.run, self.beside.pairing
        if run is None or other is None or pairing is None:
            return
        self.bar.show_runs(short_name(run), short_name(other))
        self.panel.show_runs(run.path, other.path)
        self.panel.show_remarks(pairing_words(run, other, pairing))
        self._show_curves()
        self._show_divergence()

    @Slot()
    def _show_curves(self) -> None:
        if self._window.sides is not None and self.is_open:
            self._window.sides.plots.show_beside(self.beside.run, self.beside.history())

    @Slot()
    def _show_divergence(self) -> None:
        search = self.beside.divergence
        self.panel.show_divergence(search.found, search.progress, search.failure)
        if self.beside.pairing is not None:
            parted = None if search.found is None else search.found.frame
            self._views.timeline.show_second_run(
                SecondRun(frames=self.beside.pairing.frames, parted=parted)
            )

    @Slot()
    def _show_flags(self) -> None:
        """Compare the findings anew while somebody can see them."""
        if not self.is_open or not self.panel.isVisible():
            return
        words = direction_words(swapped=self.beside.swapped)
        progress, (n_checked, n_frames) = self._session.findings.progress, self.beside.progress
        if not progress.is_complete or n_checked < n_frames:
            so_far = self.tr("so far: {0} of {1} steps of A checked, {2} of {3} of B")
            words += "\n" + so_far.format(
                progress.n_scanned, progress.n_frames, n_checked, n_frames
            )
        self.panel.show_flags(self.beside.flags(), words)

    # Going there.

    @Slot(object)
    def _go_to(self, place: tuple[int | None, int, HeadRef | None]) -> None:
        frame, step, head = place
        if frame is None:
            self._session.go_to_step(step)
        else:
            self._session.jump(frame, head)

    @Slot(object)
    def _jump_to(self, item: Compared) -> None:
        """Show where a finding began in A; of one that only B has, the same step and head in A."""
        ours = self._session.findings.diagnosis.flags
        for flag in (item.flag, item.old):
            if flag is not None and flag in ours:
                self._session.jump_to_flag(flag)
                return
        self._jump_to_theirs(item.flag)

    def _jump_to_theirs(self, flag: Flag) -> None:
        run, pairing = self._session.run, self.beside.pairing
        if run is None or pairing is None:
            return
        if flag.first_step is not None:
            self._session.go_to_step(flag.first_step)
        shared = any(pair.a == flag.layer for pair in pairing.layers)
        if (
            shared
            and flag.head is not None
            and flag.head.head < run.layers[flag.head.layer].n_heads
        ):
            self._session.select_head(flag.head)
