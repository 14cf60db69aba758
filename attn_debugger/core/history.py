"""Per-head numbers over the whole run: what the plots and the timeline's raster draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Every name a summary may hold; units in the comment. Means are over the valid rows of a head.
SUMMARY_NAMES = (
    "entropy",  # nats
    "entropy_normalised",  # entropy / ln(keys a row may see)
    "mean",  # classic mean weight: 1/keys for a full row
    "peak",  # mean of the row maxima
    "effective_keys",  # exp(entropy), mean over rows
    "diagonal",  # mean weight on the query's own key
    "row_sum_min",
    "row_sum_max",
    "score_max",
    "score_min",
    "nonfinite",  # rows with a non-finite weight
)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Summaries of the frames scanned so far, for one sample.

    `values[name]` is (frame, layer, head) float32; NaN = not known (not scanned, not recorded, no
    such head). `scanned` tells which frames have been looked at.
    """

    values: Mapping[str, NDArray[np.float32]]
    scanned: NDArray[np.bool_]  # (frame,)

    @property
    def n_scanned(self) -> int:
        return int(self.scanned.sum())
