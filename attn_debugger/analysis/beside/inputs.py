"""Whether two runs saw the same input: else a difference of maps is none of the models. Pure."""

from __future__ import annotations

from typing import Literal

import numpy as np

from attn_debugger.analysis.beside.pairing import Pairing
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import Run

Inputs = Literal["same", "different", "unknown"]


def same_inputs(a: LayerFrame, b: LayerFrame, run_a: Run, run_b: Run) -> Inputs:
    """Say whether two frames show the same input.

    The sample's own tokens decide where both runs hold them; else the number of the batch.
    """
    if a.token_ids is not None and b.token_ids is not None:
        return "same" if np.array_equal(a.token_ids, b.token_ids) else "different"
    if a.tokens is not None and b.tokens is not None:
        same = a.tokens == b.tokens and (a.query_tokens or ()) == (b.query_tokens or ())
        return "same" if same else "different"
    return same_batch(run_a, a.frame_index, run_b, b.frame_index)


def same_batch(run_a: Run, frame_a: int, run_b: Run, frame_b: int) -> Inputs:
    """Say whether two frames saw the same batch, by the numbers that the recorder gave them."""
    numbers = []
    for run, frame in ((run_a, frame_a), (run_b, frame_b)):
        if run.batches is None or frame >= len(run.batches) or run.batches[frame] < 0:
            return "unknown"
        numbers.append(int(run.batches[frame]))
    return "same" if numbers[0] == numbers[1] else "different"


def count_batches(run_a: Run, run_b: Run, pairing: Pairing) -> dict[Inputs, int]:
    """Return at how many common steps the batches are the same, different, or not known."""
    counts: dict[Inputs, int] = {"same": 0, "different": 0, "unknown": 0}
    for frame in pairing.common.tolist():
        counts[same_batch(run_a, frame, run_b, int(pairing.frames[frame]))] += 1
    return counts
