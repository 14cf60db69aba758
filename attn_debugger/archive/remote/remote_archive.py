"""An archive on another machine; `open_remote` of this package makes one.

What is asked for comes over the link as exactly the bytes it takes, in one go; nothing is ever
written at the other end. When the link drops, every method raises `LinkError` until `reconnect`
worked, and what was shown before stays true: nothing is ever taken for missing or damaged because
the link was closed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.remote.looking import FarArchive
from attn_debugger.core.frame import GridFrame, LayerFrame, SharpTile
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.history import History
from attn_debugger.errors import ArchiveError, LinkError

Result = TypeVar("Result")


class RemoteArchive(FarArchive):
    """A `core.source.RunSource` and a `core.link.OverALink`. One thread uses it."""

    def refresh(self) -> bool:
        """Look for new frames; `LinkError` when the link is closed."""
        before = self.run
        return self._over_the_link(super().refresh) or self.run.identity != before.identity

    def grid(self, frame_index: int, sample: int, tile: int) -> GridFrame:  # noqa: D102
        read = super().grid
        return self._over_the_link(lambda: read(frame_index, sample, tile))

    def layer(  # noqa: D102
        self,
        frame_index: int,
        layer: int,
        sample: int = 0,
        *,
        maps: Collection[str] = schema.MAPS,
    ) -> LayerFrame:
        read = super().layer
        return self._over_the_link(lambda: read(frame_index, layer, sample, maps=maps))

    def head(self, frame_index: int, head: HeadRef, sample: int = 0) -> LayerFrame:  # noqa: D102
        read = super().head
        return self._over_the_link(lambda: read(frame_index, head, sample))

    def scan(self, frame_index: int) -> Iterator[LayerFrame]:
        """As usual; and where the link failed, `next` goes on with the layer that was due."""
        return _Layers(self, frame_index)

    def examined(self, frame_index: int, layer: int, sample: int) -> LayerFrame:
        """As usual; what lies behind it is read along."""
        read = super().examined
        self._blocks.reads_on = True
        try:
            return self._over_the_link(lambda: read(frame_index, layer, sample))
        finally:
            self._blocks.reads_on = False

    def history(self, sample: int = 0, first: int = 0) -> History | None:  # noqa: D102
        read = super().history
        return self._over_the_link(lambda: read(sample, first))

    def column_means(self, frame_index: int, sample: int = 0) -> NDArray[np.float32] | None:  # noqa: D102
        read = super().column_means
        return self._over_the_link(lambda: read(frame_index, sample))

    def special_rows(  # noqa: D102
        self, frame_index: int, sample: int = 0
    ) -> tuple[tuple[int, ...], NDArray[np.float32]] | None:
        read = super().special_rows
        return self._over_the_link(lambda: read(frame_index, sample))

    def image(self, frame_index: int, sample: int = 0) -> NDArray[np.uint8] | None:  # noqa: D102
        read = super().image
        return self._over_the_link(lambda: read(frame_index, sample))

    def derive_some(self) -> tuple[int, int]:  # noqa: D102
        return self._over_the_link(super().derive_some)

    def sharp_tiles(  # noqa: D102
        self, frame_index: int, layer: int, heads: Sequence[int], sample: int, tile: int
    ) -> tuple[SharpTile, ...]:
        read = super().sharp_tiles
        return self._over_the_link(lambda: read(frame_index, layer, heads, sample, tile))

    def _over_the_link(self, read: Callable[[], Result]) -> Result:
        """Read; a closed link never looks like damage, nor does a file that grew meanwhile."""
        if self._file is None and not self._closed:
            self._restore()
        try:
            result = read()
        except ArchiveError:
            self._raise_failure()
            self._refuse_another_file()
            if not self._blocks.has_changed:
                raise
        else:
            self._raise_failure()
            self._refuse_another_file()
            if not (_problems(result) and self._blocks.has_changed):
                return result
        # What looks wrong may be so because the file was written to since it was opened.
        self._close_file()
        self._restore()
        try:
            result = read()
        except ArchiveError:
            self._raise_failure()
            raise
        self._raise_failure()
        return result


class _Layers:
    """Layers of one frame, sample by sample."""

    def __init__(self, archive: RemoteArchive, frame_index: int) -> None:
        self._archive = archive
        self._frame_index = frame_index
        self._places = [
            (sample, layer.index)
            for sample in range(archive.run.n_samples)
            for layer in archive.run.layers
            if sample < layer.n_samples
        ]
        self._next = 0

    def __iter__(self) -> Iterator[LayerFrame]:
        return self

    def __next__(self) -> LayerFrame:
        if self._next >= len(self._places):
            raise StopIteration
        sample, layer = self._places[self._next]
        try:
            frame = self._archive.examined(self._frame_index, layer, sample)
        except LinkError:
            raise  # the same layer is due the next time
        except BaseException:
            self._next = len(self._places)
            raise
        self._next += 1
        return frame


def _problems(result: object) -> bool:
    if isinstance(result, LayerFrame):
        return bool(result.problems)
    return isinstance(result, GridFrame) and bool(result.note)
