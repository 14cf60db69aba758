"""The heads in sight as fine as the screen shows them, read bit by bit while the user rests."""

from __future__ import annotations

from collections.abc import Iterator

from attn_debugger.core.frame import SharpTile, SharpTiles
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.link import FETCHED_UNASKED_BYTES, OverALink
from attn_debugger.core.source import RunSource, SharpensTiles
from attn_debugger.errors import AttnDebuggerError
from attn_debugger.session.cache import FrameCache
from attn_debugger.session.messages import SharpRequest
from attn_debugger.session.sentences import sentence_of

# What is read in one step: the frame that the user goes on to never waits for more than that.
STEP_CELLS = 1 << 20
BYTES_PER_CELL = 2


class Sharpening:
    """A `SharpRequest` half done: `step` reads a few heads more.

    The full maps that are read of one frame stay within the budget of the cache; what was asked
    for first is read first.
    """

    def __init__(self, request: SharpRequest) -> None:
        self.request = request
        self._found: list[SharpTile] = []
        self._waiting: list[HeadRef] | None = None  # None = the cache was not asked yet
        self._n_bytes = 0
        self._note = ""

    @property
    def is_over(self) -> bool:
        return self._waiting is not None and not self._waiting

    def step(self, source: RunSource, cache: FrameCache) -> SharpTiles:
        """Read some more; return all that is there. Heads that cannot be read are noted.

        Raises `LinkError`; then the same heads are due again.
        """
        if self._waiting is None:
            self._waiting = list(self._not_kept(cache))
        if not isinstance(source, SharpensTiles):
            self._waiting = []
        elif self._waiting:
            self._read(source, source, cache, self._waiting)
        request = self.request
        return SharpTiles(
            frame_index=request.frame_index,
            sample=request.sample,
            tile=request.tile,
            tiles=tuple(self._found),
            n_wanted=len(request.heads),
            is_complete=self.is_over,
            note=self._note,
        )

    def _not_kept(self, cache: FrameCache) -> Iterator[HeadRef]:
        """Take what the cache has; yield the others."""
        for head in self.request.heads:
            kept = cache.get(self._key(head))
            if isinstance(kept, SharpTile):
                self._found.append(kept)
            else:
                yield head

    def _read(
        self,
        run_source: RunSource,
        source: SharpensTiles,
        cache: FrameCache,
        waiting: list[HeadRef],
    ) -> None:
        layer = waiting[0].layer
        info = run_source.run.layers[layer]
        cells = max(1, info.n_queries * info.n_keys)
        budget = cache.budget
        if isinstance(run_source, OverALink):
            budget = min(budget, FETCHED_UNASKED_BYTES)
        affordable = (budget - self._n_bytes) // (cells * BYTES_PER_CELL)
        most = min(max(1, STEP_CELLS // cells), affordable)
        if most < 1:
            waiting.clear()
            return
        heads = [head for head in waiting if head.layer == layer][:most]
        request = self.request
        numbers = [head.head for head in heads]
        try:
            tiles = source.sharp_tiles(
                request.frame_index, layer, numbers, request.sample, request.tile
            )
        except (AttnDebuggerError, OSError) as error:
            self._note = sentence_of(error)
            tiles = ()
        # Not before: where a link is lost on the way, the same heads are due again.
        for head in heads:
            waiting.remove(head)
        self._n_bytes += len(heads) * cells * BYTES_PER_CELL
        for tile in tiles:
            cache.put(self._key(tile.head), tile)
            self._found.append(tile)

    def _key(self, head: HeadRef) -> tuple[object, ...]:
        request = self.request
        return "sharp", request.frame_index, request.sample, request.tile, head
