"""What the window shows, as one frozen value: the session replaces it whole, views only read it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from attn_debugger.core.heads import HeadRef

SCALES = ("log", "sqrt", "linear")
RANGES = ("fixed", "head", "layer", "data")
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
TILE_NUMBERS = ("", "entropy", "peak", "diagonal", "mean", "score_max")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How maps are coloured and labelled: the part of the view that undo walks through."""

    grid_scale: str = "log"  # one of SCALES
    head_scale: str = "linear"
    range_mode: str = "fixed"  # one of RANGES
    colour_map: str = "viridis"
    tile_number: str = ""  # the summary written on each tile, one of TILE_NUMBERS


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewState:
    """Where the user is in the run, and how it is shown. Arrays and flags are not in here.

    `frame` indexes the archive (never a step). `query` and `key` are set together or not at all.
    `stream` limits stepping and playing to its frames; None = all frames in recorded order.
    `loop` is a first and last frame. `head_open` = the head view has the whole centre.
    """

    frame: int = 0
    head: HeadRef | None = None
    query: int | None = None
    key: int | None = None
    sample: int = 0
    stream: str | None = None
    look: Look = Look()
    playing: bool = False
    speed: float = 1.0
    loop: tuple[int, int] | None = None
    following: bool = False
    pinned: int | None = None
    head_open: bool = False

    @property
    def cell(self) -> tuple[int, int] | None:
        """The selected (query, key), if one is."""
        if self.query is None or self.key is None:
            return None
        return self.query, self.key

    def at_frame(self, frame: int, n_frames: int) -> ViewState:
        """Return this state at `frame`, clamped to what exists."""
        return replace(self, frame=max(0, min(frame, n_frames - 1)))

    def on_head(self, head: HeadRef | None, cell: tuple[int, int] | None = None) -> ViewState:
        """Return this state with another head selected; a cell belongs to its head."""
        if head == self.head and cell is None:
            return self
        query, key = cell if cell is not None else (None, None)
        return replace(self, head=head, query=query, key=key)


EMPTY_STATE = ViewState()
