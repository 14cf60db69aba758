"""Turn a foreign HDF5 file into an archive: per-step groups, per-layer datasets, or one array.

for sentence in import_hdf5("theirs.h5", "run.h5"):
    print(sentence)                    # says how the file was understood
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive.foreign_layout import (
    Candidate,
    Source,
    describe,
    guess_source,
    parse_axes,
)
from attn_debugger.archive.opening import open_hdf5
from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.store import Store, read
from attn_debugger.archive.writer import ArchiveWriter
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError

_MOST_DATASETS = 200_000
_PROBED = 8  # rows whose sum is looked at
_TOLERANCE = 0.02  # half precision, or a few masked rows
_STEP_NAMES = ("steps", "step", "global_step", "iterations", "iteration", "epochs", "epoch")


@dataclass(frozen=True, slots=True)
class ForeignRun:
    """How a foreign file was understood; `sentences` say it."""

    sources: tuple[Source, ...]
    steps: tuple[int, ...]
    n_layers: int
    scalars: Mapping[str, NDArray[np.float64]]
    sentences: tuple[str, ...]


def import_hdf5(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    axes: str | None = None,
    dataset: str | None = None,
    attributes: Mapping[str, object] | None = None,
) -> list[str]:
    """Convert `path` into the new archive `out`; returns sentences on how it was understood.

    `axes` names the axes of its datasets ("step layer head query key"), `dataset` a dataset or
    group to look at. Raises `ArchiveError` when no attention is found or the axes must be told.
    """
    source, target = os.fspath(path), os.fspath(out)
    if os.path.exists(target) and os.path.samefile(source, target):
        raise ArchiveError(
            say("{target} is the file itself; name another one for the archive.", target=target)
        )
    opened = open_hdf5(source)
    try:
        store = Store(opened.file, source)
        run = understand(store, axes=axes, dataset=dataset)
        lost = _convert(store, run, target, attributes or {})
    finally:
        opened.file.close()
    return [*run.sentences, *lost]


def look_into(path: str | os.PathLike[str]) -> list[str]:
    """The sentences of `import_hdf5`, without importing anything."""
    opened = open_hdf5(os.fspath(path))
    try:
        return list(understand(Store(opened.file, os.fspath(path))).sentences)
    finally:
        opened.file.close()


def understand(store: Store, *, axes: str | None = None, dataset: str | None = None) -> ForeignRun:
    """Find the attention in an open file and name its axes."""
    paths = list(dataset_paths(store, dataset or ""))
    candidates = [c for path in paths if (c := candidate_of(store, path, given=axes)) is not None]
    if not candidates:
        raise ArchiveError(
            say(
                "{path} holds no dataset whose rows sum to 1 like attention weights; "
                "name it with --dataset PATH and --axes.",
                path=store.path,
            )
        )
    most = max(len(c.shape) for c in candidates)
    candidates = [c for c in candidates if len(c.shape) == most]
    siblings = [c.path for c in candidates]
    known = known_steps(store, paths)
    given = None if axes is None else parse_axes(axes)
    n_known = None if known is None else len(known)
    sources = tuple(guess_source(c, siblings, n_known, given) for c in candidates)
    shapes = {c.path: c.shape for c in candidates}
    steps, step_note = _steps(sources, shapes, known)
    sentences = [describe(sources, shapes), step_note]
    return ForeignRun(
        sources,
        steps,
        _n_layers(sources, shapes),
        _scalars(store, paths, len(steps)),
        tuple(sentence for sentence in sentences if sentence),
    )


def dataset_paths(store: Store, start: str) -> Iterator[str]:
    """Every dataset below `start` that hard links reach, each group once."""
    if start and not _is_group(store, start):
        yield start
        return
    waiting, seen, count = [start.strip("/")], set(), 0
    while waiting:
        group_path = waiting.pop(0)
        for name in store.children(group_path):
            path = f"{group_path}/{name}".strip("/")
            if not _is_group(store, path):
                count += 1
                if count > _MOST_DATASETS:
                    return
                yield path
                continue
            group = store.group(path)
            address = None if group is None else h5py.h5o.get_info(group.id).addr
            if address not in seen:
                seen.add(address)
                waiting.append(path)


def _is_group(store: Store, path: str) -> bool:
    try:
        return store.group(path) is not None
    except ArchiveError:
        return False  # a dataset, or a link that is not followed


def candidate_of(store: Store, path: str, *, given: str | None) -> Candidate | None:
    """The dataset, if the values along one of its axes sum to 1."""
    try:
        dataset = store.dataset(path)
        if dataset is None or dataset.dtype.kind != "f" or not 2 <= dataset.ndim <= 6:
            return None
        if 0 in dataset.shape:
            return None
        labels = tuple(dimension.label for dimension in dataset.dims)
        corner = read(path, dataset, (0,) * (dataset.ndim - 2)) if dataset.ndim > 2 else None
        key_axis = _key_axis(path, dataset, corner)
    except ArchiveError:
        return None
    if key_axis is None and given is None:
        return None
    complete = labels if all(labels) else ()
    return Candidate(
        path, dataset.shape, dataset.ndim - 1 if key_axis is None else key_axis, complete
    )


def _key_axis(path: str, dataset: h5py.Dataset, corner: NDArray[Any] | None) -> int | None:
    """The axis along which the values sum to 1: the last, or else any other."""
    last: int = dataset.ndim - 1
    if corner is not None and _sums_to_one(corner, 1):
        return last
    for axis in range(last, -1, -1):
        others = [i for i in range(dataset.ndim) if i != axis]
        longest = max(others, key=dataset.shape.__getitem__)
        selection: list[Any] = [0] * dataset.ndim
        selection[axis] = slice(None)
        selection[longest] = slice(_PROBED)
        values = read(path, dataset, tuple(selection))
        if _sums_to_one(values, 1 if axis > longest else 0):
            return axis
    return None


def _sums_to_one(values: NDArray[Any], axis: int) -> bool:
    """Most rows sum to 1; rows that are not finite or all zero (masked) say nothing."""
    with np.errstate(all="ignore"):
        sums = values.astype(np.float64).sum(axis=axis)
    telling = sums[np.isfinite(sums) & (sums != 0)]
    if values.shape[axis] < 2 or not len(telling) or (values[np.isfinite(values)] < 0).any():
        return False
    return bool(np.mean(np.abs(telling - 1) < _TOLERANCE) > 0.9)


def _usable(store: Store, path: str) -> h5py.Dataset | None:
    try:
        return store.dataset(path)
    except ArchiveError:
        return None


def known_steps(store: Store, paths: Sequence[str]) -> tuple[int, ...] | None:
    """A list of steps stored beside the maps."""
    for path in paths:
        if path.rsplit("/", 1)[-1].lower() not in _STEP_NAMES:
            continue
        dataset = _usable(store, path)
        if dataset is not None and dataset.ndim == 1 and dataset.dtype.kind in "iu":
            return tuple(int(step) for step in read(path, dataset))
    return None


def _steps(
    sources: Sequence[Source],
    shapes: Mapping[str, tuple[int, ...]],
    known: tuple[int, ...] | None,
) -> tuple[tuple[int, ...], str]:
    first = sources[0]
    if "step" in first.axes:
        length = shapes[first.path][first.axes.index("step")]
        if known is not None and len(known) == length:
            return known, ""
        return tuple(range(length)), say("The file names no steps; they are counted from 0.")
    named = sorted({source.step for source in sources if source.step is not None})
    if named:
        return tuple(named), ""
    return (0,), say("The file names no steps; everything is taken as step 0.")


def _n_layers(sources: Sequence[Source], shapes: Mapping[str, tuple[int, ...]]) -> int:
    first = sources[0]
    if "layer" in first.axes:
        return shapes[first.path][first.axes.index("layer")]
    return len(_layer_numbers(sources))


def _layer_numbers(sources: Sequence[Source]) -> list[int]:
    return sorted({source.layer or 0 for source in sources})


def _scalars(store: Store, paths: Sequence[str], n_steps: int) -> dict[str, NDArray[np.float64]]:
    """One-dimensional series as long as the steps, whose name says what they are."""
    found: dict[str, NDArray[np.float64]] = {}
    for path in paths:
        name = path.rsplit("/", 1)[-1].lower()
        if not any(word in name for word in ("loss", "lr", "learning_rate", "grad_norm")):
            continue
        dataset = _usable(store, path)
        if dataset is not None and dataset.shape == (n_steps,) and dataset.dtype.kind in "fiu":
            found[name] = read(path, dataset).astype(np.float64)
    return found


def _convert(
    store: Store, run: ForeignRun, target: str, attributes: Mapping[str, object]
) -> list[str]:
    """Write the archive, step by step; a dataset that cannot be read becomes a gap."""
    numbers = _layer_numbers(run.sources)
    specs = [
        LayerSpec(name=f"layer {i}", heads=0, queries=0, keys=0)
        for i in (range(run.n_layers) if "layer" in run.sources[0].axes else numbers)
    ]
    lost: list[str] = []
    with ArchiveWriter(target, specs, attributes=attributes, dtype="float32") as writer:
        for position, step in enumerate(run.steps):
            records = [LayerRecord() for _ in specs]
            for source in run.sources:
                if source.step not in (None, step):
                    continue
                try:
                    maps = _maps_of(store, source, position)
                except ArchiveError as error:
                    lost.append(say("step {step}: {error}", step=step, error=error))
                    writer.event(step, "gap", str(error))
                    continue
                first = numbers.index(source.layer or 0) if "layer" not in source.axes else 0
                for offset, weights in enumerate(maps):
                    records[first + offset] = LayerRecord(weights=weights, captures=1)
            scalars = {name: float(values[position]) for name, values in run.scalars.items()}
            writer.append(FrameRecord(step=step, layers=tuple(records), scalars=scalars))
    return lost


def _maps_of(store: Store, source: Source, position: int) -> list[NDArray[np.float32]]:
    """(sample, head, query, key) of every layer that a dataset holds at one step."""
    dataset = store.dataset(source.path)
    if dataset is None:
        raise ArchiveError(say("{path} is gone.", path=source.path))
    selection = tuple(position if axis == "step" else slice(None) for axis in source.axes)
    values = read(source.path, dataset, selection).astype(np.float32)
    axes = [axis for axis in source.axes if axis != "step"]
    order = ("layer", "sample", "head", "query", "key")
    for axis in order:
        if axis not in axes:
            values = values[None]
            axes.insert(0, axis)
    return list(values.transpose([axes.index(axis) for axis in order]))
