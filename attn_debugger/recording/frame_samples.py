"""Of a frame that holds many items of a batch: which one is to blame, and the frame of a few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attn_debugger.recording.assembly import PendingFrame
from attn_debugger.recording.capture.call import Capture
from attn_debugger.recording.inputs import FrameInputs

# In the order in which a layer computes, so that the first is where it began.
_NONFINITE = ("input_nonfinite", "q_nonfinite", "k_nonfinite", "score_nan", "score_posinf",
              "v_nonfinite", "output_nonfinite")  # fmt: skip
_TENSORS = ("weights", "scores", "q", "k", "keep", "key_padding")


def of_samples(frame: PendingFrame, positions: Sequence[int], n_samples: int) -> PendingFrame:
    """Return the frame with these of its `n_samples` items only; its tensors must have arrived.

    What has one item for all of them keeps it.
    """
    if list(positions) == list(range(n_samples)):
        return frame
    captures = [_capture_of(capture, positions, n_samples) for capture in frame.captures]
    return replace(frame, captures=captures, inputs=_inputs_of(frame.inputs, positions, n_samples))


def nonfinite_sample_of(
    frame: PendingFrame, n_samples: int, batch: int | None
) -> tuple[int, str] | None:
    """Return (item, module path): the item with NaN or infinite values in the first layer with any.

    Layers whose leading axis is not the batch (windows of a picture) tell nothing.
    """
    for capture in sorted(frame.captures, key=lambda capture: capture.order):
        if capture.shape[0] != n_samples or capture.facts.get("batch") != batch:
            continue
        for name in _NONFINITE:
            count = capture.stats.get(name)
            # Where a count cannot tell the items apart, it is the same for all of them.
            if count is None or (n_samples > 1 and bool((count > 0).all())):
                continue
            if bool((count > 0).any()):
                return int((count > 0).any(-1).nonzero()[0]), capture.path
    return None


def _capture_of(capture: Capture, positions: Sequence[int], n_samples: int) -> Capture:
    def chosen(tensor: Tensor) -> Tensor:
        return tensor[list(positions)] if tensor.shape[0] == n_samples else tensor

    fields: dict[str, Any] = {
        name: chosen(value)
        for name in _TENSORS
        if isinstance(value := getattr(capture, name), torch.Tensor)
    }
    stats = {name: chosen(value) for name, value in capture.stats.items()}
    count = len(positions) if capture.shape[0] == n_samples else capture.shape[0]
    return replace(capture, **fields, stats=stats, shape=(count, *capture.shape[1:]))


def _inputs_of(inputs: FrameInputs, positions: Sequence[int], n_samples: int) -> FrameInputs:
    changed: dict[str, Any] = {}
    for name in FrameInputs.__dataclass_fields__:
        value = getattr(inputs, name)
        if value is None or len(value) != n_samples:
            continue
        if isinstance(value, np.ndarray):
            changed[name] = value[list(positions)]
        else:
            changed[name] = tuple(value[position] for position in positions)
    return replace(inputs, **changed)
