"""What the session needs of an open archive. It is given one; it never opens a file itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Protocol, runtime_checkable

from attn_debugger.core.frame import GridFrame, LayerFrame, SharpTile
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.core.run import Run


class RunSource(Protocol):
    """An open run. Used from one thread only: HDF5 serialises all calls under one global lock.

    Every method may raise `errors.ArchiveError` with a sentence; the source stays usable.
    """

    @property
    def run(self) -> Run:
        """The index as of the last `refresh`."""
        ...

    def grid(self, frame_index: int, sample: int, tile: int) -> GridFrame:
        """All heads as tiles of `tile` pixels, from the overviews or else the full maps."""
        ...

    def layer(
        self,
        frame_index: int,
        layer: int,
        sample: int = 0,
        *,
        maps: Collection[str] = ("weights", "scores", "q", "k"),
    ) -> LayerFrame:
        """One layer with all its heads; `maps` names which of the stored maps to read."""
        ...

    def head(self, frame_index: int, head: HeadRef, sample: int = 0) -> LayerFrame:
        """One head at full resolution: a `LayerFrame` whose head axis has length 1."""
        ...

    def scan(self, frame_index: int) -> Iterator[LayerFrame]:
        """Every sample, and of it every layer in forward order, one at a time, for analysis."""
        ...

    def refresh(self) -> bool:
        """Look for frames that a trainer has added; True when `run` changed."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class RecallsHistory(Protocol):
    """A source that may know the per-head numbers of all frames without reading their maps."""

    def history(self, sample: int = 0, first: int = 0) -> History | None:
        """Per-head numbers of the frames from `first` on, as they were recorded; None = none."""
        ...


@runtime_checkable
class DerivesOverviews(Protocol):
    """A source that may lack overviews and can derive them, bit by bit, between other work."""

    @property
    def wants_overviews(self) -> bool:
        """Whether overviews are missing and worth having."""
        ...

    def derive_some(self) -> tuple[int, int]:
        """Go on for some milliseconds; frames that are done, and of how many."""
        ...

    def stop_deriving(self) -> None:
        """Keep what is done so far, and use it."""
        ...


@runtime_checkable
class SharpensTiles(Protocol):
    """A source that can make tiles of single heads from their full maps, whatever their size."""

    def sharp_tiles(
        self, frame_index: int, layer: int, heads: Sequence[int], sample: int, tile: int
    ) -> tuple[SharpTile, ...]:
        """Some heads of a layer as tiles of `tile` pixels; none where no full map was stored."""
        ...


@runtime_checkable
class DoubtsOverviews(Protocol):
    """A source that holds its overviews against the maps, and may find that they are wrong."""

    @property
    def overview_problem(self) -> str:
        """Why overviews are not used; empty = nothing is known against them."""
        ...
