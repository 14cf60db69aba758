"""What the head view says in words: what is shown, why it is empty, what a cell holds."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QCoreApplication

from attn_debugger.core.frame import LayerFrame
from attn_debugger.session.translated import translated
from attn_debugger.ui.head.picture import HeadMap, row_entropy

translate = QCoreApplication.translate


def why_empty(frame: LayerFrame | None, note: str) -> str:
    """Return why there is no map to see; `note` is what whoever shows it has to say."""
    if frame is None:
        return translated(note) or translate(
            "HeadView", "No head is open. Double-click one in the grid."
        )
    if not frame.present:
        why = translate(
            "HeadView", "Nothing was captured in this layer at step {0}: a gap, not zeros."
        )
        return why.format(frame.step)
    if not frame.full:
        why = translate(
            "HeadView",
            "At step {0} only overviews were stored, no full maps. Step on to see the next one.",
        )
        return translated(note) or why.format(frame.step)
    if frame.problems:
        return "\n".join(map(translated, frame.problems))
    return translated(note) or translate(
        "HeadView", "This layer has no map here: no queries or no keys."
    )


def details(frame: LayerFrame, note: str, *, has_map: bool) -> list[str]:
    """Return what stands beside the heading: step, sample, stream, layer name, storage."""
    parts = [
        translate("HeadView", "step {0}").format(frame.step),
        translate("HeadView", "sample {0}").format(frame.sample),
        frame.stream,
        frame.info.facts.name,
    ]
    if has_map:
        stored = translate("HeadView", "full map, stored as {0}")
        parts.append(stored.format(frame.info.storage))
    if frame.captures is not None and frame.captures > 1:
        twice = translate("HeadView", "captured {0} times in this step")
        parts.append(twice.format(frame.captures))
    said = (translated(text) for text in (*frame.problems, note))
    return [part for part in (*parts, *said) if part]


def reading(shown: HeadMap, query: int, key: int) -> str:
    """Return a cell in two lines: tokens, weight to 4 digits and mask; what its row adds up to."""
    row = shown.weights[query]
    cell = [
        translate("HeadView", "q {0} “{1}” → k {2} “{3}”").format(
            query, shown.query_labels[query], key, shown.key_labels[key]
        ),
        four_digits(float(row[key])),
    ]
    if shown.masked is not None and shown.masked[query, key]:
        leak = translate("HeadView", "masked, yet it has weight")
        cell.append(leak if row[key] != 0 else translate("HeadView", "masked"))
    whole_row = [
        translate("HeadView", "row sum {0}").format(_fixed(float(row.sum(dtype=np.float64)), 4)),
        translate("HeadView", "row entropy {0}").format(_fixed(row_entropy(row), 3)),
    ]
    return "\n".join("    ".join(parts) for parts in (cell, whole_row))


def _fixed(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}" if math.isfinite(value) else four_digits(value)


def four_digits(value: float) -> str:
    """Return a number to 4 significant digits; NaN and infinities by name."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    return f"{value:.4g}"
