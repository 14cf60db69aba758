"""Small values with a frame axis (statistics, output norms), read many frames at a time."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive.store import Store, read
from attn_debugger.archive.typed_values import check_kind

_BLOCK = 64  # frames read at once: one HDF5 call costs as much as sixty rows
_MOST_VALUES = 1 << 22  # of all blocks remembered, 16 MB
_KINDS = "fiu"


class FrameSeries:
    """`row(path, frame)`; remembers the blocks around the frames that were asked for last."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._blocks: OrderedDict[tuple[str, int], NDArray[np.float32]] = OrderedDict()
        self._values = 0

    def row(self, path: str, frame: int) -> NDArray[np.float32] | None:
        """The values of one frame; None = not stored (that far). Raises `ArchiveError`."""
        number = frame // _BLOCK
        block = self._blocks.get((path, number))
        if block is None:
            block = self._read(path, number)
            self._keep((path, number), block)
        offset = 0 if self._serves_all(path) else frame - number * _BLOCK
        return block[offset] if offset < len(block) else None

    def _serves_all(self, path: str) -> bool:
        dataset = self._store.dataset(path)
        return dataset is not None and dataset.ndim > 0 and dataset.shape[0] == 1

    def _read(self, path: str, number: int) -> NDArray[np.float32]:
        dataset = self._store.dataset(path)
        if dataset is None or dataset.ndim == 0:
            return np.empty((0,), np.float32)
        check_kind(path, dataset, _KINDS)
        if dataset.shape[0] == 1:
            rows = slice(0, 1)
        else:
            rows = slice(number * _BLOCK, min((number + 1) * _BLOCK, dataset.shape[0]))
        values: NDArray[Any] = read(path, dataset, (rows,))
        with np.errstate(over="ignore"):
            return values.astype(np.float32)

    def _keep(self, key: tuple[str, int], block: NDArray[np.float32]) -> None:
        block.flags.writeable = False
        self._blocks[key] = block
        self._values += block.size
        while self._values > _MOST_VALUES and len(self._blocks) > 1:
            _, oldest = self._blocks.popitem(last=False)
            self._values -= oldest.size
