"""How each dataset of a growing archive is laid out on disk: type, fill, chunks, filters.

Every axis that may grow is unlimited, so that a longer batch never needs a new dataset. Full maps
are chunked per head: one head over all steps is then as cheap to read as all heads of one step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.strings import string_type
from attn_debugger.errors import ArchiveError

COMPRESSIONS = ("lzf", "fast", "portable")
_SERIES_BYTES = 4096  # a chunk of a small series; rewritten at every frame until it is full
_TABLE_ROWS = 16

EVENT_TYPE = np.dtype(
    [
        (schema.EVENT_STEP, np.int64),
        (schema.EVENT_KIND, string_type(schema.EVENT_KIND_BYTES)),
        (schema.EVENT_TEXT, string_type(schema.EVENT_TEXT_BYTES)),
    ]
)
CHECKPOINT_TYPE = np.dtype(
    [
        (schema.CHECKPOINT_STEP, np.int64),
        (schema.CHECKPOINT_PATH, string_type(schema.PATH_BYTES)),
    ]
)


@dataclass(frozen=True, slots=True)
class Column:
    """One dataset with a frame axis in front: `row` is the shape of one row when it is made."""

    dtype: np.dtype[Any]
    row: tuple[int, ...]
    chunk: tuple[int, ...]  # with the frame axis
    fill: object = 0
    compressed: bool = False


def compression_filters(compression: str) -> Mapping[str, Any]:
    """h5py's keywords for a compression; raises `ArchiveError` when it cannot be had here."""
    if compression == "lzf":
        return {"compression": "lzf", "shuffle": True}
    if compression == "portable":
        return {"compression": "gzip", "compression_opts": 1, "shuffle": True}
    if compression != "fast":
        raise ArchiveError(
            f"Unknown compression {compression!r}; use one of {', '.join(COMPRESSIONS)}."
        )
    try:
        import hdf5plugin
    except ImportError:
        raise ArchiveError(
            "compression='fast' needs the package hdf5plugin: pip install hdf5plugin, "
            "or use compression='lzf'."
        ) from None
    return dict(hdf5plugin.Blosc(cname="lz4", clevel=5, shuffle=hdf5plugin.Blosc.SHUFFLE))


def column_for(path: str, row: NDArray[Any], dtype: np.dtype[Any]) -> Column:
    """The layout of the dataset at `path`, judged by its first row. `dtype` is that of the maps."""
    parts = path.split("/")
    name = parts[-1]
    shape = row.shape
    if path.startswith(schema.DERIVED):
        return _derived_column(path, row)
    if parts[0] == schema.SCALARS or path == schema.TIME:
        return Column(np.dtype(np.float64), (), (512,), np.nan)
    if path == schema.STREAM:
        return Column(string_type(schema.STREAM_BYTES), (), (256,), b"")
    if name in (schema.TOKENS, schema.QUERY_TOKENS):
        kind = string_type(schema.TOKEN_BYTES)
        return Column(kind, shape, _token_chunk(shape), b"", compressed=True)
    if name in (schema.TOKEN_IDS, schema.DOCUMENTS, schema.QUERY_DOCUMENTS):
        return Column(np.dtype(np.int64), shape, _token_chunk(shape), -1, compressed=True)
    if name in (schema.KEY_PADDING, schema.QUERY_PADDING):
        return Column(np.dtype(bool), shape, _token_chunk(shape), False, compressed=True)
    if path == schema.IMAGES:
        chunk = (1, 1, *(max(1, n) for n in shape[1:]))
        return Column(np.dtype(np.uint8), shape, chunk, 0, compressed=True)
    return _layer_column(parts[2:], row, dtype)


def _layer_column(parts: list[str], row: NDArray[Any], dtype: np.dtype[Any]) -> Column:
    name, shape = parts[-1], row.shape
    if parts[0] in (schema.STATS, schema.OUTPUT):
        return Column(np.dtype(np.float32), shape, _series_chunk(shape, 4), np.nan)
    if name == schema.LENGTHS:
        return Column(np.dtype(np.int32), shape, _series_chunk(shape, 4))
    if name == schema.PRESENT:
        return Column(np.dtype(bool), (), (512,), False)
    if name in (schema.CAPTURES, schema.FULL_FRAMES):
        return Column(np.dtype(np.int64), (), (256,), 0)
    if name == schema.MASK:
        # True = allowed: cells a shorter mask does not reach must not look masked.
        return Column(np.dtype(bool), shape, _map_chunk(shape), True, compressed=True)
    if name == schema.WEIGHTS:
        return Column(dtype, shape, _map_chunk(shape), 0, compressed=True)
    # Scores reach beyond half precision where it matters most: they keep the type they come in.
    kind = np.dtype(np.float16) if row.dtype == np.float16 else np.dtype(np.float32)
    return Column(kind, shape, _map_chunk(shape), np.nan, compressed=True)


def _derived_column(path: str, row: NDArray[Any]) -> Column:
    if path in (schema.OVERVIEW_64, schema.OVERVIEW_32):
        chunk = (1, 1, *(max(1, n) for n in row.shape[1:]))
        return Column(np.dtype(np.uint8), row.shape, chunk, 0)
    if path == schema.SUMMARY:
        return Column(np.dtype(np.float32), row.shape, _series_chunk(row.shape, 64), np.nan)
    chunk = (1, 1, *(max(1, n) for n in row.shape[1:-1]), _side(row.shape[-1]))
    return Column(np.dtype(np.float16), row.shape, chunk, np.nan, compressed=True)


def _side(length: int) -> int:
    """Chunk side of an axis that varies: the next power of two, 64 to 512."""
    return int(min(512, max(64, 1 << max(0, length - 1).bit_length())))


def _map_chunk(row: tuple[int, ...]) -> tuple[int, ...]:
    """(sample, head, query, key) of one row -> one head of one frame; a width of q or k is kept."""
    return (1, 1, 1, _side(row[-2]), _side(row[-1]))


def _token_chunk(row: tuple[int, ...]) -> tuple[int, ...]:
    return (1, max(1, row[0]), _side(row[-1]))


def _series_chunk(row: tuple[int, ...], scale: int) -> tuple[int, ...]:
    """As many rows as fill a few kilobytes, a power of two."""
    width = max(1, int(np.prod(row, dtype=np.int64)))
    rows = max(1, _SERIES_BYTES * max(1, scale // 4) // (4 * width))
    return (min(256, 1 << (rows.bit_length() - 1)), *(max(1, n) for n in row))


def create_column(
    file: h5py.File, path: str, column: Column, filters: Mapping[str, Any]
) -> h5py.Dataset:
    """Make the dataset with no rows yet, every axis unlimited."""
    return file.create_dataset(
        path,
        shape=(0, *column.row),
        maxshape=(None,) * (1 + len(column.row)),
        dtype=column.dtype,
        chunks=column.chunk,
        fillvalue=column.fill,
        **(filters if column.compressed else {}),
    )


def create_table(file: h5py.File, path: str, dtype: np.dtype[Any]) -> h5py.Dataset:
    """Make an empty table of events or checkpoints."""
    return file.create_dataset(path, (0,), dtype, maxshape=(None,), chunks=(_TABLE_ROWS,))


def create_curves(file: h5py.File, paths: Iterable[str]) -> None:
    """Make empty curves: (T, 2) of step and value."""
    for path in paths:
        file.create_dataset(path, (0, 2), np.float64, maxshape=(None, 2), chunks=(512, 2))
