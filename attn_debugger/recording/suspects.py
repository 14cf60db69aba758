"""Which item of a batch is to blame: the one that is not finite first, or has the highest loss."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.module import register_module_forward_hook

from attn_debugger.recording.capture.attribution import clean_name

LOGGER = logging.getLogger("attn_debugger.recorder")
_CLOSE = 1e-3  # of the logged loss: so near is the mean of the losses it was made from


@dataclass(frozen=True, slots=True)
class Suspect:
    """An item of the batch, and why it is suspected."""

    sample: int
    why: str
    finite: bool = False


class NonfiniteWatch:
    """The first module whose output is not finite for some item of a batch, while it is open."""

    def __init__(self, model: nn.Module, batch: int | None) -> None:
        self._paths = {id(module): clean_name(name) for name, module in model.named_modules()}
        self._batch = batch
        self.suspect: Suspect | None = None

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Look at the output of every module that runs in here."""
        handle = register_module_forward_hook(self._after)
        try:
            yield
        finally:
            handle.remove()

    def _after(self, module: nn.Module, args: Any, out: Any) -> None:
        path = self._paths.get(id(module))
        if self.suspect is not None or path is None:
            return
        try:
            sample = nonfinite_sample(out, self._batch)
        except Exception as error:  # noqa: BLE001 - a strange output must not stop training
            LOGGER.debug("attention recorder: the output of %s was not looked at: %r", path, error)
            return
        if sample is not None:
            where = f"the output of {path}" if path else "the output"
            why = f"sample {sample} of the batch is the one with non-finite values in {where}"
            self.suspect = Suspect(sample, why)


def nonfinite_sample(out: Any, batch: int | None) -> int | None:
    """Return the first item of the batch with a non-finite value in `out`, or None."""
    for value in _tensors(out):
        if value.ndim >= 1 and value.shape[0] == batch and value.is_floating_point():
            bad = (~torch.isfinite(value.detach())).reshape(value.shape[0], -1).any(1)
            if bool(bad.any()):
                return int(bad.nonzero()[0])
    return None


def highest_loss(
    out: Any, batch: int | None, loss: float | None, given: Tensor | None
) -> Suspect | None:
    """Return the item with the highest loss: of those given by hand, or those the model returned.

    A tensor (B,) that the model returned is taken for losses when its name says so, or when its
    mean or sum is the loss that was logged.
    """
    losses = given
    if losses is None:
        named = out if isinstance(out, Mapping) else {}
        rows = [(name, v) for name, v in named.items() if _is_row(v, batch)]
        losses = next((v for name, v in rows if "loss" in str(name).lower()), None)
        if losses is None and loss is not None:
            makes = (v for v in _tensors(out) if _is_row(v, batch) and _adds_up(v, loss))
            losses = next(makes, None)
    if losses is None or losses.ndim != 1 or not losses.numel():
        return None
    values = losses.detach().float()
    bad = (~torch.isfinite(values)).nonzero()
    if len(bad):
        sample = int(bad[0])
        return Suspect(sample, f"sample {sample} of the batch has a loss that is not finite")
    sample = int(values.argmax())
    value = float(values[sample])
    return Suspect(
        sample, f"sample {sample} of the batch has the highest loss, {value:.4g}", finite=True
    )


def _tensors(out: Any) -> list[Tensor]:
    values = list(out.values()) if isinstance(out, Mapping) else out
    values = list(values) if isinstance(values, (tuple, list)) else [values]
    # Of a distributed tensor only the part of this rank: ranks must not wait for each other here.
    parts = (value.to_local() if hasattr(value, "to_local") else value for value in values)
    return [value for value in parts if isinstance(value, Tensor) and not value.is_nested]


def _is_row(value: Any, batch: int | None) -> bool:
    return isinstance(value, Tensor) and value.shape == (batch,) and value.is_floating_point()


def _adds_up(row: Tensor, loss: float) -> bool:
    values = row.detach().float()
    return any(
        abs(float(made) - loss) <= _CLOSE * abs(loss) for made in (values.mean(), values.sum())
    )
