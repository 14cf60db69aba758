"""In which mode a forward ran: training or evaluation, and how much dropout was at work in it."""

from __future__ import annotations

from dataclasses import dataclass

from torch import nn
from torch.nn.modules.dropout import _DropoutNd


@dataclass(frozen=True, slots=True)
class ForwardMode:
    """The mode of the whole model while it ran."""

    training: bool  # the model itself, or a part of it that drops, was in training mode
    dropout: float  # the largest probability of any dropout that was active; 0 = none


def forward_mode(root: nn.Module) -> ForwardMode:
    """Return the mode `root` is in now: it must be asked while the forward runs.

    Dropout is found in `nn.Dropout` and its kin, and in `nn.MultiheadAttention`, which hands its
    rate to a function. What a function is called with shows in the call (`AttentionCall.dropout`).
    """
    rates = [0.0]
    for module in root.modules():
        if not module.training:
            continue
        if isinstance(module, _DropoutNd):
            rates.append(float(module.p))
        elif isinstance(module, nn.MultiheadAttention):
            rates.append(float(module.dropout))
    return ForwardMode(root.training or max(rates) > 0, max(rates))
