"""The strip of all heads over all frames: pure functions from summaries and flags to pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.flags import Diagnosis, Flag, Severity
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import Run
from attn_debugger.ui.timeline.columns import Columns, reduce_frames

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


def head_rows(run: Run) -> list[HeadRef]:
    """Return the heads in the order of the strip's rows, layer by layer."""
    return [HeadRef(layer.index, head) for layer in run.layers for head in range(layer.n_heads)]


def metric_codes(
    history: History, metric: str, rows: list[HeadRef], where: Columns
) -> NDArray[np.uint8]:
    """Return codes (row, column): 0..253 from low to high, or `UNKNOWN`, or `NONFINITE`."""
    take_largest, limits = METRICS[metric]
    values = _flat(history, metric)
    with np.errstate(invalid="ignore"):
        bad = _flat(history, "nonfinite") > 0  # unknown is not bad
        reduced = reduce_frames(np.fmax if take_largest else np.fmin, values, where, np.nan)
        if limits is None:
            finite = values[np.isfinite(values)]
            limits = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        low, high = limits
        part = np.clip((reduced - low) / max(high - low, 1e-12), 0.0, 1.0)
    codes = np.where(np.isfinite(part), np.rint(np.nan_to_num(part) * 253), UNKNOWN)
    codes[reduce_frames(np.maximum, bad, where, False)] = NONFINITE
    n_heads = history.values[metric].shape[2]
    places = np.array([head.layer * n_heads + head.head for head in rows], np.intp)
    return np.ascontiguousarray(codes.astype(np.uint8).T[places])


def severity_by_column(diagnosis: Diagnosis, where: Columns) -> NDArray[np.int8]:
    """Return the loudest severity of each column (column,); -1 = nothing above a label."""
    loudest = np.full(len(where.starts), -1, np.int8)
    for flag in diagnosis.flags:
        if flag.severity > Severity.LABEL and flag.first_frame is not None:
            hit = _columns_of(flag, where)
            loudest[hit] = np.maximum(loudest[hit], int(flag.severity))
    return loudest


def severity_by_head(
    run: Run, diagnosis: Diagnosis, rows: list[HeadRef], where: Columns
) -> NDArray[np.int8]:
    """Return the loudest severity, (row, column); -1 = nothing above a label. Followers count."""
    row_of = {head: row for row, head in enumerate(rows)}
    loudest = np.full((len(rows), len(where.starts)), -1, np.int8)
    for flag in diagnosis.flags:
        if flag.severity <= Severity.LABEL or flag.first_frame is None or flag.layer is None:
            continue
        heads = flag.heads or range(run.layers[flag.layer].n_heads)
        refs = [HeadRef(flag.layer, head) for head in heads]
        found = np.array([row_of[ref] for ref in refs if ref in row_of], np.intp)
        hit = np.ix_(found, np.flatnonzero(_columns_of(flag, where)))
        loudest[hit] = np.maximum(loudest[hit], int(flag.severity))
    return loudest


def _columns_of(flag: Flag, where: Columns) -> NDArray[np.bool_]:
    first = flag.first_frame or 0
    return where.showing(first, first if flag.last_frame is None else flag.last_frame)


def _flat(history: History, name: str) -> NDArray[np.float32]:
    """Return a summary as (frame, layer and head)."""
    values = history.values[name]
    return values.reshape(len(values), -1)
