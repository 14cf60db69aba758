"""Where the rows of a frame go: maps that may be sparser than frames, masks that rarely change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.cells import FrameCells
from attn_debugger.archive.derive import Deriver, special_queries
from attn_debugger.archive.facts import facts_of
from attn_debugger.archive.growing import Change, GrowingFile, write_attributes
from attn_debugger.archive.layout import column_for, create_column, widen_column
from attn_debugger.archive.plain_values import plain
from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.rows import Rows
from attn_debugger.archive.schema import layer_path
from attn_debugger.archive.strings import set_attribute, storable
from attn_debugger.core.history import SUMMARY_NAMES
from attn_debugger.core.run import LayerFacts


class FrameRows:
    """Puts the cells of a frame into the growing file, creating what does not exist yet."""

    def __init__(
        self, growing: GrowingFile, dtype: np.dtype[Any], filters: Mapping[str, Any]
    ) -> None:
        self._growing = growing
        self._dtype = dtype
        self._filters = filters
        self._masks: dict[str, NDArray[np.bool_]] = {}  # path -> the one mask of all frames so far
        self._full_rows: dict[int, int] = {}  # layer -> rows of its maps, where maps are sparse
        self.specs: list[LayerSpec] = []  # of every layer in the file, in its order
        self._deriver = Deriver()
        self._facts: list[LayerFacts] = []
        self._attributes: dict[str, object] = {}
        self._look()

    def _look(self) -> None:
        """What an archive that is being appended to already holds."""
        frames = self._growing.n_frames
        file = self._growing.file
        self._attributes = {name: plain(value) for name, value in file.attrs.items()}
        for index in range(len(file[schema.LAYERS])):
            self.specs.append(_spec_of(file[layer_path(index)]))
            full = file.get(layer_path(index, schema.FULL_FRAMES))
            if full is not None:
                self._full_rows[index] = int((full[:][: self._written(full)] < frames).sum())
            mask = file.get(layer_path(index, schema.MASK))
            if mask is not None and mask.shape[0] == 1:
                self._masks[layer_path(index, schema.MASK)] = mask[0]

    @staticmethod
    def _written(full_frames: h5py.Dataset) -> int:
        """Rows of `full_frames` in use: after them come zeros, extended ahead of need."""
        values = full_frames[:]
        return int(np.argmax(np.diff(values, append=-1) <= 0)) + 1 if len(values) else 0

    def take_layers(
        self, specs: tuple[LayerSpec, ...], attributes: Mapping[str, object]
    ) -> tuple[int, ...]:
        """Declare layers; those of the same name are found again. Returns each one's index."""
        indices = []
        new: list[tuple[int, LayerSpec]] = []
        taken: set[int] = set()
        for spec in specs:
            same = (i for i, s in enumerate(self.specs) if s.name == spec.name and i not in taken)
            index = next(same, len(self.specs))
            if index == len(self.specs):
                self.specs.append(spec)
                new.append((index, spec))
            taken.add(index)
            indices.append(index)

        def alter(file: h5py.File) -> None:
            for name, value in attributes.items():
                set_attribute(file, name, value)
            for index, spec in new:
                self._create_layer(file, index, spec)

        if new or attributes:
            self._growing.change(alter)
        self._attributes |= attributes
        self._facts.clear()
        return tuple(indices)

    def set_attributes(self, attributes: Mapping[str, object], layer: int | None) -> None:
        """Set attributes of the run or of one layer of the file, unless they are so already."""
        known = self._attributes if layer is None else self.specs[layer].attributes
        if _as_stored(attributes).items() <= _as_stored(known).items():
            return
        path = "/" if layer is None else layer_path(layer)
        self._growing.change(write_attributes(attributes, path))
        if layer is None:
            self._attributes |= attributes
        else:
            spec = self.specs[layer]
            self.specs[layer] = replace(spec, attributes={**spec.attributes, **attributes})
        self._facts.clear()

    def derive(
        self, frame: FrameRecord, given: Sequence[LayerRecord], stored: Sequence[LayerRecord]
    ) -> Mapping[str, Any]:
        """Rows of `derived/` for the layers of a frame, in the file's order."""
        if not self._facts:
            run = _as_stored(self._attributes)
            self._facts = [facts_of(_as_stored(spec.attributes), run) for spec in self.specs]
        return self._deriver.rows(frame, given, stored, self._facts)

    def _create_layer(self, file: h5py.File, index: int, spec: LayerSpec) -> None:
        group = file.create_group(layer_path(index))
        for name, value in {"name": spec.name, **spec.attributes}.items():
            set_attribute(group, name, value)
        path = layer_path(index, schema.WEIGHTS)
        row = np.zeros((max(1, spec.samples), spec.heads, spec.queries, spec.keys), self._dtype)
        create_column(file, path, column_for(path, row, self._dtype), self._filters)

    def put(self, row: int, frame: FrameCells, *, full: bool) -> None:
        """Write all of frame `row` but its step."""
        rows = self._growing.rows
        changes: list[Change] = []
        if not self._have_room(every := {**frame.cells, **frame.maps}):
            changes.append(lambda file: self._make_room(file, every))
        if not full and not self._full_rows:
            changes.append(lambda file: self._make_sparse(file, row))
        changes += [
            self._mask_change(path, mask, row)
            for path, mask in frame.masks.items()
            if not self._mask_fits(path, mask)
        ]
        if changes:
            self._growing.change(lambda file: _apply(changes, file))
        self._growing.go_live()
        rows = self._growing.rows
        for path, value in frame.cells.items():
            rows[path].put(row, value)
        self._put_maps(row, frame, full=full)
        for path, mask in frame.masks.items():
            if path not in self._masks:
                target = rows[path]
                target.put(row, np.broadcast_to(mask, target.shape[1:3] + mask.shape[2:]))

    def put_cells(self, row: int, cells: Mapping[str, Any]) -> None:
        """Write cells of frame `row`, creating the datasets that do not exist yet."""
        if not self._have_room(cells):
            self._growing.change(lambda file: self._make_room(file, cells))
        rows = self._growing.rows
        for path, value in cells.items():
            rows[path].put(row, value)

    def _have_room(self, cells: Mapping[str, Any]) -> bool:
        rows = self._growing.rows
        return all(path in rows and rows[path].takes(np.shape(v)) for path, v in cells.items())

    def _make_room(self, file: h5py.File, cells: Mapping[str, Any]) -> None:
        rows = self._growing.rows
        for path, value in cells.items():
            row = np.asarray(value)
            if path not in file:
                column = column_for(path, row, self._dtype)
                dataset = create_column(file, path, column, self._filters)
                name_columns(path, dataset, special_queries(self._facts))
            elif not rows[path].takes(row.shape):
                widen_column(file, path, row, self._dtype, self._filters)

    def _put_maps(self, row: int, frame: FrameCells, *, full: bool) -> None:
        rows = self._growing.rows
        for path, value in frame.maps.items():
            layer = int(path.split("/")[1])
            rows[path].put(self._full_rows.get(layer, row), value)
        for layer in range(len(self.specs)):
            weights = rows[layer_path(layer, schema.WEIGHTS)]
            if not self._full_rows:
                weights.reserve(row + 1)
            elif full:
                count = self._full_rows.setdefault(layer, 0)
                weights.reserve(count + 1)
                rows[layer_path(layer, schema.FULL_FRAMES)].put(count, row)
                self._full_rows[layer] = count + 1

    def _make_sparse(self, file: h5py.File, frames: int) -> None:
        """Full maps are no longer stored for every frame: say which frames have them."""
        for layer in range(len(self.specs)):
            path = layer_path(layer, schema.FULL_FRAMES)
            column = column_for(path, np.int64(0) + np.zeros(()), self._dtype)
            dataset = create_column(file, path, column, {})
            dataset.resize((frames,))
            dataset[:] = np.arange(frames)
            self._full_rows[layer] = frames

    def _mask_fits(self, path: str, mask: NDArray[np.bool_]) -> bool:
        """Whether the mask needs no change of structure: the same for all, or room in its rows."""
        target: Rows | None = self._growing.rows.get(path)
        if target is None:
            return False
        if path in self._masks:
            return np.array_equal(self._masks[path], mask)
        pairs = zip(target.shape[1:3], mask.shape[:2], strict=True)
        return all(want in (1, have) for have, want in pairs) and target.takes(
            (*target.shape[1:3], *mask.shape[2:])
        )

    def _mask_change(self, path: str, mask: NDArray[np.bool_], row: int) -> Change:
        """Write the first mask, or give every frame a row of its own once masks differ."""

        def alter(file: h5py.File) -> None:
            if path not in file:
                self._write_mask(file, path, mask[None])
                self._masks[path] = mask
                return
            old = file[path][:]  # (frame or 1, sample, head, query, key)
            old = old if len(old) == 1 else old[:row]
            frames = row if len(old) == 1 else len(old)
            shape = np.broadcast_shapes(old.shape[1:3], mask.shape[:2])
            sides = tuple(map(max, old.shape[3:], mask.shape[2:]))
            rows = np.ones((frames, *shape, *sides), bool)
            rows[..., : old.shape[3], : old.shape[4]] = old
            del file[path]
            self._masks.pop(path, None)
            self._write_mask(file, path, rows, varies=sides != old.shape[3:])

        return alter

    def _write_mask(
        self, file: h5py.File, path: str, rows: NDArray[np.bool_], *, varies: bool = False
    ) -> None:
        column = column_for(path, np.empty(rows.shape[1:], bool), self._dtype)
        axes = (False, False, varies, varies)
        dataset = create_column(file, path, column, self._filters, axes)
        dataset.resize(rows.shape)
        dataset[...] = rows


def name_columns(path: str, dataset: h5py.Dataset, queries: Sequence[int]) -> None:
    """Say what the numbers of a summary are, and which queries the special rows belong to."""
    if path == schema.SUMMARY:
        set_attribute(dataset, schema.SUMMARY_NAMES_ATTRIBUTE, SUMMARY_NAMES)
    elif path == schema.SPECIAL_ROWS:
        set_attribute(dataset, schema.SPECIAL_QUERIES_ATTRIBUTE, tuple(queries))


def _spec_of(group: h5py.Group) -> LayerSpec:
    name = group.attrs.get("name", "")
    _, samples, heads, queries, keys = group[schema.WEIGHTS].shape
    return LayerSpec(
        name=name.decode() if isinstance(name, bytes) else str(name),
        heads=heads,
        queries=queries,
        keys=keys,
        samples=samples,
        attributes={key: plain(value) for key, value in group.attrs.items() if key != "name"},
    )


def _as_stored(attributes: Mapping[str, object]) -> dict[str, object]:
    """Attributes as a reader will see them, so that what is derived here fits what it finds."""
    kept = {name: value for name, value in attributes.items() if value is not None}
    return {name: plain(storable(value)) for name, value in kept.items()}


def _apply(changes: list[Change], file: h5py.File) -> None:
    for change in changes:
        change(file)


def layer_names(file: h5py.File) -> list[str]:
    """Return the module paths of an archive's layers, in their order."""
    layers = file.get(schema.LAYERS, ())
    names = [layers[str(index)].attrs.get("name", "") for index in range(len(layers))]
    return [name.decode() if isinstance(name, bytes) else str(name) for name in names]
