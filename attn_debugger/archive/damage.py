"""How far a damaged archive can be used: its last frame of which every map can be read."""

from __future__ import annotations

from collections.abc import Sequence

from attn_debugger.archive import schema
from attn_debugger.archive.layer_index import LayerIndex
from attn_debugger.archive.store import read
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError


def whole_frames(
    layers: Sequence[LayerIndex], n_frames: int, missing: list[str], *, damaged: bool
) -> int:
    """How many of the `n_frames` frames are whole; sentences about the others go to `missing`.

    A layer of which nothing can be read is left out rather than taking all frames with it. In a
    file whose end is cut off the maps are tried, from the last frame backwards.
    """
    whole = n_frames
    for layer in layers:
        if not layer.captured:
            continue
        rows = _declared(layer, n_frames, missing)
        if damaged:
            rows = _readable(layer, rows)
        if rows == 0:
            missing.append(
                say("nothing of {layer} can be read; the layer is left out.", layer=_name(layer))
            )
            layer.drop_maps()
        elif rows < whole:
            missing.append(
                say(
                    "{layer} has only {rows} of {n_frames} frames.",
                    layer=_name(layer),
                    rows=rows,
                    n_frames=n_frames,
                )
            )
            whole = rows
    return whole


def _name(layer: LayerIndex) -> str:
    return schema.layer_path(layer.info.index, schema.WEIGHTS)


def _declared(layer: LayerIndex, n_frames: int, missing: list[str]) -> int:
    """Frames for which the weights declare a row."""
    rows = int(layer.maps[schema.WEIGHTS].shape[0])
    if layer.full_frames is not None or rows >= n_frames:
        return n_frames
    if rows == 1:
        missing.append(
            say(
                "{layer} has a single row: the same maps are shown for all {n_frames} frames.",
                layer=_name(layer),
                n_frames=n_frames,
            )
        )
        return n_frames
    return rows


def _readable(layer: LayerIndex, n_frames: int) -> int:
    """Frames up to the last one whose map can be read; those stored without maps are as whole."""
    dataset = layer.maps[schema.WEIGHTS]
    whole = n_frames
    for frame in range(n_frames - 1, -1, -1):
        row = layer.row_of(schema.WEIGHTS, frame)
        if row is None:
            continue
        try:
            read(_name(layer), dataset, (row,))
        except ArchiveError:
            whole = frame
            continue
        return whole
    return whole
