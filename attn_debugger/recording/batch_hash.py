"""A number that tells whether two frames saw the same batch."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

_MOST = 2**16  # values of one tensor that are looked at, spread evenly


def batch_extract(values: Sequence[Any]) -> list[Tensor]:
    """Return copies of what identifies a batch: at most 65536 values of each tensor in it.

    They stay on their device: nothing waits for it. Tensors in lists and mappings count.
    """
    found = []
    for tensor in _tensors(values):
        flat = tensor.detach().reshape(-1)
        flat = flat[:: max(1, flat.numel() // _MOST)]
        found.append((flat.float() if flat.is_floating_point() else flat).clone())
    return found


def batch_hash(parts: Sequence[Tensor]) -> int | None:
    """Return a CRC-32 of those values and their types, on the host; None for no tensors at all."""
    if not parts:
        return None
    code = 0
    for part in parts:
        code = zlib.crc32(f"{part.dtype}{tuple(part.shape)}".encode(), code)
        code = zlib.crc32(part.contiguous().view(torch.uint8).numpy().tobytes(), code)
    return code


def _tensors(values: Any) -> Iterator[Tensor]:
    if isinstance(values, Tensor):
        if not values.is_nested and not values.is_meta and not values.is_complex():
            yield values
    elif isinstance(values, Mapping):
        for name in sorted(values, key=str):
            yield from _tensors(values[name])
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from _tensors(value)
