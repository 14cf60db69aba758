"""The two axes of a plot: whole training steps below, values on the left."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyqtgraph as pg

_ROOM = 15.0  # pixels between two labels of the values


class StepAxis(pg.AxisItem):
    """Ticks stand at whole steps only; thousands are written as `20k`."""

    def tickStrings(  # noqa: N802
        self, values: Sequence[float], scale: float, spacing: float
    ) -> list[str]:
        return [step_text(value) if abs(value - round(value)) < 1e-6 else "" for value in values]


class ValueAxis(pg.AxisItem):
    """An axis whose logarithmic ticks never run into one another."""

    def tickValues(  # noqa: N802
        self, minVal: float, maxVal: float, size: float
    ) -> list[tuple[float, list[float]]]:
        if not self.logMode:
            ticks: list[tuple[float, list[float]]] = super().tickValues(minVal, maxVal, size)
            return ticks
        most = max(int(size / _ROOM), 2)
        return [(1.0, log_ticks(minVal, maxVal, most))]

    def logTickStrings(  # noqa: N802
        self, values: Sequence[float], scale: float, spacing: float
    ) -> list[str]:
        return [f"{10.0**value * scale:.3g}" for value in values]


def log_ticks(low: float, high: float, most: int) -> list[float]:
    """Return the logarithms of at most `most` round values from 10**low to 10**high.

    1, 2, 5 of every decade where there is room, else the decades, else every second, third ...
    """
    for digits in ((1, 2, 5), (1, 3), (1,)):
        ticks = [
            decade + math.log10(digit)
            for decade in range(math.floor(low), math.ceil(high) + 1)
            for digit in digits
            if low <= decade + math.log10(digit) <= high
        ]
        if len(ticks) <= most:
            return ticks
    every = math.ceil(len(ticks) / most)
    return [tick for tick in ticks if round(tick) % every == 0]


def step_text(value: float) -> str:
    """Return a step as briefly as it stays exact to three digits: `0`, `950`, `12.5k`, `1.2M`."""
    size = abs(value)
    if size >= 1e6:
        return f"{value / 1e6:.4g}M"
    if size >= 1e4:
        return f"{value / 1e3:.4g}k"
    return f"{value:.0f}"
