"""The output statistics of all layers at the step in view, read as an errand when wanted."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal

from attn_debugger.analysis.output_profile import (
    LayerOutput,
    OutputProfile,
    layer_output,
    profile_of,
)
from attn_debugger.core.source import RunSource
from attn_debugger.core.view_state import ViewState
from attn_debugger.session.messages import Brought
from attn_debugger.session.worker import ArchiveWorker

OUTPUTS = "outputs"


@dataclass
class ReadOutputs:
    """The errand: one layer at a time, without any map."""

    frame_index: int
    sample: int
    is_over: bool = False
    _read: list[LayerOutput] = field(default_factory=list)

    def step(self, source: RunSource) -> OutputProfile | None:
        layers = source.run.layers
        if len(self._read) < len(layers):
            info = layers[len(self._read)]
            frame = source.layer(self.frame_index, info.index, self.sample, maps=())
            self._read.append(layer_output(info.index, info.name, frame.output))
        self.is_over = len(self._read) >= len(layers)
        if not self.is_over:
            return None
        return profile_of(self.frame_index, int(source.run.steps[self.frame_index]), self._read)


class Outputs(QObject):
    """Asks for the profile of a frame and lets only the newest answer through."""

    changed = Signal(object)  # OutputProfile
    failed = Signal(str)

    def __init__(self, worker: ArchiveWorker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._wanted: int | None = None

    def request(self, state: ViewState) -> None:
        """Read the profile of the frame in view, in place of one that is still to be read."""
        if state.frame != self._wanted:
            self._wanted = state.frame
            self._worker.run_errand(OUTPUTS, ReadOutputs(state.frame, state.sample))

    def receive(self, answer: Brought) -> None:
        """Pass on what the worker brought, if it is still wanted."""
        if answer.sentence:
            self.failed.emit(answer.sentence)
        elif isinstance(answer.value, OutputProfile) and answer.value.frame_index == self._wanted:
            self.changed.emit(answer.value)

    def forget(self) -> None:
        """Start over, for another run."""
        self._wanted = None
