"""A frame as a flat table: dataset path -> the row to write there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.half import to_float16
from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.schema import layer_path
from attn_debugger.archive.strings import cut_text
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError

Cells = dict[str, Any]
Layers = Sequence[LayerRecord]
Derive = Callable[[FrameRecord, Layers, Layers], Mapping[str, NDArray[Any]]]


@dataclass(frozen=True, slots=True)
class FrameCells:
    """Rows by dataset path: `maps` only exist for full frames, `masks` rarely change."""

    cells: Cells
    maps: Cells
    masks: dict[str, NDArray[np.bool_]]


def frame_cells(
    frame: FrameRecord,
    specs: Sequence[LayerSpec],
    indices: Sequence[int],
    dtype: np.dtype[Any],
    logged: Mapping[str, float],
    derive: Derive,
) -> FrameCells:
    """Everything of a frame but its step; layer i of the record is layer `indices[i]` of the file.

    `derive` gets the records in the file's order, as they came and as they are stored, and returns
    rows of `derived/`.
    Raises `ArchiveError` for weights of a wrong shape.
    """
    cells: Cells = {
        schema.STREAM: cut_text(frame.stream, schema.STREAM_BYTES),
        schema.TIME: np.float64(frame.time),
    }
    for name, value in {**frame.scalars, **logged}.items():
        cells[schema.scalar_path(name)] = np.float64(value)
    cells |= _token_cells("", frame.tokens, None, frame.token_ids)
    _put(cells, schema.KEY_PADDING, frame.key_padding, bool)
    _put(cells, schema.DOCUMENTS, frame.documents, np.int64)
    _put(cells, schema.IMAGES, frame.images, np.uint8)
    if frame.batch_hash is not None:
        cells[schema.BATCH_HASH] = np.int64(frame.batch_hash)
    maps: Cells = {}
    masks: dict[str, NDArray[np.bool_]] = {}
    layers = [LayerRecord() for _ in range(max(indices, default=-1) + 1)]
    given = list(layers)
    for index, spec, record in zip(indices, specs, frame.layers, strict=False):
        layer = _converted(record, dtype)
        _check(layer, index, spec.name)
        given[index], layers[index] = record, layer
        if frame.full:
            maps |= _map_cells(index, layer)
        if layer.mask is not None:
            masks[layer_path(index, schema.MASK)] = _mask_row(layer.mask)
    for index, spec in zip(indices, specs, strict=True):
        cells |= _layer_cells(index, layers[index], spec)
    cells |= derive(frame, given, layers)
    return FrameCells(cells, maps, masks)


def _converted(layer: LayerRecord, dtype: np.dtype[Any]) -> LayerRecord:
    """Weights in the type they are stored in, so that what is derived fits what is stored."""
    if layer.weights is None or layer.weights.dtype == dtype:
        return layer
    if dtype == np.float16:
        return replace(layer, weights=to_float16(layer.weights))
    return replace(layer, weights=layer.weights.astype(dtype))


def _check(layer: LayerRecord, index: int, name: str) -> None:
    weights = layer.weights
    if weights is not None and weights.ndim != 4:
        raise ArchiveError(
            say(
                "Layer {index} ({name}) has weights of {axes} axes; they must be "
                "(sample, head, query, key).",
                index=index,
                name=name,
                axes=weights.ndim,
            )
        )


def _map_cells(index: int, layer: LayerRecord) -> Cells:
    maps = {
        schema.WEIGHTS: layer.weights,
        schema.SCORES: layer.scores,
        schema.Q: layer.q,
        schema.K: layer.k,
    }
    return {layer_path(index, name): rows for name, rows in maps.items() if rows is not None}


def _layer_cells(index: int, layer: LayerRecord, spec: LayerSpec) -> Cells:
    def path(name: str) -> str:
        return layer_path(index, name)

    cells: Cells = {
        path(schema.PRESENT): np.bool_(layer.weights is not None),
        path(schema.CAPTURES): np.int64(layer.captures),
        path(schema.LENGTHS): _lengths(layer, spec),
    }
    for name, values in layer.stats.items():
        cells[path(f"{schema.STATS}/{name}")] = np.asarray(values, np.float32)
    for name, value in layer.output.items():
        cells[path(f"{schema.OUTPUT}/{name}")] = np.float32(value)
    _put(cells, path(schema.KEY_PADDING), layer.key_padding, bool)
    _put(cells, path(schema.QUERY_PADDING), layer.query_padding, bool)
    return cells | _token_cells(layer_path(index) + "/", layer.tokens, layer.query_tokens, None)


def _mask_row(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(Q, K), (1 or H, Q, K) or (S, 1 or H, Q, K) -> (S or 1, H or 1, Q, K)."""
    return np.asarray(mask, bool).reshape((1,) * (4 - mask.ndim) + mask.shape)


def _lengths(layer: LayerRecord, spec: LayerSpec) -> NDArray[np.int32]:
    """(sample, 2): zeros where nothing was captured."""
    if layer.weights is None:
        return np.zeros((max(1, spec.samples), 2), np.int32)
    if layer.lengths is not None:
        return np.asarray(layer.lengths, np.int32)
    samples, _, queries, keys = layer.weights.shape
    return np.tile(np.array([queries, keys], np.int32), (samples, 1))


def _token_cells(
    prefix: str,
    tokens: tuple[tuple[str, ...], ...] | None,
    query_tokens: tuple[tuple[str, ...], ...] | None,
    ids: NDArray[np.int64] | None,
) -> Cells:
    cells: Cells = {}
    for name, value in ((schema.TOKENS, tokens), (schema.QUERY_TOKENS, query_tokens)):
        if value is not None:
            cells[prefix + name] = _token_row(value)
    if ids is not None:
        cells[prefix + schema.TOKEN_IDS] = np.asarray(ids, np.int64)
    return cells


def _token_row(samples: tuple[tuple[str, ...], ...]) -> NDArray[np.bytes_]:
    """(sample, token) bytes; shorter samples end in empty strings."""
    longest = max((len(sample) for sample in samples), default=0)
    row = np.zeros((len(samples), longest), f"S{schema.TOKEN_BYTES}")
    for index, sample in enumerate(samples):
        row[index, : len(sample)] = [cut_text(token, schema.TOKEN_BYTES) for token in sample]
    return row


def _put(cells: Cells, path: str, value: NDArray[Any] | None, dtype: Any) -> None:
    if value is not None:
        cells[path] = np.asarray(value, dtype)
