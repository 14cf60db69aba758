"""Per-head numbers of one frame: what the plots, the tiles and `info --step` show."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attn_debugger.analysis.arrays import Bools, Floats
from attn_debugger.analysis.measures.measures import Measures, masked_mean
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.history import SUMMARY_NAMES

Summary = dict[str, NDArray[np.float32]]

# Summary name -> the live statistic that gives it where the maps do not.
_FROM_STATS = {
    "entropy": "entropy_mean",
    "peak": "peak_mean",
    "row_sum_min": "row_sum_min",
    "row_sum_max": "row_sum_max",
    "score_max": "score_max",
    "score_min": "score_min",
}


def summarise(frame: LayerFrame) -> Summary:
    """Return every summary of `core.history.SUMMARY_NAMES` as (head,) float32; NaN = not known.

    Means are over the valid rows of a head: real queries, finite, with a key to see. Entropy is in
    nats, `entropy_normalised` is over rows that may see at least two keys. Never raises.
    """
    if frame.weights is None or 0 in frame.weights.shape:
        return _from_stats(frame, _unknown(len(frame.heads)))
    return summarise_measures(Measures(frame))


def summarise_measures(measures: Measures) -> Summary:
    """The same for measures that exist already (the examination shares them with detectors)."""
    with np.errstate(all="ignore"):
        return _from_stats(measures.frame, _from_maps(measures))


def _unknown(n_heads: int) -> Summary:
    values = np.full((len(SUMMARY_NAMES), n_heads), np.nan, np.float32)
    return dict(zip(SUMMARY_NAMES, values, strict=True))


def _from_maps(measures: Measures) -> Summary:
    valid = measures.valid
    layout = measures.layout
    entropy = measures.entropy
    sums = measures.row_sum
    summary = _unknown(measures.n_heads)
    # All means in one go: each numpy call on so small an array costs more than its sums.
    rows = np.empty((5, *entropy.shape), np.float32)
    rows[0], rows[2], rows[3] = entropy, sums, measures.peak
    np.multiply(entropy, layout.inverse_log_allowed, out=rows[1])  # 0 in rows with one key
    np.exp(entropy, out=rows[4])
    divisor = np.empty((5, measures.n_heads), np.float32)
    if measures.all_valid:
        divisor[:], divisor[1] = measures.n_queries, layout.several_keys.sum(-1)
    else:
        rows = np.where(valid, rows, np.float32(0))
        divisor[:], divisor[1] = valid.sum(-1), (layout.several_keys & valid).sum(-1)
    divisor[divisor == 0] = np.nan
    means = rows.sum(-1) / divisor
    for position, name in ((0, "entropy"), (1, "entropy_normalised"), (3, "peak")):
        summary[name] = means[position]
    summary["mean"] = means[2] / np.float32(max(1, measures.n_keys))
    summary["effective_keys"] = means[4]
    rows_used = None if measures.all_valid and measures.n_queries else valid
    summary["row_sum_min"] = _extreme(np.minimum, sums, rows_used)
    summary["row_sum_max"] = _extreme(np.maximum, sums, rows_used)
    summary["nonfinite"][:] = 0 if measures.all_finite else (~measures.finite).sum(-1)
    own = measures.own_weight
    if own is not None:
        queries, _ = layout.own_keys
        own_rows = None if measures.all_valid and len(queries) else valid[:, queries]
        summary["diagonal"] = own.mean(-1) if own_rows is None else masked_mean(own, own_rows)
    return summary


def _extreme(ufunc: np.ufunc, values: Floats, rows: Bools | None) -> Floats:
    """Minimum or maximum over the rows that are True; None = all of them."""
    if rows is None:
        whole: Floats = ufunc.reduce(values, axis=-1)
        return whole
    start = np.float32(np.inf if ufunc is np.minimum else -np.inf)
    result: Floats = ufunc.reduce(np.where(rows, values, start), axis=-1, initial=start)
    return np.where(np.isfinite(result), result, np.float32(np.nan))


def _from_stats(frame: LayerFrame, summary: Summary) -> Summary:
    """Fill in what was recorded live: exact where storage is coarse, known where maps are not."""
    n_heads = len(frame.heads)
    for name, statistic in _FROM_STATS.items():
        values = frame.stats.get(statistic)
        if values is None or values.shape != (n_heads,):
            continue
        known = np.isfinite(values)
        prefer = (
            known
            if frame.weights is None or name.startswith("score")
            else (known & np.isnan(summary[name]))
        )
        summary[name] = np.where(prefer, values, summary[name]).astype(np.float32)
    if frame.weights is None and "entropy_mean" in frame.stats:
        with np.errstate(all="ignore"):
            summary["effective_keys"] = np.exp(summary["entropy"])
    scores = frame.scores
    if scores is not None and scores.size and np.isnan(summary["score_max"]).all():
        _score_range(frame, scores, summary)
    return summary


def _score_range(frame: LayerFrame, scores: Floats, summary: Summary) -> None:
    """Largest and smallest finite score among the cells that are not a mask fill."""
    usable = np.isfinite(scores) & (scores > -1e4 if frame.mask is None else scores > -np.inf)
    if frame.mask is not None and frame.mask.shape[-2:] == scores.shape[-2:]:
        usable &= frame.mask
    flat = scores.reshape(len(scores), -1)
    keep = usable.reshape(len(scores), -1)
    some = keep.any(-1)
    largest = np.where(keep, flat, -np.inf).max(-1)
    smallest = np.where(keep, flat, np.inf).min(-1)
    summary["score_max"] = np.where(some, largest, np.nan).astype(np.float32)
    summary["score_min"] = np.where(some, smallest, np.nan).astype(np.float32)
