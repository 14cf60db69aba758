"""The outputs of all layers at one step: after which layer does their range jump?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from attn_debugger.analysis.thresholds import Thresholds


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerOutput:
    """Statistics of one layer's output; None = not recorded."""

    layer: int
    name: str
    mean: float | None = None
    var: float | None = None
    abs_max: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputProfile:
    """All layers at one frame. `jump` is the layer whose range leaves that of the earlier ones."""

    frame_index: int
    step: int
    layers: tuple[LayerOutput, ...]
    jump: int | None = None
    factor: float = math.nan  # its variance over the median variance of the layers before


def layer_output(layer: int, name: str, output: Mapping[str, float]) -> LayerOutput:
    """Return the statistics as they are stored under `layers/<i>/output`."""
    return LayerOutput(
        layer=layer,
        name=name,
        mean=output.get("mean"),
        var=output.get("var"),
        abs_max=output.get("abs_max"),
    )


def profile_of(
    frame_index: int,
    step: int,
    layers: Sequence[LayerOutput],
    thresholds: Thresholds | None = None,
) -> OutputProfile:
    """Mark the first layer whose variance is `output_jump` times the median of those before.

    A variance that is not finite is a jump too. This looks at one step alone: whether it is new is
    what the check's `output_range_jump` says.
    """
    limit = (thresholds or Thresholds()).output_jump
    below: list[float] = []
    for item in layers:
        if item.var is None:
            continue
        if not math.isfinite(item.var):
            return OutputProfile(
                frame_index=frame_index,
                step=step,
                layers=tuple(layers),
                jump=item.layer,
                factor=math.inf,
            )
        typical = float(np.median(below)) if below else math.nan
        if typical > 0 and item.var > limit * typical:
            return OutputProfile(
                frame_index=frame_index,
                step=step,
                layers=tuple(layers),
                jump=item.layer,
                factor=item.var / typical,
            )
        below.append(item.var)
    return OutputProfile(frame_index=frame_index, step=step, layers=tuple(layers))
