"""The flight recorder: for the fault that falls between two recorded steps."""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attn_debugger.recording.assembly import PendingFrame
from attn_debugger.recording.background import frame_bytes

FLIGHT_STREAM = "flight"
RING_FRAMES = 8
RING_BYTES = 512 * 2**20
NEXT_FRAMES = 3  # steps recorded after a break, beside the ring
_HISTORY, _ENOUGH = 64, 16
_SIGMAS, _LEAST_RISE = 7.0, 0.15
_DEVICES = ("cpu", "cuda", "mps", "xpu")


class LossWatch:
    """Tells when a loss breaks: not finite, or a spike above its own robust trend.

    A spike is above both the linear trend and the median of the last losses by more than 7 robust
    standard deviations of the detrended residuals, and by more than 15 % (SIGNALS: loss spike).
    """

    def __init__(self) -> None:
        self._losses: deque[float] = deque(maxlen=_HISTORY)
        self._broken = False

    def breaks(self, loss: float) -> str | None:
        """Take the next loss; return what is wrong with it, at the first step it is."""
        reason = None
        if not math.isfinite(loss):
            reason = f"the loss is {loss}"
        elif len(self._losses) >= _ENOUGH and loss > max(self._losses):
            reason = self._spike(loss)
        if math.isfinite(loss):
            self._losses.append(loss)
        first = reason is not None and not self._broken
        self._broken = reason is not None
        return reason if first else None

    def _spike(self, loss: float) -> str | None:
        values = np.array(self._losses)
        at = np.arange(len(values))
        slope, level = np.polyfit(at, values, 1)
        residuals = values - (slope * at + level)
        sigma = 1.4826 * float(np.median(np.abs(residuals - np.median(residuals))))
        expected = max(slope * len(values) + level, median(values[-_ENOUGH:].tolist()))
        margin = max(_SIGMAS * sigma, _LEAST_RISE * abs(expected))
        if loss <= expected + margin:
            return None
        return f"the loss jumped to {loss:.4g} where {expected:.4g} was expected"


@dataclass(slots=True)
class RememberedCall:
    """One forward of the model, to be run again: arguments by reference, randomness by value."""

    step: int
    args: Sequence[Any]
    kwargs: Mapping[str, Any]
    random: Tensor
    other_random: tuple[Any, Any]  # of Python and numpy
    device_random: Sequence[Tensor]
    autocast: Sequence[tuple[str, torch.dtype]]
    version: int  # of the parameters: tells whether the optimizer has stepped since

    @classmethod
    def of(
        cls, step: int, model: nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> RememberedCall:
        """Remember a call that is about to run."""
        on_cuda = torch.cuda.is_initialized()  # type: ignore[no-untyped-call]
        return cls(
            step=step,
            args=args,
            kwargs=kwargs,
            random=torch.get_rng_state(),
            other_random=(random.getstate(), np.random.get_state()),
            device_random=torch.cuda.get_rng_state_all() if on_cuda else (),
            autocast=[
                (device, torch.get_autocast_dtype(device))
                for device in _DEVICES
                if torch.is_autocast_enabled(device)
            ],
            version=parameter_version(model),
        )

    @contextmanager
    def again(self, model: nn.Module) -> Iterator[None]:
        """Randomness and autocast as they were, no gradients; afterwards all is as before."""
        now, others = torch.get_rng_state(), (random.getstate(), np.random.get_state())
        devices = torch.cuda.get_rng_state_all() if self.device_random else []
        # Running statistics must not be counted twice, and the tensors the backward of this step
        # still needs must not be touched: the second run works on copies.
        buffers = [
            (module._buffers, name, buffer)
            for module in model.modules()
            for name, buffer in module._buffers.items()
            if buffer is not None
        ]
        try:
            for owner, name, buffer in buffers:
                owner[name] = buffer.detach().clone()
            torch.set_rng_state(self.random)
            random.setstate(self.other_random[0])
            np.random.set_state(self.other_random[1])
            if self.device_random:
                torch.cuda.set_rng_state_all(self.device_random)
            with torch.no_grad(), ExitStack() as stack:
                for device, dtype in self.autocast:
                    stack.enter_context(torch.autocast(device, dtype=dtype))
                yield
        finally:
            torch.set_rng_state(now)
            random.setstate(others[0])
            np.random.set_state(others[1])
            if devices:
                torch.cuda.set_rng_state_all(devices)
            for owner, name, buffer in buffers:
                owner[name] = buffer


def parameter_version(model: nn.Module) -> int:
    """Return a number that rises whenever a parameter is changed in place."""
    return sum(p._version for p in model.parameters() if not p.is_inference())


class FrameRing:
    """The last frames in host memory, bounded in number and bytes."""

    def __init__(self) -> None:
        self._frames: deque[PendingFrame] = deque()
        self.bytes = 0

    def push(self, frame: PendingFrame) -> None:
        """Keep a frame; the oldest make room."""
        self._frames.append(frame)
        self.bytes += frame_bytes(frame)
        while len(self._frames) > RING_FRAMES or (self.bytes > RING_BYTES and self._frames):
            self.bytes -= frame_bytes(self._frames.popleft())

    def take(self) -> list[PendingFrame]:
        """Hand out all frames, oldest first, and forget them."""
        frames = list(self._frames)
        self._frames.clear()
        self.bytes = 0
        return frames
