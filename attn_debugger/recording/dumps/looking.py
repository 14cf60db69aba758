"""Whether a file of tensors is a dump of attention or the checkpoint of a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np

from attn_debugger.core.words import first_line, say
from attn_debugger.recording.dumps.contents import load

Kind = Literal["dump", "checkpoint", "unknown"]

_TOLERANCE = 0.02
_ROWS = 8
_MOST_TENSORS = 64


def kind_of(file: Path) -> tuple[Kind, str]:
    """Tell by its content, and say what was found; nothing in the file is executed.

    Tensors whose rows sum to about 1 are attention; named tensors of which most do not are a
    state dict.
    """
    try:
        content = load(file)
    except Exception as error:  # noqa: BLE001 - whatever a damaged file makes torch raise
        return "unknown", say(
            "{file} cannot be read: {error}", file=file.name, error=first_line(str(error))
        )
    tensors = [t for _, t in zip(range(_MOST_TENSORS), _tensors(content), strict=False)]
    maps = [t for t in tensors if t.ndim >= 2]
    attention = [t for t in maps if _rows_sum_to_one(t)]
    if attention and 2 * len(attention) >= len(maps):
        return "dump", say(
            "{file}: tensors {shape} whose rows sum to 1",
            file=file.name,
            shape=tuple(attention[0].shape),
        )
    if isinstance(content, Mapping) and maps:
        return "checkpoint", say(
            "{file}: {count} named tensors, the weights of a model",
            file=file.name,
            count=len(tensors),
        )
    return "unknown", say(
        "{file} holds no tensors whose rows sum to 1 like attention weights", file=file.name
    )


def _tensors(content: Any, depth: int = 0) -> Iterator[Any]:
    if hasattr(content, "ndim") and hasattr(content, "dtype"):
        yield content
    elif isinstance(content, Mapping) and depth < 4:
        for value in content.values():
            yield from _tensors(value, depth + 1)
    elif isinstance(content, list | tuple) and depth < 4:
        for value in content:
            yield from _tensors(value, depth + 1)


def _rows_sum_to_one(tensor: Any) -> bool:
    try:
        rows = np.asarray(tensor.reshape(-1, tensor.shape[-1])[:_ROWS], np.float64)
    except (TypeError, ValueError, RuntimeError):
        return False
    if not rows.size or rows.shape[1] < 2:
        return False
    with np.errstate(all="ignore"):
        sums = rows.sum(axis=1)
    telling = sums[np.isfinite(sums) & (sums != 0)]
    return bool(len(telling) and (np.abs(telling - 1) < _TOLERANCE).mean() > 0.5)
