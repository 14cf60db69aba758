"""Weights over the checkpoints of a run, beside the score range on the same steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QVBoxLayout, QWidget

from attn_debugger.core.address import is_remote
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import Run
from attn_debugger.core.weights import WeightHistory
from attn_debugger.session.translated import translated
from attn_debugger.ui.model.scales import scales_html
from attn_debugger.ui.plots.curves import Curves, curves_of
from attn_debugger.ui.plots.quantities import Quantity, quantities
from attn_debugger.ui.plots.series import Band, stream_frames
from attn_debugger.ui.plots.trend_plot import TrendPlot
from attn_debugger.ui.theme import LIGHT, Theme

_COALESCE_MS = 150

# name in `LayerWeights.per_head` -> title, meaning
NUMBERS: Mapping[str, tuple[Any, Any]] = {
    "score_gain": (
        QT_TRANSLATE_NOOP("Model", "Score gain"),
        QT_TRANSLATE_NOOP(
            "Model",
            "Largest singular value of W_q·W_k of the head over sqrt(d_head): how large a score it "
            "can make of an input of norm 1. Where it grows, scores grow.",
        ),
    ),
    "query_norm": (QT_TRANSLATE_NOOP("Model", "Norm of W_q"), ""),
    "key_norm": (QT_TRANSLATE_NOOP("Model", "Norm of W_k"), ""),
    "value_norm": (QT_TRANSLATE_NOOP("Model", "Norm of W_v"), ""),
    "output_norm": (QT_TRANSLATE_NOOP("Model", "Norm of W_o"), ""),
    "trace_ratio": (
        QT_TRANSLATE_NOOP("Model", "Trace / nuclear norm"),
        QT_TRANSLATE_NOOP(
            "Model", "Of W_q transposed times W_k: 1.00 when queries and keys share their weights."
        ),
    ),
    "stable_rank": (
        QT_TRANSLATE_NOOP("Model", "Stable rank"),
        QT_TRANSLATE_NOOP("Model", "Directions that W_q·W_k really uses; 1 = a single one."),
    ),
}


class WeightsView(QWidget):
    """Two plots with one axis of steps: a number of the weights, and the scores they lead to."""

    read_requested = Signal()
    step_requested = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme = LIGHT
        self._run: Run | None = None
        self._history: History | None = None
        self._weights = WeightHistory()
        self._head: HeadRef | None = None
        self._step = 0
        self.read_button = QPushButton()
        self.read_button.setText(self.tr("Read all checkpoints"))
        self.read_button.setToolTip(
            self.tr("Read the weights of every checkpoint of this run, in a process of its own")
        )
        self.read_button.clicked.connect(self.read_requested)
        self.number = QComboBox()
        self.number.setAccessibleName(self.tr("Number of the weights that is plotted"))
        for name, (title, _) in NUMBERS.items():
            self.number.addItem(QCoreApplication.translate("Model", title), name)
        self.number.currentIndexChanged.connect(self._draw)
        self.weights_plot = TrendPlot(_quantity("score_gain"))
        score = next(quantity for quantity in quantities(None) if quantity.key == "score")
        self.scores_plot = TrendPlot(score)
        self.scales = QLabel()
        self.scales.setWordWrap(True)
        for plot in (self.weights_plot, self.scores_plot):
            plot.scrubbed.connect(self.step_requested)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_COALESCE_MS)
        self._timer.timeout.connect(self._draw)
        self._lay_out()
        self._draw()

    def show_run(self, run: Run | None) -> None:
        """Follow another run; what was read of the one before is forgotten."""
        if run is None or self._run is None or run.path != self._run.path:
            self._history, self._weights = None, WeightHistory()
        self._run = run
        self.read_button.setEnabled(
            run is not None and bool(run.checkpoints) and not is_remote(run.path)
        )
        self._draw()

    def show_weights(self, weights: WeightHistory) -> None:
        self._weights = weights
        self._timer.start()

    def show_history(self, history: History | None) -> None:
        self._history = history
        if self._weights.readable:
            self._timer.start()

    def select_head(self, head: HeadRef | None) -> None:
        if head != self._head:
            self._head = head
            self._draw()

    def move_cursor(self, step: int) -> None:
        if step != self._step:
            self._step = step
            self._show_step()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for plot in (self.weights_plot, self.scores_plot):
            plot.set_theme(theme)
        self._show_step()

    def _draw(self) -> None:
        self._timer.stop()
        self.weights_plot.show_curves(self._weight_curves())
        self.scores_plot.show_curves(self._score_curves())
        steps = [
            plot.steps
            for plot in (self._weight_curves(), self._score_curves())
            if len(plot.steps) and not plot.message
        ]
        if steps:
            low, high = min(s[0] for s in steps), max(s[-1] for s in steps)
            air = max((high - low) * 0.02, 0.5)
            for plot in (self.weights_plot, self.scores_plot):
                plot.box.setXRange(low - air, high + air, padding=0)
        self._show_step()

    def _show_step(self) -> None:
        for plot in (self.weights_plot, self.scores_plot):
            plot.move_cursor(float(self._step))
        now = self._weights.at(self._step)
        layer = None if self._head is None else self._head.layer
        found = [] if now is None else [item for item in now.layers if item.layer == layer]
        if now is None or not found:
            self.scales.setText("")
        else:
            self.scales.setText(scales_html(found[0], now.step, self._theme))

    def _weight_curves(self) -> Curves:
        name, head = str(self.number.currentData()), self._head
        nothing = np.zeros(0)
        if not self._weights.readable:
            return Curves(steps=nothing, lines=(), message=self._why_nothing())
        if head is None:
            return Curves(steps=nothing, lines=(), message=self.tr("no head is selected"))
        steps, values = self._weights.numbers(name, head.layer)
        if not len(steps) or head.head >= values.shape[1] or not np.isfinite(values).any():
            words = self.tr("the checkpoints do not tell this of layer {0}").format(head.layer)
            return Curves(steps=nothing, lines=(), message=words)
        return Curves(
            steps=steps.astype(np.float64), lines=(values[:, head.head],), bands=(_band(values),)
        )

    def _why_nothing(self) -> str:
        if self._run is None:
            return self.tr("nothing is open")
        if not self._run.checkpoints:
            return self.tr("the archive lists no checkpoints: recorder.saved(step, path)")
        if is_remote(self._run.path):
            return self.tr("the checkpoints lie on another machine: copy them here and open them")
        n = len(self._run.checkpoints)
        errors = [translated(item.error) for item in self._weights.checkpoints if item.error]
        if errors:
            return errors[0]
        return self.tr("{0} checkpoints, not read yet").format(n)

    def _score_curves(self) -> Curves:
        score = self.scores_plot.quantity
        run = self._run
        frames = np.zeros(0, np.intp) if run is None else stream_frames(run, 0)
        return curves_of(score, run, self._history, self._head, frames)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.read_button)
        column.addWidget(self.number)
        column.addWidget(self.weights_plot, 1)
        column.addWidget(self.scores_plot, 1)
        column.addWidget(self.scales)


def _quantity(name: str) -> Quantity:
    title, meaning = NUMBERS[name]
    translate = QCoreApplication.translate
    return Quantity(
        key=name,
        title=translate("Model", "Weights"),
        meaning=translate("Model", meaning) if meaning else translate("Model", title),
    )


def _band(values: NDArray[np.float64]) -> Band:
    """The spread over the heads of the layer, (checkpoint, head) -> five curves."""
    known = np.isfinite(values).any(1)
    shares = np.full((5, len(values)), np.nan)
    shares[:, known] = np.nanquantile(values[known], (0, 0.25, 0.5, 0.75, 1), axis=1)
    low, lower, median, upper, high = shares
    return Band(low=low, lower_quartile=lower, median=median, upper_quartile=upper, high=high)
