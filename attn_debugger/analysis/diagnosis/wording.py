"""The one sentence of a flag: where, when, and what was measured."""

from __future__ import annotations

from attn_debugger.analysis.flags.drafts import Draft
from attn_debugger.core.flags import Cause
from attn_debugger.core.run import LayerInfo
from attn_debugger.core.words import join, listing, raised, say


def message_of(draft: Draft, info: LayerInfo | None, causes: tuple[Cause, ...] = ()) -> str:
    """`In layer 3, head 5, from step 1200 to 1500 (4 frames), 4 of 128 rows hold NaN.`

    Of non-finite values the sentence also says where they entered, when the archive shows it.
    """
    place = where(draft.layer, draft.heads, info)
    time = when(draft.first_step, draft.last_step, draft.frames)
    lead = join(", ", (part for part in (place, time) if part))
    sentence = join(", ", (lead, draft.evidence)) if lead else draft.evidence
    if draft.signal == "nan_weights" and draft.parent is None:
        shown = [cause.because for cause in causes if cause.status == "confirmed"]
        sentence = join("; ", (sentence, *shown[:1]))
    sentence = raised(sentence)
    return sentence if sentence.endswith(".") else say("{sentence}.", sentence=sentence)


def where(layer: int | None, heads: tuple[int, ...], info: LayerInfo | None) -> str:
    """`in layer 3, heads 2 and 5`."""
    if layer is None:
        return ""
    total = info.n_heads if info is not None else None
    parts = (say("in layer {layer}", layer=layer), name_heads(heads, total))
    return join(", ", (part for part in parts if part))


def name_heads(heads: tuple[int, ...], total: int | None = None) -> str:
    """`head 5`, `heads 2 and 5`, `all 12 heads`; runs are shortened to `0 to 7`."""
    if not heads:
        return ""
    if total is not None and len(heads) == total > 1:
        return say("all {total} heads", total=total)
    if len(heads) == 1:
        return say("head {head}", head=heads[0])
    return say("heads {heads}", heads=listed(heads))


def listed(numbers: tuple[int, ...]) -> str:
    """`2, 5 and 7 to 9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts: list[str] = []
    for run in runs:
        parts += (
            [say("{first} to {last}", first=run[0], last=run[-1])]
            if len(run) > 2
            else [str(number) for number in run]
        )
    if len(parts) == 1:
        return parts[0]
    return say("{several} and {last}", several=listing(parts[:-1]), last=parts[-1])


def when(first: int | None, last: int | None, frames: int) -> str:
    """`at step 1200`, or `from step 1200 to 1500 (4 frames)`."""
    if first is None:
        return ""
    if last is None or last == first:
        return say("at step {step}", step=first)
    if frames <= 1:
        return say("from step {first} to {last}", first=first, last=last)
    return say(
        "from step {first} to {last} ({frames} frames)", first=first, last=last, frames=frames
    )
