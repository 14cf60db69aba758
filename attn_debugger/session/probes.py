"""The probe that stands in for a frame: shown in its place, or the recording again."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from attn_debugger.core.frame import GridFrame, LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.view_state import ViewState
from attn_debugger.session.errands import ReadOnce
from attn_debugger.session.messages import Brought
from attn_debugger.session.opening import OpenSource
from attn_debugger.session.stand_in import Compared, FitStandIn, StandIn
from attn_debugger.session.worker import ArchiveWorker

FIT, GRID, HEAD = "probe", "probe grid", "probe head"
PROBE_ERRANDS = frozenset((FIT, GRID, HEAD))


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownProbe:
    """The probe at hand. `is_on` False = its frame is shown as it was recorded.

    `differences` is (layer, head), NaN = not comparable; None = nothing is known yet. `reason`
    says why nothing could be compared.
    """

    title: str
    step: int
    frame_index: int
    path: str
    is_on: bool = True
    differences: NDArray[np.float64] | None = None
    agrees: bool | None = None
    reason: str = ""

    def is_in_view(self, state: ViewState) -> bool:
        """Whether what is painted at this state is the probe."""
        return self.is_in_view_at(state.frame)

    def is_in_view_at(self, frame_index: int) -> bool:
        """Whether the probe is painted in the place of this frame."""
        return self.is_on and frame_index == self.frame_index


class Probes(QObject):
    """Holds one probe at a time and reads it in the place of its frame."""

    changed = Signal()
    grid_ready = Signal(object)  # GridFrame
    head_ready = Signal(object, str)  # LayerFrame, or None and a sentence
    failed = Signal(str)

    def __init__(
        self, worker: ArchiveWorker, open_source: OpenSource, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._worker = worker
        self._open_source = open_source
        self._stand_in: StandIn | None = None
        self._shown: ShownProbe | None = None
        self._wanted_grid: tuple[int, int] | None = None  # sample, tile
        self._wanted_head: tuple[HeadRef, int] | None = None

    @property
    def shown(self) -> ShownProbe | None:
        """The probe at hand, once it was found to fit the run."""
        return self._shown

    def show(self, path: str, state: ViewState, *, step: int, title: str, label: str) -> None:
        """Let the archive at `path`, of one frame, stand in for the frame in view."""
        stand_in = StandIn(
            open_source=self._open_source,
            path=path,
            frame_index=state.frame,
            step=step,
            sample=state.sample,
            title=title,
            label=label,
        )
        self._worker.run_errand(FIT, FitStandIn(stand_in))

    def turn(self, *, on: bool) -> None:
        """Show the probe, or the recorded frame that it stands in for."""
        if self._shown is not None and self._shown.is_on != on:
            self._become(replace(self._shown, is_on=on))

    def discard(self) -> None:
        """Give the probe up; its frame is shown as it was recorded."""
        if self._shown is not None or self._stand_in is not None:
            self.forget()
            self.changed.emit()

    def forget(self) -> None:
        """Hold none, for another run; says nothing."""
        for name in PROBE_ERRANDS:
            self._worker.run_errand(name, None)
        self._stand_in = self._shown = None
        self._wanted_grid = self._wanted_head = None

    def takes(self, state: ViewState) -> bool:
        """Whether it is the probe that is to be painted at this state."""
        return self._shown is not None and self._shown.is_in_view(state)

    def request_grid(self, state: ViewState, tile: int) -> None:
        """Read the probe's tiles."""
        if (probe := self._stand_in) is not None:
            self._wanted_grid = (state.sample, tile)
            read = ReadOnce(lambda _source: probe.grid(state.sample, tile))
            self._worker.run_errand(GRID, read)

    def request_head(self, state: ViewState) -> None:
        """Read the probe's map of the selected head."""
        probe, head = self._stand_in, state.head
        if probe is not None and head is not None:
            self._wanted_head = (head, state.sample)
            self._worker.run_errand(HEAD, ReadOnce(lambda _source: probe.head(head, state.sample)))

    def receive(self, answer: Brought, state: ViewState) -> None:
        """Pass on what the worker brought, if it is still wanted."""
        value = answer.value
        if answer.sentence:
            self.failed.emit(answer.sentence)
        elif isinstance(value, StandIn):
            self._begin(value)
        elif isinstance(value, Compared):
            if value.stand_in != self._stand_in:
                self._begin(value.stand_in)  # of two answers at once only the last arrives
            if self._shown is not None:
                self._become(
                    replace(
                        self._shown,
                        differences=value.differences,
                        agrees=None if value.reason else value.agree,
                        reason=value.reason,
                    )
                )
        elif not self.takes(state):
            return
        elif isinstance(value, GridFrame):
            if (value.sample, value.tile) == self._wanted_grid:
                self.grid_ready.emit(value)
        elif isinstance(value, LayerFrame):
            head = HeadRef(value.info.index, value.heads[0])
            if (head, value.sample) == self._wanted_head:
                self.head_ready.emit(value, "")

    def _begin(self, stand_in: StandIn) -> None:
        self._stand_in = stand_in
        self._become(
            ShownProbe(
                title=stand_in.title,
                step=stand_in.step,
                frame_index=stand_in.frame_index,
                path=stand_in.path,
            )
        )

    def _become(self, shown: ShownProbe) -> None:
        self._shown = shown
        self.changed.emit()
