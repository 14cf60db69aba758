"""Numbers behind the curves: pure functions over a history, NaN-aware and free of warnings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import Run

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The spread over heads at each frame, all (frame,); NaN where no head is known."""

    low: Floats
    lower_quartile: Floats
    median: Floats
    upper_quartile: Floats
    high: Floats


def stream_frames(run: Run, frame: int) -> NDArray[np.intp]:
    """Return the frames that belong in one curve: those of the stream of `frame`, ascending."""
    if not run.n_frames:
        return np.zeros(0, dtype=np.intp)
    return frames_of_stream(run, run.streams[min(max(frame, 0), run.n_frames - 1)])


def frames_of_stream(run: Run, stream: str) -> NDArray[np.intp]:
    """Return the frames of a stream, ascending; none where the run has no such stream."""
    return np.flatnonzero(np.array([name == stream for name in run.streams], np.bool_))


def head_curve(history: History, name: str, head: HeadRef) -> Floats:
    """Return one head's summary over the frames, (frame,); all NaN when it is not known."""
    values = history.values.get(name)
    if values is None or head.layer >= values.shape[1] or head.head >= values.shape[2]:
        return np.full(len(history.scanned), np.nan)
    return values[:, head.layer, head.head].astype(np.float64)


def spread(history: History, name: str, layer: int | None) -> Band:
    """Return the spread over a layer's heads, or over all heads of the model.

    Infinite values are left out like NaN: they have no place on an axis and are marked apart.
    """
    n_frames = len(history.scanned)
    values = history.values.get(name)
    if values is None or (layer is not None and layer >= values.shape[1]):
        nothing = np.full(n_frames, np.nan)
        return Band(
            low=nothing,
            lower_quartile=nothing,
            median=nothing,
            upper_quartile=nothing,
            high=nothing,
        )
    chosen = values if layer is None else values[:, layer, :]
    heads = chosen.reshape(n_frames, -1).astype(np.float64)  # (frame, head)
    heads[~np.isfinite(heads)] = np.nan
    heads.sort(axis=1)  # NaN last
    known = np.isfinite(heads).sum(axis=1)
    return Band(
        low=_quantile(heads, known, 0.0),
        lower_quartile=_quantile(heads, known, 0.25),
        median=_quantile(heads, known, 0.5),
        upper_quartile=_quantile(heads, known, 0.75),
        high=_quantile(heads, known, 1.0),
    )


def _quantile(ordered: Floats, known: NDArray[np.intp], share: float) -> Floats:
    """Return a quantile of each row's first `known` values, linear between neighbours."""
    if ordered.shape[1] == 0:
        return np.full(len(ordered), np.nan)
    place = share * np.maximum(known - 1, 0)
    below = np.floor(place).astype(np.intp)
    above = np.minimum(below + 1, np.maximum(known - 1, 0))
    rows = np.arange(len(ordered))
    part = place - below
    mixed: Floats = ordered[rows, below] * (1.0 - part) + ordered[rows, above] * part
    mixed[known == 0] = np.nan
    return mixed


def segments(values: Floats) -> list[tuple[int, int]]:
    """Return (first, last + 1) of each stretch without a gap: NaN is a gap, never a zero."""
    finite = np.concatenate(([False], np.isfinite(values), [False]))
    edges = np.flatnonzero(finite[1:] != finite[:-1])
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def stretches(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return (first, last) of each run of True."""
    padded = np.concatenate(([False], flags, [False]))
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    return [(int(a), int(b) - 1) for a, b in edges.reshape(-1, 2)]


def nearest(steps: Floats, step: float) -> int:
    """Return the position of the value nearest to `step` in ascending `steps` (not empty)."""
    right = int(np.clip(np.searchsorted(steps, step), 1, max(len(steps) - 1, 1)))
    if len(steps) == 1:
        return 0
    return right if steps[right] - step < step - steps[right - 1] else right - 1


def limits(*curves: Floats) -> tuple[float, float] | None:
    """Return the smallest and largest finite value with a little air, or None without any."""
    finite = [curve[np.isfinite(curve)] for curve in curves]
    finite = [part for part in finite if part.size]
    if not finite:
        return None
    low = float(min(part.min() for part in finite))
    high = float(max(part.max() for part in finite))
    air = (high - low) * 0.06 or max(abs(high) * 0.05, 1e-3)
    return low - air, high + air


def can_be_log(*curves: Floats) -> bool:
    """Return whether a logarithmic axis can hold the curves: some positive, none negative."""
    finite = [curve[np.isfinite(curve)] for curve in curves]
    return any((part > 0).any() for part in finite) and not any((part < 0).any() for part in finite)


def visible(x: Floats, left: float, right: float) -> slice:
    """Return the points of ascending `x` from `left` to `right`, and one neighbour on each side."""
    first = int(np.searchsorted(x, left, side="left"))
    stop = int(np.searchsorted(x, right, side="right"))
    return slice(max(first - 1, 0), min(stop + 1, len(x)))


def thin_line(x: Floats, y: Floats, most: int) -> tuple[Floats, Floats]:
    """Return a curve of about `most` points that looks the same: each stretch keeps its extremes.

    A stretch that holds a NaN keeps one, so that a gap stays a gap.
    """
    if len(x) <= most:
        return x, y
    values = _in_stretches(y, max(most // 3, 1))  # (stretch, point)
    known = np.isfinite(values)
    starts = np.arange(len(values)) * values.shape[1]
    kept = [
        starts + np.where(known, values, np.inf).argmin(axis=1),
        starts + np.where(known, values, -np.inf).argmax(axis=1),
        (starts + (~known).argmax(axis=1))[~known.all(axis=1) & (~known).any(axis=1)],
    ]
    index = np.unique(np.concatenate(kept))
    index = index[index < len(x)]
    return x[index], y[index]


def thin_band(x: Floats, low: Floats, high: Floats, most: int) -> tuple[Floats, Floats, Floats]:
    """Return a band of about `most` points that covers what the whole one covers."""
    if len(x) <= most:
        return x, low, high
    floor, ceiling = _in_stretches(low, most), _in_stretches(high, most)
    lowest = np.where(np.isfinite(floor), floor, np.inf).min(axis=1)
    highest = np.where(np.isfinite(ceiling), ceiling, -np.inf).max(axis=1)
    lowest[~np.isfinite(lowest)] = np.nan
    highest[~np.isfinite(highest)] = np.nan
    return x[:: floor.shape[1]], lowest, highest


def _in_stretches(values: Floats, n: int) -> Floats:
    """Return the values as (stretch, point) with at most `n` stretches; NaN fills the last."""
    length = -(-len(values) // n)
    padded = np.full(length * -(-len(values) // length), np.nan)
    padded[: len(values)] = values
    return padded.reshape(-1, length)
