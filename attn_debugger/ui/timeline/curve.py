"""The curve behind the timeline: which one, and how it becomes a line of pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.run import Run
from attn_debugger.ui.timeline.axis import AxisMode, has_times, quantile

PREFERRED = ("loss", "train_loss", "train/loss")


@dataclass(frozen=True, eq=False)
class Curve:
    """The points of one recorded quantity, by step; a value that is not finite was logged so."""

    name: str
    steps: NDArray[np.float64]
    values: NDArray[np.float64]


def curve_names(run: Run) -> list[str]:
    """Return the quantities that can be drawn, the loss first."""
    names = sorted(run.curve_names)
    first = [name for name in PREFERRED if name in names]
    return first + [name for name in names if name not in first]


def curve_of(run: Run, name: str) -> Curve:
    """Return a quantity, the dense curve where there is one, else its values at the frames.

    In `scalars` NaN means "not logged" and is left out; in a curve every point was logged.
    """
    dense = run.curves.get(name)
    if dense is not None and len(dense):
        steps, values = dense[:, 0].astype(np.float64), dense[:, 1].astype(np.float64)
    else:
        scalar = run.scalars[name]
        logged = ~np.isnan(scalar)
        steps, values = run.steps[logged].astype(np.float64), scalar[logged]
    order = np.argsort(steps, kind="stable")
    return Curve(name, steps[order], values[order])


def on_axis(curve: Curve, run: Run, mode: AxisMode) -> NDArray[np.float64]:
    """Return the axis values of a curve's points; between frames they are interpolated."""
    if mode == "step":
        return curve.steps
    order = np.argsort(run.steps, kind="stable")
    places = np.arange(run.n_frames, dtype=np.float64)
    if mode == "time" and has_times(run):
        times = np.asarray(run.times, np.float64)
        places = times - times[0]
    return np.interp(curve.steps, run.steps[order].astype(np.float64), places[order])


def value_range(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the range to draw: all finite values, but no lone spike squeezes the rest flat."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    usual = quantile(finite, 0.98)
    if high - low > 6 * (usual - low) > 0:
        high = low + 1.5 * (usual - low)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def polyline(
    x: NDArray[np.float64], values: NDArray[np.float64], left: float, width: float
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return finite stretches of (x, value), thinned to a lowest and highest point a pixel."""
    inside = (x >= left - 1) & (x <= left + width + 1)
    # One point beyond each edge keeps the line running out of the picture.
    inside[:-1] |= inside[1:]
    inside[1:] |= inside[:-1]
    x, values = x[inside], values[inside]
    stretches = []
    for part in np.split(np.arange(len(x)), np.flatnonzero(np.diff(np.isfinite(values))) + 1):
        if len(part) and np.isfinite(values[part[0]]):
            stretches.append(_thinned(x[part], values[part], width))
    return stretches


def _thinned(
    x: NDArray[np.float64], values: NDArray[np.float64], width: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if len(x) <= 2 * width:
        return x, values
    starts = np.flatnonzero(np.diff(np.floor(x), prepend=np.nan))
    low = np.minimum.reduceat(values, starts)
    high = np.maximum.reduceat(values, starts)
    return np.repeat(x[starts], 2), np.stack([low, high], axis=1).ravel()
