"""An axis of training steps: whole numbers, thousands as `20k`."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg


class StepAxis(pg.AxisItem):
    """Ticks stand at whole steps only."""

    def tickStrings(  # noqa: N802
        self, values: Sequence[float], scale: float, spacing: float
    ) -> list[str]:
        return [step_text(value) if spacing >= 1 else "" for value in values]


def step_text(value: float) -> str:
    """Return a step as briefly as it stays exact to three digits: `0`, `950`, `12.5k`, `1.2M`."""
    size = abs(value)
    if size >= 1e6:
        return f"{value / 1e6:.4g}M"
    if size >= 1e4:
        return f"{value / 1e3:.4g}k"
    return f"{value:.0f}"
