"""Curves of a run as inline SVG: nothing to load, sharp at every zoom, readable without colour."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

_WIDTH, _HEIGHT = 560, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 10, 10, 26
_MAX_POINTS = 600  # a screen has no more columns; extremes of each bin are kept


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a chart: values over steps, NaN = a gap."""

    name: str
    values: NDArray[np.floating]  # (frame,)
    css: str = "line"


@dataclass(frozen=True, slots=True)
class Band:
    """The range between two curves, e.g. the extremes over a layer's heads."""

    low: NDArray[np.floating]  # (frame,)
    high: NDArray[np.floating]  # (frame,)


def chart(
    steps: NDArray[np.integer],
    curves: list[Curve],
    *,
    unit: str,
    band: Band | None = None,
    marks: tuple[int, ...] = (),
) -> str:
    """Return one `<svg>`: curves and a band over steps (frame,), with vertical marks at steps.

    Returns an empty string when there is nothing finite to draw: the page then says so in words.
    """
    everything = [curve.values for curve in curves] + ([band.low, band.high] if band else [])
    finite = np.concatenate([np.ravel(v)[np.isfinite(np.ravel(v))] for v in everything])
    if not finite.size or not len(steps):
        return ""
    axes = _Axes(steps, float(finite.min()), float(finite.max()))
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(", ".join(curve.name for curve in curves))} over steps">'
    ]
    parts += axes.frame(unit)
    if band:
        parts.append(axes.band(steps, band))
    parts += [
        f'<line class="mark" x1="{axes.x(mark):.1f}" x2="{axes.x(mark):.1f}" '
        f'y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}"/>'
        for mark in marks
    ]
    for curve in curves:
        parts += axes.line(steps, curve)
    return "".join([*parts, "</svg>"])


class _Axes:
    """Maps steps and values to pixels."""

    def __init__(self, steps: NDArray[np.integer], low: float, high: float) -> None:
        self._first, self._last = float(steps[0]), float(steps[-1])
        margin = 0.05 * (high - low) or 0.05 * max(abs(high), 1.0)
        self._low, self._high = low - margin, high + margin
        self._ends = (low, high)

    def x(self, step: float) -> float:
        span = self._last - self._first
        part = (step - self._first) / span if span else 0.5
        return _LEFT + part * (_WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        part = (value - self._low) / (self._high - self._low)
        return _HEIGHT - _BOTTOM - part * (_HEIGHT - _TOP - _BOTTOM)

    def frame(self, unit: str) -> list[str]:
        bottom = _HEIGHT - _BOTTOM
        parts = [
            f'<path class="axis" d="M{_LEFT} {_TOP}V{bottom}H{_WIDTH - _RIGHT}"/>',
            f'<text x="{_LEFT}" y="{_HEIGHT - 8}">{self._first:.0f}</text>',
            f'<text class="end" x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 8}">'
            f"step {self._last:.0f}</text>",
            f'<text class="end" x="{_LEFT - 6}" y="{(_TOP + bottom) / 2:.0f}">'
            f"{escape(unit)}</text>",
        ]
        for value in dict.fromkeys(self._ends):
            parts.append(
                f'<text class="end" x="{_LEFT - 6}" y="{self.y(value) + 4:.1f}">{value:.3g}</text>'
            )
        return parts

    def line(self, steps: NDArray[np.integer], curve: Curve) -> list[str]:
        parts = []
        for xs, ys in _pieces(steps, curve.values):
            points = " ".join(
                f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in zip(xs, ys, strict=True)
            )
            if len(xs) == 1:  # a lone point between two gaps must not vanish
                parts.append(
                    f'<circle class="{curve.css}" cx="{self.x(xs[0]):.1f}" '
                    f'cy="{self.y(ys[0]):.1f}" r="1.5"/>'
                )
            else:
                parts.append(f'<polyline class="{curve.css}" points="{points}"/>')
        return parts

    def band(self, steps: NDArray[np.integer], band: Band) -> str:
        known = np.isfinite(band.low) & np.isfinite(band.high)
        x, low, high = steps[known], band.low[known], band.high[known]
        stride = max(1, len(x) // _MAX_POINTS)
        x, low, high = x[::stride], low[::stride], high[::stride]
        there = [f"{self.x(s):.1f},{self.y(v):.1f}" for s, v in zip(x, high, strict=True)]
        back = [f"{self.x(s):.1f},{self.y(v):.1f}" for s, v in zip(x, low, strict=True)]
        return f'<polygon class="band" points="{" ".join(there + back[::-1])}"/>'


def _pieces(
    steps: NDArray[np.integer], values: NDArray[np.floating]
) -> list[tuple[NDArray[np.integer], NDArray[np.floating]]]:
    """Cut a curve at its gaps and thin what is denser than the screen, keeping the extremes."""
    known = np.flatnonzero(np.isfinite(values))
    runs = np.split(known, np.flatnonzero(np.diff(known) > 1) + 1)
    return [(steps[i], values[i]) for i in (_thinned(run, values) for run in runs) if len(i)]


def _thinned(run: NDArray[np.intp], values: NDArray[np.floating]) -> NDArray[np.intp]:
    if len(run) <= _MAX_POINTS:
        return run
    kept = []
    for bin_ in np.array_split(run, _MAX_POINTS // 2):
        kept += [bin_[np.argmin(values[bin_])], bin_[np.argmax(values[bin_])]]
    return np.unique(kept)
