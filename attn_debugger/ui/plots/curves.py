"""From a history to what one plot draws, or to the sentence it says instead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import Run
from attn_debugger.ui.plots.quantities import Quantity
from attn_debugger.ui.plots.series import Band, Floats, head_curve, nearest, spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """What one plot draws. `steps` and all curves share one axis of points, ascending in step."""

    steps: NDArray[np.float64]
    lines: tuple[Floats, ...]  # one, or two: a range
    bands: tuple[Band, ...] = ()
    nonfinite: NDArray[np.bool_] | None = None  # (point,) the head holds NaN or infinity there
    unknown: NDArray[np.bool_] | None = None  # (point,) not scanned yet
    message: str = ""  # said instead of curves


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


def value_text(curves: Curves, step: float | None, unit: str, *, with_step: bool) -> str:
    """Return what the curves say at the point nearest to a step, e.g. `3.296 nats`.

    A NaN is called NaN where the head holds non-finite rows, else it is unknown: `–`.
    """
    if curves.message or step is None or not len(curves.steps) or not curves.lines:
        return ""
    translate = QCoreApplication.translate
    at = nearest(curves.steps, step)
    values = [float(line[at]) for line in curves.lines]
    if curves.unknown is not None and curves.unknown[at]:
        text = translate("Plots", "not scanned")
    else:
        broken = curves.nonfinite is not None and bool(curves.nonfinite[at])
        text = " … ".join(_number(value, broken) for value in values)
        if unit and any(np.isfinite(values)):
            text += f" {unit}"
    if not with_step:
        return text
    return translate("Plots", "step {step}: {value}").format(step=int(curves.steps[at]), value=text)


def value_beside(curves: Curves | None, step: float | None) -> str:
    """Return what a second run's curves say at this very step; empty = it has none there.

    Between its steps nothing is said: the nearest one would be taken for this one.
    """
    if curves is None or step is None or not len(curves.steps) or not curves.lines:
        return ""
    at = nearest(curves.steps, step)
    is_here = round(float(curves.steps[at])) == round(step)
    if not is_here or (curves.unknown is not None and curves.unknown[at]):
        return ""
    broken = curves.nonfinite is not None and bool(curves.nonfinite[at])
    values = [float(line[at]) for line in curves.lines]
    if not broken and all(np.isnan(value) for value in values):
        return ""
    return " … ".join(_number(value, broken) for value in values)


def _number(value: float, broken: bool) -> str:
    if np.isnan(value):
        return "NaN" if broken else "–"
    return f"{value:.4g}" if np.isfinite(value) else ("+inf" if value > 0 else "-inf")


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
