"""All heads of a frame as tiles: from the overviews where they are, else from the full maps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import overview, schema
from attn_debugger.archive.layer_index import LayerIndex
from attn_debugger.archive.layer_reading import extent, stored_map
from attn_debugger.core.frame import GridFrame, SharpTile
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError

Masked = Sequence[NDArray[np.bool_] | None]  # per layer (tile, tile)


def grid_from_maps(
    layers: Sequence[LayerIndex], frame: int, sample: int, tile: int, masked: Masked, note: str
) -> GridFrame:
    """Pool the stored maps of every layer, as they are stored, without decoding them."""
    canvas = _Canvas(layers, tile)
    notes = [note] if note else []
    for position, layer in enumerate(layers):
        shape = extent(layer, frame, sample)
        row = layer.row_of(schema.WEIGHTS, frame)
        if shape == (0, 0):
            continue
        if row is None:
            notes.append(say("Layer {position} has no full maps at this step.", position=position))
            continue
        try:
            weights = stored_map(layer, schema.WEIGHTS, row, sample, shape, None)
        except ArchiveError as error:
            notes.append(str(error))
            continue
        pooled = overview.pool_max(weights, tile)
        canvas.put(position, overview.encode(pooled, sqrt_encoded=layer.sqrt_encoded), shape)
    return canvas.frame(frame, sample, masked, "full maps", " ".join(notes))


def grid_from_overview(
    layers: Sequence[LayerIndex],
    codes: Sequence[NDArray[np.uint8] | None],
    frame: int,
    sample: int,
    tile: int,
    masked: Masked,
    note: str = "",
) -> GridFrame:
    """Spread what `derived/` holds of each layer over its tiles."""
    canvas = _Canvas(layers, tile)
    for position, (layer, layer_codes) in enumerate(zip(layers, codes, strict=True)):
        if layer_codes is not None:
            canvas.put(position, layer_codes, extent(layer, frame, sample))
    return canvas.frame(frame, sample, masked, "overview", note)


def sharp_tiles(
    layer: LayerIndex,
    frame: int,
    heads: Sequence[int],
    sample: int,
    tile: int,
    masked: NDArray[np.bool_] | None,
) -> tuple[SharpTile, ...]:
    """Pool the stored maps of some heads of one layer, one at a time: a map may be large.

    None where nothing was captured or no full map stored. Raises `ArchiveError`.
    """
    shape = extent(layer, frame, sample)
    row = layer.row_of(schema.WEIGHTS, frame)
    if shape == (0, 0) or row is None:
        return ()
    cover = np.zeros((tile, tile), bool) if masked is None else masked
    found = []
    for head in heads:
        weights = stored_map(layer, schema.WEIGHTS, row, sample, shape, head)
        codes = overview.tiles(weights, tile, sqrt_encoded=layer.sqrt_encoded)[0]
        codes.flags.writeable = cover.flags.writeable = False
        ref = HeadRef(layer.info.index, head)
        found.append(SharpTile(head=ref, codes=codes, masked=cover))
    return tuple(found)


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
