"""The attention of one forward, in float32, with scores, queries and keys."""

from __future__ import annotations

import torch
from torch import Tensor

from attn_debugger.model.live import LiveModel
from attn_debugger.recording.capture.call import Capture
from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.session import CaptureSession


def capture_attention(
    live: LiveModel, ids: Tensor, real: Tensor | None = None
) -> tuple[tuple[Capture, ...], Tensor]:
    """Return every attention call, in forward order, and the output, for all of `ids`."""
    settings = MeasureSettings(dtype=torch.float32, scores=True, qk=True)
    session = CaptureSession(live.model, settings, samples=tuple(range(len(ids))))
    with session:
        output = live.inputs.run(live.model, ids, real)
    return tuple(session.captures), output
