"""The strip of all heads over all frames: pure functions from summaries and flags to pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.flags import Diagnosis, Severity
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import Run
from attn_debugger.ui.timeline.axis import TimelineAxis, usual_distance

# What a row can show: summary name -> whether several frames under one pixel show their largest
# (else their smallest) value, and the fixed range, None = from the data.
METRICS: dict[str, tuple[bool, tuple[float, float] | None]] = {
    "entropy_normalised": (False, (0.0, 1.0)),
    "peak": (True, (0.0, 1.0)),
    "diagonal": (True, (0.0, 1.0)),
    "score_max": (True, None),
}
SEVERITY = "severity"

UNKNOWN = 254  # not scanned, not recorded
NONFINITE = 255


@dataclass(frozen=True, eq=False)
class Columns:
    """Which frames stand in each pixel column: `order[starts[i]:ends[i]]`, in axis order."""

    order: NDArray[np.int64]  # frame indices, ascending along the axis
    starts: NDArray[np.int64]  # (column,)
    ends: NDArray[np.int64]  # (column,) > starts where the column shows anything

    def equals(self, other: Columns) -> bool:
        """Whether the same frames stand in the same columns."""
        return (
            np.array_equal(self.starts, other.starts)
            and np.array_equal(self.ends, other.ends)
            and np.array_equal(self.order, other.order)
        )


def columns(axis: TimelineAxis, n_columns: int) -> Columns:
    """Assign frames to the pixel columns of an axis; a frame reaches half way to its neighbours.

    Where frames are far apart (a gap) columns stay empty beyond the usual distance.
    """
    along = np.argsort(axis.values, kind="stable")
    values, order = axis.values[along], axis.frames[along]
    if not len(values):
        empty = np.zeros(n_columns, np.int64)
        return Columns(order, empty, empty)
    edges = axis.low + np.arange(n_columns + 1) / n_columns * (axis.high - axis.low)
    starts = np.searchsorted(values, edges[:-1], side="left")
    ends = np.searchsorted(values, edges[1:], side="left")
    ends[-1] = max(ends[-1], np.searchsorted(values, edges[-1], side="right"))
    # A column between two frames shows the nearer one.
    middles = (edges[:-1] + edges[1:]) / 2
    right = np.clip(np.searchsorted(values, middles), 0, len(values) - 1)
    left = np.maximum(right - 1, 0)
    nearest = np.where(
        np.abs(values[left] - middles) <= np.abs(values[right] - middles), left, right
    )
    close = np.abs(values[nearest] - middles) <= usual_distance(values)
    between = ends <= starts
    starts = np.where(between, nearest, starts)
    ends = np.where(between, np.where(close, nearest + 1, nearest), ends)
    return Columns(order, starts.astype(np.int64), ends.astype(np.int64))


def head_rows(run: Run) -> list[HeadRef]:
    """Return the heads in the order of the strip's rows, layer by layer."""
    return [HeadRef(layer.index, head) for layer in run.layers for head in range(layer.n_heads)]


def metric_codes(
    history: History, metric: str, rows: list[HeadRef], where: Columns
) -> NDArray[np.uint8]:
    """Return codes (row, column): 0..253 from low to high, or `UNKNOWN`, or `NONFINITE`."""
    take_largest, limits = METRICS[metric]
    values = _rows(history, metric, rows)
    with np.errstate(invalid="ignore"):
        bad = _rows(history, "nonfinite", rows) > 0  # unknown is not bad
    reduce = np.fmax if take_largest else np.fmin
    reduced = _reduce(reduce, values, where, np.nan)
    if limits is None:
        finite = values[np.isfinite(values)]
        limits = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    low, high = limits
    with np.errstate(invalid="ignore"):
        part = np.clip((reduced - low) / max(high - low, 1e-12), 0.0, 1.0)
    codes = np.where(np.isfinite(part), np.rint(np.nan_to_num(part) * 253), UNKNOWN)
    codes[_reduce(np.maximum, bad, where, False)] = NONFINITE
    return codes.astype(np.uint8)


class StripCodes:
    """Keeps the codes of the last strip: findings come in far more often than summaries change.

    Over 10,000 frames of 144 heads `metric_codes` takes longer than all the rest of the picture.
    """

    def __init__(self) -> None:
        self._of: tuple[History, str, list[HeadRef]] | None = None
        self._where: Columns | None = None
        self._codes: NDArray[np.uint8] | None = None

    def codes(
        self, history: History, metric: str, rows: list[HeadRef], where: Columns
    ) -> NDArray[np.uint8]:
        """Return `metric_codes`, made anew only when something of it has changed."""
        same = (
            self._of is not None
            and self._of[0] is history
            and self._of[1:] == (metric, rows)
            and self._where is not None
            and self._where.equals(where)
        )
        if self._codes is None or not same:
            self._codes = metric_codes(history, metric, rows, where)
            self._of, self._where = (history, metric, rows), where
        return self._codes


def severity_by_frame(run: Run, diagnosis: Diagnosis) -> NDArray[np.int8]:
    """Return the loudest severity of each frame (frame,); -1 = nothing above a label."""
    loudest = np.full(run.n_frames, -1, np.int8)
    for flag in diagnosis.flags:
        if flag.severity > Severity.LABEL and flag.first_frame is not None:
            last = flag.first_frame if flag.last_frame is None else flag.last_frame
            part = loudest[flag.first_frame : last + 1]
            np.maximum(part, int(flag.severity), out=part)
    return loudest


def severity_by_head(run: Run, diagnosis: Diagnosis, rows: list[HeadRef]) -> NDArray[np.int8]:
    """Return the loudest severity, (row, frame); -1 = nothing above a label. Followers count."""
    row_of = {head: row for row, head in enumerate(rows)}
    loudest = np.full((len(rows), run.n_frames), -1, np.int8)
    for flag in diagnosis.flags:
        if flag.severity <= Severity.LABEL or flag.first_frame is None or flag.layer is None:
            continue
        last = flag.first_frame if flag.last_frame is None else flag.last_frame
        heads = flag.heads or range(run.layers[flag.layer].n_heads)
        for head in heads:
            row = row_of.get(HeadRef(flag.layer, head))
            if row is not None:
                part = loudest[row, flag.first_frame : last + 1]
                np.maximum(part, int(flag.severity), out=part)
    return loudest


def reduce_severity(severity: NDArray[np.int8], where: Columns) -> NDArray[np.int8]:
    """Return the loudest severity of each column, (row, column); -1 = none."""
    return _reduce(np.maximum, severity, where, -1).astype(np.int8)


def _rows(history: History, name: str, rows: list[HeadRef]) -> NDArray[np.float32]:
    """Return a summary as (row, frame), laid out for reading along the frames."""
    values = history.values[name]
    n_frames, _, n_heads = values.shape
    places = np.array([head.layer * n_heads + head.head for head in rows], np.intp)
    return np.take(values.reshape(n_frames, -1).T, places, axis=0)


def _reduce(
    ufunc: np.ufunc, values: NDArray[Any], where: Columns, empty: float | bool
) -> NDArray[Any]:
    """Reduce (row, frame) to (row, column)."""
    filled = np.flatnonzero(where.ends > where.starts)
    result = np.full((len(values), len(where.starts)), empty, values.dtype)
    if not len(filled):
        return result
    # From the first frame in sight to the last, and one more column: reduceat wants its last
    # bound inside. A run may have grown since the values were made: what is new is unknown.
    first, last = int(where.starts[filled].min()), int(where.ends[filled].max())
    order = where.order[first:last]
    ordered = np.full((len(values), len(order) + 1), empty, values.dtype)
    known = order < values.shape[1]
    if known.all() and bool((np.diff(order) == 1).all()):
        ordered[:, :-1] = values[:, order[0] : order[-1] + 1]
    else:
        ordered[:, :-1][:, known] = values[:, order[known]]
    bounds = np.stack([where.starts[filled], where.ends[filled]], axis=1).ravel() - first
    result[:, filled] = ufunc.reduceat(ordered, bounds, axis=1)[:, ::2]
    return result
