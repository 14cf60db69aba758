"""Pictures of a vision model's batch, as the archive stores them: (S, height, width, 3) uint8."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

_CHANNELS = (1, 3)


def looks_like_pictures(value: Any) -> bool:
    """Return whether a value is a batch of pictures, channels first or last."""
    shape: Sequence[int] = getattr(value, "shape", ())
    return len(shape) == 4 and (shape[1] in _CHANNELS or shape[3] in _CHANNELS)


def picture_rows(value: Any, samples: Sequence[int]) -> NDArray[np.uint8] | None:
    """Return the sampled pictures of (B, C, height, width) or (B, height, width, C), C 1 or 3.

    Numbers from 0 to 1 are stretched to 0..255. Those of a normalised picture are not colours any
    more: each is stretched from its own least to its largest value. What is not finite is black.
    None when it is no batch of pictures.
    """
    if not looks_like_pictures(value):
        return None
    chosen = [index for index in samples if index < value.shape[0]]
    rows = value[chosen]
    if isinstance(rows, Tensor):
        rows = rows.detach().cpu()
        rows = (rows.float() if rows.is_floating_point() else rows).numpy()
    array = np.asarray(rows)
    if array.shape[3] not in _CHANNELS:
        array = array.transpose(0, 2, 3, 1)
    if array.dtype != np.uint8:
        array = _to_bytes(array.astype(np.float32))
    return np.ascontiguousarray(np.broadcast_to(array, (*array.shape[:3], 3)))


def _to_bytes(pictures: NDArray[np.float32]) -> NDArray[np.uint8]:
    known = np.isfinite(pictures)
    colours = np.where(known, pictures, 0.0)
    if len(colours) and colours.size:
        low, high = colours.min((1, 2, 3), keepdims=True), colours.max((1, 2, 3), keepdims=True)
        if low.min() >= 0 and high.max() <= 255:
            low, high = np.zeros_like(low), np.full_like(high, 1.0 if high.max() <= 1 else 255.0)
        colours = (colours - low) / np.maximum(high - low, 1e-12)
    return np.where(known, np.round(colours * 255), 0).astype(np.uint8)
