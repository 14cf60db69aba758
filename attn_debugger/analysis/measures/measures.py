"""What is computed once of a layer's maps and shared by all detectors.

The maps are walked once; everything after that works on arrays of (head, query). Sources of the
formulas: Shannon entropy in nats; effective keys = exp(entropy); the normalisation by ln of the
keys a query may see makes heads of different length comparable.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats, Ints
from attn_debugger.analysis.layout.layout import Layout, LayoutCache
from attn_debugger.analysis.measures.rows import TINY, RowNumbers, row_numbers
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import LayerFacts


class Measures:
    """Per-row and per-head numbers of one `LayerFrame` that has weights, each computed when asked.

    Axes: (head, query, key), cut to what is asked. Rows with a non-finite weight are never part of
    a mean. `alive` is narrowed by the examination as stages fail: later detectors look only there.
    """

    def __init__(
        self,
        frame: LayerFrame,
        thresholds: Thresholds | None = None,
        layouts: LayoutCache | None = None,
    ) -> None:
        if frame.weights is None:
            raise ValueError("a frame without weights has no measures")
        self.frame = frame
        self.facts: LayerFacts = frame.info.facts
        self.thresholds = thresholds or Thresholds()
        self.layout: Layout = (layouts or LayoutCache(1)).of(frame, infer_causal=True)
        self.weights: Floats = frame.weights
        self.n_heads, self.n_queries, self.n_keys = frame.weights.shape
        self.alive: Bools = np.ones(self.n_heads, bool)

    @cached_property
    def precision(self) -> str:
        """What limits the weights: the coarser of storage and the dtype they were born in."""
        storage, source = self.frame.info.storage, self.facts.source_dtype or ""
        source = source.removeprefix("torch.")
        order = ("float64", "float32", "float16", "bfloat16", "uint8-sqrt", "uint8")
        known = [name for name in (storage, source) if name in order]
        return max(known, key=order.index) if known else "float32"

    @cached_property
    def _rows(self) -> RowNumbers:
        return row_numbers(self.weights, self.layout.forbidden_plane)

    @property
    def row_sum(self) -> Floats:
        """(head, query): sum over all keys; non-finite where any weight of the row is."""
        return self._rows.total

    @cached_property
    def finite(self) -> Bools:
        """(head, query): every weight of the row is finite."""
        finite = np.isfinite(self.row_sum)
        if not finite.all():  # a sum of huge finite values overflows too
            suspects = ~finite
            finite[suspects] = np.isfinite(self.weights[suspects]).all(-1)
        return finite

    @cached_property
    def leaked(self) -> Floats:
        """(head, query): mass on keys the query must not see; 0 in rows that are not finite."""
        leaked = self._rows.leaked
        if leaked is None:
            return np.zeros((self.n_heads, self.n_queries), np.float32)
        return leaked if self.all_finite else np.where(self.finite, leaked, np.float32(0))

    @cached_property
    def all_finite(self) -> bool:
        """Whether no weight of the layer is NaN or infinite."""
        return bool(self.finite.all())

    @cached_property
    def filled_queries(self) -> Bools:
        """(query,): rows that are uniform over *all* keys in every head although masks apply.

        That is what a finite mask fill leaves in the rows of padding queries. They are looked for
        only where no query padding is known, and never make up most of a map.
        """
        none = np.zeros(self.n_queries, bool)
        known = self.frame.query_padding is not None or not self.layout.real_queries.all()
        if known or self.n_keys < 4 or not self.all_finite:
            return none
        tolerance = 8e-3 if self.precision == "bfloat16" else 2e-3
        if float(self.row_max.min()) * self.n_keys > 1 + tolerance:
            return none
        candidate = (np.abs(self.row_max * self.n_keys - 1) < tolerance).all(0)
        if not candidate.any():
            return none
        rows = self.weights[:, candidate] * self.n_keys
        candidate[candidate] = (np.abs(rows - 1) < tolerance).all((0, 2))
        return candidate if candidate.mean() <= 0.9 else none

    @cached_property
    def valid(self) -> Bools:
        """(head, query): real query, finite, at least one key to see."""
        rows = self.finite & self.layout.open_rows
        if self.filled_queries.any():
            rows &= ~self.filled_queries
        return rows

    @cached_property
    def _any_leak(self) -> bool:
        if self._rows.leaked is None or not self.leaked.any():
            return False
        return bool(((self.leaked != 0) & self.valid).any())

    @cached_property
    def all_valid(self) -> bool:
        """Whether every row of every head is valid."""
        return bool(self.valid.all())

    @cached_property
    def mass(self) -> Floats:
        """(head, query): mass on the keys the query may see."""
        if self.all_finite and not self.leaked.any():
            return self.row_sum
        with np.errstate(all="ignore"):
            return np.where(self.finite, self.row_sum - self.leaked, np.float32(0))

    @cached_property
    def allowed_weights(self) -> Floats:
        """(head, query, key): weights, 0 where forbidden; the very same array if it is clean."""
        plane = self.layout.allowed_plane
        if plane is None or not self._any_leak:
            return self.weights
        kept: Floats = self.weights * plane
        return kept

    @cached_property
    def _allowed_rows(self) -> RowNumbers:
        """The rows' numbers over the keys they may see."""
        return row_numbers(self.allowed_weights) if self._any_leak else self._rows

    @property
    def row_max(self) -> Floats:
        """(head, query): largest weight of each row (over all keys)."""
        return self._rows.largest

    @cached_property
    def entropy(self) -> Floats:
        """(head, query): Shannon entropy over allowed keys, renormalised, in nats.

        With w the stored weights and m their sum, H = ln m - sum(w ln w) / m needs no copy of the
        renormalised map.
        """
        weighted = self._allowed_rows.weighted_log
        with np.errstate(all="ignore"):
            mass = np.maximum(self.mass, TINY)
            entropy = np.log(mass) - weighted / mass
        np.maximum(entropy, 0, out=entropy)
        if self.all_valid and float(self.mass.min(initial=1)) > 0:
            return entropy
        return np.where(self.valid & (self.mass > 0), entropy, np.float32(0))

    @cached_property
    def peak(self) -> Floats:
        """(head, query): largest weight on an allowed key, renormalised."""
        with np.errstate(all="ignore"):
            peak = self._allowed_rows.largest / np.maximum(self.mass, TINY)
        return peak if self.all_finite else np.where(self.mass > 0, peak, np.float32(0))

    @cached_property
    def own_weight(self) -> Floats | None:
        """(head, own query): weight of each query on its own key; None where that is undefined."""
        queries, keys = self.layout.own_keys
        if len(queries) == 0:
            return None
        own: Floats = self.weights[:, queries, keys]
        return own

    @cached_property
    def stat_rows(self) -> Bools:
        """(head, query): rows that count in statistics: valid, enough keys, mass where allowed."""
        limits = self.thresholds
        rows = self.valid & (self.layout.n_allowed >= limits.min_keys)
        if not self._any_leak and self.all_finite:
            return rows & (self.mass > 0)
        total = np.where(self.finite, self.row_sum, np.float32(0))
        return rows & (self.mass >= limits.min_allowed_mass * np.maximum(total, TINY))

    @cached_property
    def n_stat(self) -> Ints:
        """(head,): rows that count."""
        count: Ints = self.stat_rows.sum(-1, dtype=np.int64)
        return count

    @cached_property
    def enough(self) -> Bools:
        """(head,): enough rows for a verdict."""
        return self.n_stat >= self.thresholds.min_rows

    @cached_property
    def row_weight(self) -> Floats:
        """(head, query): 1 / mass in rows that count, else 0: turns weights into probabilities."""
        return self.stat_rows / np.maximum(self.mass, TINY)

    def stat_mean(self, values: Floats) -> Floats:
        """(head,): mean of (head, query) values over the rows that count; NaN where none does."""
        return masked_mean(values, self.stat_rows)

    @cached_property
    def normalised_entropy(self) -> Floats:
        """(head,): mean of entropy / ln(allowed keys) over the rows that count; 1 = uniform."""
        return self.stat_mean(self.entropy * self.layout.inverse_log_allowed)

    @cached_property
    def from_uniform(self) -> Floats:
        """(head,): mean of ln(allowed keys) - entropy; about s^2/2 for scores of std s <= 1."""
        return self.stat_mean(self.layout.log_allowed - self.entropy)

    @cached_property
    def score_abs_max(self) -> Floats | None:
        """(head,): set by the score detectors; None until scores or live statistics gave it."""
        return None


def masked_mean(values: Floats, rows: Bools) -> Floats:
    """(head,): mean over the rows that are True; NaN where there is none."""
    if rows.all() and rows.shape[-1]:
        whole: Floats = values.mean(-1)
        return whole
    count = rows.sum(-1)
    total = np.where(rows, values, np.float32(0)).sum(-1)
    with np.errstate(all="ignore"):
        mean: Floats = np.where(count > 0, total / np.maximum(count, 1), np.nan).astype(np.float32)
    return mean
