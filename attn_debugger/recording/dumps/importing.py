"""The import itself: dump after dump into a new archive, one in memory at a time.

record.import_dumps(sorted(glob("attn_*.pt")), "run.h5")

One file is one step; or, with `pattern`, one file a step and layer; or one file holds everything.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.writer import ArchiveWriter
from attn_debugger.core import words
from attn_debugger.errors import ArchiveError, RecordError
from attn_debugger.recording.dumps.contents import Layers, Maps, frames_of, load, parse_axes
from attn_debugger.recording.dumps.places import Place, find_places

Say = Callable[[str], None]


def import_dumps(
    paths: Iterable[str | os.PathLike[str]],
    destination: str | os.PathLike[str],
    *,
    pattern: str | None = None,
    axes: str | None = None,
    heads: int | None = None,
    attributes: Mapping[str, object] | None = None,
    tokens: Sequence[str] | None = None,
    key_padding: NDArray[np.bool_] | None = None,
    losses: Mapping[int, float] | None = None,
    say: Say | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write the dumps into a new archive and return its path.

    `pattern` such as `attn_l{layer}_s{step}.pt` tells where a file's name holds layer and step.
    `axes` names the axes of a single array, e.g. "layer head query key": four axes are asked for,
    never guessed. `heads` splits a leading axis of batch times heads. `tokens` (key,) and
    `key_padding` (key,) or (sample, key) hold for every step; `losses` is step -> loss. `say` gets
    sentences on how the files were understood, `progress` files done and in all. A file that
    cannot be read becomes a gap and an event. Nothing in a `.pt` file is executed.

    Raises `RecordError` when nothing can be made of the files at all.
    """
    files = [Path(path) for path in paths]
    if not files:
        raise RecordError(
            words.say("import_dumps: no files were given; pass the dumps, one a step")
        )
    named_axes = parse_axes(axes)
    try:
        places, sentences = find_places(files, pattern)
        for sentence in sentences:
            (say or _silent)(sentence)
        frames = _frames(places, named_axes, heads, progress)
        _write(Path(destination), frames, attributes, _Given(tokens, key_padding, losses or {}))
    except ArchiveError as error:
        raise RecordError(str(error)) from None
    except RecordError as error:
        raise RecordError(words.say("import_dumps: {error}", error=error)) from None
    return Path(destination)


class _Given:
    """What the caller knows and the dumps do not hold."""

    def __init__(
        self,
        tokens: Sequence[str] | None,
        key_padding: NDArray[np.bool_] | None,
        losses: Mapping[int, float],
    ) -> None:
        self._tokens = None if tokens is None else tuple(tokens)
        self._padding = None if key_padding is None else np.atleast_2d(key_padding).astype(bool)
        self._losses = losses

    def frame(self, step: int, records: tuple[LayerRecord, ...], samples: int) -> FrameRecord:
        padding = self._padding
        if padding is not None and len(padding) == 1:
            padding = np.repeat(padding, samples, axis=0)
        return FrameRecord(
            step=step,
            layers=records,
            scalars={"loss": self._losses[step]} if step in self._losses else {},
            tokens=None if self._tokens is None else (self._tokens,) * samples,
            key_padding=padding,
        )


def _frames(
    places: Sequence[Place],
    axes: Sequence[str] | None,
    heads: int | None,
    progress: Callable[[int, int], None] | None,
) -> Iterator[tuple[int, Layers, list[str]]]:
    """Yield (step, layers, what could not be read) in order of steps."""
    done = 0
    for step, group in groupby(places, key=lambda place: place.step):
        layers: Layers = {}
        problems: list[str] = []
        several: list[tuple[int, Layers]] = []
        for place in group:
            found = _read(place, axes, heads, problems)
            if len(found) > 1:
                several += found
            for _, of_frame in found[:1] if len(found) == 1 else ():
                _join(layers, of_frame, place)
            done += 1
            if progress is not None:
                progress(done, len(places))
        if layers or not several:
            yield step, layers, problems
        for other_step, of_frame in several:
            yield other_step, of_frame, []


def _read(
    place: Place, axes: Sequence[str] | None, heads: int | None, problems: list[str]
) -> list[tuple[int, Layers]]:
    try:
        found = list(frames_of(load(place.file), place.step, axes, heads))
    except RecordError:
        raise
    except Exception as error:  # noqa: BLE001 - a damaged dump is a gap, whatever is wrong in it
        problems.append(
            words.say(
                "{file} could not be read: {error}",
                file=place.file.name,
                error=words.first_line(str(error)),
            )
        )
        return []
    if place.layer is not None and len(found) == 1 and len(found[0][1]) == 1:
        return [(found[0][0], {f"layer {place.layer}": next(iter(found[0][1].values()))})]
    return found


def _join(layers: Layers, found: Layers, place: Place) -> None:
    """Add a file's layers to its step's. Raises `RecordError` rather than overwrite one."""
    twice = sorted(set(layers) & set(found))
    if twice:
        raise RecordError(
            words.say(
                "{file} is a second file for step {step} with {layer!r}; say which "
                "number is the layer and which the step: "
                "pattern='attn_l{{layer}}_s{{step}}.pt'",
                file=place.file.name,
                step=place.step,
                layer=twice[0],
            )
        )
    layers.update(found)


def _write(
    target: Path,
    frames: Iterator[tuple[int, Layers, list[str]]],
    attributes: Mapping[str, object] | None,
    given: _Given,
) -> None:
    """Write frame by frame; layers are added when they are first seen."""
    writer: ArchiveWriter | None = None
    names: list[str] = []
    waiting: list[tuple[int, list[str]]] = []  # steps before the first that could be read
    try:
        for step, layers, problems in frames:
            if writer is None:
                waiting.append((step, problems))
                if not layers:
                    continue
                writer = _open(target, layers, attributes)
                for earlier, _ in waiting[:-1]:
                    writer.append(FrameRecord(step=earlier, layers=()))
            new = [name for name in layers if name not in names]
            if names and new:
                writer.add_layers([_spec(name, layers[name]) for name in new])
            names += new
            records = tuple(_record(layers.get(name)) for name in names)
            samples = max((len(maps) for maps in layers.values()), default=1)
            writer.append(given.frame(step, records, samples))
            for text in problems:
                writer.event(step, "gap", text)
        reasons = "; ".join(text for _, problems in waiting for text in problems[:1])
        if writer is None:
            raise RecordError(
                words.say(
                    "no attention was found in {steps} steps: {reasons}",
                    steps=len(waiting),
                    reasons=reasons[:500],
                )
            )
        for step, problems in waiting[:-1]:
            for text in problems:
                writer.event(step, "gap", text)
    finally:
        if writer is not None:
            writer.close()


def _open(target: Path, layers: Layers, attributes: Mapping[str, object] | None) -> ArchiveWriter:
    half = all(maps.dtype == np.float16 for maps in layers.values())
    return ArchiveWriter(
        target,
        [_spec(name, maps) for name, maps in layers.items()],
        attributes=attributes,
        dtype="float16" if half else "float32",
    )


def _spec(name: str, maps: Maps) -> LayerSpec:
    samples, heads, queries, keys = maps.shape
    return LayerSpec(
        name=name,
        heads=heads,
        queries=queries,
        keys=keys,
        samples=samples,
        attributes={"source_dtype": str(maps.dtype)},
    )


def _record(weights: Maps | None) -> LayerRecord:
    return LayerRecord() if weights is None else LayerRecord(weights=weights, captures=1)


def _silent(_: str) -> None:
    """Where nobody asked, nothing is said."""
