"""Frames on a line: pure arithmetic between frames, axis values and pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.run import Run

AxisMode = Literal["step", "frame", "time"]
AXIS_MODES: tuple[AxisMode, ...] = ("step", "frame", "time")

# Frames further apart than this many usual distances are drawn as a gap.
GAP_FACTOR = 4.0


@dataclass(frozen=True, eq=False)
class TimelineAxis:
    """A window of the axis, `low` to `high` in its own unit, on `width` pixels from `left`.

    `frames` are the indices that can be reached, ascending; `values` their places: steps, frame
    indices, or seconds since the first frame, which need not ascend (streams are recorded in
    turns).
    """

    frames: NDArray[np.int64]
    values: NDArray[np.float64]
    low: float
    high: float
    left: float
    width: float

    def x_of(self, value: float | NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the pixel of an axis value."""
        span = self.high - self.low
        x = self.left + (np.asarray(value, np.float64) - self.low) / span * self.width
        return np.asarray(x, np.float64)

    def value_at(self, x: float) -> float:
        """Return the axis value under a pixel."""
        return self.low + (x - self.left) / self.width * (self.high - self.low)

    def x_of_frame(self, frame: int) -> float:
        """Return the pixel of a frame; of the nearest reachable one if it is not reachable."""
        if not len(self.frames):
            return self.left
        right = min(int(np.searchsorted(self.frames, frame)), len(self.frames) - 1)
        left = max(0, right - 1)
        is_left = abs(int(self.frames[left]) - frame) <= abs(int(self.frames[right]) - frame)
        index = left if is_left else right
        return float(self.x_of(self.values[index]))

    def frame_at(self, x: float) -> int:
        """Return the reachable frame nearest to a pixel."""
        if not len(self.frames):
            return 0
        return int(self.frames[np.argmin(np.abs(self.values - self.value_at(x)))])

    def resized(self, left: float, width: float) -> TimelineAxis:
        return replace(self, left=left, width=max(1.0, width))

    def fitted(self) -> TimelineAxis:
        """Return the axis showing everything."""
        low, high = _limits(self.values)
        return replace(self, low=low, high=high)

    def zoomed(self, factor: float, x: float) -> TimelineAxis:
        """Return the axis zoomed in by `factor` with the value under `x` staying there."""
        low, high = _limits(self.values)
        span = min(high - low, max(self.smallest_span, (self.high - self.low) / factor))
        anchor = self.value_at(x)
        part = (x - self.left) / self.width
        return replace(self, low=anchor - part * span, high=anchor + (1 - part) * span)._inside()

    def panned(self, pixels: float) -> TimelineAxis:
        """Return the axis moved so that its content follows the pointer by `pixels`."""
        shift = pixels / self.width * (self.high - self.low)
        return replace(self, low=self.low - shift, high=self.high - shift)._inside()

    def revealing(self, frame: int) -> TimelineAxis:
        """Return the axis moved no further than needed to bring a frame into sight."""
        x = self.x_of_frame(frame)
        if x < self.left:
            return self.panned(self.left - x + self.width / 4)
        if x > self.left + self.width:
            return self.panned(self.left + self.width - x - self.width / 4)
        return self

    @property
    def is_zoomed(self) -> bool:
        low, high = _limits(self.values)
        return self.high - self.low < (high - low) * 0.999

    @property
    def smallest_span(self) -> float:
        """The closest zoom: some four frames across the width."""
        return 4.0 * usual_distance(self.values)

    def _inside(self) -> TimelineAxis:
        low, high = _limits(self.values)
        shift = max(0.0, low - self.low) - max(0.0, self.high - high)
        return replace(self, low=self.low + shift, high=self.high + shift)


def make_axis(
    run: Run, frames: NDArray[np.int64], mode: AxisMode, left: float, width: float
) -> TimelineAxis:
    """Return the axis of a run showing all of `frames`; unknown times fall back to frames."""
    if mode == "time" and has_times(run):
        times = np.asarray(run.times, np.float64)
        values = times[frames] - times[0]
    elif mode == "step":
        values = run.steps[frames].astype(np.float64)
    else:
        values = frames.astype(np.float64)
    low, high = _limits(values)
    return TimelineAxis(frames, values, low, high, left, max(1.0, width))


def has_times(run: Run) -> bool:
    """Whether the wall time of every frame is known."""
    return run.times is not None and bool(np.isfinite(run.times).all()) and run.n_frames > 0


def distinct(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each value once, ascending.

    `numpy.unique`, `median` and `quantile` import masked arrays when they are first called, which
    takes longer than all that the window paints first.
    """
    ordered = np.sort(values)
    return np.asarray(ordered[np.diff(ordered, prepend=-np.inf) > 0], np.float64)


def quantile(values: NDArray[np.float64], share: float) -> float:
    """Return the value below which a share of the values lies, interpolated; there must be some."""
    ordered = np.sort(values)
    place = share * (len(ordered) - 1)
    low, high = ordered[math.floor(place)], ordered[math.ceil(place)]
    return float(low + (high - low) * (place - math.floor(place)))


def usual_distance(values: NDArray[np.float64]) -> float:
    """Return the median distance of neighbouring frames on the axis."""
    distances = np.diff(distinct(values))
    return quantile(distances, 0.5) if len(distances) else 1.0


def gaps(values: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Return the stretches without frames: far longer than the usual distance."""
    ordered = distinct(values)
    distances = np.diff(ordered)
    if len(distances) < 3:
        return []
    wide = np.flatnonzero(distances > GAP_FACTOR * quantile(distances, 0.5))
    return [(float(ordered[index]), float(ordered[index + 1])) for index in wide]


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return at most `most` + 1 round values between `low` and `high`: 1, 2 or 5 times 10^n."""
    span = high - low
    if span <= 0 or most < 1:
        return []
    rough = span / most
    power = 10.0 ** math.floor(math.log10(rough))
    distance = next((power * m for m in (1, 2, 5, 10) if power * m >= rough * 0.999), power * 10)
    # Steps and frames are whole: no ticks between them.
    distance = max(1.0, distance)
    first = math.ceil(low / distance)
    return [n * distance for n in range(first, math.floor(high / distance) + 1)]


def tick_text(value: float, mode: AxisMode) -> str:
    """Return an axis value in words: 12000, or 1:02:05 since the first frame."""
    if mode != "time":
        return f"{value:.0f}"
    seconds = round(value)
    hours, rest = divmod(abs(seconds), 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _limits(values: NDArray[np.float64]) -> tuple[float, float]:
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    if high <= low:
        return low - 0.5, high + 0.5
    return low, high
