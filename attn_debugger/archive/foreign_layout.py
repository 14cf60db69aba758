"""Guess how somebody else's file lays out attention: which axis is what, which number the step.

Pure rules over paths and shapes; a guess is always said in words, and what cannot be told apart
(a batch of heads or a stack of layers) is asked, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from attn_debugger.core.words import join, listing, say
from attn_debugger.errors import ArchiveError

AXES = ("step", "layer", "sample", "head", "query", "key")
_ALIASES = {
    "batch": "sample",
    "b": "sample",
    "time": "step",
    "frame": "step",
    "epoch": "step",
    "iteration": "step",
    "layers": "layer",
    "heads": "head",
    "target": "query",
    "source": "key",
    "q": "query",
    "k": "key",
}
_STEP_WORDS = ("step", "iter", "it", "epoch", "s", "update", "frame")
_LAYER_WORDS = ("layer", "layers", "block", "blocks", "l", "h", "encoder", "decoder", "attn")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A dataset that may hold attention. `key_axis` is the axis over which it sums to 1."""

    path: str
    shape: tuple[int, ...]
    key_axis: int
    labels: tuple[str, ...] = ()  # names of its axes, where the file gives them


@dataclass(frozen=True, slots=True)
class Source:
    """A dataset as part of the run: its axes, and the step and layer its path names."""

    path: str
    axes: tuple[str, ...]
    step: int | None
    layer: int | None


def parse_axes(text: str) -> tuple[str, ...]:
    """`"step layer head query key"` -> its words. Raises `ArchiveError` for others."""
    axes = tuple(_ALIASES.get(word, word) for word in text.lower().replace(",", " ").split())
    unknown = [axis for axis in axes if axis not in AXES]
    if unknown or len(set(axes)) != len(axes) or not {"query", "key"} <= set(axes):
        raise ArchiveError(
            say(
                "The axes {text!r} cannot be used: name each axis once, with query "
                "and key among them, out of {known}.",
                text=text,
                known=listing(AXES),
            )
        )
    return axes


def place_in_path(path: str, siblings: Sequence[str]) -> tuple[int | None, int | None]:
    """(step, layer) that a path names; of bare numbers, the ones that differ between siblings.

    With two bare numbers the one with more different values is the step.
    """
    step = layer = None
    bare: list[int] = []
    for position, (word, number) in enumerate(_numbers(path)):
        if word in _STEP_WORDS and step is None:
            step = number
        elif word in _LAYER_WORDS and layer is None:
            layer = number
        elif _differs(position, siblings):
            bare.append(position)
    values = _numbers(path)
    bare.sort(key=lambda position: -_variety(position, siblings))
    for position in bare:
        if step is None:
            step = values[position][1]
        elif layer is None:
            layer = values[position][1]
    return step, layer


def _numbers(path: str) -> list[tuple[str, int]]:
    """Every number in a path with the word before it, "" where there is none."""
    found = re.findall(r"([A-Za-z_\-. ]*)(\d+)", path)
    return [(re.split(r"[._\- ]+", w.rstrip("._- "))[-1].lower(), int(n)) for w, n in found]


def _values(position: int, siblings: Sequence[str]) -> set[int]:
    found = (_numbers(path) for path in siblings)
    return {numbers[position][1] for numbers in found if position < len(numbers)}


def _differs(position: int, siblings: Sequence[str]) -> bool:
    return len(_values(position, siblings)) > 1


def _variety(position: int, siblings: Sequence[str]) -> int:
    return len(_values(position, siblings))


def guess_source(
    candidate: Candidate,
    siblings: Sequence[str],
    n_steps_known: int | None,
    axes: tuple[str, ...] | None,
) -> Source:
    """Name the axes of one dataset. `n_steps_known` is the length of a list of steps beside it.

    Raises `ArchiveError` when the axes given do not fit or when it has to be asked.
    """
    step, layer = place_in_path(candidate.path, siblings)
    if axes is None and candidate.labels:
        axes = parse_axes(" ".join(candidate.labels))
    if axes is None:
        axes = _guess_axes(candidate, step is not None, layer is not None, n_steps_known)
    if len(axes) != len(candidate.shape):
        raise ArchiveError(
            say(
                "{path} has {count} axes {shape}, but {n_axes} were named: {axes}.",
                path=candidate.path,
                count=len(candidate.shape),
                shape=candidate.shape,
                n_axes=len(axes),
                axes=" ".join(axes),
            )
        )
    return Source(
        candidate.path,
        axes,
        None if "step" in axes else step,
        None if "layer" in axes else layer,
    )


def _guess_axes(
    candidate: Candidate, has_step: bool, has_layer: bool, n_steps: int | None
) -> tuple[str, ...]:
    shape = candidate.shape
    rest = [axis for axis in range(len(shape)) if axis != candidate.key_axis]
    query = _query_axis(shape, rest, candidate.key_axis)
    rest.remove(query)
    names = {candidate.key_axis: "key", query: "query"}
    leading = _leading_axes(candidate, [shape[axis] for axis in rest], has_step, has_layer, n_steps)
    names.update(zip(rest, leading, strict=True))
    return tuple(names[axis] for axis in range(len(shape)))


def _query_axis(shape: tuple[int, ...], rest: Sequence[int], key_axis: int) -> int:
    """The neighbour of the key axis, before any other of the same length."""
    neighbours = [axis for axis in rest if abs(axis - key_axis) == 1]
    square = [axis for axis in rest if shape[axis] == shape[key_axis]]
    for axis in neighbours:
        if axis in square:
            return axis
    return square[-1] if square and not neighbours else max(neighbours)


def _leading_axes(
    candidate: Candidate,
    lengths: Sequence[int],
    has_step: bool,
    has_layer: bool,
    n_steps: int | None,
) -> list[str]:
    """Names of the axes that are neither query nor key, in their order."""
    count = len(lengths)
    step_first = not has_step and n_steps is not None and count > 0 and lengths[0] == n_steps
    known: Mapping[tuple[bool, bool, int], list[str]] = {
        (True, True, 0): [],
        (True, True, 1): ["head"],
        (True, True, 2): ["sample", "head"],
        (True, False, 0): [],
        (True, False, 1): ["head"],
        (True, False, 3): ["layer", "sample", "head"],
        (False, True, 2): ["step", "head"],
        (False, True, 3): ["step", "sample", "head"],
        (False, False, 0): [],
        (False, False, 3): ["step", "layer", "head"],
        (False, False, 4): ["step", "layer", "sample", "head"],
    }
    if step_first and not has_layer and count == 2:
        return ["step", "head"]
    if step_first and count == 1:
        return ["step"]
    found = known.get((has_step, has_layer, count))
    if found is None:
        raise ArchiveError(
            say(
                "{path} has shape {shape}: its axes can be read in more than one "
                "way, for example as (layer, head, query, key) or (sample, head, "
                'query, key). Say which with --axes "layer head query key".',
                path=candidate.path,
                shape=candidate.shape,
            )
        )
    return found


def describe(sources: Sequence[Source], shapes: Mapping[str, tuple[int, ...]]) -> str:
    """The guess as one sentence."""
    first = sources[0]
    named = ", ".join(f"{a} {n}" for a, n in zip(first.axes, shapes[first.path], strict=True))
    more = say(" and {others} more like it", others=len(sources) - 1) if len(sources) > 1 else ""
    parts = [say("{path}{more} is read as ({named})", path=first.path, more=more, named=named)]
    if first.step is not None:
        parts.append(say("its step {step} comes from its name", step=first.step))
    if first.layer is not None:
        parts.append(say("its layer {layer} comes from its name", layer=first.layer))
    return say("{sentence}.", sentence=join("; ", parts))
