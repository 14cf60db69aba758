"""Which step, and which layer, a dump's file name speaks of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from attn_debugger.core.words import listing, say
from attn_debugger.errors import RecordError

_STEP_WORDS = re.compile(r"(?:global_?step|step|iter(?:ation)?|it|s|t)[-_=]?(\d+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Place:
    """A dump file, the step it belongs to, and its layer where the name tells."""

    file: Path
    step: int
    layer: int | None = None


def find_places(files: Sequence[Path], pattern: str | None) -> tuple[list[Place], list[str]]:
    """Return the files in order of steps, and sentences on how the names were understood.

    `pattern` such as `attn_l{layer}_s{step}.pt` says it; without one the step is the number after
    a word like `step`, else the last number. Raises `RecordError` for a name that does not match.
    """
    if pattern is not None:
        matcher = _matcher(pattern)
        matched = [_by_pattern(file, matcher, pattern) for file in files]
        return sorted(matched, key=_order), []
    places: list[Place] = []
    sentences: list[str] = []
    for index, file in enumerate(files):
        numbers = re.findall(r"\d+", file.stem)
        after_word = _STEP_WORDS.findall(file.stem)
        step = (after_word or numbers or [str(index)])[-1]
        places.append(Place(file, int(step)))
        if len(numbers) > 1 and not sentences:
            sentences.append(
                say(
                    "{file}: of {numbers} the number {step} was taken for the step; a "
                    "pattern such as 'attn_l{{layer}}_s{{step}}.pt' says it otherwise",
                    file=file.name,
                    numbers=listing(numbers),
                    step=step,
                )
            )
        elif not numbers and not sentences:
            sentences.append(
                say("{file}: no number in the name; the files are counted from 0", file=file.name)
            )
    return sorted(places, key=_order), sentences


def _order(place: Place) -> tuple[int, int]:
    return place.step, -1 if place.layer is None else place.layer


def _matcher(pattern: str) -> re.Pattern[str]:
    if "{step}" not in pattern:
        raise RecordError(say("the pattern {pattern!r} names no {{step}}", pattern=pattern))
    escaped = re.escape(pattern).replace(r"\{layer\}", r"(?P<layer>\d+)")
    return re.compile(escaped.replace(r"\{step\}", r"(?P<step>\d+)") + "$")


def _by_pattern(file: Path, matcher: re.Pattern[str], pattern: str) -> Place:
    match = matcher.search(file.name)
    if match is None:
        raise RecordError(
            say(
                "{file} does not match the pattern {pattern!r} that was given",
                file=file.name,
                pattern=pattern,
            )
        )
    layer = match.groupdict().get("layer")
    return Place(file, int(match["step"]), None if layer is None else int(layer))
