"""What a checkpoint holds beside the weights: the optimiser's settings, the schedule, rates.

found = training_state(checkpoint)      # of a dictionary as trainers save it
found.groups[0]["lr"]
"""

from __future__ import annotations

import json
import pickle
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attn_debugger.core.words import say

_OPTIMIZERS = ("optimizer", "optimizer_state_dict", "optimizer_states", "optim", "opt")
_SCHEDULES = (
    "lr_scheduler", "scheduler", "scheduler_state_dict", "lr_scheduler_state_dict",
    "lr_schedulers", "lr_scheduler_states",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingState:
    """`groups` are the optimiser's parameter groups without their parameters.

    `nonfinite` names entries of the optimiser's state that hold NaN or infinity. `rates` are
    (step, learning rate) as a trainer logged them. Everything empty = the checkpoint holds none.
    """

    groups: tuple[Mapping[str, Any], ...] = ()
    n_parameters: int = 0  # that the optimiser moves
    nonfinite: tuple[str, ...] = ()
    schedule: Mapping[str, Any] = field(default_factory=dict)
    rates: tuple[tuple[float, float], ...] = ()


def training_state(checkpoint: Any) -> TrainingState:
    """Return what a dictionary that was saved by a trainer tells."""
    if not isinstance(checkpoint, Mapping):
        return TrainingState()
    optimizer = next((found for key in _OPTIMIZERS if (found := _first(checkpoint.get(key)))), {})
    schedule = next((found for key in _SCHEDULES if (found := _first(checkpoint.get(key)))), {})
    return _state(optimizer, schedule)


def folder_training_state(folder: Path) -> TrainingState:
    """Return what the trainer of Hugging Face has left in a checkpoint's folder.

    What cannot be read without running code is not read.
    """
    optimizer, schedule = _plain(folder / "optimizer.pt"), _plain(folder / "scheduler.pt")
    return _state(optimizer, schedule, _logged_rates(folder / "trainer_state.json"))


def _state(
    optimizer: Mapping[str, Any],
    schedule: Mapping[str, Any],
    rates: tuple[tuple[float, float], ...] = (),
) -> TrainingState:
    groups = optimizer.get("param_groups")
    groups = [g for g in groups if isinstance(g, Mapping)] if isinstance(groups, list) else []
    return TrainingState(
        groups=tuple({k: v for k, v in g.items() if k != "params"} for g in groups),
        n_parameters=sum(len(g.get("params", ())) for g in groups),
        nonfinite=tuple(_nonfinite(optimizer.get("state"))),
        schedule=schedule,
        rates=rates,
    )


def _first(value: Any) -> Mapping[str, Any]:
    """Lightning keeps a list, one entry an optimiser."""
    if isinstance(value, list | tuple) and value:
        value = value[0]
    return value if isinstance(value, Mapping) else {}


def _nonfinite(state: Any) -> Iterator[str]:
    if not isinstance(state, Mapping):
        return
    for key, entries in state.items():
        if not isinstance(entries, Mapping):
            continue
        for name, value in entries.items():
            if (
                isinstance(value, Tensor)
                and value.is_floating_point()
                and not bool(torch.isfinite(value).all())
            ):
                yield say("{name} of parameter {key}", name=name, key=key)


def _plain(path: Path) -> Mapping[str, Any]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what cannot be read nobody needs to hear
            found = torch.load(
                path, map_location="cpu", weights_only=True, mmap=zipfile.is_zipfile(path)
            )
    except (OSError, RuntimeError, LookupError, ValueError, EOFError, pickle.UnpicklingError):
        return {}
    return found if isinstance(found, Mapping) else {}


def _logged_rates(path: Path) -> tuple[tuple[float, float], ...]:
    try:
        log = json.loads(path.read_text(encoding="utf-8"))["log_history"]
        return tuple(
            (float(row["step"]), float(row["learning_rate"]))
            for row in log
            if "step" in row and "learning_rate" in row
        )
    except (OSError, ValueError, KeyError, TypeError):
        return ()
