"""Collecting the summaries of a scan into the curves of every head."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.history import SUMMARY_NAMES, History
from attn_debugger.core.run import Run

Summary = Mapping[str, NDArray[np.float32]]

BUDGET_BYTES = 128 << 20


class HistoryLog:
    """Keeps (frame, layer, head) arrays for each sample of the batch, within a budget of bytes.

    Samples beyond the budget are not kept: their history is unknown, not empty curves of zeros.
    """

    def __init__(self, run: Run, budget: int = BUDGET_BYTES) -> None:
        self._n_layers = len(run.layers)
        self._n_heads = run.max_heads
        self._n_frames = run.n_frames
        per_sample = run.n_frames * self._n_layers * self._n_heads * len(SUMMARY_NAMES) * 4
        self._n_kept = max(1, min(max(1, run.n_samples), budget // max(1, per_sample)))
        self._values: dict[int, dict[str, NDArray[np.float32]]] = {}
        self._scanned: dict[int, NDArray[np.bool_]] = {}

    def grow(self, n_frames: int) -> None:
        """Make room for the frames of a run that has become longer."""
        added = n_frames - self._n_frames
        if added <= 0:
            return
        self._n_frames = n_frames
        for sample, values in self._values.items():
            room = np.full((added, self._n_layers, self._n_heads), np.nan, np.float32)
            self._values[sample] = {
                name: np.concatenate([old, room]) for name, old in values.items()
            }
            self._scanned[sample] = np.concatenate([self._scanned[sample], np.zeros(added, bool)])

    def add(self, frame: LayerFrame, summary: Summary) -> None:
        """Note the summary, name -> (head,), of one layer in one frame for one sample."""
        if frame.sample >= self._n_kept or frame.frame_index >= self._n_frames:
            return
        if frame.sample not in self._values:
            shape = (self._n_frames, self._n_layers, self._n_heads)
            self._values[frame.sample] = {
                name: np.full(shape, np.nan, np.float32) for name in SUMMARY_NAMES
            }
            self._scanned[frame.sample] = np.zeros(self._n_frames, np.bool_)
        heads = list(frame.heads)
        for name, values in self._values[frame.sample].items():
            if name in summary:
                values[frame.frame_index, frame.info.index, heads] = summary[name]
        self._scanned[frame.sample][frame.frame_index] = True

    def history(self, sample: int) -> History:
        """Return copies of what is known of one sample so far; nothing scanned is all NaN."""
        values = self._values.get(sample)
        if values is None:
            shape = (self._n_frames, self._n_layers, self._n_heads)
            unknown = np.full(shape, np.nan, np.float32)
            unknown.setflags(write=False)
            return History(
                values=dict.fromkeys(SUMMARY_NAMES, unknown),
                scanned=np.zeros(self._n_frames, np.bool_),
            )
        copies = {}
        for name, array in values.items():
            copies[name] = array.copy()
            copies[name].setflags(write=False)
        return History(values=copies, scanned=self._scanned[sample].copy())
