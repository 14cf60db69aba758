"""Spikes of loss and gradient norm: corroboration for shape signals, and the clock of the story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats, Ints
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.run import Run

_WINDOW = 32
_LEAST = 4


@dataclass(frozen=True, slots=True)
class Anomalies:
    """Steps at which loss or gradient norm broke, ascending."""

    loss: tuple[int, ...] = ()
    gradient: tuple[int, ...] = ()
    loss_value: float = float("nan")  # at the first one
    gradient_value: float = float("nan")

    @property
    def corroborating(self) -> tuple[int, ...]:
        """Steps that may raise a severity: a gradient spike alone does not."""
        return tuple(sorted({*self.loss, *(self.gradient if self.loss else ())}))

    @property
    def first(self) -> int | None:
        """The first step at which anything broke."""
        steps = self.corroborating
        return steps[0] if steps else None


def find_anomalies(run: Run, thresholds: Thresholds) -> Anomalies:
    """Look at the run's curves, or at the scalars of its frames where it has none."""
    loss = series_of(run, "loss")
    gradient = series_of(run, "grad_norm")
    loss_steps = spikes(loss, thresholds.loss_rise, thresholds.spike_deviations)
    gradient_steps = spikes(gradient, thresholds.grad_rise, thresholds.spike_deviations)
    return Anomalies(
        loss_steps,
        gradient_steps,
        _value_at(loss, loss_steps),
        _value_at(gradient, gradient_steps),
    )


def _value_at(series: Floats, steps: tuple[int, ...]) -> float:
    return float(series[series[:, 0] == steps[0], 1][0]) if steps else float("nan")


def series_of(run: Run, name: str) -> Floats:
    """(T, 2): step and value, steps ascending; NaN at a frame means "not logged"."""
    curve = _lookup(run.curves, name)
    if curve is not None and curve.ndim == 2 and curve.shape[0] and curve.shape[1] == 2:
        order = np.argsort(curve[:, 0], kind="stable")
        return np.asarray(curve[order], np.float64)
    values = _lookup(run.scalars, name)
    if values is None or len(values) != len(run.steps):
        return np.zeros((0, 2))
    known = ~np.isnan(values)
    # Another stream has another loss: only the frames of the first stream that logs it count.
    if run.streams and len(set(run.streams)) > 1:
        logged = [stream for stream, yes in zip(run.streams, known, strict=False) if yes]
        main = "train" if "train" in logged else (logged[0] if logged else "")
        known &= np.array([stream == main for stream in run.streams])
    return np.column_stack([run.steps[known], values[known]]).astype(np.float64)


def _lookup(table: Mapping[str, Floats], name: str) -> Floats | None:
    for key in (name, f"train/{name}", f"train_{name}"):
        if key in table:
            return table[key]
    return None


def spikes(series: Floats, rise: float, deviations: float) -> tuple[int, ...]:
    """Steps whose value stands out above the trend of the up to 32 values before.

    value > max(linear trend, recent median) + max(7 robust deviations of the detrended values,
    `rise` of the reference). Without the trend, a falling loss inflates the spread and hides real
    spikes. A spike counts if it matters on the scale of the run so far, or lasts three values.
    A non-finite value is one by itself.
    """
    steps, values = series[:, 0], series[:, 1]
    found: Bools = ~np.isfinite(values)
    clean = np.where(found, np.nan, values)
    with np.errstate(all="ignore"):
        for start, stop in ((_LEAST, min(_WINDOW, len(values))), (_WINDOW, len(values))):
            if start >= stop:
                continue
            if start < _WINDOW:
                for n in range(start, stop):
                    found[n] |= _stands_out(clean, np.arange(n, n + 1), n, rise, deviations)[0]
            else:
                at = np.arange(start, stop)
                for part in np.array_split(at, max(1, len(at) // 4096)):
                    found[part] |= _stands_out(clean, part, _WINDOW, rise, deviations)
    return tuple(int(step) for step in np.unique(steps[found]))


def _stands_out(values: Floats, at: Ints, width: int, rise: float, deviations: float) -> Bools:
    """(len(at),): whether values[at] is a spike over the `width` values before each."""
    window = values[at[:, None] + np.arange(-width, 0)]
    known = np.isfinite(window)
    enough = known.sum(-1) >= _LEAST
    filled = np.where(known, window, 0)
    x = np.broadcast_to(np.arange(width, dtype=float), window.shape)
    count = np.maximum(known.sum(-1), 1)
    mean_x = np.where(known, x, 0).sum(-1) / count
    mean_y = filled.sum(-1) / count
    dx = np.where(known, x - mean_x[:, None], 0)
    slope = (dx * (filled - mean_y[:, None])).sum(-1) / np.maximum((dx**2).sum(-1), 1e-12)
    trend = mean_y[:, None] + slope[:, None] * (x - mean_x[:, None])
    residual = np.where(known, window - trend, np.nan)
    center = _median(residual)
    spread = 1.4826 * _median(np.abs(residual - center[:, None]))
    ahead = mean_y + slope * (width - mean_x)
    reference = np.fmax(ahead, _median(window[:, -3:]))
    limit = np.maximum(deviations * spread, rise * np.abs(reference))
    over = values[at] - reference
    past = np.array([_extent(values[:n]) for n in at]) if len(at) == 1 else _extents(values, at)
    following = np.column_stack(
        [
            np.where(at + k < len(values), values[np.minimum(at + k, len(values) - 1)], np.nan)
            for k in range(3)
        ]
    )
    lasts = np.isfinite(following).all(-1) & (np.median(following, axis=-1) - reference > limit)
    result: Bools = enough & (over > limit) & ((over > 0.1 * past) | lasts)
    return result


def _median(rows: Floats) -> Floats:
    """Row medians that leave NaN out; 0 where a row holds nothing else."""
    ordered = np.sort(rows, axis=-1)  # NaN goes last
    count = np.isfinite(rows).sum(-1)
    low, high = np.maximum((count - 1) // 2, 0), np.maximum(count // 2, 0)
    high = np.minimum(high, rows.shape[-1] - 1)
    index = np.arange(len(rows))
    middle = 0.5 * (ordered[index, low] + ordered[index, high])
    return np.where(count > 0, middle, 0.0)


def _extent(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(np.ptp(known)) if len(known) else 0.0


def _extents(values: Floats, at: Ints) -> Floats:
    highest = np.fmax.accumulate(values)
    lowest = np.fmin.accumulate(values)
    extent: Floats = (highest - lowest)[at - 1]
    return np.nan_to_num(extent)
