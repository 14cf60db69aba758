"""What a layer gives out: jumps of its range, and heads that contribute nothing."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict
from attn_debugger.core.flags import Severity
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.words import say

_PAST = 32  # frames of a layer's own past
_LEAST = 4


class OutputRange:
    """Follows the output variance of one layer over its frames, as logarithms."""

    def __init__(self) -> None:
        self._past: deque[float] = deque(maxlen=_PAST)

    def judge(self, frame: LayerFrame, context: FrameContext) -> Iterator[Verdict]:
        """`output_range_jump` and the label `massive_activation`."""
        variance = frame.output.get("var")
        if variance is None:
            for signal in ("output_range_jump", "massive_activation"):
                yield Gap(
                    signal=signal,
                    reason=say("output statistics not recorded"),
                    advice=say("record with attn_debugger.record, which stores them"),
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
                    evidence=say("the layer's output is not finite although its weights are"),
                    unit=say("variance"),
                )
            return
        typical = float(np.median(below)) if len(below) >= 2 else math.nan
        jumped = self._above_past(variance, limits.output_past)
        if variance > limits.output_jump * typical and jumped:
            past = math.exp(max(self._past))
            yield Finding(
                signal="output_range_jump",
                severity=Severity.WARNING,
                evidence=say(
                    "the variance of the layer's output is {variance:.3g}, {times:.0f} times "
                    "that of earlier layers and {past:.1f} times the largest of its own past",
                    variance=variance,
                    times=variance / max(typical, 1e-30),
                    past=variance / max(past, 1e-30),
                ),
                value=variance,
                threshold=limits.output_jump * typical,
                unit=say("variance"),
            )
        elif variance > 0:
            # A jump is not taken into the past it is held against.
            self._past.append(math.log(variance))
        below.append(variance)

    def _above_past(self, variance: float, factor: float) -> bool:
        """Whether it leaves its own past at once, not as fast as it has been growing anyway."""
        if len(self._past) < _LEAST or variance <= 0:
            return False
        past = np.array(self._past)
        steps = np.diff(past)
        usual = float(np.median(steps))
        spread = 1.4826 * float(np.median(np.abs(steps - usual))) + 0.1
        now = math.log(variance)
        beyond = now > float(past.max()) + math.log(factor)
        return beyond and now - float(past[-1]) > usual + 6 * spread


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
            evidence=say(
                "one activation reaches {largest:.3g}, {times:.0f} times the typical one",
                largest=largest,
                times=largest / max(typical, 1e-30),
            ),
            value=largest,
            threshold=100.0,
            unit=say("|activation|"),
        )
