"""Build the `Run` of an open archive: steps, streams, scalars, curves, layers, tables, state."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive import schema
from attn_debugger.archive.damage import whole_frames
from attn_debugger.archive.facts import facts_of
from attn_debugger.archive.layer_index import LayerIndex, index_layer
from attn_debugger.archive.lock import writer_of
from attn_debugger.archive.logged import batches_of, curves_of, frozen, scalars_of, series_of
from attn_debugger.archive.opening import Opened
from attn_debugger.archive.plain_values import UNREADABLE
from attn_debugger.archive.store import Store
from attn_debugger.archive.tables import checkpoints_of, crash_of, dropped_of, events_of
from attn_debugger.archive.typed_values import numbers, texts
from attn_debugger.core.run import Ended, Run
from attn_debugger.core.words import join, listing, say
from attn_debugger.errors import ArchiveError, ForeignArchiveError


@dataclass(frozen=True, slots=True)
class Index:
    """A `Run` and, for each of its layers, what reading it needs."""

    run: Run
    layers: tuple[LayerIndex, ...]
    root_names: frozenset[str]


def build_index(store: Store, opened: Opened, at_most: int | None = None) -> Index:
    """Read everything small, of the first `at_most` frames.

    Raises `ArchiveError` when not one whole frame can be shown.
    """
    path = store.path
    attributes = check_format(store)
    missing = [opened.damage] if opened.damage else []
    steps = _steps(store)[:at_most]
    n_frames = len(steps)
    if n_frames == 0:
        raise ArchiveError(
            say(
                "{path} holds no frames yet; wait for the first recorded step, or "
                "check that the training loop enters recorder.step(step).",
                path=path,
            )
        )
    root_names = frozenset(store.children("/"))
    layers = _layers(store, attributes, n_frames, missing)
    declared_open = attributes.get(schema.STATE_ATTRIBUTE) == schema.STATE_OPEN
    locked = attributes.get(schema.LOCKED_ATTRIBUTE) is True
    live = opened.being_written(declared_open, locked=locked)
    # Where a killed writer's file ends nobody wrote down.
    suspect = bool(opened.damage) or (opened.left_open and not live)
    n_frames = whole_frames(layers, n_frames, missing, damaged=suspect)
    if not any(layer.captured or layer.silent for layer in layers):
        reasons = [sentence for layer in layers for sentence in layer.problems] + missing
        raise ArchiveError(
            say(
                "{path} has no frame that can be shown: {reasons}",
                path=path,
                reasons=join(" ", reasons[:3]),
            )
        )
    steps = steps[:n_frames]
    streams = _streams(store, n_frames, missing)
    _check_order(steps, streams, missing)
    ended: Ended = "writing" if live else "closed"
    if not live and (opened.left_open or declared_open or opened.damage):
        ended = "abrupt"
    facts = facts_of(attributes)
    missing += [say("{sentence}.", sentence=sentence) for sentence in facts.problems]
    for layer in layers:
        own = (p for p in layer.info.facts.problems if p not in facts.problems)
        missing += [
            say("layer {layer}: {problem}.", layer=layer.info.index, problem=problem)
            for problem in own
        ]
        missing += layer.problems
    events = events_of(store, missing)
    times = series_of(store, schema.TIME, n_frames, missing)
    run = Run(
        path=path,
        version=schema.VERSION,
        steps=frozen(steps),
        streams=streams,
        times=times,
        scalars=scalars_of(store, n_frames, missing),
        curves=curves_of(store, missing),
        layers=tuple(layer.info for layer in layers),
        facts=facts,
        attributes={k: v for k, v in attributes.items() if v is not UNREADABLE},
        checkpoints=checkpoints_of(store, missing),
        events=events,
        crash=crash_of(store, missing),
        batches=batches_of(store, n_frames, missing),
        missing=tuple(dict.fromkeys(missing)),
        ended=ended,
        dropped=dropped_of(events, attributes),
        generation=generation_of(attributes),
        identity=_identity(opened.status or _status(path), steps, attributes),
    )
    return Index(run, tuple(layers), root_names)


def check_format(store: Store) -> dict[str, object]:
    """The root's attributes, once they say format 1. Raises `ArchiveError` otherwise."""
    attributes = store.attributes("/")
    if attributes.get(schema.FORMAT_ATTRIBUTE) != schema.FORMAT_NAME:
        found = _datasets(store.file)
        listed = (
            say(" It holds {found}.", found=listing(found))
            if found
            else say(" It holds no datasets.")
        )
        raise ForeignArchiveError(
            say(
                "{path} is an HDF5 file but not an archive of ours (no attribute "
                "format='{format}').{listed} `main.py import {file} -o RUN.h5` "
                "converts it.",
                path=store.path,
                format=schema.FORMAT_NAME,
                listed=listed,
                file=os.path.basename(store.path),
            )
        )
    version = attributes.get(schema.VERSION_ATTRIBUTE)
    if isinstance(version, bool) or not isinstance(version, int | float):
        raise ArchiveError(
            say(
                "{path} does not tell its format version; set the attribute version={version}.",
                path=store.path,
                version=schema.VERSION,
            )
        )
    if version > schema.VERSION:
        raise ArchiveError(
            say(
                "{path} has format version {version:g}, this program reads up to "
                "{version_2}; update attn-debugger.",
                path=store.path,
                version=version,
                version_2=schema.VERSION,
            )
        )
    if version != schema.VERSION:
        raise ArchiveError(
            say(
                "{path} has the unknown format version {version:g}.",
                path=store.path,
                version=version,
            )
        )
    return attributes


def generation_of(attributes: Mapping[str, object]) -> int:
    """How often the structure changed; 0 when the archive does not tell."""
    value = attributes.get(schema.GENERATION_ATTRIBUTE, 0)
    return value if isinstance(value, int) else 0


def _datasets(file: h5py.File, most: int = 8) -> list[str]:
    """Names and shapes of the first datasets, hard links only, a few groups deep."""
    found: list[str] = []
    waiting: list[tuple[str, Any]] = [("", file)]
    groups = 0
    while waiting and len(found) < most and groups < 50:
        path, group = waiting.pop(0)
        groups += 1
        for name in list(group)[:most]:
            if not isinstance(group.get(name, getlink=True), h5py.HardLink):
                continue
            item = group.get(name)
            if isinstance(item, h5py.Dataset) and len(found) < most:
                found.append(f"{path}{name} {'x'.join(map(str, item.shape or ()))}".strip())
            elif isinstance(item, h5py.Group) and path.count("/") < 4:
                waiting.append((f"{path}{name}/", item))
    return found


def _steps(store: Store) -> NDArray[np.int64]:
    dataset = store.dataset(schema.STEPS)
    if dataset is None:
        raise ArchiveError(
            say(
                "{path} has no dataset `{name}`, which says what frames there are; "
                "add one optimiser step a frame.",
                path=store.path,
                name=schema.STEPS,
            )
        )
    values = numbers(schema.STEPS, dataset, "iuf")
    if values.ndim != 1:
        raise ArchiveError(
            say(
                "{path}: `{name}` has {axes} axes instead of one.",
                path=store.path,
                name=schema.STEPS,
                axes=values.ndim,
            )
        )
    steps = values.astype(np.int64, copy=False) if values.dtype.kind != "f" else _whole(values)
    if steps is None:
        raise ArchiveError(
            say(
                "{path}: `{name}` holds numbers that are not whole.",
                path=store.path,
                name=schema.STEPS,
            )
        )
    return steps


def _whole(values: NDArray[Any]) -> NDArray[np.int64] | None:
    if not np.isfinite(values).all() or (values != np.floor(values)).any():
        return None
    return values.astype(np.int64)


def _layers(
    store: Store, attributes: Mapping[str, object], n_frames: int, missing: list[str]
) -> list[LayerIndex]:
    names = store.children(schema.LAYERS)
    indices = sorted(int(name) for name in names if name.isdecimal() and str(int(name)) == name)
    others = sorted(set(names) - {str(i) for i in indices})
    if others:
        missing.append(
            say(
                "layers/ holds {names}, which is no layer number; ignored.",
                names=listing(others[:5]),
            )
        )
    count = next((i for i, index in enumerate(indices) if i != index), len(indices))
    if count < len(indices):
        missing.append(
            say(
                "layers/{count} is missing; the layers numbered {next_layer} and up are not used.",
                count=count,
                next_layer=indices[count],
            )
        )
    if count == 0:
        raise ArchiveError(
            say(
                "{path} holds no layers; write layers/0/weights (frame, head, query, key).",
                path=store.path,
            )
        )
    layers = []
    for index in range(count):
        layers.append(index_layer(store, index, attributes, n_frames))
    return layers


def _streams(store: Store, n_frames: int, missing: list[str]) -> tuple[str, ...]:
    try:
        dataset = store.dataset(schema.STREAM)
        if dataset is None:
            return (schema.DEFAULT_STREAM,) * n_frames
        names = texts(schema.STREAM, dataset).ravel()
    except ArchiveError as error:
        missing.append(str(error))
        return (schema.DEFAULT_STREAM,) * n_frames
    if len(names) == 1:
        names = np.repeat(names, n_frames)
    padded = [*names[:n_frames].tolist(), *[""] * (n_frames - len(names))]
    return tuple(name or schema.DEFAULT_STREAM for name in padded)


def _check_order(steps: NDArray[np.int64], streams: tuple[str, ...], missing: list[str]) -> None:
    names = np.array(streams, object)
    for stream in dict.fromkeys(streams):
        own = steps[names == stream]
        falls = np.flatnonzero(np.diff(own) < 0)
        if len(falls):
            at = int(falls[0])
            missing.append(
                say(
                    "the steps of stream {stream!r} go back from {before} to {after}; "
                    "frames are shown in the order in which they were recorded.",
                    stream=stream,
                    before=own[at],
                    after=own[at + 1],
                )
            )


def _identity(
    status: tuple[object, ...], steps: NDArray[np.int64], attributes: Mapping[str, object]
) -> str:
    created = attributes.get("created", "")
    return "-".join(map(str, (*status, len(steps), created)))


def _status(path: str) -> tuple[int, ...]:
    status = os.stat(path)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def has_changed(run: Run) -> bool:
    """Whether the file is another one, has grown, or lost its writer since `run` was read."""
    try:
        now = "-".join(map(str, _status(run.path)))
    except OSError as error:
        raise ArchiveError(
            say(
                "{path} can no longer be read: {why}; what was read before stays on screen.",
                path=run.path,
                why=error.strerror or error,
            )
        ) from None
    if not run.identity.startswith(f"{now}-"):
        return True
    locked = run.attributes.get(schema.LOCKED_ATTRIBUTE) is True
    return run.ended == "writing" and locked and writer_of(run.path) == "free"
