"""The numbers a training loop logs, and what they tell about where training stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from attn_debugger.recording.assembly import PendingFrame
from attn_debugger.recording.background import frame_bytes

_PAST_PEAK = 0.99  # the learning rate is past its peak once it is this far below it


class TrainingLog:
    """Reads the scalars given to `log`, and remembers the peak of the learning rate."""

    def __init__(self) -> None:
        self._highest_lr = 0.0
        self.past_peak = False
        self.frame_bytes = 0

    def take(self, scalars: Mapping[str, Any]) -> tuple[dict[str, float | Tensor], list[str]]:
        """Return the values to write (device tensors unread) and the names that are no number."""
        values: dict[str, float | Tensor] = {}
        refused = []
        for name, value in scalars.items():
            try:
                values[name] = _number(value)
            except (TypeError, ValueError, RuntimeError, OverflowError):
                refused.append(name)
        lr = values.get("lr")
        if isinstance(lr, float):
            self.past_peak = self.past_peak or lr < _PAST_PEAK * self._highest_lr
            self._highest_lr = max(self._highest_lr, lr)
        return values, refused

    def measured(self, frame: PendingFrame) -> None:
        """Remember the size of the largest frame."""
        self.frame_bytes = max(self.frame_bytes, frame_bytes(frame))


def _number(value: Any) -> float | Tensor:
    if not isinstance(value, Tensor):
        return float(value)
    if value.numel() != 1:
        raise ValueError("not a single number")
    value = value.detach().reshape(())
    # A copy on the device: the loop may overwrite its own tensor before the thread reads it.
    return float(value) if value.device.type == "cpu" else value.clone()
