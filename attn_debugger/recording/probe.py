"""A fixed batch, run at every recorded step: the only frames that compare from step to step."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from attn_debugger.errors import RecordError

PROBE_STREAM = "probe"


@dataclass(frozen=True, slots=True)
class Probe:
    """`Probe(batch)`, or `Probe(batch, call=lambda model, batch: model(batch["x"]))`.

    Without `call`, a mapping is passed as keyword arguments, a tuple or list as arguments, anything
    else as the one argument. Raises `RecordError` when `call` is no function.
    """

    batch: Any
    call: Callable[[nn.Module, Any], Any] | None = None

    def __post_init__(self) -> None:
        if self.call is not None and not callable(self.call):
            raise RecordError("Probe(batch, call=...): call must be a function of (model, batch)")

    def run(self, model: nn.Module) -> None:
        """Run the batch through `model` as it is: in evaluation mode, leaving no trace."""
        with evaluating(model), torch.no_grad(), untouched_randomness():
            if self.call is not None:
                self.call(model, self.batch)
            elif isinstance(self.batch, Mapping):
                model(**self.batch)
            elif isinstance(self.batch, (tuple, list)):
                model(*self.batch)
            else:
                model(self.batch)


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Put every module into evaluation mode, and each back into the mode it had."""
    modes = [(module, module.training) for module in model.modules()]
    try:
        for module, _ in modes:
            module.training = False
        yield
    finally:
        for module, mode in modes:
            module.training = mode


@contextmanager
def untouched_randomness() -> Iterator[None]:
    """Restore the random number streams of torch (all devices), numpy and Python."""
    before = torch.get_rng_state()
    devices = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []  # type: ignore[no-untyped-call]
    python, array = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        torch.set_rng_state(before)
        if devices:
            torch.cuda.set_rng_state_all(devices)
        random.setstate(python)
        np.random.set_state(array)
