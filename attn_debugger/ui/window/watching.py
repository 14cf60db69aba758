"""Watched tokens in the window: from the row to the session, and back to grid and plots."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot

from attn_debugger.analysis.watch import Queries, parse_watch
from attn_debugger.core.run import Run
from attn_debugger.errors import UsageError
from attn_debugger.session.session import Session
from attn_debugger.session.translated import translated
from attn_debugger.session.watching import WatchReport
from attn_debugger.ui.grid.head_grid import HeadGrid
from attn_debugger.ui.grid.ordering import Arrangement
from attn_debugger.ui.watch.watch_bar import SELECTED, WatchBar
from attn_debugger.ui.watch.words import status_words, watch_name, watched_history

if TYPE_CHECKING:
    from attn_debugger.ui.plots.trend_plots import TrendPlots


class Watching(QObject):
    """Binds the watch bar. The grid is sorted by what is watched, and back when that ends."""

    def __init__(self, session: Session, bar: WatchBar, grid: HeadGrid) -> None:
        super().__init__(bar)
        self._session, self.bar, self._grid = session, bar, grid
        self._plots: TrendPlots | None = None
        self._before: Arrangement | None = None  # the order to return to
        bar.hide()
        bar.watch_wanted.connect(self.watch)
        bar.ended.connect(self.end)
        session.aside.watch_changed.connect(self._show)
        session.frame_changed.connect(self._say_status)
        session.run_opened.connect(self._meet_run)
        session.run_closed.connect(self._forget)

    def connect_plots(self, plots: TrendPlots) -> None:
        """Let curves follow what is watched, once there are plots."""
        self._plots = plots
        self._show(self._session.aside.report)

    @Slot()
    def open(self) -> None:
        """Show the row and let the user type."""
        self.bar.show()
        self.bar.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.bar.field.selectAll()

    @Slot(str, str)
    def watch(self, text: str, queries: str) -> None:
        """Watch what was typed, or say why that cannot be."""
        try:
            watch = parse_watch(text, self._queries(queries))
        except UsageError as error:
            self.bar.say(translated(str(error)))
            return
        if self._before is None:
            self._before = self._grid.arrangement
            self._grid.arrange(replace(self._before, sort="number"))
        self._session.watch_tokens(watch)
        self._grid.setFocus(Qt.FocusReason.OtherFocusReason)  # single keys work again

    def _queries(self, name: str) -> Queries:
        if name == "last":
            return "last"
        if name == "all":
            return "all"
        if name != SELECTED:
            return "first"
        query = self._session.state.query
        if query is None:
            raise UsageError(self.tr("select a cell first: its query is the one that is meant"))
        return query

    @Slot()
    def end(self) -> None:
        """Stop watching and return to the order of before."""
        self.bar.hide()
        if self._session.aside.watch is not None:
            self._session.watch_tokens(None)
        self._grid.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def _show(self, report: WatchReport | None) -> None:
        aside = self._session.aside
        if aside.watch is None:
            self.bar.say("")
            if self._before is not None:
                self._grid.arrange(replace(self._grid.arrangement, sort=self._before.sort))
                self._before = None
        else:
            self.bar.show()
            self._say_status()
        if self._plots is not None:
            name = "" if aside.watch is None else watch_name(aside.watch)
            history = None if report is None else watched_history(report)
            self._plots.show_watch(history, name)

    @Slot()
    def _say_status(self) -> None:
        aside = self._session.aside
        if aside.watch is not None:
            frame = self._session.state.frame
            self.bar.say(status_words(aside.report, frame, running=aside.is_watching))

    @Slot(object)
    def _meet_run(self, run: Run) -> None:
        """Under a causal mask the first token sees but itself: there every query is asked."""
        causal = any(layer.facts.causal for layer in run.layers)
        self.bar.choose_queries("all" if causal else "first")

    @Slot()
    def _forget(self) -> None:
        self.bar.hide()
        self._before = None
