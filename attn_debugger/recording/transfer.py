"""From the device to host memory, without making the training thread wait for the device."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from attn_debugger.recording.capture.call import Capture

_FIELDS = ("weights", "scores", "q", "k", "keep", "key_padding", "added")


class Transfer:
    """Copies captures to the host as they come; `wait` before reading them, in any thread.

    On a CUDA device the copies go to pinned memory on the current stream; the event recorded last
    tells when they are all there.
    """

    def __init__(self) -> None:
        self._device: torch.device | None = None
        self._event: Any = None

    def fetch(self, capture: Capture) -> Capture:
        """Return the capture with its tensors on the host (their contents valid after `wait`)."""
        moved: dict[str, Any] = {
            name: self.copy(value)
            for name in _FIELDS
            if (value := getattr(capture, name)) is not None
        }
        stats = {name: self.copy(value) for name, value in capture.stats.items()}
        return replace(capture, stats=stats, **moved)

    def copy(self, tensor: Tensor) -> Tensor:
        """Return a copy on the host that shares nothing with the model's own tensors."""
        tensor = tensor.detach()
        if tensor.device.type == "cpu":
            # What the measurement allocated is ours; a view may be of the model's own memory.
            return tensor.clone() if tensor._base is not None else tensor
        if tensor.device.type != "cuda":
            return tensor.to("cpu")
        self._device = tensor.device
        host = torch.empty(tensor.shape, dtype=tensor.dtype, device="cpu", pin_memory=True)
        return host.copy_(tensor, non_blocking=True)

    def done(self) -> None:
        """Say that no more copies will be started."""
        if self._device is not None:
            self._event = torch.cuda.Event()  # type: ignore[no-untyped-call]
            self._event.record(torch.cuda.current_stream(self._device))

    def wait(self) -> None:
        """Wait until every copy has arrived."""
        if self._event is not None:
            self._event.synchronize()
