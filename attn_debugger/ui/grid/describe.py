"""Heads and cells in words: for screen readers and for the tooltip."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.hover import Hover

translate = QCoreApplication.translate


def tile_number(value: float) -> str:
    """Return a number short enough for a tile: two decimals, or else three digits."""
    if value == 0 or 0.01 <= abs(value) < 100:
        return f"{value:.2f}"
    return f"{value:.3g}".replace("e+0", "e").replace("e-0", "e-")


def describe_head(head: HeadRef, facts: Sequence[str]) -> str:
    """Return `Layer 4, head 7, NaN, entropy 0.62`, in the language of the window."""
    name = translate("Describe", "Layer {0}, head {1}").format(head.layer, head.head)
    return ", ".join([name, *facts])


def weight_text(hover: Hover) -> str:
    """Return the weight of a cell in words, to 4 digits where it is exact."""
    if hover.value is None:
        return translate("Describe", "not captured")
    if math.isnan(hover.value):
        return translate("Describe", "NaN or infinite")
    if hover.masked:
        return translate("Describe", "masked")
    text = f"{hover.value:.4g}" if hover.exact else f"≈ {hover.value:.2g}"
    if hover.n_cells > 1:
        text += " " + translate("Describe", "(largest of {0} cells)").format(hover.n_cells)
    return text


def tooltip(hover: Hover, facts: Sequence[str]) -> str:
    """Return the lines shown when the pointer rests on a tile."""
    cell = translate("Describe", "query {0} → key {1}").format(hover.query, hover.key)
    return "\n".join([describe_head(hover.head, facts), f"{cell}: {weight_text(hover)}"])
