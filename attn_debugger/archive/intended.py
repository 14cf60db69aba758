"""Which cells of a map are masked on purpose: the grey of the head grid."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import overview
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import LayerFacts

_REMEMBERED = 256


def intended_mask(frame: LayerFrame, queries: int, keys: int) -> NDArray[np.bool_] | None:
    """(Q, K) True = some head may look there, from the mask, causality, window and padding.

    None when the archive says nothing about any of them.
    """
    allowed: NDArray[np.bool_] | None = None
    if frame.mask is not None:
        allowed = np.any(frame.mask.reshape(-1, queries, keys), axis=0)
    rule = _rule(frame.info.facts, queries, keys)
    if rule is not None and not (frame.info.facts.structural_mask and allowed is not None):
        allowed = rule if allowed is None else allowed & rule
    if frame.key_padding is not None and frame.key_padding.any():
        open_keys = np.broadcast_to(~frame.key_padding[None, :], (queries, keys))
        allowed = open_keys if allowed is None else allowed & open_keys
    return allowed


def _rule(facts: LayerFacts, queries: int, keys: int) -> NDArray[np.bool_] | None:
    """The structural mask that `causal` and `window` describe."""
    if facts.kind == "cross" or not (facts.causal or facts.window):
        return None
    distance = np.arange(queries)[:, None] + facts.q_offset - np.arange(keys)[None, :]
    allowed = np.ones((queries, keys), bool)
    if facts.causal:
        allowed &= distance >= 0
    if facts.window:
        allowed &= (distance if facts.causal else np.abs(distance)) < facts.window
    return allowed


class MaskedTiles:
    """Tiles of what is masked on purpose; the same mask is pooled once, not at every frame."""

    def __init__(self) -> None:
        self._tiles: OrderedDict[bytes, NDArray[np.bool_] | None] = OrderedDict()

    def of(self, frame: LayerFrame, extent: tuple[int, int], tile: int) -> NDArray[np.bool_] | None:
        """(tile, tile) True = every cell in here is masked on purpose; None = nothing is."""
        key = _key(frame, extent, tile)
        if key not in self._tiles:
            allowed = intended_mask(frame, *extent)
            whole = allowed is None or bool(allowed.all())
            self._tiles[key] = None if whole else overview.pool_all(~allowed, tile)  # type: ignore[operator]
            if len(self._tiles) > _REMEMBERED:
                self._tiles.popitem(last=False)
        self._tiles.move_to_end(key)
        return self._tiles[key]


def _key(frame: LayerFrame, extent: tuple[int, int], tile: int) -> bytes:
    mask, padding = frame.mask, frame.key_padding
    parts = [
        repr((frame.info.index, extent, tile)).encode(),
        b"" if mask is None else np.packbits(mask).tobytes(),
        b"" if padding is None else padding.tobytes(),
    ]
    return b"|".join(parts)
