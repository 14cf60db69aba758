"""Read the intended mask of one layer, in all the shapes the format allows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.layer_index import LayerIndex, row_in
from attn_debugger.archive.schema import layer_path
from attn_debugger.archive.store import is_stored, read
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError


def read_mask(
    layer: LayerIndex, frame: int, sample: int, shape: tuple[int, int], head: int | None
) -> NDArray[np.bool_] | None:
    """(query, key), or (head or 1, query, key) when it differs by head."""
    dataset = layer.mask
    if dataset is None:
        return None
    path = layer_path(layer.info.index, schema.MASK)
    if dataset.ndim not in (2, 3, 4, 5):
        raise ArchiveError(
            say("{path} has {axes} axes; it is ignored.", path=path, axes=dataset.ndim)
        )
    queries, keys = shape
    if dataset.shape[-2] < queries or dataset.shape[-1] < keys:
        raise ArchiveError(
            say(
                "{path} is {rows} x {columns}, too small for maps of {queries} x "
                "{keys}; it is ignored.",
                path=path,
                rows=dataset.shape[-2],
                columns=dataset.shape[-1],
                queries=queries,
                keys=keys,
            )
        )
    lead = dataset.shape[:-2]
    wanted = _mask_lead(lead, layer, frame, sample)
    picked: list[Any] = []
    for length, index in zip(lead, wanted, strict=True):
        if index is None:
            if length not in (1, layer.info.n_heads):
                raise ArchiveError(
                    say(
                        "{path} is for {length} heads, the layer has {n_heads}; it is ignored.",
                        path=path,
                        length=length,
                        n_heads=layer.info.n_heads,
                    )
                )
            picked.append(slice(None) if head is None or length == 1 else slice(head, head + 1))
            continue
        row = row_in(length, index)
        if row is None:
            return None
        picked.append(row)
    mask = read(path, dataset, (*picked, slice(queries), slice(keys))).astype(bool)
    if mask.all() and not is_stored(path, dataset, [p for p in picked if isinstance(p, int)]):
        return None  # the recorder's fill where a frame came without a mask
    mask.flags.writeable = False
    return mask


def _mask_lead(
    lead: tuple[int, ...], layer: LayerIndex, frame: int, sample: int
) -> tuple[int | None, ...]:
    """What each leading axis of a mask is indexed by; None = the head axis."""
    if len(lead) == 0:
        return ()
    if len(lead) == 1:
        # (H, Q, K), or (1, Q, K), or one mask a frame.
        return (frame,) if lead[0] not in (1, layer.info.n_heads) else (None,)
    if len(lead) == 2:
        return (frame, None)
    return (frame, sample, None)
