"""What the grid says about what it shows: its legend, and what is known of a head."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.heads import HeadRef
from attn_debugger.ui.grid.describe import (
    change_words,
    difference_words,
    head_facts,
    order_words,
    range_words,
    source_words,
)
from attn_debugger.ui.grid.legend import LegendContent, difference_legend
from attn_debugger.ui.grid.ordering import Arrangement
from attn_debugger.ui.grid.overlay import OverlayContent
from attn_debugger.ui.grid.tiles import GridTiles
from attn_debugger.ui.grid.two_runs import moved_words


@dataclass(frozen=True)
class GridSubject:
    """What the words are about, beside the tiles. `pinned` is a step."""

    arrangement: Arrangement
    number_name: str
    selected: HeadRef | None
    pinned: int | None
    n_layers: int = 0
    two_runs: bool = False  # a second run is compared, not a pinned step


def legend_of(tiles: GridTiles, subject: GridSubject) -> LegendContent:
    """Return the legend of what is painted."""
    look, frame = tiles.look, tiles.frame
    low, high = tiles.ends()
    words = "" if tiles.run is None else QCoreApplication.translate("HeadGrid", "loading")
    if frame is not None:
        order = order_words(
            subject.arrangement,
            subject.number_name,
            subject.selected,
            None if subject.two_runs else subject.pinned,
        )
        words = ", ".join(part for part in (source_words(frame, tiles.shown_sharp), order) if part)
    two = tiles.two
    if two is not None:
        words = two.why_not(frame) or words
        if (difference := tiles.shown_difference) is not None:
            if not difference.frame.known.any():
                words = QCoreApplication.translate(
                    "HeadGrid", "no head has maps of the same size in both runs"
                )
            return difference_legend(low, high, two.difference_words, words)
    elif tiles.shown_difference is not None and subject.pinned is not None:
        return difference_legend(low, high, difference_words(subject.pinned), words)
    relative = range_words(look.range.mode, without_special=look.without_special)
    return LegendContent(look.colours(), look.scale, low, high, relative, words)


def facts_of(
    head: HeadRef, tiles: GridTiles, subject: GridSubject, content: OverlayContent
) -> tuple[str, ...]:
    """Return what is known of a head beside its map."""
    facts = head_facts(content, head, subject.number_name)
    difference = tiles.difference
    if difference is None:
        return facts
    change = float(difference.change[head])
    if tiles.two is not None:
        return facts if math.isnan(change) else (*facts, moved_words(change))
    if subject.pinned is None:
        return facts
    moved = change_words(change, subject.pinned)
    return (*facts, moved) if moved else facts
