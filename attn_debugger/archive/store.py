"""A read-only view of an HDF5 file that hands out only what can be trusted.

External links, datasets with external storage, virtual datasets of other folders and references
are never followed. Sizes are compared with what is stored before anything is allocated. Whatever
cannot be used raises `ArchiveError` with a sentence.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import h5py
import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import filters
from attn_debugger.archive.plain_values import UNREADABLE, plain
from attn_debugger.archive.speaking import HDF5_ERRORS, speaking
from attn_debugger.core.address import is_remote
from attn_debugger.core.words import join, say
from attn_debugger.errors import ArchiveError

_MOST_LINKS = 16  # soft links resolved before a cycle is assumed
# No filter of HDF5 packs better: deflate reaches 1032 to 1 on constant data.
_BEST_RATIO = 1100
_ALWAYS_ALLOWED = 1 << 20  # bytes: small enough to read whatever is stored of it


class Store:
    """An open HDF5 file and the folder it lives in."""

    def __init__(self, file: h5py.File, path: str, fetch: Fetch | None = None) -> None:
        self.file = file
        self.path = path
        self._fetch = fetch  # of a file on another machine
        self._datasets: dict[str, h5py.Dataset | None] = {}
        self._groups: dict[str, h5py.Group] = {}

    def group(self, path: str) -> h5py.Group | None:
        """None when there is none."""
        found = self._find(path)
        if found is not None and not isinstance(found, h5py.Group):
            raise ArchiveError(
                say("{path} should be a group but is a dataset; it is ignored.", path=path)
            )
        return found

    def dataset(self, path: str) -> h5py.Dataset | None:
        """The dataset at `path`, checked but not read; None when there is none."""
        if path not in self._datasets:
            self._datasets[path] = self._checked_dataset(path)
        return self._datasets[path]

    def children(self, path: str) -> tuple[str, ...]:
        """Names in a group, in HDF5's order; empty when there is no such group."""
        group = self.group(path)
        if group is None:
            return ()
        with speaking(path):
            return tuple(group)

    def attributes(self, path: str) -> dict[str, object]:
        """The attributes of a group as plain Python values; unreadable ones are left out."""
        group: Any = self.file if path == "/" else self.group(path)
        values: dict[str, object] = {}
        if group is None:
            return values
        with speaking(say("the attributes of {path}", path=path)):
            names = list(group.attrs)
        for name in names:
            try:
                values[name] = plain(group.attrs[name])
            except HDF5_ERRORS as error:
                values[name] = UNREADABLE
                del error
        return values

    def _find(self, path: str) -> Any:
        parts = [part for part in path.split("/") if part]
        if not parts:
            return self.file
        parent = "/".join(parts[:-1])
        with speaking(path):
            known = self._groups.get(parent)
            if known is None:
                return self._walk(parts, 0)
            return self._step(known, parts, len(parts) - 1, 0)

    def _walk(self, parts: list[str], links: int) -> Any:
        node: Any = self.file
        for depth in range(len(parts)):
            if not isinstance(node, h5py.Group):
                return None
            if links == 0:
                self._groups["/".join(parts[:depth])] = node
            node = self._step(node, parts, depth, links)
            if node is None:
                return None
        return node

    def _step(self, group: h5py.Group, parts: list[str], depth: int, links: int) -> Any:
        """From `group` along link number `depth` of `parts`; None when there is none."""
        part = parts[depth]
        name = part.encode()
        if name not in group.id:
            return None
        if group.id.links.get_info(name).type == h5py.h5l.TYPE_HARD:
            return group[part]
        link = group.get(part, getlink=True)
        here = "/".join(parts[: depth + 1])
        if isinstance(link, h5py.SoftLink):
            if links >= _MOST_LINKS:
                raise ArchiveError(say("{here} is a link that leads back to itself.", here=here))
            base = [] if link.path.startswith("/") else parts[:depth]
            target = [*base, *(step for step in link.path.split("/") if step not in ("", "."))]
            return self._walk(target, links + 1)
        where = f" ({link.filename})" if isinstance(link, h5py.ExternalLink) else ""
        raise ArchiveError(
            say(
                "{here} is a link to another file{where}, which is never followed; "
                "copy the data into the archive.",
                here=here,
                where=where,
            )
        )

    def _checked_dataset(self, path: str) -> h5py.Dataset | None:
        found = self._find(path)
        if found is None:
            return None
        if not isinstance(found, h5py.Dataset):
            raise ArchiveError(
                say("{path} should be a dataset but is a group; it is ignored.", path=path)
            )
        with speaking(path):
            properties = found.id.get_create_plist()
            if properties.get_external_count():
                raise ArchiveError(
                    say(
                        "{path} keeps its data in another file ({file}), which is never "
                        "followed; copy the data into the archive.",
                        path=path,
                        file=found.external[0][0],
                    )
                )
            if properties.get_layout() == h5py.h5d.VIRTUAL:
                self._check_virtual(path, found)
            filters.check(path, properties)
        if self._fetch is not None:
            _fetches[found] = self._fetch
        return found

    def _check_virtual(self, path: str, dataset: h5py.Dataset) -> None:
        folder = os.path.realpath(os.path.dirname(os.path.abspath(self.path)))
        for source in dataset.virtual_sources():
            if source.file_name == ".":
                continue
            if is_remote(self.path):
                raise ArchiveError(
                    say(
                        "{path} is a virtual dataset of another file ({name}), which is not "
                        "followed to another machine.",
                        path=path,
                        name=source.file_name,
                    )
                )
            target = os.path.realpath(os.path.join(folder, source.file_name))
            if os.path.dirname(target) != folder:
                raise ArchiveError(
                    say(
                        "{path} is a virtual dataset of a file in another folder ({file}), "
                        "which is never followed.",
                        path=path,
                        file=source.file_name,
                    )
                )
            with h5py.File(target, "r", locking=False) as other:
                inner = other.get(source.dset_name)
                if not isinstance(inner, h5py.Dataset) or inner.is_virtual or inner.external:
                    raise ArchiveError(
                        say(
                            "{path} leads through {file} to other files.",
                            path=path,
                            file=source.file_name,
                        )
                    )


def stored_bytes(dataset: h5py.Dataset) -> int:
    """Bytes the file holds of a dataset; at most those of the whole file, where it cannot tell."""
    if dataset.is_virtual:
        return int(dataset.nbytes)
    try:
        return int(dataset.id.get_storage_size())
    except HDF5_ERRORS:  # the index of its chunks is damaged, which need not hold for all chunks
        return int(dataset.file.id.get_filesize())


def holds_anything(dataset: h5py.Dataset) -> bool:
    """Whether any value was ever written. Adding up what is stored takes longer than all the rest
    of opening a run of ten thousand frames, so the first chunk is looked at first.
    """
    if dataset.chunks is not None and not dataset.is_virtual and dataset.size:
        try:
            first = dataset.id.get_chunk_info_by_coord((0,) * dataset.ndim)
        except HDF5_ERRORS:
            return stored_bytes(dataset) > 0
        if first.byte_offset is not None:
            return True
    return stored_bytes(dataset) > 0


# Brings what is stored of a selection (of so many bytes) here at once, and returns how many bytes
# are stored at most.
Fetch = Callable[[h5py.Dataset, Any, int], int]
_fetches: WeakKeyDictionary[h5py.Dataset, Fetch] = WeakKeyDictionary()

# Of each dataset in use, what was found stored; it can only grow.
_stored: WeakKeyDictionary[h5py.Dataset, int] = WeakKeyDictionary()


def check_size(path: str, dataset: h5py.Dataset, n_bytes: int) -> None:
    """Raise unless `n_bytes` of a dataset can come out of what is stored of it."""
    if n_bytes <= _ALWAYS_ALLOWED:
        return
    if n_bytes <= _BEST_RATIO * _stored.get(dataset, 0):
        return
    stored = _stored[dataset] = stored_bytes(dataset)
    _check_ratio(path, dataset, n_bytes, stored)


def _check_ratio(path: str, dataset: h5py.Dataset, n_bytes: int, stored: int) -> None:
    if n_bytes > _BEST_RATIO * stored + _ALWAYS_ALLOWED:
        raise ArchiveError(
            say(
                "{path} declares {shape} values ({size:,} bytes) but the file holds "
                "only {stored:,} bytes of it; it is not read.",
                path=path,
                shape=join(" x ", map(str, dataset.shape)),
                size=dataset.nbytes,
                stored=stored,
            )
        )


def read(path: str, dataset: h5py.Dataset, selection: Any = ()) -> NDArray[Any]:
    """Part of a dataset (`selection`: a tuple of ints and slices), its size checked first."""
    with speaking(path):
        if dataset.shape is None:
            raise ArchiveError(say("{path} holds nothing (an empty dataset).", path=path))
        n_bytes = _selected_bytes(dataset, selection)
        fetch = _fetches.get(dataset)
        if fetch is None:
            check_size(path, dataset, n_bytes)
        else:
            _check_ratio(path, dataset, n_bytes, fetch(dataset, selection, n_bytes))
        return np.asarray(dataset[selection])


def _selected_bytes(dataset: h5py.Dataset, selection: Any) -> int:
    count = dataset.dtype.itemsize
    indices = selection if isinstance(selection, tuple) else (selection,)
    for axis, length in enumerate(dataset.shape):
        index = indices[axis] if axis < len(indices) else slice(None)
        count *= len(range(*index.indices(length))) if isinstance(index, slice) else 1
    return int(count)


def is_stored(path: str, dataset: h5py.Dataset, index: Sequence[int]) -> bool:
    """Whether the chunk that holds the value at `index` (later axes: 0) was ever written.

    What was declared and never written comes out of HDF5 as fill, which looks like data.
    """
    if dataset.chunks is None or dataset.is_virtual:
        return True
    with speaking(path):
        corner = (*index, *(0,) * (dataset.ndim - len(index)))
        origin = tuple(i // n * n for i, n in zip(corner, dataset.chunks, strict=True))
        if dataset in _fetches:
            # What follows walks through the index up to the chunk; this goes straight to it.
            try:
                dataset.id.read_direct_chunk(origin)
            except RuntimeError:
                return False
            return True
        return dataset.id.get_chunk_info_by_coord(origin).byte_offset is not None
