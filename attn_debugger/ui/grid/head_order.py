"""Which head stands where in the grid, kept up to date with what is found and selected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.flags import Severity
from attn_debugger.core.frame import GridFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.ui.grid.geometry import Slots, layers_by_heads
from attn_debugger.ui.grid.ordering import Arrangement, arranged, likeness, wrapped

PLAIN = Arrangement()
NONFINITE_LOUDNESS = 0.5  # a head that holds NaN goes before others of the same severity


@dataclass(frozen=True)
class OrderFacts:
    """What an order may depend on. `numbers` and `change` are (layer, head)."""

    flags: Mapping[HeadRef, Severity]
    nonfinite: frozenset[HeadRef]
    numbers: NDArray[np.floating] | None
    frame: GridFrame | None
    selected: HeadRef | None
    change: NDArray[np.floating] | None = None
    tags: Mapping[HeadRef, tuple[str, ...]] = field(default_factory=dict)
    findings: Mapping[HeadRef, tuple[str, ...]] = field(default_factory=dict)

    def loudness(self) -> dict[HeadRef, float]:
        """Return how bad what was found in a head is; heads with nothing are absent or 0."""
        loud = {head: float(severity) for head, severity in self.flags.items()}
        for head in self.nonfinite:
            loud[head] = loud.get(head, 0.0) + NONFINITE_LOUDNESS
        return loud


class HeadOrder:
    """The heads of a run, arranged."""

    def __init__(self) -> None:
        self.arrangement = PLAIN
        self._model: Slots = ()
        self._heads: tuple[HeadRef, ...] = ()
        self._order: tuple[HeadRef, ...] | None = None  # None = as the model has them
        self._fading = False

    def show_run(self, run: Run, *, keep: bool) -> None:
        """Take over the heads of a run; `keep` the arrangement if it is the same run, grown."""
        self._model = layers_by_heads(tuple(layer.n_heads for layer in run.layers))
        self._heads = tuple(head for row in self._model for head in row if head is not None)
        if not keep:
            self.arrangement, self._order, self._fading = PLAIN, None, False

    @property
    def is_model_order(self) -> bool:
        return self._order is None

    @property
    def is_plain(self) -> bool:
        """Whether nothing was asked for and nothing is shown otherwise than the model has it."""
        return self.arrangement == PLAIN and self._order is None and not self._fading

    def slots(self, width: float, height: float) -> Slots:
        """Return the slots for a canvas of that size."""
        return self._model if self._order is None else wrapped(self._order, width, height)

    def update(self, facts: OrderFacts) -> bool:
        """Find the order anew; return whether it changed."""
        values = facts.numbers
        if self.arrangement.sort == "likeness":
            values = None
            if facts.frame is not None and facts.selected in self._heads and facts.selected:
                values = likeness(facts.frame, facts.selected)
        elif self.arrangement.sort == "change":
            values = facts.change
        order = arranged(
            self.arrangement, self._heads, facts.loudness(), values, facts.tags, facts.findings
        )
        changed, self._order = order != self._order, order
        return changed

    def faded(self, facts: OrderFacts) -> frozenset[HeadRef]:
        """Return the heads to fade: those without findings, if that was asked for."""
        self._fading = self.arrangement.fade
        if not self._fading:
            return frozenset()
        loudness = facts.loudness()
        return frozenset(head for head in self._heads if not loudness.get(head))
