"""Where the bytes lie that a read will need, if they lie far apart: so that they come in one go."""

from __future__ import annotations

from typing import Any

import h5py

FEWEST_CHUNKS = 8  # fewer are had as HDF5 comes to them
WORTH_SHARE = 4  # of a dataset's chunks, one in so many: finding them reads the whole index


def scattered_ranges(dataset: h5py.Dataset, selection: Any) -> list[tuple[int, int]]:
    """(offset, size) of the stored chunks of a selection (ints and slices of step 1).

    Empty where the selection is a small part of the dataset. Raises what h5py raises.
    """
    if dataset.chunks is None or dataset.is_virtual or not dataset.size:
        return []
    spans = _spans(dataset, selection)
    wanted = total = 1
    for (start, stop), chunk, length in zip(spans, dataset.chunks, dataset.shape, strict=True):
        wanted *= -(-stop // chunk) - start // chunk
        total *= -(-length // chunk)
    if wanted < FEWEST_CHUNKS or wanted * WORTH_SHARE < total:
        return []
    found: list[tuple[int, int]] = []

    def look(info: Any) -> None:
        corners = zip(info.chunk_offset, spans, dataset.chunks, strict=True)
        if all(start < at + chunk and at < stop for at, (start, stop), chunk in corners):
            found.append((int(info.byte_offset), int(info.size)))

    dataset.id.chunk_iter(look)
    return found


def _spans(dataset: h5py.Dataset, selection: Any) -> list[tuple[int, int]]:
    """First and last index along each axis, one behind."""
    indices = selection if isinstance(selection, tuple) else (selection,)
    spans = []
    for axis, length in enumerate(dataset.shape):
        index = indices[axis] if axis < len(indices) else slice(None)
        if isinstance(index, slice):
            start, stop, _ = index.indices(length)
        else:
            start = int(index) + (length if index < 0 else 0)
            stop = start + 1
        spans.append((start, max(start, stop)))
    return spans
