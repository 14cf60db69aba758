"""Shapes that count only when they last: uniform layers, rank-one rows, heads growing alike.

A layer of averaging heads is a legitimate solution, and early training is uniform in every run.
Only what persists to the last frame past warm-up speaks, and only the whole model, or a layer that
had structure and lost it, speaks up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats
from attn_debugger.analysis.histories.tracking import Conclusion, Moment, Streaks
from attn_debugger.analysis.signals.findings import Finding, indices
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import join, say


@dataclass(frozen=True, slots=True)
class Uniform:
    """Heads of one layer that have been uniform through the last half of its frames."""

    heads: Bools
    since: Moment
    last: Moment
    frames: int
    once: float  # nats from uniform these heads once had
    now: float


class Persistence:
    """Follows the shape of one layer in one stream and sample."""

    def __init__(self, n_heads: int, thresholds: Thresholds) -> None:
        self.n_heads = n_heads
        self._limits = thresholds
        self.frames = 0
        self.last: Moment | None = None
        self._uniform = Streaks(n_heads)
        self._once = np.full(n_heads, -np.inf)
        self._now = np.full(n_heads, np.nan)
        self._rank_one = Streaks(1)
        self._rank_one_finding: Finding | None = None
        self._divergence = np.nan
        self._largest_divergence = 0.0
        self._lost = Streaks(1)
        self._alike = Streaks(1)
        self._alike_values = (np.nan, np.nan)
        self._idle = Streaks(n_heads)
        self._contribution = np.full(n_heads, np.nan)
        self._idle_frames = 0

    def update(
        self,
        moment: Moment,
        *,
        from_uniform: Floats,
        uniform: Bools,
        rank_one: Finding | None,
        divergence: float,
        entropy_spread: float,
    ) -> None:
        """Take in one frame; `divergence` between heads and `entropy_spread` may be NaN."""
        limits = self._limits
        self.frames += 1
        self.last = moment
        self._uniform.update(uniform, moment)
        with np.errstate(invalid="ignore"):
            self._once = np.fmax(self._once, from_uniform)
        self._now = from_uniform
        self._rank_one.update(np.array([rank_one is not None]), moment)
        self._rank_one_finding = rank_one or self._rank_one_finding
        if np.isfinite(divergence):
            self._divergence = divergence
            self._largest_divergence = max(self._largest_divergence, divergence)
        lost = (
            np.isfinite(divergence)
            and self._largest_divergence > limits.specialisation_floor
            and divergence < limits.specialisation_ratio * self._largest_divergence
        )
        self._lost.update(np.array([lost]), moment)
        alike = (
            entropy_spread < limits.unspecialised_spread
            and divergence < limits.unspecialised_divergence
        )
        self._alike.update(np.array([alike]), moment)
        self._alike_values = (entropy_spread, divergence)

    def update_contribution(self, contribution: Floats, moment: Moment) -> None:
        """Take in the (head,) share of the layer's output."""
        with np.errstate(invalid="ignore"):
            self._idle.update(contribution < self._limits.dead_contribution, moment)
        self._contribution = contribution
        self._idle_frames += 1
        self.last = moment

    def uniform(self) -> Uniform | None:
        """Heads that are uniform in every frame of the last half, to the last one."""
        if self.last is None or self.frames == 0:
            return None
        # The last half of N frames begins at index N // 2 and holds N - N // 2 of them.
        heads = self._uniform.length >= self.frames - self.frames // 2
        if not heads.any():
            return None
        since = self._uniform.common_start(heads)
        length = int(self._uniform.length[heads].min())
        once = float(self._once[heads].max())
        return Uniform(heads, since, self.last, length, once, float(np.nanmean(self._now[heads])))

    def conclude_rank_one(self, persists: bool) -> Iterator[Conclusion]:
        """`rank1_rows`; a warning when it lasts to the last frame past warm-up."""
        finding, length = self._rank_one_finding, int(self._rank_one.length[0])
        start = self._rank_one.start[0]
        if finding is None or start is None or self.last is None:
            return
        if persists and length:
            finding = replace(
                finding,
                severity=Severity.WARNING,
                evidence=say("{evidence}; it lasts to the last frame", evidence=finding.evidence),
            )
        yield Conclusion(finding, start, self.last if length else start, max(1, length))

    def conclude_specialisation(self, trained: bool) -> Iterator[Conclusion]:
        """`specialisation_loss` and `heads_not_specialised`: two frames at least, to the last."""
        start, length = self._lost.start[0], int(self._lost.length[0])
        if length >= 2 and self.frames >= 4 and start is not None and self.last is not None:
            ratio = self._divergence / self._largest_divergence
            yield Conclusion(
                Finding(
                    signal="specialisation_loss",
                    severity=Severity.WARNING,
                    evidence=say(
                        "the heads converge to one pattern: their divergence fell to {ratio:.1%} "
                        "of what it was",
                        ratio=ratio,
                    ),
                    heads=tuple(range(self.n_heads)),
                    value=ratio,
                    threshold=self._limits.specialisation_ratio,
                    unit=say("of the largest divergence between heads"),
                ),
                start,
                self.last,
                length,
            )
        start, length = self._alike.start[0], int(self._alike.length[0])
        if trained and length >= 2 and start is not None and self.last is not None:
            spread, divergence = self._alike_values
            yield Conclusion(
                Finding(
                    signal="heads_not_specialised",
                    severity=Severity.NOTICE,
                    evidence=say(
                        "the heads look alike: their entropies differ by {spread:.3f} of ln n, "
                        "their maps by {divergence:.3f} nats",
                        spread=spread,
                        divergence=divergence,
                    ),
                    heads=tuple(range(self.n_heads)),
                    value=divergence,
                    threshold=self._limits.unspecialised_divergence,
                    unit=say("nats between heads"),
                ),
                start,
                self.last,
                length,
            )

    def conclude_dead(self) -> Iterator[Conclusion]:
        """`dead_head`: below 1 % of the layer's output in all frames of the probe."""
        if not self._idle_frames or self.last is None:
            return
        dead = self._idle.length == self._idle_frames
        if not dead.any():
            return
        yield Conclusion(
            Finding(
                signal="dead_head",
                severity=Severity.NOTICE,
                evidence=say(
                    "contributes {share:.2%} of the layer's output at most",
                    share=float(np.nanmax(self._contribution[dead])),
                ),
                heads=indices(dead),
                value=float(np.nanmax(self._contribution[dead])),
                threshold=self._limits.dead_contribution,
                unit=say("share of the output"),
            ),
            self._idle.common_start(dead),
            self.last,
            self._idle_frames,
        )


def conclude_uniform(
    layers: dict[int, Persistence], trained: bool | None, thresholds: Thresholds
) -> Iterator[tuple[int, Conclusion]]:
    """`uniform_attention` over the layers of one stream and sample.

    `trained` None (the archive does not say): nothing louder than a notice.
    """
    if trained is False:
        return
    found = {index: layer.uniform() for index, layer in layers.items()}
    uniform = {index: item for index, item in found.items() if item is not None}
    total = sum(layer.n_heads for layer in layers.values())
    share = sum(int(item.heads.sum()) for item in uniform.values()) / max(1, total)
    for index, item in uniform.items():
        if item.last.step < thresholds.trained_step:
            continue
        half = item.heads.sum() >= 0.5 * len(item.heads)
        lost = item.once > thresholds.uniform_lost
        wide = half and (share >= thresholds.layer_share or lost)
        now = max(0.0, item.now)  # rounding gives a little less than none
        off = f"{now:.3f}" if now >= 0.001 else say("less than 0.001")
        text = say("attention is uniform ({off} nats from an even spread)", off=off)
        if lost:
            text = join("", (text, say("; structure it once had is gone")))
        elif share >= thresholds.layer_share:
            text = join("", (text, say(", as in {share:.0%} of all heads", share=share)))
        yield (
            index,
            Conclusion(
                Finding(
                    signal="uniform_attention",
                    severity=Severity.WARNING if wide and trained else Severity.NOTICE,
                    evidence=text,
                    heads=indices(item.heads),
                    value=now,
                    threshold=thresholds.uniform,
                    unit=say("nats from uniform"),
                ),
                item.since,
                item.last,
                item.frames,
            ),
        )
