"""Heads, layers and models that do not move on the fixed probe, judged over all layers together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.arrays import Bools
from attn_debugger.analysis.histories.motion import FROZEN, Motion
from attn_debugger.analysis.histories.tracking import Conclusion
from attn_debugger.analysis.signals.findings import Finding, indices
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import say


def conclude_frozen(layers: dict[int, Motion]) -> Iterator[tuple[int, Conclusion]]:
    """`frozen_all`, `frozen_layer`, `frozen_head`: what does not move, beside what does.

    `layers` holds the trainable layers of one stream and sample.
    """
    usable = {index: m for index, m in layers.items() if not m.broken and m.frames > FROZEN}
    frozen = {index: motion.frozen for index, motion in usable.items()}
    if not frozen or not any(heads.any() for heads in frozen.values()):
        return
    everything = all(motion.still and frozen[index].any() for index, motion in usable.items())
    moving = any(motion.ever_moved for motion in usable.values())
    for index, motion in usable.items():
        heads = frozen[index]
        if not heads.any():
            continue
        if everything:
            everyone = np.ones(motion.n_heads, bool)
            text = say("no head of any layer changes although the layers are trainable")
            yield index, _frozen("frozen_all", Severity.CRITICAL, motion, heads, everyone, text)
        elif motion.moving_beside(heads):
            by_start: dict[int, list[int]] = {}
            for head in np.flatnonzero(heads):
                start = motion.equal_since[int(head)]
                by_start.setdefault(start.frame_index if start else 0, []).append(int(head))
            for group in by_start.values():
                mine = np.zeros(motion.n_heads, bool)
                mine[group] = True
                text = say("maps are identical bit by bit while other heads keep learning")
                yield index, _frozen("frozen_head", Severity.WARNING, motion, mine, mine, text)
        elif moving:
            text = say("no head of the layer changes while other layers keep learning")
            yield index, _frozen("frozen_layer", Severity.WARNING, motion, heads, heads, text)


def _frozen(
    signal: str, severity: Severity, motion: Motion, heads: Bools, shown: Bools, text: str
) -> Conclusion:
    starts = [motion.equal_since[int(head)] for head in np.flatnonzero(heads)]
    first = min((s for s in starts if s is not None), key=lambda moment: moment.frame_index)
    assert motion.last is not None
    length = int(motion.equal[heads].max())
    return Conclusion(
        Finding(
            signal=signal,
            severity=severity,
            evidence=say("{text} ({length} intervals)", text=text, length=length),
            heads=indices(shown),
            value=float(length),
            threshold=float(FROZEN),
            unit=say("intervals without any change"),
        ),
        first,
        motion.last,
        length,
    )
