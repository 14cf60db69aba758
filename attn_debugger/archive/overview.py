"""The overview code: a head as a small max-pooled tile of quarter-root bytes.

    codes = encode(pool_max(weights, 64))     # (..., Q, K) -> (..., min(64, Q), min(64, K)) uint8
    tile = fill_square(codes, 64)             # (..., 64, 64)
    weight = decode(tile)                     # float32, NaN where something is not finite

`code = round(254 * weight ** 0.25)`; 255 = a non-finite weight in here. The quarter root keeps a
relative error of a few percent from 1 down to 1e-5, where most attention lives; a linear byte
loses all below 1e-2. Max-pooling keeps thin diagonals and single hot cells that a mean would blur.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import NONFINITE_CODE, TOP_CODE


def bins(length: int, tile: int) -> NDArray[np.intp]:
    """First cell of each of `tile` bins; cell `i` lies in bin `i * tile // length`.

    (tile + 1,): the last entry is `length`. Needs `length >= tile`.
    """
    return -(-np.arange(tile + 1) * length // tile)


def pool_max(weights: NDArray[Any], tile: int) -> NDArray[Any]:
    """Max-pool the last two axes to at most `tile` cells each; smaller axes stay as they are.

    Works on float16, float32, float64 and uint8; a non-finite cell wins over every finite one, a
    negative weight counts as zero. Returns (..., min(Q, tile), min(K, tile)) of the same dtype,
    native byte order (float32 for float64).
    """
    if weights.dtype == np.float64:
        weights = weights.astype(np.float32)
    if weights.dtype.kind == "u":
        return _pool_axis(_pool_axis(weights, tile, -2), tile, -1)
    native = weights.dtype.newbyteorder("=")
    pooled = _pool_ordered(_ordered_bits(weights), tile)
    sign = np.array(1 << (8 * weights.itemsize - 1), pooled.dtype)
    infinity = np.array(-np.inf, native).view(pooled.dtype)
    if bool(np.any((pooled >= sign) & (pooled < infinity))):
        # A negative finite number sorts above every positive one as bits: clear them and redo.
        bits = _ordered_bits(weights)
        pooled = _pool_ordered(np.where((bits >= sign) & (bits < infinity), 0, bits), tile)
    return pooled.view(native)


def _ordered_bits(weights: NDArray[Any]) -> NDArray[Any]:
    """Floats as unsigned integers: for non-negative floats the order is the same, NaN on top.

    Comparing integers is what makes float16 fast: NumPy has no vector instructions for half floats.
    """
    native = np.ascontiguousarray(weights, weights.dtype.newbyteorder("="))
    return native.view(np.dtype(f"u{weights.itemsize}"))


def _pool_ordered(bits: NDArray[Any], tile: int) -> NDArray[Any]:
    # Rows first: whole rows are contiguous, and what is left for the strided pass is small.
    return np.ascontiguousarray(_pool_axis(_pool_axis(bits, tile, -2), tile, -1))


def _pool_axis(values: NDArray[Any], tile: int, axis: int) -> NDArray[Any]:
    length = values.shape[axis]
    if length <= tile:
        return values
    moved = values if axis == -1 else values.swapaxes(axis, -1)
    factor, rest = divmod(length, tile)
    if rest == 0:
        pooled = moved[..., 0::factor].copy() if axis == -1 else moved[..., 0::factor] + 0
        for offset in range(1, factor):
            np.maximum(pooled, moved[..., offset::factor], out=pooled)
    else:
        edges = bins(length, tile)
        starts, ends = edges[:-1], edges[1:]
        pooled = moved[..., starts]
        for offset in range(1, int((ends - starts).max())):
            np.maximum(pooled, moved[..., np.minimum(starts + offset, ends - 1)], out=pooled)
    return pooled if axis == -1 else pooled.swapaxes(axis, -1)


def encode(weights: NDArray[Any], *, sqrt_encoded: bool = False) -> NDArray[np.uint8]:
    """Weights to codes, cell by cell. uint8 means value / 255, squared if `sqrt_encoded`."""
    if weights.dtype == np.uint8:
        return np.asarray(_byte_codes(sqrt_encoded)[weights])
    if weights.dtype.kind == "f" and weights.itemsize == 2:
        return np.asarray(_half_codes()[_ordered_bits(weights)])
    return _encode_float(np.asarray(weights, np.float32))


def _encode_float(weights: NDArray[np.float32]) -> NDArray[np.uint8]:
    finite = np.isfinite(weights)
    root = np.where(finite, weights, 0)
    np.clip(root, 0, 1, out=root)  # a weight above 1 is drawn as 1; the statistics tell
    np.sqrt(root, out=root)
    np.sqrt(root, out=root)
    root *= TOP_CODE
    root += np.float32(0.5)
    codes: NDArray[np.uint8] = root.astype(np.uint8)
    codes[~finite] = NONFINITE_CODE
    return codes


@lru_cache(maxsize=1)
def _half_codes() -> NDArray[np.uint8]:
    """Code of each of the 65,536 half floats, by its bits."""
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    return _encode_float(halves.astype(np.float32))


@lru_cache(maxsize=2)
def _byte_codes(sqrt_encoded: bool) -> NDArray[np.uint8]:
    weights = np.arange(256, dtype=np.float32) / np.float32(255)
    return _encode_float(weights * weights if sqrt_encoded else weights)


@lru_cache(maxsize=1)
def _weights_of_codes() -> NDArray[np.float32]:
    roots = np.arange(256, dtype=np.float32) / np.float32(TOP_CODE)
    weights: NDArray[np.float32] = roots * roots * roots * roots
    weights[NONFINITE_CODE] = np.nan
    return weights


def decode(codes: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Codes back to weights (same shape); NaN where the code says non-finite."""
    return np.asarray(_weights_of_codes()[codes])


def fill_square(codes: NDArray[Any], tile: int) -> NDArray[Any]:
    """(..., rows <= tile, columns <= tile) -> (..., tile, tile): smaller maps repeat their cells.

    Cell (q, k) of a Q x K map covers tile rows `q * tile // Q` up to `(q + 1) * tile // Q`.
    """
    rows, columns = codes.shape[-2:]
    if rows < tile:
        codes = np.repeat(codes, np.diff(np.arange(rows + 1) * tile // rows), axis=-2)
    if columns < tile:
        codes = np.repeat(codes, np.diff(np.arange(columns + 1) * tile // columns), axis=-1)
    return codes


def tiles(weights: NDArray[Any], tile: int, *, sqrt_encoded: bool = False) -> NDArray[np.uint8]:
    """(..., Q, K) weights -> (..., tile, tile) codes that fill their squares. Needs Q, K > 0."""
    return fill_square(encode(pool_max(weights, tile), sqrt_encoded=sqrt_encoded), tile)


def pool_all(flags: NDArray[np.bool_], tile: int) -> NDArray[np.bool_]:
    """(Q, K) -> (tile, tile): True where every cell in a tile's cell is True."""
    cleared = pool_max(np.logical_not(flags).view(np.uint8), tile)
    return fill_square(cleared == 0, tile)
