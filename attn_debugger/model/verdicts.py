"""What checks of a model share: their verdicts, and the model with other tokens."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import torch
from torch import Tensor

from attn_debugger.core.topology import ModelCheck
from attn_debugger.core.words import listing, say
from attn_debugger.model.live import LiveModel

# A change smaller than this share of the outputs' own spread is rounding.
ROUNDING = 1e-3
_LISTED = 4


class InconclusiveError(Exception):
    """The experiment cannot tell; the message says why."""


def passed(name: str, evidence: str) -> ModelCheck:
    """Return the result of an experiment that found nothing wrong."""
    return ModelCheck(name=name, result="passed", evidence=evidence)


def failed(name: str, evidence: str) -> ModelCheck:
    """Return the result of one that did."""
    return ModelCheck(name=name, result="failed", evidence=evidence)


def reading(live: LiveModel, ids: Tensor) -> LiveModel:
    """The model with other tokens to read."""
    return dataclasses.replace(live, inputs=dataclasses.replace(live.inputs, ids=ids))


def answering(live: LiveModel, ids: Tensor) -> LiveModel:
    """The model with other tokens where its outputs stand: those of its decoder, if it has one."""
    if live.inputs.decoder is None:
        return reading(live, ids)
    return dataclasses.replace(live, inputs=dataclasses.replace(live.inputs, decoder=ids))


def finite_run(live: LiveModel, ids: Tensor | None = None) -> Tensor:
    """Return the output on the batch, or on `ids`; `InconclusiveError` if it is not finite."""
    output = live.inputs.run(live.model, live.inputs.ids if ids is None else ids)
    if not torch.isfinite(output).all():
        raise InconclusiveError(say("the outputs are not finite"))
    return output


def judged(name: str, wrong: Sequence[str], good: str) -> ModelCheck:
    """Return failed, naming what is wrong, or passed, saying what is good."""
    if wrong:
        return ModelCheck(name=name, result="failed", evidence=several(wrong))
    return ModelCheck(name=name, result="passed", evidence=good)


def several(items: Sequence[str]) -> str:
    """Return the first few items in a row, and how many more there are."""
    shown = listing(items[:_LISTED])
    rest = len(items) - _LISTED
    return say("{shown} and {rest} more", shown=shown, rest=rest) if rest > 0 else shown
