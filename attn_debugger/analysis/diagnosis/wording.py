"""The one sentence of a flag: where, when, and what was measured."""

from __future__ import annotations

from attn_debugger.analysis.flags.drafts import Draft
from attn_debugger.core.flags import Cause
from attn_debugger.core.run import LayerInfo


def message_of(draft: Draft, info: LayerInfo | None, causes: tuple[Cause, ...] = ()) -> str:
    """`In layer 3, head 5, from step 1200 to 1500 (4 frames), 4 of 128 rows hold NaN.`

    Of non-finite values the sentence also says where they entered, when the archive shows it.
    """
    place = where(draft.layer, draft.heads, info)
    time = when(draft.first_step, draft.last_step, draft.frames)
    lead = ", ".join(part for part in (place, time) if part)
    sentence = f"{lead}, {draft.evidence}" if lead else draft.evidence
    if draft.signal == "nan_weights" and draft.parent is None:
        shown = [cause.because for cause in causes if cause.status == "confirmed"]
        sentence += f"; {shown[0]}" if shown else ""
    sentence = sentence[:1].upper() + sentence[1:]
    return sentence if sentence.endswith(".") else sentence + "."


def where(layer: int | None, heads: tuple[int, ...], info: LayerInfo | None) -> str:
    """`in layer 3, heads 2 and 5`."""
    if layer is None:
        return ""
    total = info.n_heads if info is not None else None
    return ", ".join(part for part in (f"in layer {layer}", name_heads(heads, total)) if part)


def name_heads(heads: tuple[int, ...], total: int | None = None) -> str:
    """`head 5`, `heads 2 and 5`, `all 12 heads`; runs are shortened to `0 to 7`."""
    if not heads:
        return ""
    if total is not None and len(heads) == total > 1:
        return f"all {total} heads"
    if len(heads) == 1:
        return f"head {heads[0]}"
    runs: list[list[int]] = []
    for head in heads:
        if runs and head == runs[-1][-1] + 1:
            runs[-1].append(head)
        else:
            runs.append([head])
    parts: list[str] = []
    for run in runs:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(head) for head in run]
    if len(parts) == 1:
        return f"heads {parts[0]}"
    return f"heads {', '.join(parts[:-1])} and {parts[-1]}"


def when(first: int | None, last: int | None, frames: int) -> str:
    """`at step 1200`, or `from step 1200 to 1500 (4 frames)`."""
    if first is None:
        return ""
    if last is None or last == first:
        return f"at step {first}"
    count = f" ({frames} frames)" if frames > 1 else ""
    return f"from step {first} to {last}{count}"
