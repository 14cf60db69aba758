"""What of a second run is shown beside one frame of the first, or why nothing is."""

from __future__ import annotations

from dataclasses import dataclass

from attn_debugger.core.frame import GridFrame, LayerFrame
from attn_debugger.core.heads import HeadRef


@dataclass(frozen=True, slots=True, kw_only=True)
class GridBeside:
    """The second run's grid at the step of the first run's frame `for_frame`.

    Its heads lie where their partners lie in the first run. `frame` None = there is none, and
    `why` says why.
    """

    for_frame: int
    frame: GridFrame | None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadBeside:
    """The partner of the first run's `head` at the step of its frame `for_frame`."""

    for_frame: int
    head: HeadRef | None
    frame: LayerFrame | None
    why: str = ""
