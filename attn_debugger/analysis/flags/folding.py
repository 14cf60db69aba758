"""Which flags merely follow from another: they are kept, and folded away under their root."""

from __future__ import annotations

from collections.abc import Mapping

from attn_debugger.analysis.flags.drafts import Draft
from attn_debugger.core.flags import Severity

# Consequence -> the signals of the same layer it follows from, when they set in no later.
_SAME_LAYER: dict[str, tuple[str, ...]] = {
    "pad_leak": ("mask_on_head_axis",),
    "mask_leak": ("mask_on_head_axis",),
    "support_truncated": ("mask_on_head_axis",),
    "row_sum": ("softmax_axis", "invalid_weights"),
    "shape_mismatch": ("duplicate_columns",),
}
# One fault of the whole model shows in every layer: the lowest stands for all.
_SAME_SIGNAL = ("frozen_all", "position_aliasing")


def fold(drafts: list[Draft], groups: Mapping[str, str]) -> None:
    """Set `parent` of every draft that follows from another."""
    _fold_groups(drafts, groups)
    _fold_crash(drafts)
    _fold_flattened(drafts)
    for draft in drafts:
        if draft.parent is not None:
            continue
        parents = _SAME_LAYER.get(draft.signal, ())
        draft.parent = _first(
            [d for d in drafts if d.signal in parents and d.layer == draft.layer], draft
        )
    for signal in _SAME_SIGNAL:
        same = sorted((d for d in drafts if d.signal == signal), key=lambda d: d.layer or 0)
        for draft in same[1:]:
            if draft.first_step is not None and same[0].first_step is not None:
                draft.parent = same[0]


def _fold_groups(drafts: list[Draft], groups: Mapping[str, str]) -> None:
    roots = {draft.group: draft for draft in drafts if draft.group.startswith("root ")}
    for draft in drafts:
        parent = groups.get(draft.group)
        while parent is not None and parent in groups:
            parent = groups[parent]
        if parent is not None and parent in roots and roots[parent] is not draft:
            draft.parent = roots[parent]


def _fold_flattened(drafts: list[Draft]) -> None:
    """Scores scaled to nothing give uniform rows."""
    shrunk = [d for d in drafts if d.signal == "scale_mismatch" and 0 <= (d.value or 0) < 1]
    for draft in drafts:
        if draft.signal == "uniform_attention":
            draft.parent = _first([d for d in shrunk if d.layer == draft.layer], draft)


def _fold_crash(drafts: list[Draft]) -> None:
    """NaN in the very last frame before a crash and the crash are told apart, not folded."""
    outputs = [d for d in drafts if d.signal == "output_range_jump" and d.value is None]
    roots = [d for d in drafts if d.group.startswith("root ") and d.severity >= Severity.WARNING]
    for draft in outputs:
        draft.parent = _first(roots, draft)


def _first(candidates: list[Draft], draft: Draft) -> Draft | None:
    """The earliest candidate that sets in no later than `draft` and does not depend on it."""
    at = draft.first_frame if draft.first_frame is not None else 0
    usable = [
        d
        for d in candidates
        if d is not draft and d.root is not draft and (d.first_frame or 0) <= at
    ]
    return min(usable, key=lambda d: d.first_frame or 0, default=None)
