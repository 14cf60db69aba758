"""Attributes of an archive -> `LayerFacts`; what cannot be used is said and then unknown."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from attn_debugger.archive import schema
from attn_debugger.archive.plain_values import UNREADABLE
from attn_debugger.core.run import LayerFacts
from attn_debugger.core.words import say


class _WrongValueError(Exception):
    """The value of an attribute cannot be used; the text says what was expected."""


def facts_of(
    attributes: Mapping[str, object], inherited: Mapping[str, object] | None = None
) -> LayerFacts:
    """Facts of one layer: its own attributes over the run's (`inherited`)."""
    merged = {
        name: value for name, value in (inherited or {}).items() if name not in schema.NOT_INHERITED
    }
    merged.update(attributes)
    for name in schema.FILE_ATTRIBUTES:
        merged.pop(name, None)
    fields: dict[str, Any] = {}
    problems: list[str] = []
    extra: dict[str, object] = {}
    for name, value in merged.items():
        if value is UNREADABLE:
            problems.append(
                say("attribute {name} cannot be read; it is taken as unknown", name=name)
            )
        elif name not in _PARSERS:
            extra[name] = value
        elif value is not None:
            try:
                fields[name] = _PARSERS[name](value)
            except _WrongValueError as wrong:
                problems.append(
                    say(
                        "attribute {name} = {value} should be {wrong}; it is taken as unknown",
                        name=name,
                        value=_shown(value),
                        wrong=wrong,
                    )
                )
    problems += _contradictions(fields)
    return LayerFacts(**fields, extra=extra, problems=tuple(problems))


def _contradictions(fields: dict[str, Any]) -> list[str]:
    """Facts that cannot both hold; both are then unknown."""
    problems: list[str] = []
    grid, length, prefix = (fields.get(n) for n in ("grid", "seq_len", "prefix_tokens"))
    if grid is not None and length is not None:
        cells = grid[0] * grid[1]
        if cells + (prefix or 0) > length:
            problems.append(
                say(
                    "attribute grid = {grid} has {cells} patches, more than seq_len = "
                    "{length}; grid is taken as unknown",
                    grid=grid,
                    cells=cells,
                    length=length,
                )
            )
            fields.pop("grid")
    slopes, heads = fields.get("alibi_slopes"), fields.get("n_heads")
    if slopes is not None and heads is not None and len(slopes) != heads:
        problems.append(
            say(
                "attribute alibi_slopes has {count} values for n_heads = {heads}; "
                "both are taken as unknown",
                count=len(slopes),
                heads=heads,
            )
        )
        fields.pop("alibi_slopes")
        fields.pop("n_heads")
    return problems


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _WrongValueError(say("text"))
    return value


def _one_of(*names: str) -> Callable[[object], str]:
    def parse(value: object) -> str:
        if value not in names:
            raise _WrongValueError(" or ".join(map(repr, names)))
        return str(value)

    return parse


def _flag(value: object) -> bool:
    if isinstance(value, bool) or (isinstance(value, int | float) and value in (0, 1)):
        return bool(value)
    raise _WrongValueError(say("true or false"))


def _number(value: object) -> float:
    single = value[0] if isinstance(value, tuple) and len(value) == 1 else value
    if isinstance(single, bool) or not isinstance(single, int | float):
        raise _WrongValueError(say("a number"))
    if not math.isfinite(single):
        raise _WrongValueError(say("a finite number"))
    return float(single)


def _whole(least: int) -> Callable[[object], int]:
    def parse(value: object) -> int:
        try:
            number = _number(value)
        except _WrongValueError:
            number = math.nan
        if number != number or number != int(number) or number < least:
            raise _WrongValueError(
                say("a whole number of at least {least}", least=least)
                if least > -(10**9)
                else say("an integer")
            )
        return int(number)

    return parse


def _positive(value: object) -> float:
    number = _number(value)
    if number <= 0:
        raise _WrongValueError(say("a positive number"))
    return number


def _nonzero(value: object) -> float:
    number = _number(value)
    if number == 0:
        raise _WrongValueError(say("a number other than 0"))
    return number


def _probability(value: object) -> float:
    number = _number(value)
    if not 0 <= number < 1:
        raise _WrongValueError(say("a probability from 0 up to, not including, 1"))
    return number


def _items(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _slopes(value: object) -> tuple[float, ...]:
    return tuple(_positive(item) for item in _items(value))


def _indices(value: object) -> tuple[int, ...]:
    return tuple(_whole(0)(item) for item in _items(value))


def _grid(value: object) -> tuple[int, int]:
    sides = _items(value)
    if len(sides) != 2:
        raise _WrongValueError(say("two numbers, rows and columns of patches"))
    return _whole(1)(sides[0]), _whole(1)(sides[1])


def _sink(value: object) -> bool:
    """Either a flag, or the logits themselves (then there is a sink)."""
    try:
        return _flag(value)
    except _WrongValueError:
        return bool(_items(value)) and all(isinstance(v, int | float) for v in _items(value))


_ANY_INTEGER = _whole(-(10**9))
_PARSERS: Mapping[str, Callable[[object], object]] = {
    "name": _text,
    "kind": _one_of("self", "cross"),
    "causal": _flag,
    "q_offset": _ANY_INTEGER,
    "window": _whole(1),
    "softcap": _positive,
    "score_stage": _one_of("pre_mask", "post_cap"),
    "scale": _nonzero,
    "score_terms": _one_of("added", "multiplied"),
    "d_head": _whole(1),
    "n_heads": _whole(1),
    "seq_len": _whole(1),
    "batch": _whole(1),
    "dropout": _probability,
    "sink_logit": _sink,
    "alibi_slopes": _slopes,
    "special_keys": _indices,
    "structural_mask": _flag,
    "source_dtype": _text,
    "compute_dtype": _text,
    "backend": _text,
    "trainable": _flag,
    "training": _flag,
    "probe": _text,
    "trained": _flag,
    "probe_fixed": _flag,
    "vocab_size": _whole(1),
    "grid": _grid,
    "prefix_tokens": _whole(0),
}
