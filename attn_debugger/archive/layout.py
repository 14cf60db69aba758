"""How each dataset of a growing archive is laid out on disk: type, fill, chunks, filters.

Full maps are chunked per head: one head over all steps is then as cheap to read as all heads of one
step. Axes are unlimited only once they are seen to vary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.strings import string_type
from attn_debugger.core.words import listing, say
from attn_debugger.errors import ArchiveError

COMPRESSIONS = ("lzf", "fast", "portable")
_SERIES_BYTES = 4096  # a chunk of a small series; rewritten at every frame until it is full
_TABLE_ROWS = 16
_SMALL_OVERVIEW = 1 << 16  # bytes of a frame's overview that are worth packing
_LONGEST_SIDE = 2048  # queries or keys of a chunk that holds a whole head

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
    """One dataset with a frame axis in front of rows of shape `row`.

    `lengths` are the row axes that count queries or keys; `single` leading row axes (sample, head)
    are chunked one by one.
    """

    dtype: np.dtype[Any]
    row: tuple[int, ...]
    chunk_rows: int = 1
    fill: object = 0
    lengths: tuple[int, ...] = ()
    single: int = 0
    compressed: bool = False


def compression_filters(compression: str) -> Mapping[str, Any]:
    """h5py's keywords for a compression; raises `ArchiveError` when it cannot be had here."""
    if compression == "lzf":
        return {"compression": "lzf", "shuffle": True}
    if compression == "portable":
        return {"compression": "gzip", "compression_opts": 1, "shuffle": True}
    if compression != "fast":
        raise ArchiveError(
            say(
                "Unknown compression {compression!r}; use one of {known}.",
                compression=compression,
                known=listing(COMPRESSIONS),
            )
        )
    try:
        import hdf5plugin
    except ImportError:
        raise ArchiveError(
            say(
                "compression='fast' needs the package hdf5plugin: pip install "
                "hdf5plugin, or use compression='lzf'."
            )
        ) from None
    return dict(hdf5plugin.Blosc(cname="lz4", clevel=5, shuffle=hdf5plugin.Blosc.SHUFFLE))


def column_for(path: str, row: NDArray[Any], dtype: np.dtype[Any]) -> Column:
    """The layout of the dataset at `path`, judged by its first row. `dtype` is that of the maps."""
    parts = path.split("/")
    name = parts[-1]
    shape = row.shape
    if path.startswith(schema.DERIVED):
        return _derived_column(path, shape)
    if parts[0] == schema.SCALARS or path == schema.TIME:
        return Column(np.dtype(np.float64), (), 512, np.nan)
    if path == schema.BATCH_HASH:
        return Column(np.dtype(np.int64), (), 512, -1)
    if path == schema.STREAM:
        return Column(string_type(schema.STREAM_BYTES), (), 256, b"")
    if name in (schema.TOKENS, schema.QUERY_TOKENS):
        kind = string_type(schema.TOKEN_BYTES)
        return Column(kind, shape, 1, b"", lengths=(1,), compressed=True)
    if name in (schema.TOKEN_IDS, schema.DOCUMENTS, schema.QUERY_DOCUMENTS):
        return Column(np.dtype(np.int64), shape, 1, -1, lengths=(1,), compressed=True)
    if name in (schema.KEY_PADDING, schema.QUERY_PADDING):
        return Column(np.dtype(bool), shape, 1, False, lengths=(1,), compressed=True)
    if path == schema.IMAGES:
        return Column(np.dtype(np.uint8), shape, single=1, compressed=True)
    return _layer_column(parts[2:], row, dtype)


def _layer_column(parts: list[str], row: NDArray[Any], dtype: np.dtype[Any]) -> Column:
    name, shape = parts[-1], row.shape
    if parts[0] in (schema.STATS, schema.OUTPUT):
        return Column(np.dtype(np.float32), shape, _rows(shape), np.nan)
    if name == schema.LENGTHS:
        return Column(np.dtype(np.int32), shape, _rows(shape))
    if name == schema.PRESENT:
        return Column(np.dtype(bool), (), 512, False)
    if name in (schema.CAPTURES, schema.FULL_FRAMES):
        return Column(np.dtype(np.int64), (), 256)
    if name == schema.MASK:
        # True = allowed: cells a shorter mask does not reach must not look masked.
        return Column(np.dtype(bool), shape, 1, True, (2, 3), 2, compressed=True)
    if name == schema.WEIGHTS:
        return Column(dtype, shape, 1, 0, (2, 3), 2, compressed=True)
    # Scores reach beyond half precision where it matters most: they keep the type they come in.
    kind = np.dtype(np.float16) if row.dtype == np.float16 else np.dtype(np.float32)
    if name == schema.SCORES:
        return Column(kind, shape, 1, np.nan, (2, 3), 2, compressed=True)
    return Column(kind, shape, 1, np.nan, lengths=(2,), single=2, compressed=True)


def _derived_column(path: str, shape: tuple[int, ...]) -> Column:
    if path in (schema.OVERVIEW_64, schema.OVERVIEW_32):
        # Of a large model they are read for every step of a drag: not even unpacking is affordable.
        small = int(np.prod(shape[1:], dtype=np.int64)) <= _SMALL_OVERVIEW
        return Column(np.dtype(np.uint8), shape, single=1, compressed=small)
    if path == schema.SUMMARY:
        return Column(np.dtype(np.float32), shape, _rows(shape, _SERIES_BYTES * 8), np.nan)
    half = np.dtype(np.float16)
    return Column(half, shape, 1, np.nan, lengths=(len(shape) - 1,), single=1, compressed=True)


def _rows(row: tuple[int, ...], n_bytes: int = _SERIES_BYTES) -> int:
    """As many rows of four-byte values as fill a chunk, a power of two."""
    rows = max(1, n_bytes // (4 * max(1, int(np.prod(row, dtype=np.int64)))))
    return min(256, 1 << (rows.bit_length() - 1))


def _side(length: int, *, varies: bool) -> int:
    """Chunk side of an axis of queries or keys; one chunk holds a head unless it is enormous."""
    if varies:
        return int(min(512, max(64, 1 << max(0, length - 1).bit_length())))
    return length if length <= _LONGEST_SIDE else _LONGEST_SIDE // 2


def create_column(
    file: h5py.File,
    path: str,
    column: Column,
    filters: Mapping[str, Any],
    varies: Sequence[bool] | None = None,
) -> h5py.Dataset:
    """Make the dataset, with no rows yet. `varies` says which row axes change from frame to frame.

    Those are unlimited. The others are fixed, because a dataset with a single unlimited axis has an
    index that grows in place; that of several is rewritten at every flush and, under SWMR, leaves
    kilobytes of dead space behind each frame.
    """
    varying = tuple(varies) if varies is not None else (False,) * len(column.row)
    limits = [None if v or not n else n for n, v in zip(column.row, varying, strict=True)]
    chunk = [
        1 if axis < column.single else _side(n, varies=v) if axis in column.lengths else n
        for axis, (n, v) in enumerate(zip(column.row, varying, strict=True))
    ]
    return file.create_dataset(
        path,
        shape=(0, *column.row),
        maxshape=(None, *limits),
        dtype=column.dtype,
        chunks=(column.chunk_rows, *(max(1, n) for n in chunk)),
        fillvalue=column.fill,
        **(_filters_of(path, filters) if column.compressed else {}),
    )


def _filters_of(path: str, filters: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is derived stays readable where the filter of the full maps is missing."""
    return {"compression": "lzf"} if path.startswith(schema.DERIVED) else filters


def widen_column(
    file: h5py.File, path: str, row: NDArray[Any], dtype: np.dtype[Any], filters: Mapping[str, Any]
) -> None:
    """Make the dataset anew for longer rows, with the axes that turn out to vary unlimited."""
    old = file[path]
    before, limits = old.shape[1:], old.maxshape[1:]
    after = tuple(map(max, before, row.shape))
    empty = old.id.get_storage_size() == 0
    pairs = zip(before, after, limits, strict=True)
    varies = [not empty and (b != a or limit is None) for b, a, limit in pairs]
    column = replace(column_for(path, row, dtype), row=after, dtype=old.dtype)
    attributes = dict(old.attrs)
    del file[path]  # the open handle keeps the data until it is copied
    new = create_column(file, path, column, filters, varies)
    for name, value in attributes.items():
        new.attrs.create(name, value, dtype=getattr(value, "dtype", None))
    new.resize((old.shape[0], *after))
    if not empty:
        inside = tuple(slice(n) for n in before)
        for start in range(0, old.shape[0], column.chunk_rows):
            rows = slice(start, start + column.chunk_rows)
            new[(rows, *inside)] = old[rows]


def create_table(file: h5py.File, path: str, dtype: np.dtype[Any]) -> h5py.Dataset:
    """Make an empty table of events or checkpoints."""
    return file.create_dataset(path, (0,), dtype, maxshape=(None,), chunks=(_TABLE_ROWS,))


def create_curves(file: h5py.File, paths: Iterable[str]) -> None:
    """Make empty curves: (T, 2) of step and value."""
    for path in paths:
        file.create_dataset(path, (0, 2), np.float64, maxshape=(None, 2), chunks=(512, 2))
