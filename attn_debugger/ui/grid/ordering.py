"""Which order heads stand in: by a number, by likeness to one of them, by change. Pure."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import NONFINITE_CODE, GridFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.codes import weights_of_codes
from attn_debugger.ui.grid.geometry import Slots


def sorted_heads(
    heads: Collection[HeadRef], values: NDArray[np.floating], *, descending: bool = True
) -> tuple[HeadRef, ...]:
    """Return heads by their value in (layer, head); equal ones stay in model order.

    Heads without a value (NaN, or outside the array) come last, whichever the direction.
    """
    n_layers, n_heads = values.shape

    def place(head: HeadRef) -> tuple[bool, float, HeadRef]:
        inside = head.layer < n_layers and head.head < n_heads
        value = float(values[head]) if inside else math.nan
        if math.isnan(value):
            return True, 0.0, head
        return False, -value if descending else value, head

    return tuple(sorted(heads, key=place))


def wrapped(order: Sequence[HeadRef], width: float, height: float) -> Slots:
    """Return slots that show `order` row by row with the largest tiles on a canvas of that size."""
    if not order:
        return ()
    count = len(order)
    best = max(
        range(1, count + 1),
        key=lambda columns: min(width / columns, height / math.ceil(count / columns)),
    )
    padded: list[HeadRef | None] = [*order, *[None] * (-count % best)]
    return tuple(tuple(padded[start : start + best]) for start in range(0, count, best))


def likeness(frame: GridFrame, head: HeadRef) -> NDArray[np.float64]:
    """Return how like each head's tile is to that of `head`, (layer, head): the cosine, 0 to 1.

    NaN where one of the two was not captured or holds anything non-finite, or where maps of the
    layers differ in shape: their tiles cannot be laid over each other.
    """
    weights = _weights(frame)
    if not frame.known[head]:
        return np.full(frame.known.shape, np.nan)
    flat = weights.reshape(*frame.known.shape, -1)
    with np.errstate(invalid="ignore", divide="ignore"):
        lengths = np.sqrt((flat**2).sum(axis=-1))
        cosine = flat @ flat[head] / (lengths * lengths[head])
    alike = np.array([shape == frame.shapes[head.layer] for shape in frame.shapes])
    return np.where(frame.known & alike[:, None], cosine, np.nan)


def change(frame: GridFrame, before: GridFrame) -> NDArray[np.float64]:
    """Return how much each head's tile differs from an earlier frame, (layer, head).

    The mean absolute difference of the tiles' weights. NaN where either was not captured, holds
    anything non-finite, or has another shape. Raises `ValueError` for tiles of different size.
    """
    if frame.codes.shape != before.codes.shape:
        raise ValueError("the two frames have tiles of different size or other heads")
    difference = np.abs(_weights(frame) - _weights(before)).mean(axis=(2, 3))
    alike = np.array([a == b for a, b in zip(frame.shapes, before.shapes, strict=True)])
    comparable = frame.known & before.known & alike[:, None]
    return np.where(comparable, difference, np.nan)


def _weights(frame: GridFrame) -> NDArray[np.float64]:
    """Return the tiles' weights, (layer, head, row, column); NaN where not finite."""
    table = weights_of_codes()
    table[NONFINITE_CODE] = np.nan
    return np.asarray(table[frame.codes])
