"""What the window says in passing: status line, health line, title, and which actions there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from attn_debugger.core.flags import Severity
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import Run
from attn_debugger.core.view_state import ViewState
from attn_debugger.ui.fonts import NO_CHINESE_FONT, chinese_font, has_chinese
from attn_debugger.ui.grid.hover import Hover
from attn_debugger.ui.window.actions import Need
from attn_debugger.ui.window.overlays import window_title
from attn_debugger.ui.window.readout import cell_words, place_words, selected_cell

if TYPE_CHECKING:
    from attn_debugger.ui.window.main_window import MainWindow
    from attn_debugger.ui.window.views import RunViews


class Indicators(QObject):
    """Keeps the window's small signs up to date with session and work."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._session = session = window.session
        self._views: RunViews | None = None
        session.state_changed.connect(self._show_state)
        session.unseen_changed.connect(self._show_follow)
        session.silence.changed.connect(self._show_follow)
        session.run_grown.connect(self._show_growth)
        session.reading.grid_ready.connect(self._show_loaded)
        session.reading.head_ready.connect(self._miss_fonts)
        session.findings.diagnosis_changed.connect(self._show_health)
        session.findings.progress_changed.connect(self._show_health)
        window.work.changed.connect(self._enable_actions)

    def connect_views(self, views: RunViews) -> None:
        """Follow the pointer over the views."""
        self._views = views
        views.cell_hovered.connect(self._show_hover)
        # After the views' own connection: the words are taken from the map that they hold.
        self._session.reading.head_ready.connect(self._show_cell)

    @Slot(object, str)
    def _miss_fonts(self, frame: LayerFrame | None, _sentence: str) -> None:
        """Say once what to install where the tokens of a run cannot be drawn."""
        if frame is not None and frame.tokens is not None and has_chinese(frame.tokens):
            self._session.reading.head_ready.disconnect(self._miss_fonts)
            self.miss_chinese_font()

    def miss_chinese_font(self) -> None:
        """Say once what to install, where there is no font with Chinese characters."""
        if not chinese_font() and self._window.settings.first_time("no_chinese_font"):
            self._window.say(NO_CHINESE_FONT)

    def show_all(self) -> None:
        """Show everything anew: another run is open, or none."""
        if self._session.run is None:
            self._window.status.show_place("")
            self._window.status.show_cell("")
        self._show_follow()
        self._show_health()
        self._enable_actions()

    @Slot(object, object)
    def _show_state(self, state: ViewState, before: ViewState) -> None:
        run = self._session.run
        if run is None:
            return
        self._window.status.show_place(place_words(run, state))
        self._window.status.show_loading(self._session.reading.is_loading)
        self._window.look_bar.show_state(state)
        self._window.actions_by_name.check("play", state.playing)
        self._window.actions_by_name.check("loop", state.loop is not None)
        self._window.actions_by_name.check("pin_step", state.pinned is not None)
        self._show_cell()
        if state.following != before.following:
            self._show_follow()
        if (state.head is None) != (before.head is None) or state.head_open != before.head_open:
            self._enable_actions()

    @Slot()
    def _show_follow(self) -> None:
        action = self._window.actions_by_name["follow"]
        following = self._session.state.following
        run = self._session.run
        live = run is not None and run.ended == "writing"
        unseen = self._session.unseen
        words = self.tr("Follow")
        if following:
            words = self.tr("LIVE") if live else self.tr("Following")
        elif unseen:
            words = self.tr("+{0} new").format(unseen)
        elif live:
            words = self.tr("Follow (live)")
        silent = self._session.silence.minutes
        if live and silent:
            words += " · " + self.tr("no new step for {0} min").format(silent)
        action.setIconText(words)
        self._window.actions_by_name.check("follow", following)

    @Slot(object)
    def _show_growth(self, run: Run) -> None:
        self._window.status.show_place(place_words(run, self._session.state))
        self._show_follow()

    @Slot()
    def _show_loaded(self) -> None:
        self._window.status.show_loading(self._session.reading.is_loading)

    @Slot()
    def _show_cell(self) -> None:
        self._show_hover(None)

    @Slot(object)
    def _show_hover(self, hover: Hover | None) -> None:
        shown = hover or selected_cell(self._session.state)
        if shown is None or self._views is None or self._session.run is None:
            self._window.status.show_cell("")
            return
        self._window.status.show_cell(cell_words(shown, self._views.map_of(shown)))

    @Slot()
    def _show_health(self) -> None:
        findings = self._session.findings
        progress = findings.progress
        run = self._session.run
        n_frames = progress.n_frames if run is None else run.n_frames
        self._window.health.show_diagnosis(
            findings.diagnosis, progress.n_scanned, n_frames, run, running=progress.running
        )
        self._window.setWindowTitle(window_title(run, findings.diagnosis))
        self._enable_actions()

    @Slot()
    def _enable_actions(self) -> None:
        state, run = self._session.state, self._session.run
        diagnosis = self._session.findings.diagnosis
        flagged = any(flag.severity >= Severity.WARNING for flag in diagnosis.flags)
        fulfilled: dict[Need, bool] = {
            "run": run is not None,
            "head": state.head is not None,
            "flag": run is not None and flagged,
            "second": self._window.second_run is not None,
            "job": self._window.work.is_running,
            "job_or_head": self._window.work.is_running or state.head_open,
        }
        self._window.actions_by_name.enable(fulfilled)
