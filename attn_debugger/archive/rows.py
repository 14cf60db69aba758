"""A dataset that grows row by row, written with as few HDF5 calls as can be.

One frame of twelve layers touches some three hundred datasets: h5py's `dataset[i] = x` costs a
tenth of a millisecond each, a prepared dataspace a tenth of that.
"""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

# Small series are extended many rows at once; readers cut them to the length of `steps`.
_AHEAD_BYTES = 16_384


class Rows:
    """`put(row, values)` writes one row, growing every axis of the dataset that is too short."""

    def __init__(self, dataset: h5py.Dataset) -> None:
        self._id = dataset.id
        self._dtype = dataset.dtype
        self._shape = tuple(int(n) for n in dataset.shape)
        self._limits = tuple(dataset.maxshape[1:])
        chunk = int(np.prod(dataset.chunks or (1,))) * dataset.dtype.itemsize
        rows = dataset.chunks[0] if dataset.chunks else 1
        self._ahead = int(rows) if chunk <= _AHEAD_BYTES else 1

    @property
    def shape(self) -> tuple[int, ...]:
        """As HDF5 has it: the rows may be ahead of what was put."""
        return self._shape

    def takes(self, row_shape: tuple[int, ...]) -> bool:
        """Whether a row of this shape goes in without making the dataset anew."""
        if row_shape == self._shape[1:]:
            return True
        return len(row_shape) == len(self._limits) and all(
            limit is None or n <= limit for n, limit in zip(row_shape, self._limits, strict=True)
        )

    def put(self, row: int, values: NDArray[Any] | np.generic | float | bytes) -> None:
        """Write `values` at `row`; where they are shorter than the dataset, the rest is fill."""
        array = np.ascontiguousarray(values, self._dtype)
        if len(self._shape) == 1:
            array = array.reshape(())
        self.reserve(row + 1, array.shape)
        if array.size == 0:
            return
        count = (1, *array.shape)
        space = self._id.get_space()
        space.select_hyperslab((row,) + (0,) * array.ndim, count)
        self._id.write(h5py.h5s.create_simple(count), space, array)

    def reserve(self, n_rows: int, row_shape: tuple[int, ...] = ()) -> None:
        """Make room for `n_rows` rows of at least `row_shape`."""
        if n_rows <= self._shape[0] and row_shape == self._shape[1:]:
            return
        ahead = -(-n_rows // self._ahead) * self._ahead
        rows = self._shape[0] if n_rows <= self._shape[0] else ahead
        wanted = (rows, *map(max, self._shape[1:], row_shape or self._shape[1:]))
        if wanted != self._shape:
            self._id.set_extent(wanted)
            self._shape = wanted

    def flush(self) -> None:
        """Hand this dataset alone to the operating system."""
        self._id.flush()

    def put_many(self, row: int, values: NDArray[Any]) -> None:
        """Write several rows of a table at once, starting at `row`."""
        if len(values) == 0:
            return
        end = row + len(values)
        if end > self._shape[0]:
            self._shape = (end, *self._shape[1:])
            self._id.set_extent(self._shape)
        space = self._id.get_space()
        space.select_hyperslab((row, *(0,) * (values.ndim - 1)), values.shape)
        memory = h5py.h5s.create_simple(values.shape)
        self._id.write(memory, space, np.ascontiguousarray(values, self._dtype))
