"""Growth of the largest score: the earliest warning of a divergence known in the literature.

Monotone over four recorded intervals, at least 1.5-fold, beyond 50. Algorithmic tasks grow without
harm, so it stays a notice until the loss breaks too, or until it passes 100 without slowing down
and would reach 1e4 within a fifth of the steps so far.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.arrays import Floats
from attn_debugger.analysis.histories.anomalies import Anomalies
from attn_debugger.analysis.histories.tracking import Conclusion, Moment
from attn_debugger.analysis.signals.findings import Finding
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import join, say

_INTERVALS = 4


class ScoreGrowth:
    """Follows |score| maxima of one layer's heads in one stream and sample."""

    def __init__(self, n_heads: int, thresholds: Thresholds) -> None:
        self.n_heads = n_heads
        self._limits = thresholds
        self._recent: deque[tuple[Moment, Floats]] = deque(maxlen=_INTERVALS + 1)
        # head -> when, value, rate, frames before
        self._onset: dict[int, tuple[Moment, float, float, int]] = {}
        self._fast: set[int] = set()
        self._peak = np.zeros(n_heads)
        self._last: Moment | None = None
        self.frames = 0

    def update(self, largest: Floats, moment: Moment) -> None:
        """Take in the (head,) maxima of one frame."""
        if not np.isfinite(largest).all():
            return
        self.frames += 1
        self._recent.append((moment, largest.astype(np.float64)))
        self._last = moment
        self._peak = np.maximum(self._peak, largest)
        if len(self._recent) <= _INTERVALS:
            return
        values = np.stack([row for _, row in self._recent])  # (interval, head)
        steps = max(1, moment.step - self._recent[0][0].step)
        first, middle, last = values[0], values[2], values[-1]
        with np.errstate(all="ignore"):
            growing = (
                (last > self._limits.score_notice)
                & (last / np.maximum(first, 1e-9) >= self._limits.growth_ratio)
                & (np.diff(values, axis=0) > 0).all(0)
            )
            rate = np.log(np.maximum(last, 1e-9) / np.maximum(first, 1e-9)) / steps
            steady = last / np.maximum(middle, 1e-9) >= 0.9 * middle / np.maximum(first, 1e-9)
            left = np.log(self._limits.score_critical / np.maximum(last, 1e-9)) / rate
            soon = left < self._limits.growth_horizon * moment.step
            fast = growing & (last > self._limits.score_watch) & (rate > 0) & steady & soon
        for head in np.flatnonzero(growing):
            if int(head) not in self._onset:
                before = self.frames - 1
                self._onset[int(head)] = (moment, float(last[head]), float(rate[head]), before)
        self._fast |= {int(head) for head in np.flatnonzero(fast)}

    def conclude(self, anomalies: Anomalies) -> Iterator[Conclusion]:
        """`score_growth`: one conclusion for the heads of a severity, told of the first of them."""
        by_severity: dict[Severity, list[int]] = {}
        for head, (moment, *_) in sorted(self._onset.items()):
            after = [step for step in anomalies.corroborating if step >= moment.step]
            loud = head in self._fast or bool(after)
            by_severity.setdefault(Severity.WARNING if loud else Severity.NOTICE, []).append(head)
        for severity, heads in by_severity.items():
            first = min(heads, key=lambda head: (self._onset[head][0].step, -self._onset[head][1]))
            moment, value, _, before = self._onset[first]
            others = (
                say("; head {head} is the first of {n}", head=first, n=len(heads))
                if len(heads) > 1
                else ""
            )
            assert self._last is not None
            yield Conclusion(
                Finding(
                    signal="score_growth",
                    severity=severity,
                    evidence=join("", (self._pace(first), others)),
                    heads=tuple(heads),
                    value=value,
                    threshold=self._limits.score_notice,
                    unit=say("|score|"),
                ),
                moment,
                self._last,
                self.frames - before,
            )

    def _pace(self, head: int) -> str:
        """How quickly a head's scores grew at its onset, and how far they have come."""
        _, value, rate, _ = self._onset[head]
        doubling = math.log(2) / max(rate, 1e-12)
        left = max(0.0, math.log(self._limits.score_critical / max(value, 1e-9)) / rate)
        every = say("{doubling:.0f} steps", doubling=doubling) if doubling >= 1.5 else say("step")
        ahead = say("about {left:.0f} steps", left=left) if left >= 1.5 else say("a step")
        return say(
            "the largest |score| passes {value} and doubles every {every}: at that pace "
            "1e4 is {ahead} away (peak so far {peak})",
            value=_plain(value),
            every=every,
            ahead=ahead,
            peak=_plain(self._peak[head]),
        )


def _plain(score: float) -> str:
    """Three digits, without a power of ten where a person would not write one."""
    return f"{score:.0f}" if 100 <= score < 1e6 else f"{score:.3g}"
