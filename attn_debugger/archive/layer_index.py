"""One layer of an archive as found on disk: its datasets, what of them can be used, its shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.facts import facts_of
from attn_debugger.archive.plain_values import plain
from attn_debugger.archive.schema import layer_path
from attn_debugger.archive.store import Store, holds_anything
from attn_debugger.archive.typed_values import check_kind, numbers
from attn_debugger.core.run import LayerInfo
from attn_debugger.core.words import join, say
from attn_debugger.errors import ArchiveError


@dataclass(slots=True)
class LayerIndex:
    """What reading a frame of this layer needs. `problems` are sentences for `Run.missing`."""

    info: LayerInfo
    maps: Mapping[str, h5py.Dataset]  # of schema.MAPS, usable ones
    silent: bool = False  # the layer exists and was never captured, which is no fault
    sqrt_encoded: bool = False
    mask: h5py.Dataset | None = None
    full_frames: NDArray[np.int64] | None = None  # (M,) ascending; None = every frame
    lengths: NDArray[np.int64] | None = None  # (F or 1, S, 2)
    present: NDArray[np.bool_] | None = None  # (F or 1,)
    problems: list[str] = field(default_factory=list)

    @property
    def captured(self) -> bool:
        return schema.WEIGHTS in self.maps

    def drop_maps(self) -> None:
        """Treat the layer as one without maps, because none of them can be read."""
        self.maps = {}
        self.info = replace(self.info, maps=frozenset(), n_queries=0, n_keys=0)

    def row_of(self, name: str, frame: int) -> int | None:
        """The row of map `name` that belongs to `frame`; None = not stored."""
        dataset = self.maps.get(name)
        if dataset is None:
            return None
        row = frame
        if self.full_frames is not None:
            row = int(np.searchsorted(self.full_frames, frame))
            if row == len(self.full_frames) or self.full_frames[row] != frame:
                return None
        elif dataset.shape[0] == 1:
            return 0
        return row if row < dataset.shape[0] else None


def index_layer(
    store: Store, index: int, run_attributes: Mapping[str, object], n_frames: int
) -> LayerIndex:
    """Look at `layers/<index>`; whatever is wrong with it becomes a problem, never an error."""
    problems: list[str] = []
    try:
        attributes = store.attributes(layer_path(index))
        names = set(store.children(layer_path(index)))
        statistics = store.children(layer_path(index, schema.STATS))
    except ArchiveError as error:
        problems.append(str(error))
        attributes, names, statistics = {}, set(), ()
    finder = _Finder(store, index, names, problems)
    facts = facts_of(attributes, run_attributes)
    weights = finder.map(schema.WEIGHTS)
    if schema.WEIGHTS not in names:
        problems.append(
            say("{path} is missing; the layer has no maps.", path=layer_path(index, schema.WEIGHTS))
        )
    small = _small_arrays(finder, n_frames)
    silent = weights is not None and (
        0 in weights.shape[1:] or _never_present(small["present"]) or finder.unwritten
    )
    maps: dict[str, h5py.Dataset] = {}
    if weights is not None and not silent:
        maps[schema.WEIGHTS] = weights
        for name in (schema.SCORES, schema.Q, schema.K):
            dataset = finder.map(name)
            if dataset is not None and finder.fits(name, dataset, weights):
                maps[name] = dataset
    samples, heads, queries, keys = _shape(weights)
    sqrt = weights is not None and _encoding(weights) == schema.ENCODING_SQRT
    info = LayerInfo(
        index=index,
        facts=facts,
        n_samples=samples,
        n_heads=heads or facts.n_heads or 0,
        n_queries=queries if maps else 0,
        n_keys=keys if maps else 0,
        storage=_storage(weights, sqrt),
        maps=frozenset(maps),
        stats=frozenset(statistics),
        has_padding=finder.has(schema.KEY_PADDING, keys),
        has_documents=finder.has(schema.DOCUMENTS, keys),
        has_mask=schema.MASK in names,
        has_tokens=finder.has(schema.TOKENS, keys),
        n_key_heads=_key_heads(maps.get(schema.K), facts.extra, heads),
    )
    mask = finder.plain(schema.MASK, "biu")
    return LayerIndex(info, maps, silent, sqrt, mask, problems=problems, **small)


def row_in(length: int, index: int) -> int | None:
    """Row of a (F or 1) axis: one row serves all; None = not known that far."""
    if length == 1:
        return 0
    return index if index < length else None


class _Finder:
    """Finds datasets of one layer and writes down what is wrong with them."""

    def __init__(self, store: Store, index: int, names: set[str], problems: list[str]) -> None:
        self.store, self.index, self.names, self.problems = store, index, names, problems
        self.unwritten = False  # the weights have rows of which no frame claims anything

    def plain(self, name: str, kinds: str) -> h5py.Dataset | None:
        if name not in self.names:
            return None
        path = layer_path(self.index, name)
        try:
            dataset = self.store.dataset(path)
            if dataset is not None:
                check_kind(path, dataset, kinds)
        except ArchiveError as error:
            self.problems.append(str(error))
            return None
        return dataset

    def map(self, name: str) -> h5py.Dataset | None:
        """A dataset of maps: floats (for weights also uint8) with 4 or 5 axes, really stored."""
        dataset = self.plain(name, "fu" if name == schema.WEIGHTS else "f")
        if dataset is None:
            return None
        path = layer_path(self.index, name)
        if dataset.ndim not in (4, 5):
            self.problems.append(
                say(
                    "{path} has {axes} axes; (frame, head, query, key) or (frame, "
                    "sample, head, query, key) was expected; it is not used.",
                    path=path,
                    axes=dataset.ndim,
                )
            )
            return None
        if dataset.dtype.kind == "u" and dataset.dtype.itemsize != 1:
            self.problems.append(
                say("{path} has type {dtype}; it is not used.", path=path, dtype=dataset.dtype)
            )
            return None
        if dataset.size == 0 or holds_anything(dataset):
            return dataset
        if name == schema.WEIGHTS and not self._claims_frames():
            self.unwritten = True
            return dataset
        self.problems.append(
            say(
                "{path} declares {shape} values but nothing of it is stored; it is not used.",
                path=path,
                shape=join(" x ", map(str, dataset.shape)),
            )
        )
        return None

    def _claims_frames(self) -> bool:
        """Whether some frame is said to be present: else nothing stored is no fault."""
        present = self.array(schema.PRESENT, "biu")
        return present is None or bool(present.any())

    def fits(self, name: str, dataset: h5py.Dataset, weights: h5py.Dataset) -> bool:
        """Whether scores have the shape of the weights, and q and k as many axes."""
        same = dataset.ndim == weights.ndim and (
            name != schema.SCORES or dataset.shape[1:] == weights.shape[1:]
        )
        if not same:
            self.problems.append(
                say(
                    "{path} has shape {shape}, which does not fit the weights' "
                    "{weights}; it is not used.",
                    path=layer_path(self.index, name),
                    shape=dataset.shape,
                    weights=weights.shape,
                )
            )
        return same

    def array(self, name: str, kinds: str) -> NDArray[Any] | None:
        """A small array, read whole."""
        dataset = self.plain(name, kinds)
        if dataset is None:
            return None
        try:
            return numbers(layer_path(self.index, name), dataset, kinds)
        except ArchiveError as error:
            self.problems.append(str(error))
            return None

    def has(self, name: str, length: int) -> bool:
        """Whether an array of the layer, or one of the root of the right length, applies."""
        if name in self.names:
            return True
        try:
            dataset = self.store.dataset(name)
        except ArchiveError:
            return False
        return dataset is not None and dataset.ndim > 0 and dataset.shape[-1] == length


def _small_arrays(finder: _Finder, n_frames: int) -> dict[str, Any]:
    lengths = finder.array(schema.LENGTHS, "iu")
    if lengths is not None and (lengths.ndim != 3 or lengths.shape[-1] != 2):
        finder.problems.append(
            say(
                "{path} has shape {shape} instead of (frame, sample, 2); it is ignored.",
                path=layer_path(finder.index, schema.LENGTHS),
                shape=lengths.shape,
            )
        )
        lengths = None
    full = finder.array(schema.FULL_FRAMES, "iu")
    if full is not None:
        full = _used(np.asarray(full, np.int64).ravel(), n_frames)
    present = finder.array(schema.PRESENT, "biu")
    return {
        "lengths": None if lengths is None else np.asarray(lengths, np.int64),
        "full_frames": full,
        "present": None if present is None else np.asarray(present, bool).ravel()[:n_frames],
    }


def _used(full_frames: NDArray[np.int64], n_frames: int) -> NDArray[np.int64]:
    """The ascending part: a live writer extends ahead of need, with zeros."""
    falls = np.flatnonzero(np.diff(full_frames) <= 0)
    ascending = full_frames[: falls[0] + 1] if len(falls) else full_frames
    return ascending[ascending < n_frames]


def _never_present(present: NDArray[np.bool_] | None) -> bool:
    return present is not None and len(present) > 0 and not present.any()


def _shape(weights: h5py.Dataset | None) -> tuple[int, int, int, int]:
    """(sample, head, query, key) of a layer's maps."""
    if weights is None:
        return 1, 0, 0, 0
    shape = weights.shape[1:]
    samples, heads, queries, keys = (1, *shape) if len(shape) == 3 else shape
    return max(1, int(samples)), int(heads), int(queries), int(keys)


def _key_heads(k: h5py.Dataset | None, extra: Mapping[str, object], heads: int) -> int | None:
    """Into how many groups the query heads fall: one for each head of k; None = not known."""
    found = extra.get(schema.KEY_HEADS_ATTRIBUTE) if k is None else int(k.shape[-3])
    if isinstance(found, int) and 1 <= found <= heads and heads % found == 0:
        return found
    return None


def _encoding(weights: h5py.Dataset) -> object:
    if weights.dtype.kind != "u":
        return None
    return plain(weights.attrs.get(schema.ENCODING_ATTRIBUTE, h5py.Empty("f")))


def _storage(weights: h5py.Dataset | None, sqrt_encoded: bool) -> str:
    if weights is None:
        return ""
    return "uint8-sqrt" if sqrt_encoded else str(weights.dtype.newbyteorder("="))
