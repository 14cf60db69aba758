"""From a history to what one plot draws, or to the sentence it says instead."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import Run
from attn_debugger.ui.plots.quantities import Quantity
from attn_debugger.ui.plots.series import Band, head_curve, spread
from attn_debugger.ui.plots.trend_plot import Curves


def curves_of(
    quantity: Quantity,
    run: Run | None,
    history: History | None,
    head: HeadRef | None,
    frames: NDArray[np.intp],
    *,
    whole_model: bool = False,
) -> Curves:
    """Return the curves of a quantity through `frames`, the frames of one stream.

    The band is the head's layer, or with `whole_model` all heads. Without a head the band is that
    of the whole model and its median is the line.
    """
    translate = QCoreApplication.translate
    nothing = np.zeros(0)
    if run is None:
        return Curves(steps=nothing, lines=(), message=translate("Plots", "nothing is open"))
    if quantity.scalar is not None:
        return _scalar(quantity, run, frames)
    steps = run.steps[frames].astype(np.float64)
    if history is None or len(history.scanned) == 0:
        return Curves(steps=steps, lines=(), message=translate("Plots", "not scanned yet"))
    frames = frames[frames < len(history.scanned)]
    steps = steps[: len(frames)]
    scanned = history.scanned[frames]
    if not scanned.any():
        return Curves(steps=steps, lines=(), message=translate("Plots", "not scanned yet"))
    layer = None if head is None or whole_model else head.layer
    bands = tuple(_take(spread(history, name, layer), frames) for name in quantity.summaries)
    if head is None:
        lines = tuple(band.median for band in bands)
        bad = None
    else:
        lines = tuple(head_curve(history, name, head)[frames] for name in quantity.summaries)
        rows = head_curve(history, "nonfinite", head)[frames]
        bad = np.nan_to_num(rows, nan=0.0) > 0
    known = any(np.isfinite(line).any() for line in lines)
    known = known or any(np.isfinite(band.high).any() for band in bands)
    message = "" if known else _absent(quantity, run, history, scanned)
    return Curves(
        steps=steps, lines=lines, bands=bands, nonfinite=bad, unknown=~scanned, message=message
    )


def _absent(quantity: Quantity, run: Run, history: History, scanned: NDArray[np.bool_]) -> str:
    translate = QCoreApplication.translate
    if not scanned.all():
        return translate("Plots", "not known so far")
    if quantity.key == "score" and not any(
        "scores" in layer.maps or "score_max" in layer.stats for layer in run.layers
    ):
        return quantity.missing
    rows = history.values.get("nonfinite")
    if rows is not None and (known := np.isfinite(rows)).any() and bool((rows[known] > 0).all()):
        return translate("Plots", "every value is NaN or infinite")
    return quantity.missing


def _scalar(quantity: Quantity, run: Run, frames: NDArray[np.intp]) -> Curves:
    name = quantity.scalar or ""
    curve = run.curves.get(name)
    if curve is not None and len(curve):
        order = np.argsort(curve[:, 0], kind="stable")
        steps = curve[order, 0].astype(np.float64)
        values = curve[order, 1].astype(np.float64)
        broken = ~np.isfinite(values)
    else:
        logged = run.scalars.get(name)
        if logged is None:
            return Curves(steps=np.zeros(0), lines=(), message=quantity.missing)
        steps = run.steps[frames].astype(np.float64)
        values = np.full(len(frames), np.nan)
        inside = frames < len(logged)
        values[inside] = logged[frames[inside]]
        # A NaN at a frame means "not logged there"; in a curve it was logged, and is an event.
        broken = np.isinf(values)
    if not np.isfinite(values).any():
        nan = QCoreApplication.translate("Plots", "every value is NaN or infinite")
        return Curves(steps=steps, lines=(), message=nan if broken.any() else quantity.missing)
    return Curves(steps=steps, lines=(values,), nonfinite=broken)


def _take(band: Band, frames: NDArray[np.intp]) -> Band:
    return Band(
        low=band.low[frames],
        lower_quartile=band.lower_quartile[frames],
        median=band.median[frames],
        upper_quartile=band.upper_quartile[frames],
        high=band.high[frames],
    )
