"""Following watched tokens through a run: one layer of one frame at a time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from attn_debugger.analysis.layout import LayoutCache
from attn_debugger.analysis.watch import Watch, watched_keys, watched_mass
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.source import RunSource
from attn_debugger.errors import AttnDebuggerError

REPORT_SECONDS = 0.3
MOST_NAMED = 8  # tokens, in what is said of a frame


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchReport:
    """What is known so far of the weight on watched tokens, for one sample.

    `values` is (frame, layer, head), NaN = not known; `done` tells which frames were looked at.
    `matched` says for each frame looked at which tokens were found, `n_matched` how many.
    """

    watch: Watch
    sample: int
    values: NDArray[np.float32]
    done: NDArray[np.bool_]  # (frame,)
    matched: Mapping[int, str] = field(default_factory=dict)  # frame -> tokens
    n_matched: Mapping[int, int] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        return bool(self.done.all())


class WatchRun:
    """Looks at every frame of a run, the current one first; reports as it goes.

    `known` is an earlier report of the same watch and sample, of a run that has grown since.
    """

    def __init__(
        self, watch: Watch, sample: int, frame_index: int, known: WatchReport | None = None
    ) -> None:
        self._watch, self._sample, self._first = watch, sample, frame_index
        self._known = known
        self._values = np.zeros((0, 0, 0), np.float32)
        self._done = np.zeros(0, np.bool_)
        self._order: list[tuple[int, int]] = []  # (frame, layer) still to do, last one next
        self._has_begun = False
        self._layouts = LayoutCache()
        self._matched: dict[int, str] = {}
        self._n_matched: dict[int, int] = {}
        self._next_report = 0.0

    @property
    def is_over(self) -> bool:
        return self._has_begun and not self._order

    def step(self, source: RunSource) -> WatchReport | None:
        if not self._has_begun:
            self._begin(source)
        if self._order:
            self._look(source, *self._order[-1])  # where the link fails, it is due again
            self._order.pop()
        between_frames = not self._order or self._order[-1][1] == 0
        now = time.monotonic()
        if between_frames and (self.is_over or now >= self._next_report):
            self._next_report = now + REPORT_SECONDS
            return self._report()
        return None

    def _begin(self, source: RunSource) -> None:
        self._has_begun = True
        run = source.run
        shape = run.n_frames, len(run.layers), run.max_heads
        self._values = np.full(shape, np.nan, np.float32)
        self._done = np.zeros(run.n_frames, np.bool_)
        known = self._known
        if known is not None and known.values.shape[1:] == shape[1:]:
            count = min(len(known.done), run.n_frames)
            self._values[:count], self._done[:count] = known.values[:count], known.done[:count]
            self._matched, self._n_matched = dict(known.matched), dict(known.n_matched)
        frames = [frame for frame in range(run.n_frames) if not self._done[frame]]
        # The one that is looked at now first, then in the order of the run.
        frames.sort(key=lambda frame: (frame != self._first, frame))
        self._order = [(frame, layer) for frame in frames for layer in range(len(run.layers))][::-1]

    def _look(self, source: RunSource, frame_index: int, layer: int) -> None:
        info = source.run.layers[layer]
        if self._sample < info.n_samples:
            try:
                frame = source.layer(frame_index, layer, self._sample, maps=("weights",))
            except (AttnDebuggerError, OSError):
                frame = None  # a damaged frame stays unknown; whoever goes there is told
            if frame is not None and frame.weights is not None:
                mass = watched_mass(self._watch, frame, self._layouts.of(frame))
                self._values[frame_index, layer, : len(mass)] = mass
                if frame_index not in self._matched:
                    self._name(frame)
        if layer == len(source.run.layers) - 1:
            self._done[frame_index] = True

    def _name(self, frame: LayerFrame) -> None:
        """Remember which tokens were found, so that a typing error shows."""
        keys = np.flatnonzero(watched_keys(self._watch, frame, frame.n_keys)).tolist()
        tokens = frame.tokens or ()
        named = [tokens[key] if key < len(tokens) else f"#{key}" for key in keys]
        repeated = [(token, sum(1 for _ in same)) for token, same in groupby(named)]
        words = [token if count == 1 else f"{token} ×{count}" for token, count in repeated]
        self._n_matched[frame.frame_index] = len(keys)
        self._matched[frame.frame_index] = " ".join(words[:MOST_NAMED])

    def _report(self) -> WatchReport:
        return WatchReport(
            watch=self._watch,
            sample=self._sample,
            values=self._values.copy(),
            done=self._done.copy(),
            matched=dict(self._matched),
            n_matched=dict(self._n_matched),
        )
