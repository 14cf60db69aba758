"""What a recorder was asked for; wrong arguments are refused here, and only here."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

import torch

from attn_debugger.errors import RecordError
from attn_debugger.recording.probe import Probe

Compression = Literal["lzf", "fast", "portable"]
Mode = Literal["create", "append"]
Decode = Callable[[list[int]], Sequence[str]]
Flight = Literal["rerun", "capture"]
Statistics = Literal["samples", "batch"]
Compiled = Literal["eager", "probe_only", "skip"]
DTYPES = {"float16": torch.float16, "float32": torch.float32}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordOptions:
    """The keyword arguments of `record`, checked. Raises `RecordError` naming what is allowed."""

    every: int | Callable[[int], bool] = 100
    full_every: int = 1
    optimizer: torch.optim.Optimizer | None = None
    samples: int | Sequence[int] = 1
    compression: Compression = "lzf"
    layers: str | None = None
    heads: int | Sequence[int] | None = None
    max_tokens: int | None = None
    dtype: Literal["float16", "float32"] = "float16"
    scores: bool = False
    qk: bool = False
    qk_gradients: bool = False
    statistics: Statistics = "samples"
    probe: Probe | None = None
    flight: Flight | None = None
    decode: Decode | None = None
    limit_bytes: int | None = None
    device_limit_bytes: int = 256 * 2**20
    mode: Mode = "create"
    compiled: Compiled | None = None
    rank: int | Literal["all"] = 0
    queue: int = 8
    attributes: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _positive("every", self.every, callable_too=True)
        for name in ("full_every", "device_limit_bytes", "queue"):
            _positive(name, getattr(self, name))
        for name in ("max_tokens", "limit_bytes"):
            if getattr(self, name) is not None:
                _positive(name, getattr(self, name))
        _indices("samples", self.samples)
        if self.heads is not None:
            _indices("heads", self.heads)
        _one_of("compression", self.compression, get_args(Compression))
        _one_of("dtype", self.dtype, tuple(DTYPES))
        _one_of("mode", self.mode, get_args(Mode))
        _one_of("statistics", self.statistics, get_args(Statistics))
        if self.compiled is not None:
            _one_of("compiled", self.compiled, get_args(Compiled))
        if self.flight is not None:
            _one_of("flight", self.flight, get_args(Flight))
        if self.rank != "all" and (type(self.rank) is not int or self.rank < 0):
            raise RecordError(f"rank={self.rank!r}: give the number of one rank, or 'all'")
        if self.optimizer is not None and not isinstance(self.optimizer, torch.optim.Optimizer):
            raise RecordError("optimizer must be the torch optimizer whose steps are to be logged")
        if self.qk_gradients and self.optimizer is None:
            raise RecordError("qk_gradients=True needs optimizer=, whose gradients they are")
        if self.probe is not None and not isinstance(self.probe, Probe):
            raise RecordError(
                "probe must be a record.Probe(batch), so that it is known how to run it"
            )
        if self.decode is not None and not callable(self.decode):
            raise RecordError("decode must be a function from a list of ids to a list of strings")
        named = isinstance(self.attributes, Mapping) and all(
            isinstance(name, str) and name for name in self.attributes
        )
        if not named:
            raise RecordError(
                "attributes must be a mapping of names to values, such as {'causal': True}"
            )
        if self.layers is not None:
            try:
                re.compile(self.layers)
            except (re.error, TypeError) as error:
                raise RecordError(
                    f"layers={self.layers!r} is not a regular expression ({error}); give one that "
                    "matches the module paths wanted, such as r'encoder\\.layer\\.[0-3]\\.'"
                ) from None

    @property
    def sample_indices(self) -> tuple[int, ...]:
        """Which items of the batch are stored."""
        if isinstance(self.samples, int):
            return tuple(range(self.samples))
        return tuple(int(index) for index in self.samples)

    @property
    def head_indices(self) -> tuple[int, ...] | None:
        """Which heads are stored; None = all."""
        if self.heads is None or not isinstance(self.heads, int):
            return None if self.heads is None else tuple(int(head) for head in self.heads)
        return tuple(range(self.heads))

    def due(self, step: int) -> bool:
        """Return whether this step is to be recorded."""
        if callable(self.every):
            return bool(self.every(step))
        return step % self.every == 0

    def wanted(self, path: str) -> bool:
        """Return whether the layer at this module path is to be recorded."""
        return self.layers is None or re.search(self.layers, path) is not None


OPTION_NAMES = tuple(RecordOptions.__dataclass_fields__)


def read_options(given: Mapping[str, Any]) -> RecordOptions:
    """Return the options; raises `RecordError` for a name that does not exist."""
    unknown = sorted(set(given) - set(OPTION_NAMES))
    if unknown:
        raise RecordError(
            f"record has no option {', '.join(unknown)}; the options are {', '.join(OPTION_NAMES)}"
        )
    return RecordOptions(**given)


def check_destination(path: str | os.PathLike[str], mode: Mode) -> Path:
    """Return the archive's path; raises `RecordError` where no archive can be written."""
    try:
        target = Path(path)
    except TypeError:
        raise RecordError(
            f"path={path!r}: give the file to record into, such as 'run.h5'"
        ) from None
    folder = target.parent
    if target.is_dir():
        raise RecordError(f"{target} is a folder; give a file in it, such as {target / 'run.h5'}")
    if not folder.is_dir():
        raise RecordError(f"{folder} does not exist; create the folder first")
    if not os.access(target if target.exists() else folder, os.W_OK):
        raise RecordError(f"{target} cannot be written (no permission); choose another place")
    return target


def _positive(name: str, value: object, *, callable_too: bool = False) -> None:
    if callable_too and callable(value):
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        also = ", or a function of the step" if callable_too else ""
        raise RecordError(f"{name}={value!r}: give a whole number of 1 or more{also}")


def _indices(name: str, value: object) -> None:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return
    listed = list(value) if isinstance(value, (list, tuple, range)) else []
    if listed and all(type(index) is int and index >= 0 for index in listed):
        return
    raise RecordError(
        f"{name}={value!r}: give how many (1 or more), or a list of indices counted from zero"
    )


def _one_of(name: str, value: object, allowed: Sequence[object]) -> None:
    if value not in allowed:
        choices = ", ".join(repr(item) for item in allowed)
        raise RecordError(f"{name}={value!r} is not known; use one of {choices}")
