"""Heads and cells in words: for screen readers and for the tooltip."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from attn_debugger.core.flags import Severity
from attn_debugger.core.frame import GridFrame, SharpTiles
from attn_debugger.core.heads import HeadRef
from attn_debugger.session.translated import translated
from attn_debugger.ui.grid.colouring import RangeMode
from attn_debugger.ui.grid.hover import Hover
from attn_debugger.ui.grid.ordering import Arrangement
from attn_debugger.ui.grid.overlay import OverlayContent

translate = QCoreApplication.translate


def tile_number(value: float) -> str:
    """Return a number short enough for a tile: two decimals, or else three digits."""
    if value == 0 or 0.01 <= abs(value) < 100:
        return f"{value:.2f}"
    return f"{value:.3g}".replace("e+0", "e").replace("e-0", "e-")


def head_facts(content: OverlayContent, head: HeadRef, number_name: str) -> tuple[str, ...]:
    """Return what is known of a head beside its map: NaN, its number, its flag, its tags."""
    facts = []
    if head in content.nonfinite:
        facts.append("NaN")
    if head in content.gaps:
        facts.append(translate("Describe", "not captured in this frame"))
    if head in content.numbers:
        facts.append(f"{number_name} {content.numbers[head]}")
    severity = content.flags.get(head, Severity.LABEL)
    if severity > Severity.LABEL:
        facts.append(severity_word(severity))
    facts.extend(translated(tag) for tag in content.tags.get(head, ()))
    if head in content.groups:
        key_head, size = content.groups[head]
        shared = translate("Describe", "key head {0}, shared by heads {1} to {2}")
        facts.append(shared.format(key_head, key_head * size, key_head * size + size - 1))
    return tuple(facts)


def severity_word(severity: Severity) -> str:
    """Return a severity in the language of the window."""
    return {
        Severity.LABEL: translate("Describe", "label"),
        Severity.NOTICE: translate("Describe", "notice"),
        Severity.WARNING: translate("Describe", "warning"),
        Severity.CRITICAL: translate("Describe", "critical"),
    }[severity]


def source_words(frame: GridFrame, sharp: SharpTiles | None = None) -> str:
    """Return what a frame's tiles were made of, and how many tokens share a pixel.

    `sharp` stands for what is painted over them.
    """
    if sharp is not None and sharp.tiles:
        return sharp_words(frame, sharp)
    source = {
        "full maps": translate("Describe", "full maps"),
        "overview": translate("Describe", "overview"),
    }.get(frame.source, frame.source)
    notes = [translated(frame.note), "" if sharp is None else sharp.note]
    if sharp is not None and sharp.is_complete and not any(notes):
        notes.append(translate("Describe", "no full maps were stored at this step"))
    words = [source, pooled_words(frame, frame.tile), *notes]
    return ", ".join(word for word in words if word)


def sharp_words(frame: GridFrame, sharp: SharpTiles) -> str:
    """Return of how many heads in sight the full maps are painted, and how fine they are."""
    n_heads, n_wanted = len(sharp.tiles), sharp.n_wanted
    if n_heads == n_wanted:
        words = translate("Describe", "full maps of the heads in sight")
    else:
        words = translate("Describe", "full maps of {0} of the {1} heads in sight")
        words = words.format(n_heads, n_wanted)
    parts = [words, pooled_words(frame, sharp.tile), sharp.note]
    return ", ".join(part for part in parts if part)


def pooled_words(frame: GridFrame, tile: int) -> str:
    """Return how many tokens share a pixel; nothing where each has its own."""
    longest = max((max(shape) for shape in frame.shapes), default=0)
    if longest <= tile:
        return ""
    pooled = translate("Describe", "{0} tokens max-pooled to {1} px")
    return pooled.format(longest, tile)


def range_words(mode: RangeMode, *, without_special: bool) -> str:
    """Return what the ends of the colour bar are relative to; nothing for a fixed range."""
    words = {
        "fixed": "",
        "head": translate("Describe", "of each head's largest weight"),
        "layer": translate("Describe", "of each layer's largest weight"),
        "data": translate("Describe", "up to this frame's largest weight"),
    }[mode]
    if words and without_special:
        words += " " + translate("Describe", "(sinks and special tokens left out)")
    return words


def order_words(
    arrangement: Arrangement, number_name: str, selected: HeadRef | None, pinned: int | None
) -> str:
    """Return the order of the heads and which are left out; nothing where all stand as in the
    model. `pinned` is a step, None = it is a second run that is compared with.
    """
    change = translate("Describe", "most different in B first")
    if pinned is not None:
        change = translate("Describe", "most changed since step {0} first").format(pinned)
    order = {
        "model": "",
        "severity": translate("Describe", "worst finding first"),
        "number": translate("Describe", "largest {0} first").format(number_name),
        "likeness": translate("Describe", "most like {0} first").format(selected),
        "change": change,
    }[arrangement.sort]
    parts = [order]
    if arrangement.only_findings:
        parts.append(translate("Describe", "only heads with findings"))
    if arrangement.layers is not None:
        parts.append(translate("Describe", "only layers {0} to {1}").format(*arrangement.layers))
    if arrangement.tag:
        parts.append(translate("Describe", "only heads tagged {0}").format(arrangement.tag))
    if arrangement.finding:
        parts.append(translate("Describe", "only heads with: {0}").format(arrangement.finding))
    return ", ".join(part for part in parts if part)


def difference_words(step: int) -> str:
    """Return what the colours of a difference mean, beside its legend."""
    words = translate("Describe", "this step − step {0}, max-pooled tiles; black = NaN in either")
    return words.format(step)


def change_words(change: float, step: int) -> str:
    """Return how much of a head's attention moved; nothing where it is not known."""
    if math.isnan(change):
        return ""
    moved = translate("Describe", "≈ {0} % of its attention moved since step {1}")
    return moved.format(f"{100 * change:.0f}" if change >= 0.01 else f"{100 * change:.1g}", step)


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
