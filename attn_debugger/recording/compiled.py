"""Compiled models: recorded steps run eagerly, on every rank alike."""

from __future__ import annotations

import contextlib
import sys
from contextlib import AbstractContextManager
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


def running_eagerly() -> AbstractContextManager[Any]:
    """Run compiled code eagerly from this call until the context closes; enter it at once."""
    if "torch._dynamo" not in sys.modules:
        return contextlib.nullcontext()
    stance: AbstractContextManager[Any] = torch.compiler.set_stance("force_eager")
    return stance


EAGER_WARNING = (
    "this model is compiled: recorded steps run eagerly (results differ by rounding, about 1e-8), "
    "the others stay compiled; compiled='probe_only' or 'skip' leaves every step compiled"
)
SKIPPED = "the model is compiled and compiled='skip' was asked for: nothing is recorded"
PROBE_ONLY = "the model is compiled and compiled='probe_only' was asked for: only the probe is"
