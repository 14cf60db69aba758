"""The row of plots: every head quantity and scalar over the steps, one cursor for all."""

from __future__ import annotations

import time

import numpy as np
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import Run
from attn_debugger.ui.elided_label import ElidedLabel
from attn_debugger.ui.help.context import set_help
from attn_debugger.ui.plots.caption import caption
from attn_debugger.ui.plots.chooser import PlotChooser
from attn_debugger.ui.plots.curves import Curves, curves_of
from attn_debugger.ui.plots.plot_grid import PlotGrid
from attn_debugger.ui.plots.quantities import (
    DEFAULT_KEYS,
    Quantity,
    quantities,
    watched_quantity,
)
from attn_debugger.ui.plots.series import frames_of_stream, nearest, stream_frames
from attn_debugger.ui.plots.trend_plot import TrendPlot
from attn_debugger.ui.theme import LIGHT, Theme

_COALESCE_MS = 120  # histories arrive with every scanned frame; the eye needs fewer
_REDRAW_PAUSE = 15  # plots are drawn anew after that many times what it cost
_LONGEST_PAUSE_MS = 2000


class TrendPlots(QWidget):
    """Shows a run's history; says which frame the user points at.

    `show_history` may be called with every scanned frame: drawing is coalesced (`flush` draws at
    once). A NaN is a gap; what was not scanned is shaded and said.
    """

    frame_requested = Signal(int)
    range_brushed = Signal(int, int)  # first and last frame
    shown_changed = Signal(object)  # tuple of keys

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_help(self, "window.md#plots")
        self._theme: Theme = LIGHT
        self._run: Run | None = None
        self._history: History | None = None
        self._watched: tuple[Quantity, History | None] | None = None
        self._beside: tuple[Run, History | None] | None = None  # a second run
        self._head: HeadRef | None = None
        self._frame = 0
        self._keys: tuple[str, ...] = DEFAULT_KEYS
        self._offered: tuple[Quantity, ...] = quantities(None)
        self._frames = np.zeros(0, dtype=np.intp)
        self._plots: list[TrendPlot] = []
        self._log = False
        self._whole_model = False
        self._caption = ElidedLabel()
        self._chooser = PlotChooser()
        self._chooser.chosen.connect(self._choose)
        self._chooser.log_chosen.connect(self.set_log)
        self._chooser.whole_model_chosen.connect(self.compare_with_whole_model)
        self._grid = PlotGrid()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_COALESCE_MS)
        self._timer.timeout.connect(self._draw_in_turn)
        # What a new history changes is drawn a plot at a time: the window answers in between.
        self._waiting: list[TrendPlot] = []
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._draw_next)
        self._draw_seconds = 0.0  # what all plots cost the last time
        self._lay_out()
        self._build_plots()
        self._draw()

    def show_run(self, run: Run | None) -> None:
        """Show the scalars of a run, or nothing; histories of another run are forgotten."""
        if run is self._run:
            return
        if run is None or self._run is None or run.path != self._run.path:
            self._history = None
        self._run = run
        self._frames = np.zeros(0, np.intp) if run is None else stream_frames(run, self._frame)
        offered = quantities(run)
        if offered != self._offered:
            self._offered = offered
            self._build_plots()
        self._draw()
        self._fit_steps()

    def show_history(self, history: History | None) -> None:
        if history is self._history:
            return
        self._history = history
        self._draw_later()

    def show_beside(self, run: Run | None, history: History | None) -> None:
        """Draw a second run's curves, dashed; its history has the first run's layers and heads.

        None = no second run.
        """
        before = None if self._beside is None else self._beside[0]
        self._beside = None if run is None else (run, history)
        if run is not before:
            self._fit_steps()
        self._draw_later()

    def show_watch(self, history: History | None, name: str) -> None:
        """Plot the weight on watched tokens first, called `name`; an empty name ends that.

        `history` holds the summary `watched`; None = nothing is known yet.
        """
        before = None if self._watched is None else self._watched[0]
        quantity = watched_quantity(name) if name else None
        self._watched = None if quantity is None else (quantity, history)
        if quantity != before:
            self._build_plots()
            self._draw()
            self._fit_steps()
        elif quantity is not None:
            self._draw_later()

    def select_head(self, head: HeadRef | None) -> None:
        if head != self._head:
            self._head = head
            self._draw_in_turn()

    def move_cursor(self, frame_index: int) -> None:
        """Move the cursor to a frame; its stream decides which frames the curves run through."""
        self._frame = frame_index
        run = self._run
        if run is None or not 0 <= frame_index < run.n_frames:
            return
        if len(self._frames) == 0 or frame_index not in self._frames:
            self._frames = stream_frames(run, frame_index)
            self._draw()
            self._fit_steps()
        step = float(run.steps[frame_index])
        for plot in self._plots:
            plot.move_cursor(step)

    def set_shown(self, keys: tuple[str, ...]) -> None:
        """Choose the plots by key (see `quantities`); unknown keys wait for a run that has them."""
        if keys != self._keys:
            self._keys = keys
            self._build_plots()
            self._draw()
            self._fit_steps()

    def set_log(self, log: bool) -> None:
        """Draw values without negatives on a logarithmic axis."""
        self._log = log
        for plot in self._plots:
            plot.set_log(log)

    def compare_with_whole_model(self, whole: bool) -> None:
        """Let the band show all heads of the model instead of the selected head's layer."""
        if whole != self._whole_model:
            self._whole_model = whole
            self._draw()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._chooser.set_theme(theme)
        self._caption.setPalette(theme.palette())
        for plot in self._plots:
            plot.set_theme(theme)

    def flush(self) -> None:
        """Draw now what was put off."""
        if self._timer.isActive() or self._waiting:
            self._timer.stop()
            self._draw()

    @property
    def plots(self) -> tuple[TrendPlot, ...]:
        return tuple(self._plots)

    def caption(self) -> str:
        """Return the line above the plots: whose curves they are, and what is not scanned yet."""
        return self._caption.text()

    # Drawing

    def _draw(self) -> None:
        self._draw_in_turn()
        while self._waiting:
            self._draw_next()

    def _draw_later(self) -> None:
        if not self._timer.isActive():
            pause = round(1000 * _REDRAW_PAUSE * self._draw_seconds)
            self._timer.start(min(_LONGEST_PAUSE_MS, max(_COALESCE_MS, pause)))

    def _draw_in_turn(self) -> None:
        """Begin to draw all plots, one each time the window is free."""
        self._caption.set_text(
            caption(
                self._run,
                self._history,
                self._head,
                self._frame,
                whole_model=self._whole_model,
                second_run=self._beside is not None,
            )
        )
        self._waiting = list(self._plots)
        self._draw_seconds = 0.0
        self._turn.start()

    def _draw_next(self) -> None:
        if not self._waiting:
            self._turn.stop()
            return
        started = time.perf_counter()
        self._draw_plot(self._waiting.pop(0))
        self._draw_seconds += time.perf_counter() - started

    def _draw_plot(self, plot: TrendPlot) -> None:
        plot.show_curves(
            curves_of(
                plot.quantity,
                self._run,
                self._history_of(plot.quantity),
                self._head,
                self._frames,
                whole_model=self._whole_model,
            ),
            self._curves_beside(plot.quantity),
        )
        run = self._run
        inside = run is not None and 0 <= self._frame < run.n_frames
        plot.move_cursor(float(run.steps[self._frame]) if run is not None and inside else None)

    def _curves_beside(self, quantity: Quantity) -> Curves | None:
        """Return what the second run has of a quantity; its watched tokens are nobody's."""
        run = self._run
        watched = self._watched is not None and quantity == self._watched[0]
        if self._beside is None or run is None or watched:
            return None
        theirs, history = self._beside
        frames = frames_of_stream(theirs, run.streams[min(self._frame, run.n_frames - 1)])
        return curves_of(quantity, theirs, history, self._head, frames)

    def _history_of(self, quantity: Quantity) -> History | None:
        if self._watched is not None and quantity == self._watched[0]:
            return self._watched[1]
        return self._history

    def _fit_steps(self) -> None:
        run = self._run
        if run is None or len(self._frames) == 0 or not self._plots:
            return
        steps = run.steps[self._frames]
        first, last = float(steps[0]), float(steps[-1])
        if self._beside is not None and self._beside[0].n_frames:
            theirs = self._beside[0].steps
            first, last = min(first, float(theirs.min())), max(last, float(theirs.max()))
        for curve in run.curves.values():
            if len(curve):
                first, last = min(first, float(curve[0, 0])), max(last, float(curve[-1, 0]))
        air = (last - first) * 0.02 or 1.0
        box = self._plots[0].box
        for plot in self._plots:
            plot.box.setLimits(xMin=first - air, xMax=last + air, minXRange=min(air, 2.0))
        box.setXRange(first - air, last + air, padding=0)

    def _scrub(self, step: float) -> None:
        if self._run is not None and len(self._frames):
            steps = self._run.steps[self._frames]
            frame = int(self._frames[nearest(steps.astype(np.float64), step)])
            if frame != self._frame:
                self.frame_requested.emit(frame)

    def _brush(self, first: float, last: float) -> None:
        if self._run is None or not len(self._frames):
            return
        steps = self._run.steps[self._frames].astype(np.float64)
        ends = (int(self._frames[nearest(steps, step)]) for step in (first, last))
        self.range_brushed.emit(*ends)

    # Building

    def _build_plots(self) -> None:
        by_key = {quantity.key: quantity for quantity in self._offered}
        chosen = [by_key[key] for key in self._keys if key in by_key]
        if self._watched is not None:
            chosen.insert(0, self._watched[0])
        self._plots = [TrendPlot(quantity, self._grid.body) for quantity in chosen]
        self._waiting = []
        for plot in self._plots:
            plot.set_log(self._log)
            plot.set_theme(self._theme)
            plot.scrubbed.connect(self._scrub)
            plot.brushed.connect(self._brush)
            plot.reset_requested.connect(self._fit_steps)
            if plot is not self._plots[0]:
                plot.box.setXLink(self._plots[0].box)
        self._chooser.offer(self._offered, self._keys)
        self._grid.show_plots(self._plots)

    def _choose(self, keys: tuple[str, ...]) -> None:
        self.set_shown(keys)
        self.shown_changed.emit(keys)

    def _lay_out(self) -> None:
        header = QHBoxLayout()
        header.setContentsMargins(8, 0, 4, 0)
        header.addWidget(self._caption, 1)
        header.addWidget(self._chooser)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 0)
        column.setSpacing(2)
        column.addLayout(header)
        column.addWidget(self._grid, 1)
