"""Reads the weights of a `torch.export` program (.pt2) without running or unpickling anything.

`torch.export.load` falls back to unrestricted pickles; the weights themselves lie in the zip as
raw numbers beside a JSON table, so they are read from there.
"""

from __future__ import annotations

import json
import math
import posixpath
import zipfile
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attn_debugger.core.words import say
from attn_debugger.errors import ModelError

# Numbers of torch._export.serde.schema.ScalarType.
_DTYPES = {
    1: torch.uint8,
    2: torch.int8,
    3: torch.int16,
    4: torch.int32,
    5: torch.int64,
    6: torch.float16,
    7: torch.float32,
    8: torch.float64,
    12: torch.bool,
    13: torch.bfloat16,
}


def read_exported(path: Path) -> dict[str, Tensor]:
    """Return the program's parameters and buffers by name. Raises `ModelError`."""
    try:
        with zipfile.ZipFile(path) as archive:
            table = _table_name(path, archive.namelist())
            entries = json.loads(archive.read(table))["config"]
            folder = posixpath.dirname(table)
            return {
                name: tensor
                for name, entry in entries.items()
                if (tensor := _tensor(archive, folder, entry)) is not None
            }
    except (KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise ModelError(
            say(
                "{path}: the weights of this exported program cannot be read "
                "({error}); save model.state_dict() instead",
                path=path,
                error=error,
            )
        ) from error


def _table_name(path: Path, names: list[str]) -> str:
    for name in names:
        if name.endswith("weights_config.json") and "/weights/" in name:
            return name
    raise ModelError(say("{path}: an exported program without a table of weights", path=path))


def _tensor(archive: zipfile.ZipFile, folder: str, entry: Any) -> Tensor | None:
    if entry.get("use_pickle"):
        return None  # a tensor subclass, kept as a pickle: left alone
    meta = entry["tensor_meta"]
    dtype = _DTYPES.get(meta["dtype"])
    if dtype is None:
        return None
    shape = [int(side["as_int"] if isinstance(side, dict) else side) for side in meta["sizes"]]
    count = math.prod(shape)
    raw = bytearray(archive.read(f"{folder}/{entry['path_name']}"))
    if count * dtype.itemsize > len(raw):
        raise ValueError(say("{name} is cut short", name=entry["path_name"]))
    if count == 0:
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(raw, dtype=dtype, count=count).view(shape)
