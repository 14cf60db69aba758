"""Read what the writer derived: overviews and per-head summaries, once they prove consistent.

`derived/` can be absent, of another version, shorter than the run or plain wrong (a file edited by
hand). It is only used while it agrees with the maps it was derived from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import overview, schema
from attn_debugger.archive.half import from_float16
from attn_debugger.archive.layer_index import LayerIndex
from attn_debugger.archive.layer_reading import extent, stored_map
from attn_debugger.archive.plain_values import plain
from attn_debugger.archive.store import Store, is_stored, read
from attn_debugger.archive.typed_values import check_kind, numbers
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.history import SUMMARY_NAMES, History
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError

LARGE, SMALL = 64, 32
_CHECKS = 24  # maps held against their overview before it is trusted


class Derived:
    """The overviews and summaries of an open archive; `problem` says why they are not used."""

    def __init__(
        self,
        store: Store,
        layers: Sequence[LayerIndex],
        n_frames: int,
        n_derived: int | None = None,
    ) -> None:
        self.problem = ""
        self._layers = layers
        self._n_frames = n_frames
        self._n_derived = n_frames if n_derived is None else min(n_frames, n_derived)
        self._store = store
        self._checks_left = _CHECKS
        self._large: h5py.Dataset | None = None
        self._small: h5py.Dataset | None = None
        self._summary: h5py.Dataset | None = None
        self._means: h5py.Dataset | None = None
        self._special: h5py.Dataset | None = None
        try:
            self._find()
        except ArchiveError as error:
            self._refuse(str(error))

    def _find(self) -> None:
        store = self._store
        if schema.DERIVED not in store.children("/"):
            return
        version = store.attributes(schema.DERIVED).get(schema.VERSION_ATTRIBUTE)
        if version != schema.DERIVED_VERSION:
            return  # written by another program: not used, not wrong
        self._large = self._dataset(schema.OVERVIEW_64, "u1", 6)
        self._small = self._dataset(schema.OVERVIEW_32, "u1", 6)
        self._summary = self._dataset(schema.SUMMARY, "f4", 5)
        self._means = self._dataset(schema.COLUMN_MEAN, "f2", 5)
        self._special = self._dataset(schema.SPECIAL_ROWS, "f2", 6)

    def _dataset(self, path: str, dtype: str, axes: int) -> h5py.Dataset | None:
        dataset = self._store.dataset(path)
        if dataset is None:
            return None
        check_kind(path, dataset, "uf")
        fits = dataset.ndim == axes and dataset.shape[2] <= len(self._layers)
        if not fits or dataset.dtype != np.dtype(dtype):
            raise ArchiveError(
                say(
                    "{path} has shape {shape} and type {dtype}, which fits no overview "
                    "of these layers",
                    path=path,
                    shape=dataset.shape,
                    dtype=dataset.dtype,
                )
            )
        return dataset

    def _refuse(self, reason: str) -> None:
        self.problem = say(
            "the overviews are not used: {reason}; maps are read instead.", reason=reason
        )
        self._large = self._small = None
        self._summary = self._means = self._special = None

    @property
    def has_overviews(self) -> bool:
        """Whether any tiles are stored."""
        return self._large is not None

    @property
    def n_derived(self) -> int:
        """How many frames were derived, counted from the first."""
        return self._n_derived

    def codes(self, frame: int, sample: int, tile: int) -> list[NDArray[np.uint8] | None] | None:
        """Per layer (head, row <= tile, column <= tile); None = no overview serves this tile.

        A layer that has no map here is None in the list.
        """
        for dataset, side in self._serving(tile):
            if frame >= min(self._n_derived, dataset.shape[0]) or sample >= dataset.shape[1]:
                continue
            try:
                stored = read(schema.DERIVED, dataset, (frame, sample))
                if not stored.any() and not is_stored(schema.DERIVED, dataset, (frame, sample)):
                    continue  # this overview began later in the run
                found = self._cut(stored, frame, sample, side)
            except ArchiveError as error:
                self._refuse(str(error))
                return None
            if self._checks_left and not self._agrees(found, frame, sample, side):
                return None
            return [None if c is None else overview.pool_max(c, tile) for c in found]
        return None

    def _serving(self, tile: int) -> Iterator[tuple[h5py.Dataset, int]]:
        """Overviews from which tiles of this size come out exactly as from the maps."""
        if self._small is not None and SMALL % tile == 0:
            yield self._small, SMALL
        if self._large is not None and (LARGE % tile == 0 or self._unpooled()):
            yield self._large, LARGE

    def _unpooled(self) -> bool:
        """Whether every map fits into the overview cell by cell."""
        return all(max(x.info.n_queries, x.info.n_keys) <= LARGE for x in self._layers)

    def _cut(
        self, stored: NDArray[np.uint8], frame: int, sample: int, side: int
    ) -> list[NDArray[np.uint8] | None]:
        found: list[NDArray[np.uint8] | None] = []
        for position, layer in enumerate(self._layers):
            queries, keys = (min(n, side) for n in extent(layer, frame, sample))
            if not queries or position >= len(stored):
                found.append(None)
                continue
            codes = stored[position, : layer.info.n_heads, :queries, :keys]
            if codes.shape != (layer.info.n_heads, queries, keys):
                raise ArchiveError(
                    say(
                        "{name} is too small for layer {position} of {n_heads} heads and "
                        "{queries} x {keys} cells",
                        name=schema.OVERVIEW_64,
                        position=position,
                        n_heads=layer.info.n_heads,
                        queries=queries,
                        keys=keys,
                    )
                )
            found.append(codes)
        return found

    def _agrees(
        self, found: list[NDArray[np.uint8] | None], frame: int, sample: int, side: int
    ) -> bool:
        """Hold one head of one layer against its map; another one at every call."""
        known = [i for i, codes in enumerate(found) if codes is not None]
        self._checks_left -= 1
        if not known:
            return True
        position = known[self._checks_left % len(known)]
        layer = self._layers[position]
        codes = found[position]
        row = layer.row_of(schema.WEIGHTS, frame)
        if row is None or codes is None:
            return True
        head = (self._checks_left // len(known)) % layer.info.n_heads
        try:
            weights = stored_map(
                layer, schema.WEIGHTS, row, sample, extent(layer, frame, sample), head
            )
        except ArchiveError:
            return True  # the map itself is damaged; that is said where it is read
        pooled = overview.encode(overview.pool_max(weights, side), sqrt_encoded=layer.sqrt_encoded)
        return self._is_near(pooled[0], codes[head], position, head, frame)

    def doubt(self, frame: LayerFrame, head: int) -> None:
        """Hold a head of a frame that was read in full against its overview; no more is read of the
        maps than was anyway. Whoever examines the whole run meets every step.
        """
        layer, dataset, weights = frame.info.index, self._large, frame.weights
        if dataset is None or weights is None or not weights.size:
            return
        place = frame.frame_index, frame.sample, layer, head
        inside = all(at < n for at, n in zip(place, dataset.shape, strict=False))
        if not inside or frame.frame_index >= self._n_derived:
            return
        queries, keys = (min(n, LARGE) for n in weights.shape[1:])
        try:
            codes = read(schema.DERIVED, dataset, place)[:queries, :keys]
            if codes.any() or is_stored(schema.DERIVED, dataset, place[:2]):
                pooled = overview.encode(overview.pool_max(weights[head], LARGE))
                self._is_near(pooled, codes, layer, head, frame.frame_index)
        except ArchiveError as error:
            self._refuse(str(error))

    def _is_near(
        self,
        pooled: NDArray[np.uint8],
        codes: NDArray[np.uint8],
        position: int,
        head: int,
        frame: int,
    ) -> bool:
        """Whether stored codes are those of the map, but for rounding; if not, none are used."""
        if pooled.shape == codes.shape:
            difference = np.abs(pooled.astype(np.int16) - codes)
            if not bool((difference > 1).any()):
                return True
        self._refuse(
            say(
                "that of layer {position}, head {head}, frame {frame} contradicts its map",
                position=position,
                head=head,
                frame=frame,
            )
        )
        return False

    def history(self, sample: int, first: int = 0) -> History | None:
        """Summaries of the frames from `first` on as the writer saw them; None = there are none."""
        dataset = self._summary
        if dataset is None or sample >= dataset.shape[1]:
            return None
        try:
            names = self._names(dataset)
            rows = min(self._n_derived, dataset.shape[0])
            stored = numbers(schema.SUMMARY, dataset, "f", (slice(first, rows), sample))
        except ArchiveError as error:
            self._refuse(str(error))
            return None
        heads = max((layer.info.n_heads for layer in self._layers), default=0)
        values: dict[str, NDArray[np.float32]] = {}
        for name in SUMMARY_NAMES:
            out = np.full((self._n_frames - first, len(self._layers), heads), np.nan, np.float32)
            if name in names:
                part = stored[..., names.index(name)][:, :, :heads]
                out[: part.shape[0], : part.shape[1], : part.shape[2]] = part
            out.flags.writeable = False
            values[name] = out
        scanned = np.zeros(self._n_frames - first, bool)
        scanned[: max(0, rows - first)] = True
        return History(values=values, scanned=scanned)

    def column_means(self, frame: int, sample: int) -> NDArray[np.float32] | None:
        """(layer, head, key): attention each key receives; NaN = no such head or key, or a gap."""
        return self._row(self._means, frame, sample)

    def special_rows(
        self, frame: int, sample: int
    ) -> tuple[tuple[int, ...], NDArray[np.float32]] | None:
        """The special queries, and (layer, head, special, key): what each of them looks at."""
        dataset = self._special
        rows = self._row(dataset, frame, sample)
        if dataset is None or rows is None:
            return None
        stored = plain(dataset.attrs.get(schema.SPECIAL_QUERIES_ATTRIBUTE, h5py.Empty("f")))
        queries = stored if isinstance(stored, tuple) else (stored,)
        if len(queries) != rows.shape[2] or not all(isinstance(q, int) for q in queries):
            return None
        return tuple(int(str(q)) for q in queries), rows

    def _row(
        self, dataset: h5py.Dataset | None, frame: int, sample: int
    ) -> NDArray[np.float32] | None:
        if dataset is None or frame >= min(self._n_derived, dataset.shape[0]):
            return None
        if sample >= dataset.shape[1]:
            return None
        try:
            return from_float16(read(str(dataset.name), dataset, (frame, sample)))
        except ArchiveError as error:
            self._refuse(str(error))
            return None

    def _names(self, dataset: h5py.Dataset) -> list[Any]:
        names = plain(dataset.attrs.get(schema.SUMMARY_NAMES_ATTRIBUTE, h5py.Empty("f")))
        if not isinstance(names, tuple) or len(names) != dataset.shape[-1]:
            raise ArchiveError(
                say(
                    "{name} does not name its {columns} columns",
                    name=schema.SUMMARY,
                    columns=dataset.shape[-1],
                )
            )
        return list(names)
