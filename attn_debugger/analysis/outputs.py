"""What a layer gives out: jumps of its range, and heads that contribute nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.context import FrameContext
from attn_debugger.analysis.findings import Finding, Gap, Verdict
from attn_debugger.core.flags import Severity
from attn_debugger.core.frame import LayerFrame


class OutputRange:
    """Follows the output variance of one layer over its frames (a running mean of its log)."""

    def __init__(self) -> None:
        self._mean_log = 0.0
        self._count = 0

    def judge(self, frame: LayerFrame, context: FrameContext) -> Iterator[Verdict]:
        """`output_range_jump` and the label `massive_activation`."""
        variance = frame.output.get("var")
        if variance is None:
            for signal in ("output_range_jump", "massive_activation"):
                yield Gap(
                    signal=signal,
                    reason="output statistics not recorded",
                    advice="record with attn_debugger.record, which stores them",
                )
            return
        yield from self._range(variance, context)
        yield from _massive(frame, variance)

    def _range(self, variance: float, context: FrameContext) -> Iterator[Verdict]:
        limits = context.thresholds
        below = context.output_variances
        if not math.isfinite(variance):
            if not context.nonfinite_below:
                yield Finding(
                    signal="output_range_jump",
                    severity=Severity.WARNING,
                    evidence="the layer's output is not finite although its weights are",
                    unit="variance",
                )
            return
        typical = float(np.median(below)) if len(below) >= 2 else math.nan
        past = math.exp(self._mean_log) if self._count >= 3 else math.nan
        if variance > limits.output_jump * typical and variance > limits.output_past * past:
            yield Finding(
                signal="output_range_jump",
                severity=Severity.WARNING,
                evidence=f"the variance of the layer's output is {variance:.3g}, "
                f"{variance / max(typical, 1e-30):.0f} times that of earlier layers and "
                f"{variance / max(past, 1e-30):.1f} times its own past",
                value=variance,
                threshold=limits.output_jump * typical,
                unit="variance",
            )
        elif variance > 0:
            # A jump is not taken into the past it is held against.
            self._count += 1
            weight = 1 / min(self._count, 16)
            self._mean_log += weight * (math.log(variance) - self._mean_log)
        below.append(variance)


def _massive(frame: LayerFrame, variance: float) -> Iterator[Verdict]:
    """`massive_activation`: |x| > 100 and a thousand times the typical one (Sun 2402.17762).

    The median is not recorded; 0.67 standard deviations stand for it, which can only hide cases.
    """
    largest = frame.output.get("abs_max")
    if largest is None or not (math.isfinite(largest) and math.isfinite(variance)):
        return
    typical = 0.67 * math.sqrt(max(variance, 0))
    if largest > 100 and largest > 1000 * typical:
        yield Finding(
            signal="massive_activation",
            severity=Severity.LABEL,
            evidence=f"one activation reaches {largest:.3g}, "
            f"{largest / max(typical, 1e-30):.0f} times the typical one",
            value=largest,
            threshold=100.0,
            unit="|activation|",
        )
