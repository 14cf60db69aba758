"""All heads of a frame as tiles: from the overviews where they are, else from the full maps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import overview, schema
from attn_debugger.archive.layer_index import LayerIndex
from attn_debugger.archive.layer_reading import extent, stored_map
from attn_debugger.core.frame import GridFrame
from attn_debugger.errors import ArchiveError

Masked = Sequence[NDArray[np.bool_] | None]  # per layer (tile, tile)


def live_grid(
    layers: Sequence[LayerIndex], frame: int, sample: int, tile: int, masked: Masked
) -> GridFrame:
    """Pool the stored maps of every layer, as they are stored, without decoding them."""
    out = _Canvas(layers, tile)
    notes = []
    for position, layer in enumerate(layers):
        cut = extent(layer, frame, sample)
        row = layer.row_of(schema.WEIGHTS, frame) if layer.captured else None
        if not cut[0] or row is None:
            continue
        try:
            weights = stored_map(layer, schema.WEIGHTS, row, sample, cut, None)
        except ArchiveError as error:
            notes.append(str(error))
            continue
        pooled = overview.pool_max(weights, tile)
        out.put(position, overview.encode(pooled, sqrt_encoded=layer.sqrt_encoded), cut)
    return out.frame(frame, sample, masked, "full maps", " ".join(notes))


class _Canvas:
    """Tiles of all layers and what is known of them."""

    def __init__(self, layers: Sequence[LayerIndex], tile: int) -> None:
        widest = max((layer.info.n_heads for layer in layers), default=0)
        self.tile = tile
        self.codes = np.zeros((len(layers), widest, tile, tile), np.uint8)
        self.known = np.zeros((len(layers), widest), bool)
        self.shapes = [(0, 0)] * len(layers)

    def put(self, layer: int, codes: NDArray[np.uint8], shape: tuple[int, int]) -> None:
        """`codes` (head, row <= tile, column <= tile) of a map of `shape` (queries, keys)."""
        heads = len(codes)
        self.codes[layer, :heads] = overview.fill_square(codes, self.tile)
        self.known[layer, :heads] = True
        self.shapes[layer] = shape

    def frame(self, index: int, sample: int, masked: Masked, source: str, note: str) -> GridFrame:
        cover = np.zeros((len(self.shapes), self.tile, self.tile), bool)
        for layer, mask in enumerate(masked):
            if mask is not None and self.shapes[layer] != (0, 0):
                cover[layer] = mask
        for array in (self.codes, self.known, cover):
            array.flags.writeable = False
        return GridFrame(
            frame_index=index,
            sample=sample,
            tile=self.tile,
            codes=self.codes,
            known=self.known,
            masked=cover,
            shapes=tuple(self.shapes),
            source=source,
            note=note,
        )
