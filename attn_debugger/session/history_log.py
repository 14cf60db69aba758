"""Collecting the summaries of a scan into the curves of every head."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.history import SUMMARY_NAMES, History
from attn_debugger.core.run import Run
from attn_debugger.core.source import RecallsHistory, RunSource
from attn_debugger.errors import AttnDebuggerError, LinkError

Summary = Mapping[str, NDArray[np.float32]]

BUDGET_BYTES = 128 << 20
_TELLING = ("entropy", "nonfinite")  # an archive that has neither of a frame knows nothing of it
_COPYING_PAUSE = 20  # a long history is copied anew after that many times what it cost


@dataclass
class _Sample:
    """What is known of one sample; arrays have room for more frames than there are."""

    values: dict[str, NDArray[np.float32]]  # name -> (room, layer, head)
    scanned: NDArray[np.bool_]  # (room,)
    recalled: NDArray[np.bool_]  # (room,) known by the archive's own numbers
    told: History | None = None  # the last copy that was handed out
    has_news: bool = True  # frames became known since then
    is_corrected: bool = False  # recalled frames were examined since then
    next_copy: float = 0.0
    owed_from: int | None = None  # frames from here on are still to be recalled: the link failed


class HistoryLog:
    """Keeps (frame, layer, head) arrays for each sample of the batch, within a budget of bytes.

    Begins with the numbers that the archive has of its frames, if it has any; what the scan finds
    replaces them. Samples beyond the budget are not kept: their history is unknown, not zero.
    """

    def __init__(self, run: Run, source: RunSource | None = None, budget: int = BUDGET_BYTES):
        self._n_layers = len(run.layers)
        self._n_heads = run.max_heads
        self._n_frames = run.n_frames
        self._source = source if isinstance(source, RecallsHistory) else None
        per_sample = run.n_frames * self._n_layers * self._n_heads * len(SUMMARY_NAMES) * 4
        self._n_kept = max(1, min(max(1, run.n_samples), budget // max(1, per_sample)))
        self._samples: dict[int, _Sample] = {}

    def grow(self, n_frames: int) -> None:
        """Make room for the frames of a run that has become longer."""
        first, self._n_frames = self._n_frames, max(self._n_frames, n_frames)
        if self._n_frames == first:
            return
        for sample, kept in self._samples.items():
            if self._n_frames > len(kept.scanned):
                _make_room(kept, self._n_frames + self._n_frames // 2)
            with suppress(LinkError):  # owed: the next history settles it
                self._recall(sample, kept, first)
            kept.has_news = True

    def recall(self) -> None:
        """Take over what the source can tell by now; the next history has it."""
        for sample, kept in self._samples.items():
            self._recall(sample, kept, 0)
            kept.has_news, kept.next_copy = True, 0.0

    def add(self, frame: LayerFrame, summary: Summary) -> None:
        """Note the summary, name -> (head,), of one layer in one frame for one sample."""
        index = frame.frame_index
        if frame.sample >= self._n_kept or index >= self._n_frames:
            return
        kept = self._sample(frame.sample)
        heads = list(frame.heads)
        for name, values in kept.values.items():
            if name in summary:
                values[index, frame.info.index, heads] = summary[name]
        kept.scanned[index] = True
        if kept.recalled[index]:
            kept.is_corrected = True
        else:
            kept.has_news = True

    def history(self, sample: int, *, final: bool = False) -> History:
        """Return copies of what is known of one sample so far; nothing known is all NaN.

        The same object as the last time is returned while no frame became known, and for a while
        if the history is so long that copying it takes its time; `final` = now all of it.
        """
        if sample >= self._n_kept:
            return self._unknown()
        kept = self._sample(sample)
        if kept.owed_from is not None:
            self._recall(sample, kept, kept.owed_from)
            kept.has_news = True
        started = time.monotonic()
        if kept.told is not None:
            wanted = kept.has_news and started >= kept.next_copy
            if not wanted and not (final and (kept.has_news or kept.is_corrected)):
                return kept.told
        copies = {}
        for name, array in kept.values.items():
            copies[name] = array[: self._n_frames].copy()
            copies[name].setflags(write=False)
        kept.told = History(values=copies, scanned=kept.scanned[: self._n_frames].copy())
        kept.has_news = kept.is_corrected = False
        now = time.monotonic()
        kept.next_copy = now + _COPYING_PAUSE * (now - started)
        return kept.told

    def _sample(self, sample: int) -> _Sample:
        if sample not in self._samples:
            shape = (self._n_frames, self._n_layers, self._n_heads)
            values = {name: np.full(shape, np.nan, np.float32) for name in SUMMARY_NAMES}
            nothing = np.zeros(self._n_frames, np.bool_)
            kept = _Sample(values, nothing, nothing.copy())
            self._recall(sample, kept, 0)
            self._samples[sample] = kept
        return self._samples[sample]

    def _recall(self, sample: int, kept: _Sample, first: int) -> None:
        """Take over what the archive knows of the frames from `first` on."""
        owed, kept.owed_from = kept.owed_from, None
        first = first if owed is None else min(first, owed)
        try:
            recorded = self._source and self._source.history(sample, first)
        except LinkError:
            kept.owed_from = first
            raise
        except (AttnDebuggerError, OSError):
            return  # damaged: the scan finds the numbers itself
        if not recorded:
            return
        told = [np.isfinite(recorded.values[name]).any(axis=(1, 2)) for name in _TELLING]
        known = np.flatnonzero((recorded.scanned & np.logical_or(*told))[: self._n_frames - first])
        for name, values in kept.values.items():
            values[first + known] = recorded.values[name][known]
        kept.scanned[first + known] = kept.recalled[first + known] = True

    def _unknown(self) -> History:
        shape = (self._n_frames, self._n_layers, self._n_heads)
        unknown = np.full(shape, np.nan, np.float32)
        unknown.setflags(write=False)
        return History(
            values=dict.fromkeys(SUMMARY_NAMES, unknown), scanned=np.zeros(self._n_frames, np.bool_)
        )


def _make_room(kept: _Sample, n_frames: int) -> None:
    """Lengthen the arrays; by halves, so that a run that grows is not copied each time."""
    added = n_frames - len(kept.scanned)
    room = np.full((added, *kept.values[SUMMARY_NAMES[0]].shape[1:]), np.nan, np.float32)
    kept.values = {name: np.concatenate([old, room]) for name, old in kept.values.items()}
    more = np.zeros(added, np.bool_)
    kept.scanned = np.concatenate([kept.scanned, more])
    kept.recalled = np.concatenate([kept.recalled, more])
