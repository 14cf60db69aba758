"""Which cells of the head grid are masked on purpose: its neutral grey."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from attn_debugger.analysis.layout import Layout, LayoutCache
from attn_debugger.archive import overview
from attn_debugger.core.frame import LayerFrame

_REMEMBERED = 64  # masks: a run has few, unless padding changes with every batch


class MaskedTiles:
    """Tiles of what is masked on purpose; the same mask is pooled once, not at every frame."""

    def __init__(self) -> None:
        self._layouts = LayoutCache(_REMEMBERED)
        self._tiles: OrderedDict[tuple[int, int], tuple[Layout, NDArray[np.bool_] | None]] = (
            OrderedDict()
        )

    def of(self, frame: LayerFrame, extent: tuple[int, int], tile: int) -> NDArray[np.bool_] | None:
        """(tile, tile) True = no head may look at any cell in here; None = nothing is masked.

        `frame` needs no maps: what counts is its mask, padding, documents and facts.
        """
        shape = (frame.info.n_heads, *extent)
        layout = self._layouts.of(replace(frame, weights=np.broadcast_to(np.float32(0), shape)))
        key = (id(layout), tile)
        known = self._tiles.get(key)
        # The layout is kept beside its tile so that its id cannot be given to another one.
        if known is None:
            known = (layout, _pooled(layout, tile))
            self._tiles[key] = known
            if len(self._tiles) > _REMEMBERED:
                self._tiles.popitem(last=False)
        return known[1]


def _pooled(layout: Layout, tile: int) -> NDArray[np.bool_] | None:
    if layout.allowed is None:
        return None
    masked = np.logical_not(np.any(layout.allowed, axis=0))
    return overview.pool_all(masked, tile) if masked.any() else None
