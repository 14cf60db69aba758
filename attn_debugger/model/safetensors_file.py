"""Reads safetensors files without the safetensors package: a JSON header, then raw numbers.

Format: https://github.com/huggingface/safetensors (README, "Format"): 8 bytes little-endian
header length, the header, the data.
"""

from __future__ import annotations

import json
import math
import mmap
import struct
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attn_debugger.core.words import say
from attn_debugger.errors import ModelError

_DTYPES: dict[str, torch.dtype] = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
    "I64": torch.int64,
    "I32": torch.int32,
    "I16": torch.int16,
    "I8": torch.int8,
    "U8": torch.uint8,
    "BOOL": torch.bool,
}


def read_safetensors(path: Path) -> dict[str, Tensor]:
    """Return the tensors by name, mapped from the file: pages are read when they are used.

    Raises `ModelError` when the header is damaged or declares more than the file holds.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        header_length = _header_length(path, file.read(8), size)
        header = _parse(path, file.read(header_length))
        # A private mapping: torch wants writable memory, and nothing must reach the file.
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    start = 8 + header_length
    return {
        name: _tensor(path, mapped, start, name, entry)
        for name, entry in header.items()
        if name != "__metadata__"
    }


def _header_length(path: Path, head: bytes, size: int) -> int:
    length = struct.unpack("<Q", head)[0] if len(head) == 8 else size
    if 8 + length > size:
        raise ModelError(
            say("{path}: cut short: its header alone is longer than the file", path=path)
        )
    return int(length)


def _parse(path: Path, text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelError(
            say(
                "{path}: its header is damaged ({error}); copy the file again",
                path=path,
                error=error,
            )
        ) from error
    if not isinstance(header, dict):
        raise ModelError(say("{path}: its header is not a table of tensors", path=path))
    return header


def _tensor(path: Path, mapped: mmap.mmap, start: int, name: str, entry: Any) -> Tensor:
    try:
        dtype = _DTYPES[entry["dtype"]]
        shape = [int(side) for side in entry["shape"]]
        begin, end = (int(offset) for offset in entry["data_offsets"])
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(
            say(
                "{path}: the tensor {name!r} is described in a way we cannot read",
                path=path,
                name=name,
            )
        ) from (error)
    count = math.prod(shape)
    if min([*shape, begin], default=0) < 0 or end - begin != count * dtype.itemsize:
        raise ModelError(
            say(
                "{path}: shape and size of the tensor {name!r} contradict each other",
                path=path,
                name=name,
            )
        )
    if start + end > len(mapped):
        raise ModelError(
            say(
                "{path}: cut short: the tensor {name!r} is missing; copy the file again",
                path=path,
                name=name,
            )
        )
    if count == 0:
        return torch.empty(shape, dtype=dtype)
    flat = torch.frombuffer(mapped, dtype=dtype, count=count, offset=start + begin)
    return flat.view(shape)
