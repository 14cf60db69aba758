"""Which heads stand in the grid, and in which order: by finding, number or likeness. Pure."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import NONFINITE_CODE, GridFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.codes import weights_of_codes
from attn_debugger.ui.grid.geometry import Slots

NOTHING: Mapping[HeadRef, Collection[str]] = MappingProxyType({})
SortName = Literal["model", "severity", "number", "likeness", "change"]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How the heads are ordered and filtered.

    `severity` puts the worst first, `number` the largest of the numbers on the tiles, `likeness`
    what looks most like the selected head, `change` what moved most since the pinned step.
    `only_findings` leaves the others out, `fade` keeps
    them in their places but faint. `layers` is a first and last layer, `tag` a structure label
    that a shown head must carry, `finding` what must have been found in it at some step.
    """

    sort: SortName = "model"
    only_findings: bool = False
    fade: bool = False
    layers: tuple[int, int] | None = None
    tag: str = ""
    finding: str = ""

    @property
    def leaves_out(self) -> bool:
        """Whether some heads may not be shown."""
        return self.only_findings or self.layers is not None or bool(self.tag or self.finding)

    def admits(
        self, head: HeadRef, loudness: float, tags: Collection[str], findings: Collection[str]
    ) -> bool:
        """Tell whether a head passes every filter."""
        if self.layers is not None and not self.layers[0] <= head.layer <= self.layers[1]:
            return False
        if self.tag and self.tag not in tags:
            return False
        if self.finding and self.finding not in findings:
            return False
        return not self.only_findings or loudness > 0


def arranged(
    arrangement: Arrangement,
    heads: Collection[HeadRef],
    loudness: Mapping[HeadRef, float],
    values: NDArray[np.floating] | None,
    tags: Mapping[HeadRef, Collection[str]],
    findings: Mapping[HeadRef, Collection[str]] = NOTHING,
) -> tuple[HeadRef, ...] | None:
    """Return the order to show; `None` = all heads as the model has them.

    `loudness` of a head above 0 means that something was found in it now; `findings` is what was
    found in it at any step. `values` (layer, head) is
    what `number`, `likeness` and `change` sort by; without them the model's order holds.
    """
    shown = [
        head
        for head in heads
        if arrangement.admits(
            head, loudness.get(head, 0.0), tags.get(head, ()), findings.get(head, ())
        )
    ]
    if arrangement.sort == "severity":
        return tuple(sorted(shown, key=lambda head: (-loudness.get(head, 0.0), head)))
    if arrangement.sort != "model" and values is not None:
        return sorted_heads(shown, values)
    return tuple(shown) if arrangement.leaves_out else None


def sorted_heads(heads: Collection[HeadRef], values: NDArray[np.floating]) -> tuple[HeadRef, ...]:
    """Return heads by their value in (layer, head), the largest first, equal ones in model order.

    Heads without a value (NaN, or outside the array) come last.
    """
    n_layers, n_heads = values.shape

    def place(head: HeadRef) -> tuple[bool, float, HeadRef]:
        inside = head.layer < n_layers and head.head < n_heads
        value = float(values[head]) if inside else math.nan
        if math.isnan(value):
            return True, 0.0, head
        return False, -value, head

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


def _weights(frame: GridFrame) -> NDArray[np.float64]:
    """Return the tiles' weights, (layer, head, row, column); NaN where not finite."""
    table = weights_of_codes()
    table[NONFINITE_CODE] = np.nan
    return np.asarray(table[frame.codes])
