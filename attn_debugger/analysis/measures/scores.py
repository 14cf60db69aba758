"""What is computed once of a layer's scores and shared by the detectors of scores.

Softmax hides the level of the scores (it is shift-invariant), so none of this can be told from
weights. 50 is a rule of thumb that is really a statement about the resolution of bfloat16; 100 is
the threshold of QK-Clip; runs above 1e4 diverge (Wortsman et al. 2309.14322, ViT-22B 2302.05442).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats
from attn_debugger.analysis.layout.layout import Layout
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.words import say

# Scores below this are a mask fill when the rest of the layer stays far from it.
_FILL = -5e3


class ScoreMeasures:
    """Per-head numbers of a layer's scores, from the maps or, without them, from live statistics.

    Scores are cleaned first: mask fills, forbidden cells and padding are left out, the ALiBi bias
    is added back.
    """

    def __init__(self, frame: LayerFrame, layout: Layout | None, thresholds: Thresholds) -> None:
        self.frame = frame
        self.facts = frame.info.facts
        self.layout = layout
        self.thresholds = thresholds
        self.problem = ""
        scores = frame.scores
        if scores is not None and layout is not None:
            expected = (layout.n_heads, layout.n_queries, layout.n_keys)
            if scores.shape != expected:
                self.problem = say(
                    "scores have shape {scores_shape}, the weights {expected}",
                    scores_shape=scores.shape,
                    expected=expected,
                )
                scores = None
        self.scores: Floats | None = scores if layout is not None else None

    @property
    def compute_dtype(self) -> str:
        """Dtype of scores and softmax, without `torch.`; empty = unknown."""
        return (self.facts.compute_dtype or "").removeprefix("torch.")

    @cached_property
    def considered(self) -> Bools:
        """(head, query, key): cells whose score counts."""
        if self.scores is None or self.layout is None:
            raise ValueError("no scores")
        keep = np.isfinite(self.scores)
        if self.layout.allowed is not None:
            keep = keep & self.layout.allowed
        keep = keep & self.layout.real_queries[:, None]
        return keep & ~self._fill(keep)

    def _fill(self, keep: Bools) -> Bools:
        """Cells that hold a mask fill rather than a score: far below everything else."""
        scores = self.scores
        assert scores is not None
        low = keep & (scores < _FILL)
        if not low.any():
            return low
        bulk = scores[keep & ~low]
        if bulk.size and float(np.abs(bulk).max()) < self.thresholds.score_warning:
            return low
        return np.zeros_like(low)

    @cached_property
    def unbiased(self) -> Floats:
        """(head, query, key): scores with the declared ALiBi bias taken out, float64."""
        assert self.scores is not None
        assert self.layout is not None
        slopes = self.facts.alibi_slopes
        if slopes is None:
            return self.scores
        if len(slopes) != self.layout.n_heads:
            return self.scores
        queries = np.arange(self.layout.n_queries)[:, None] + self.layout.q_offset
        distance = queries - np.arange(self.layout.n_keys)[None]
        reach = np.maximum(distance, 0) if self.facts.causal else np.abs(distance)
        bias = np.asarray(slopes, np.float32)[:, None, None] * reach.astype(np.float32)
        unbiased: Floats = self.scores + bias
        return unbiased

    @cached_property
    def abs_max(self) -> Floats | None:
        """(head,): largest |score| that counts; None = not recorded. Live statistics come first."""
        live = self._live_abs_max()
        if live is not None:
            return live
        if self.scores is None:
            return None
        largest = np.where(self.considered, np.abs(self.unbiased), np.float32(0))
        result: Floats = largest.max((1, 2), initial=0)
        return result

    def _live_abs_max(self) -> Floats | None:
        stats = self.frame.stats
        shape = (len(self.frame.heads),)
        # A declared bias only lowers scores, so the live minimum says nothing about q.k.
        names: tuple[str, ...] = ("score_max", "score_min")
        if self.facts.alibi_slopes is not None:
            names = ("score_max",)
        elif "score_abs_max" in stats:
            names = ("score_abs_max",)
        rows = [np.abs(stats[name]) for name in names if name in stats]
        rows = [row for row in rows if row.shape == shape]
        if not rows:
            return None
        largest = np.fmax.reduce(rows)
        # A live statistic that is not known in this frame must not hide recorded scores.
        if not np.isfinite(largest).all() and self.scores is not None:
            return None
        return largest if np.isfinite(largest).any() else None
