"""What one demo run is: the model, what it learns, how it is trained and what is recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from attn_debugger.demo.models import Design
from attn_debugger.demo.tasks import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Settings of a training run. Steps count from zero; seeds are fixed, so runs repeat."""

    design: Design
    task: Callable[[], Task]
    steps: int
    every: Callable[[int], bool]  # which steps are recorded
    learning_rate: float
    warmup: int = 0  # steps of linear warm-up; 0 = none
    batch_size: int = 16
    clip: float | None = None  # gradient norm
    half_precision: bool = False  # forward under float16 autocast, without loss scaling
    seed: int = 0
    checkpoints: tuple[int, ...] = (0,)  # steps; the weights as they are in that step's forward
    # "probe": a fixed batch in eval mode, comparable over steps; "train": the live batch
    stream: Literal["probe", "train"] = "probe"
    samples: int = 1
    scores: bool = True
    query_key: bool = False
    # What was meant, where it differs from what the code does: only its author can know.
    attributes: Mapping[str, object] = field(default_factory=dict)


def each(interval: int) -> Callable[[int], bool]:
    """Record every `interval` steps, the first included."""
    return lambda step: step % interval == 0
