"""What the tokens of a vision model were cut from: one picture a sample, from the root `images`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.layer_index import row_in
from attn_debugger.archive.store import Store, is_stored, read
from attn_debugger.archive.typed_values import check_kind
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError


class Images:
    """Reads them one at a time and remembers the last: heads of one frame share it."""

    def __init__(self, store: Store, root_names: frozenset[str]) -> None:
        self._store = store
        self._exist = schema.IMAGES in root_names
        self._place: tuple[int, int] | None = None
        self._image: NDArray[np.uint8] | None = None

    def of(self, frame: int, sample: int, problems: list[str]) -> NDArray[np.uint8] | None:
        """The picture of a sample, (height, width, 3) read-only; None = not recorded."""
        if not self._exist:
            return None
        try:
            return self._read(frame, sample)
        except ArchiveError as error:
            problems.append(str(error))
            return None

    def _read(self, frame: int, sample: int) -> NDArray[np.uint8] | None:
        dataset = self._store.dataset(schema.IMAGES)
        if dataset is None:
            return None
        if dataset.ndim != 5 or dataset.shape[-1] != 3 or dataset.dtype.itemsize != 1:
            raise ArchiveError(
                say(
                    "{name} has shape {shape} and type {dtype}; (frame, sample, height, "
                    "width, 3) of uint8 was expected; it is not shown.",
                    name=schema.IMAGES,
                    shape=dataset.shape,
                    dtype=dataset.dtype,
                )
            )
        check_kind(schema.IMAGES, dataset, "u")
        row = row_in(dataset.shape[0], frame)
        if row is None or sample >= dataset.shape[1]:
            return None
        if (row, sample) != self._place:
            image = read(schema.IMAGES, dataset, (row, sample))
            missing = not image.any() and not is_stored(schema.IMAGES, dataset, (row, sample))
            image.flags.writeable = False
            self._place, self._image = (row, sample), None if missing else image
        return self._image
