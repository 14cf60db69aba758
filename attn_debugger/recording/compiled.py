"""Compiled models: recorded steps run eagerly, on every rank alike."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn


def is_compiled(model: nn.Module) -> bool:
    """Return whether the model, or a module in it, was compiled by `torch.compile`."""
    return any(
        type(module).__name__ == "OptimizedModule"
        or getattr(module, "_compiled_call_impl", None) is not None
        for module in model.modules()
    )


class _EagerStance:
    """The one stance of the process; recorded steps may overlap in threads and in tasks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open = 0
        self._stance: Any = None

    def enter(self) -> None:
        """Run compiled code eagerly, until everyone who entered has left."""
        with self._lock:
            if self._open == 0:
                self._stance = torch.compiler.set_stance("force_eager")
            self._open += 1

    def leave(self) -> None:
        """The last one out puts back what was."""
        with self._lock:
            self._open -= 1
            if self._open == 0:
                self._stance.__exit__(None, None, None)


_stance = _EagerStance()


@contextlib.contextmanager
def running_eagerly() -> Iterator[None]:
    """Run compiled code eagerly while the context is open."""
    if "torch._dynamo" not in sys.modules:  # nothing is compiled where dynamo was never loaded
        yield
        return
    _stance.enter()
    try:
        yield
    finally:
        _stance.leave()


EAGER_WARNING = (
    "this model is compiled: recorded steps run eagerly (results differ by rounding, about 1e-8), "
    "the others stay compiled; compiled='probe_only' or 'skip' leaves every step compiled"
)
SKIPPED = "the model is compiled and compiled='skip' was asked for: nothing is recorded"
PROBE_ONLY = "the model is compiled and compiled='probe_only' was asked for: only the probe is"
