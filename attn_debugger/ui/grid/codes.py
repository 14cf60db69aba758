"""What the 256 values of a picture's pixels mean, and how weights become them.

The overview code (core.frame) uses 0..254 for weights and 255 for non-finite. A picture needs three
meanings more: nothing here, a gap in the recording, and masked on purpose. The four lowest codes
stand for weights below 4e-8, which no range of the legend tells apart, so they make room.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import NONFINITE_CODE, TOP_CODE

BACKGROUND_CODE = 0  # between the tiles
GAP_CODE = 1  # nothing was captured here: not zero, unknown
MASKED_CODE = 2  # masked on purpose, and indeed no weight there; just below ZERO_CODE
ZERO_CODE = 3  # weights from 0 to 3.6e-8
N_LEVELS = TOP_CODE - ZERO_CODE

Codes = NDArray[np.uint8]


def weights_of_codes() -> NDArray[np.float64]:
    """Return the weight that each of the 256 quarter-root codes stands for; NaN for 255."""
    weights = (np.arange(256) / TOP_CODE) ** 4
    weights[: ZERO_CODE + 1] = 0.0
    weights[NONFINITE_CODE] = np.nan
    return weights


def lowest_codes(masked: NDArray[np.bool_]) -> Codes:
    """Return the least code each cell may have, given where it is masked on purpose.

    A maximum with it turns an empty masked cell into `MASKED_CODE` and an empty allowed one into
    `ZERO_CODE`. Weight that leaks into a masked cell stays visible: it is the evidence.
    """
    # MASKED_CODE is one below ZERO_CODE: a subtraction is much faster than a choice.
    return np.subtract(np.uint8(ZERO_CODE), masked.view(np.uint8))


def stretch_codes(codes: Codes, highest: NDArray[np.integer]) -> Codes:
    """Return overview codes (layer, head, row, column) rescaled so that `highest` becomes the top.

    `highest` (layer, head) is the code that shall be shown as weight 1. The code is a fourth root,
    so dividing weights is dividing codes: w / w_max has code 254 * c / c_max. Non-finite stays.
    """
    ramp = np.arange(256)[None, None, :] * TOP_CODE / np.maximum(highest, 1)[:, :, None]
    tables = np.minimum(np.rint(ramp), TOP_CODE).astype(np.uint8)  # (layer, head, code)
    tables[..., NONFINITE_CODE] = NONFINITE_CODE
    stretched = np.empty_like(codes)
    for layer in range(codes.shape[0]):
        for head in range(codes.shape[1]):
            np.take(tables[layer, head], codes[layer, head], out=stretched[layer, head])
    return stretched


def highest_finite_codes(
    codes: Codes, left_out: NDArray[np.bool_] | None = None
) -> NDArray[np.int64]:
    """Return the largest finite code of each head, (layer, head); 0 where all is non-finite.

    `left_out` (layer, tile column) names columns that do not count, e.g. those of a sink.
    """
    finite = np.where(codes == NONFINITE_CODE, 0, codes)
    if left_out is not None:
        finite[np.broadcast_to(left_out[:, None, None, :], finite.shape)] = 0
    highest = finite.reshape(*codes.shape[:2], -1).max(axis=-1, initial=0)
    return np.asarray(highest, dtype=np.int64)


def heads_with_nonfinite(codes: Codes) -> NDArray[np.bool_]:
    """Return which heads hold at least one non-finite cell, (layer, head)."""
    return np.asarray(codes.reshape(*codes.shape[:2], -1).max(axis=-1, initial=0) == NONFINITE_CODE)
