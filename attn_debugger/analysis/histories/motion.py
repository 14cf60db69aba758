"""How maps move on a fixed probe: frozen heads, sudden changes, oscillation.

All of it needs the same batch in every frame; on changing batches maps change by themselves.
Divergences are Jensen-Shannon, in nats, means over the rows valid in both frames.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats, Ints
from attn_debugger.analysis.histories.tracking import Conclusion, Moment
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.signals.findings import Finding
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import say

_CELLS = 32_768  # of a head; longer maps are compared on evenly spread rows
_HISTORY = 64  # intervals of a head's own history that a jump is held against
FROZEN = 3  # equal intervals
_OSCILLATING = 4  # intervals in a row


@dataclass(frozen=True, slots=True)
class _Maps:
    """What the next frames need of this one."""

    weights: Floats  # (head, query, key) as stored: for equality bit by bit
    rows: Ints
    chosen: Floats  # (head, row, key) probabilities of the chosen rows
    entropy: Floats  # (head, row)
    valid: Bools  # (head, row)
    moment: Moment


@dataclass(slots=True)
class _Jump:
    moment: Moment
    values: dict[int, float] = field(default_factory=dict)  # head -> divergence


class Motion:
    """Follows one layer on one sample of the probe stream."""

    def __init__(self, n_heads: int, thresholds: Thresholds) -> None:
        self.n_heads = n_heads
        self._limits = thresholds
        self._previous: deque[_Maps] = deque(maxlen=2)  # newest first
        self._shape: tuple[int, ...] = ()
        self.broken = False  # shapes changed: nothing can be compared
        self.frames = 0
        self.equal = np.zeros(n_heads, np.int64)  # trailing intervals without any change
        self.equal_since: list[Moment | None] = [None] * n_heads
        self.moved = np.zeros(n_heads, np.int64)  # intervals since the head moved last; 0 = now
        self.ever_moved = False
        self._entropy: Floats = np.full(n_heads, np.nan)  # of the last frame, nats
        self._logs: deque[Floats] = deque(maxlen=_HISTORY)
        self._swinging = np.zeros(n_heads, np.int64)
        self._swings: dict[int, tuple[Moment, float]] = {}
        self._jumps: list[_Jump] = []
        self._steps: deque[Moment] = deque(maxlen=_OSCILLATING + 1)
        self.last: Moment | None = None

    def update(self, measures: Measures, moment: Moment) -> None:
        """Take in one frame."""
        shape = measures.weights.shape
        if self._shape and shape != self._shape:
            self.broken = True
        if self.broken:
            return
        self._shape = shape
        self.frames += 1
        self.last = moment
        self._steps.append(moment)
        highest = float(measures.layout.log_allowed.max(initial=0))
        self._entropy = measures.normalised_entropy * highest
        current = _maps(measures, moment)
        if self._previous:
            self._compare(current, measures.alive)
        self._previous.appendleft(current)

    def _compare(self, current: _Maps, alive: Bools) -> None:
        before = self._previous[0]
        same = _equal(current.weights, before.weights)
        for head in np.flatnonzero(same & (self.equal == 0)):
            self.equal_since[int(head)] = current.moment
        self.equal = np.where(same, self.equal + 1, 0)
        divergence = np.where(same, 0.0, _divergence(current, before))
        moves = divergence > self._limits.moving
        self.ever_moved |= bool(moves.any())
        self.moved = np.where(moves, 0, self.moved + 1)
        self._judge_jump(divergence, alive, current.moment)
        self._judge_swing(current, divergence)
        self._logs.append(np.log(np.maximum(divergence, 1e-12)))

    def _judge_jump(self, divergence: Floats, alive: Bools, moment: Moment) -> None:
        limits = self._limits
        if len(self._logs) < 4:
            return
        candidates = alive & (divergence > limits.jump)
        if not candidates.any():
            return
        past = np.stack(self._logs)[:, candidates]
        median = np.median(past, axis=0)
        spread = 1.4826 * np.median(np.abs(past - median), axis=0) + 0.1
        now = np.log(divergence[candidates])
        jumped = (now > median + limits.jump_deviations * spread) & (
            now > median + math.log(limits.jump_ratio)
        )
        heads = np.flatnonzero(candidates)[jumped]
        if len(heads) and len(self._jumps) < _HISTORY:
            self._jumps.append(_Jump(moment, {int(h): float(divergence[h]) for h in heads}))

    def _judge_swing(self, current: _Maps, divergence: Floats) -> None:
        limits = self._limits
        if len(self._previous) < 2:
            return
        far = divergence > limits.oscillation
        if far.any():
            back = _divergence(current, self._previous[1], far)
            far &= back < limits.oscillation_return * divergence
        self._swinging = np.where(far, self._swinging + 1, 0)
        for head in np.flatnonzero(self._swinging == _OSCILLATING):
            self._swings.setdefault(int(head), (self._steps[1], float(divergence[head])))

    @property
    def frozen(self) -> Bools:
        """(head,): unchanged bit by bit over the last three intervals, and not one-hot anyway."""
        with np.errstate(invalid="ignore"):
            frozen: Bools = (self.equal >= FROZEN) & (self._entropy > 0.1)
        return frozen

    @property
    def still(self) -> bool:
        """Whether no head moved at all over the last three intervals."""
        return bool((self.equal >= FROZEN).all())

    def moving_beside(self, heads: Bools) -> bool:
        """Whether any other head moved within the last three intervals."""
        return bool((self.moved[~heads] < FROZEN).any())

    def conclude(self) -> Iterator[Conclusion]:
        """`sudden_change` and `oscillation`; frozen heads are judged over all layers together."""
        wide = max(2.0, self._limits.jump_layer * self.n_heads)
        for jump in self._jumps:
            heads = tuple(sorted(jump.values))
            largest = max(jump.values.values())
            yield Conclusion(
                Finding(
                    signal="sudden_change",
                    severity=Severity.WARNING if len(heads) >= wide else Severity.NOTICE,
                    evidence=say(
                        "maps on the fixed probe change at once (divergence {largest:.2g} nats, "
                        "far above their own history)",
                        largest=largest,
                    ),
                    heads=heads,
                    value=largest,
                    threshold=self._limits.jump,
                    unit=say("nats"),
                ),
                jump.moment,
                jump.moment,
                1,
            )
        by_onset: dict[Moment, list[int]] = {}
        for head, (moment, _) in self._swings.items():
            by_onset.setdefault(moment, []).append(head)
        for moment, swinging in by_onset.items():
            assert self.last is not None
            yield Conclusion(
                Finding(
                    signal="oscillation",
                    severity=Severity.WARNING,
                    evidence=say("maps swing between two states from frame to frame"),
                    heads=tuple(sorted(swinging)),
                    value=max(self._swings[head][1] for head in swinging),
                    threshold=self._limits.oscillation,
                    unit=say("nats"),
                ),
                moment,
                self.last,
                _OSCILLATING,
            )


def _maps(measures: Measures, moment: Moment) -> _Maps:
    queries, keys = measures.n_queries, measures.n_keys
    wanted = max(8, _CELLS // max(1, keys))
    rows: Ints = np.arange(queries)
    if queries > wanted:
        rows = np.unique(np.linspace(0, queries - 1, wanted).astype(int))
    part = measures.allowed_weights if len(rows) == queries else measures.allowed_weights[:, rows]
    mass = measures.mass[:, rows]
    valid = measures.valid[:, rows] & (measures.layout.n_allowed[:, rows] >= 2) & (mass > 0)
    chosen = part
    # Renormalising is a whole pass: left out where rows sum to 1 within float32 rounding.
    if valid.any() and float(np.abs(mass[valid] - 1).max()) > 1e-6:
        chosen = part / np.where(mass > 0, mass, 1)[..., None]
    return _Maps(
        weights=measures.weights,
        rows=rows,
        chosen=chosen.astype(np.float32, copy=False),
        entropy=measures.entropy[:, rows],
        valid=valid,
        moment=moment,
    )


def _equal(now: Floats, before: Floats) -> Bools:
    """(head,): the same bits (NaN equals NaN). One row settles it for heads that move."""
    last = now.shape[1] - 1
    a = np.ascontiguousarray(now).view(np.uint32)
    b = np.ascontiguousarray(before).view(np.uint32)
    same: Bools = (a[:, last] == b[:, last]).all(-1)
    for head in np.flatnonzero(same):
        same[head] = bool(np.array_equal(a[head], b[head]))
    return same


def _divergence(now: _Maps, before: _Maps, heads: Bools | None = None) -> Floats:
    """(head,): mean Jensen-Shannon divergence over rows valid in both; 0 where there is none."""
    both = now.valid & before.valid
    out = np.zeros(len(now.chosen))
    use = both.any(-1) if heads is None else both.any(-1) & heads
    for head in np.flatnonzero(use):
        rows = both[head]
        middle = np.add(now.chosen[head], before.chosen[head])
        middle *= np.float32(0.5)
        logs = np.log(middle + np.float32(1e-37))
        mixed = -np.einsum("qk,qk->q", middle, logs)
        rowwise = mixed - 0.5 * (now.entropy[head] + before.entropy[head])
        value = float(rowwise[rows].mean())
        # The difference of entropies is exact to about 1e-6 only; small values are done again.
        out[head] = value if value > 1e-4 else _exact(now, before, int(head), rows)
    return out


def _exact(now: _Maps, before: _Maps, head: int, rows: Bools) -> float:
    pick = np.flatnonzero(rows)
    pick = pick[np.unique(np.linspace(0, len(pick) - 1, min(8, len(pick))).astype(int))]
    p = now.chosen[head, pick].astype(np.float64)
    q = before.chosen[head, pick].astype(np.float64)
    middle = 0.5 * (p + q)
    with np.errstate(all="ignore"):
        first = np.where(p > 0, p * np.log(p / middle), 0).sum(-1)
        second = np.where(q > 0, q * np.log(q / middle), 0).sum(-1)
    return float(np.maximum(0.5 * (first + second), 0).mean())
