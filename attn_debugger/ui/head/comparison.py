"""Maps set aside to be compared with the one that is shown: heads, steps, or both. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from attn_debugger.core.frame import LayerFrame

MOST_PINNED = 8  # and the current one: nine can still be read side by side


@dataclass(frozen=True)
class Comparison:
    """The pinned maps, oldest first. `swapped` turns B - A into A - B."""

    pinned: tuple[LayerFrame, ...] = ()
    swapped: bool = False

    def with_pinned(self, frame: LayerFrame) -> Comparison:
        """Pin a map; one that is pinned already, or one too many, changes nothing."""
        if len(self.pinned) >= MOST_PINNED or any(_same(frame, other) for other in self.pinned):
            return self
        return replace(self, pinned=(*self.pinned, frame))

    def pair(self, current: LayerFrame) -> tuple[LayerFrame, LayerFrame] | None:
        """Return A and B where exactly one map is pinned: their difference can then be shown."""
        if len(self.pinned) != 1:
            return None
        pinned = self.pinned[0]
        return (current, pinned) if self.swapped else (pinned, current)

    def row(self, current: LayerFrame) -> tuple[LayerFrame, ...]:
        """Return all maps to be shown side by side: the pinned ones and the current one."""
        if any(_same(current, other) for other in self.pinned):
            return self.pinned
        return (*self.pinned, current)


def _same(one: LayerFrame, other: LayerFrame) -> bool:
    return (one.info.index, one.heads, one.frame_index, one.sample) == (
        other.info.index,
        other.heads,
        other.frame_index,
        other.sample,
    )


def map_name(frame: LayerFrame) -> str:
    """Return `L4.H7  step 1200`."""
    head = frame.heads[0] if frame.heads else 0
    return f"L{frame.info.index}.H{head}   step {frame.step}"
