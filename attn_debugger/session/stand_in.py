"""A probe of the model that stands in for one frame of the open run, read beside the run's archive.

The probe is an archive of its own with a single frame. It is opened anew for every reading: so no
file stays open behind a run that is closed, and all of it happens on the worker's thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from attn_debugger.analysis.agreement import head_differences, tolerance_of
from attn_debugger.core.frame import GridFrame, LayerFrame
from attn_debugger.core.heads import HeadRef, head_table
from attn_debugger.core.run import Run
from attn_debugger.core.source import RunSource
from attn_debugger.core.words import say
from attn_debugger.errors import ArchiveError
from attn_debugger.session.opening import OpenSource


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """Where the probe lies and what it stands for. `partners` has its layer for each of the run's.

    `title` says what was run, `label` in a few words that it was not recorded.
    """

    open_source: OpenSource
    path: str
    frame_index: int
    step: int
    sample: int  # of the run: what the probe is compared with
    title: str
    label: str
    partners: tuple[int, ...] = ()

    def grid(self, sample: int, tile: int) -> GridFrame:
        """Return the probe's tiles in the places of the run's layers."""
        with self._open() as source:
            frame = source.grid(0, min(sample, source.run.n_samples - 1), tile)
        order = list(self.partners)
        return replace(
            frame,
            frame_index=self.frame_index,
            sample=sample,
            codes=frame.codes[order],
            known=frame.known[order],
            masked=frame.masked[order],
            shapes=tuple(frame.shapes[layer] for layer in order),
            note=self.label,
        )

    def head(self, head: HeadRef, sample: int) -> LayerFrame:
        """Return the probe's map of a head of the run."""
        layer = self.partners[head.layer]
        with self._open() as source:
            own = min(sample, source.run.n_samples - 1)
            frame = source.head(0, HeadRef(layer, head.head), own)
        return replace(
            frame,
            frame_index=self.frame_index,
            step=self.step,
            stream=self.label,
            sample=sample,
            info=replace(frame.info, index=head.layer),
            stands_in=True,
        )

    def fitted(self, run: Run) -> StandIn:
        """Return this with its partners. Raises `ArchiveError` for a model of another shape."""
        with self._open() as source:
            return replace(self, partners=_partners(run, source.run))

    def compare(self, recorded: LayerFrame) -> tuple[list[float | None], str]:
        """Return the largest difference of each head of a layer, and why there is none."""
        layer = self.partners[recorded.info.index]
        with self._open() as source:
            own = min(self.sample, source.run.n_samples - 1)
            probed = source.layer(0, layer, own, maps=("weights",))
        ids = recorded.token_ids
        if ids is None or probed.token_ids is None:
            reason = say("token ids of one of the two are not known")
            return [None] * len(recorded.heads), reason
        if not np.array_equal(ids, probed.token_ids):
            return [None] * len(recorded.heads), say("the probe is of another input")
        return head_differences(recorded, probed.weights)

    @contextmanager
    def _open(self) -> Iterator[RunSource]:
        source = self.open_source(self.path)
        try:
            yield source
        finally:
            source.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """How the probe and the recorded frame agree; NaN = that head could not be compared."""

    stand_in: StandIn
    differences: NDArray[np.float64]  # (layer, head)
    agree: bool
    reason: str = ""  # why nothing could be compared


@dataclass
class FitStandIn:
    """The errand that finds the partners, then compares layer by layer."""

    stand_in: StandIn
    is_over: bool = False
    _rows: list[list[float | None]] = field(default_factory=list)
    _reasons: list[str] = field(default_factory=list)
    _agree: bool = True

    def step(self, source: RunSource) -> StandIn | Compared | None:
        run = source.run
        if not self.stand_in.partners:
            self.stand_in = self.stand_in.fitted(run)
            return self.stand_in
        layer = len(self._rows)
        stand_in = self.stand_in
        recorded = source.layer(stand_in.frame_index, layer, stand_in.sample, maps=("weights",))
        row, reason = stand_in.compare(recorded)
        known = [value for value in row if value is not None]
        self._agree &= all(v <= tolerance_of(run.layers[layer].storage) for v in known)
        self._rows.append(row)
        self._reasons += [reason] if reason else []
        self.is_over = len(self._rows) == len(run.layers)
        if not self.is_over:
            return None
        differences = head_table(self._rows, run.max_heads)
        nothing = not np.isfinite(differences).any()
        return Compared(
            stand_in=stand_in,
            differences=differences,
            agree=self._agree and not nothing,
            reason=self._reasons[0] if nothing and self._reasons else "",
        )


def _partners(run: Run, probe: Run) -> tuple[int, ...]:
    """Return the probe's layer for each of the run's: of the same name, or else by their order."""
    by_name = {layer.name: layer.index for layer in probe.layers}
    named = [by_name.get(layer.name) for layer in run.layers]
    if all(index is not None for index in named) and len(set(named)) == len(named):
        found = [index for index in named if index is not None]
    elif len(run.layers) == len(probe.layers):
        found = [layer.index for layer in probe.layers]
    else:
        raise ArchiveError(
            say(
                "the probe has {n} layers and the run {m}, under other names: it is another "
                "model, or part of it was not recorded",
                n=len(probe.layers),
                m=len(run.layers),
            )
        )
    for layer, index in zip(run.layers, found, strict=True):
        if layer.n_heads != probe.layers[index].n_heads:
            raise ArchiveError(
                say(
                    "layer {layer} has {n} heads in the run and {m} in the probe: it is another "
                    "model",
                    layer=layer.index,
                    n=layer.n_heads,
                    m=probe.layers[index].n_heads,
                )
            )
    return tuple(found)
