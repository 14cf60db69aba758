"""The batch that an archive recorded at one of its frames, to run a model on it again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import Run
from attn_debugger.core.source import RunSource
from attn_debugger.core.words import say
from attn_debugger.errors import ModelError


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedBatch:
    """`ids` and `real` are (sample, position), `real` None without any padding.

    `names` are the strings of the ids, as far as they were recorded.
    """

    ids: Tensor
    real: Tensor | None
    names: dict[int, str]

    def decode(self, ids: list[int]) -> list[str]:
        """Return the recorded string of each id, or its number."""
        return [self.names.get(int(one), str(one)) for one in ids]


def recorded_batch(source: RunSource, frame_index: int, sample: int | None = None) -> RecordedBatch:
    """Return all recorded samples of a frame, or one; shorter ones are padded at their end.

    Raises `ModelError` when the archive holds no token ids for the frame.
    """
    samples = range(source.run.n_samples) if sample is None else (sample,)
    frames = [_with_ids(source, frame_index, number) for number in samples]
    rows = [torch.tensor(np.asarray(frame.token_ids)) for frame in frames]
    length = max(len(row) for row in rows)
    ids = torch.zeros((len(rows), length), dtype=torch.long)
    real = torch.zeros((len(rows), length), dtype=torch.bool)
    names: dict[int, str] = {}
    for number, (row, frame) in enumerate(zip(rows, frames, strict=True)):
        ids[number, : len(row)] = row
        padding = frame.key_padding
        is_known = padding is not None and len(padding) == len(row)
        real[number, : len(row)] = ~torch.tensor(np.asarray(padding)) if is_known else True
        if frame.tokens is not None and len(frame.tokens) == len(row):
            names |= dict(zip(row.tolist(), frame.tokens, strict=True))
    return RecordedBatch(ids=ids, real=None if bool(real.all()) else real, names=names)


def frame_at(run: Run, step: int | None) -> int:
    """Return the frame nearest to a step, by default the last."""
    return run.n_frames - 1 if step is None else int(run.nearest_frame(step))


def _with_ids(source: RunSource, frame_index: int, sample: int) -> LayerFrame:
    for info in source.run.layers:
        frame = source.layer(frame_index, info.index, sample, maps=())
        if frame.token_ids is not None:
            return frame
    raise ModelError(
        say("the archive holds no token ids for this frame: record them, or probe with a batch")
    )
