"""A watcher that notes what it is told, and runs whose every cell can be foretold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.writer import ArchiveWriter
from attn_debugger.core.link import LinkState, Question

LAYERS, HEADS, LENGTH = 3, 4, 48


class QuietWatcher:
    def __init__(self) -> None:
        self.states: list[LinkState] = []
        self.questions: list[Question] = []
        self.answer: str | None = None
        self.gives_up = False
        self.is_wanted_elsewhere = False

    def tell(self, state: LinkState) -> None:
        self.states.append(state)

    def ask(self, question: Question) -> str | None:
        self.questions.append(question)
        return self.answer


def maps_of(frame: int, layer: int) -> NDArray[np.float32]:
    """(sample, head, query, key): causal rows that sum to 1, other ones in every frame."""
    rng = np.random.default_rng([frame, layer])
    weights = np.tril(rng.random((1, HEADS, LENGTH, LENGTH)) + 0.01)
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float16).astype(np.float32)


def record_of(frame: int) -> FrameRecord:
    layers = tuple(LayerRecord(weights=maps_of(frame, i), captures=1) for i in range(LAYERS))
    return FrameRecord(step=10 * frame, layers=layers, time=1.7e9 + frame)


def writer_of(path: Path, created: str = "once") -> ArchiveWriter:
    specs = [
        LayerSpec(name=f"block.{i}", heads=HEADS, queries=LENGTH, keys=LENGTH)
        for i in range(LAYERS)
    ]
    return ArchiveWriter(path, specs, attributes={"causal": True, "created": created})


def write_run(path: Path, frames: int, created: str = "once") -> Path:
    with writer_of(path, created) as writer:
        for frame in range(frames):
            writer.append(record_of(frame))
            writer.log(10 * frame, loss=1.0 / (1 + frame))
    return path
