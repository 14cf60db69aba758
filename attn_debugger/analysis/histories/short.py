"""Short sequences: people debug with 4 to 8 tokens, too few rows for a verdict of one map.

Rows are pooled over samples, and over frames where one frame has too few, and held against the
chance level 1/n of each row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats, heads_of_a_layer
from attn_debugger.analysis.histories.tracking import Conclusion, Moment
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.signals.findings import Finding, indices
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import Severity
from attn_debugger.core.words import say

POOLED_SIGNALS = ("diagonal_collapse", "entropy_collapse", "saturated_head", "key_collapse")
POOLED_ROWS = 32
_KEPT = 16  # stretches of frames remembered for one signal


@dataclass(slots=True)
class _Window:
    """Sums over the rows pooled so far, each (head,) unless said otherwise."""

    first: Moment
    last: Moment
    frames: int
    rows: Floats
    own: Floats
    own_rows: Floats
    chance: Floats
    entropy: Floats
    received: Floats  # (head, key)
    seen: Floats  # (head, key)


@dataclass(slots=True)
class _Stretch:
    finding: Finding
    first: Moment
    last: Moment
    frames: int


@dataclass(slots=True)
class ShortPool:
    """Pools the rows of one layer in one stream."""

    n_heads: int
    thresholds: Thresholds
    _window: _Window | None = None
    _stretches: dict[str, list[_Stretch]] = field(default_factory=dict)
    judged: bool = False

    @property
    def rows(self) -> int:
        """Rows pooled in the current window, of the head that has fewest."""
        return 0 if self._window is None else int(self._window.rows.min())

    def add(self, measures: Measures, moment: Moment) -> None:
        """Take in one sample's map of short rows; a full window is judged when its frame ends."""
        window = self._window
        if window is not None and window.last != moment and window.rows.min() >= POOLED_ROWS:
            self._judge(window)
            window = None
        sums = _sums(measures, moment)
        if window is None or window.received.shape != sums.received.shape:
            self._window = sums
            return
        if window.last != moment:
            window.frames += 1
            window.last = moment
        for name in ("rows", "own", "own_rows", "chance", "entropy", "received", "seen"):
            setattr(window, name, getattr(window, name) + getattr(sums, name))

    def conclude(self) -> Iterator[Conclusion]:
        """What the full windows say, the one that is still open included."""
        window = self._window
        open_ones = list(self._findings(window)) if window and self._full(window) else []
        for stretches in self._stretches.values():
            for stretch in stretches:
                yield Conclusion(stretch.finding, stretch.first, stretch.last, stretch.frames)
        for finding in open_ones:
            assert window is not None
            known = self._stretches.get(finding.signal, [])
            if not any(set(finding.heads) <= set(s.finding.heads) for s in known):
                yield Conclusion(finding, window.first, window.last, window.frames)

    @property
    def evaluated(self) -> bool:
        """Whether any window was full."""
        return self.judged or (self._window is not None and self._full(self._window))

    @staticmethod
    def _full(window: _Window) -> bool:
        return bool(window.rows.min() >= POOLED_ROWS)

    def _judge(self, window: _Window) -> None:
        self.judged = True
        for finding in self._findings(window):
            stretches = self._stretches.setdefault(finding.signal, [])
            last = stretches[-1] if stretches else None
            if last is not None and last.finding.heads == finding.heads:
                last.last, last.frames = window.last, last.frames + window.frames
            elif len(stretches) < _KEPT:
                stretches.append(_Stretch(finding, window.first, window.last, window.frames))

    def _findings(self, window: _Window) -> Iterator[Finding]:
        limits = self.thresholds
        rows = int(window.rows.min())
        pooled = say(", pooled over {rows} short rows", rows=rows)
        base = window.chance / np.maximum(window.own_rows, 1)
        mass = window.own / np.maximum(window.own_rows, 1)
        above = (mass - base) / np.maximum(1 - base, 1e-9)
        diagonal = (window.own_rows >= POOLED_ROWS) & (above > limits.diagonal)
        if diagonal.any():
            wide = diagonal.sum() >= heads_of_a_layer(self.n_heads, limits.diagonal_layer)
            yield Finding(
                signal="diagonal_collapse",
                severity=Severity.WARNING if wide else Severity.NOTICE,
                evidence=say("each token attends only to itself{pooled}", pooled=pooled),
                heads=indices(diagonal),
                value=float(above[diagonal].max()),
                threshold=limits.diagonal,
                unit=say("mass above chance"),
            )
        collapsed = self._collapsed(window)
        if collapsed is not None:
            heads, key, share = collapsed
            yield Finding(
                signal="key_collapse",
                severity=Severity.CRITICAL,
                evidence=say(
                    "key {key} receives {share:.0%} of every query's attention{pooled}",
                    key=key,
                    share=share,
                    pooled=pooled,
                ),
                heads=indices(heads),
                value=share,
                threshold=limits.key_collapse,
                unit=say("mean weight"),
                key=key,
            )
        level = window.entropy / np.maximum(window.rows, 1)
        top = self._received(window).max(-1)
        sharp = (level < limits.saturated) & ~diagonal & ~(top > 0.8)
        if sharp.any():
            wide = sharp.sum() >= heads_of_a_layer(self.n_heads, limits.layer_share)
            yield Finding(
                signal="entropy_collapse" if wide else "saturated_head",
                severity=Severity.NOTICE,
                evidence=say("rows are nearly one-hot{pooled}", pooled=pooled),
                heads=indices(sharp),
                value=float(level[sharp].min()),
                threshold=limits.saturated,
                unit=say("entropy / ln(keys)"),
            )

    @staticmethod
    def _received(window: _Window) -> Floats:
        enough = window.seen >= POOLED_ROWS / 2
        mean: Floats = np.where(enough, window.received / np.maximum(window.seen, 1), 0)
        return mean

    def _collapsed(self, window: _Window) -> tuple[Bools, int, float] | None:
        limits = self.thresholds
        mean = self._received(window)
        key_of = mean.argmax(-1)
        strong = mean.max(-1) >= limits.key_collapse
        if not strong.any() or self.n_heads < 2:
            return None
        key = int(np.bincount(key_of[strong]).argmax())
        heads = strong & (key_of == key)
        last = mean.shape[-1] - 1
        # In short sentences both ends are special more often than not.
        if key in (0, last) or heads.sum() < max(2.0, limits.layer_share * self.n_heads):
            return None
        return heads, key, float(mean[heads, key].mean())


def _sums(measures: Measures, moment: Moment) -> _Window:
    layout = measures.layout
    rows = measures.valid & (layout.n_allowed >= 2) & (measures.mass > 0)
    rows = rows & measures.alive[:, None]
    weight = np.where(rows, 1 / np.maximum(measures.mass, 1e-30), 0)
    chance = np.broadcast_to(1 / np.maximum(layout.n_allowed, 1), rows.shape)
    queries, keys = layout.own_keys
    maps = np.where(rows[..., None], measures.allowed_weights, 0) * weight[..., None]
    allowed = np.ones((1, *maps.shape[1:]), bool) if layout.allowed is None else layout.allowed
    seen = allowed & rows[..., None]
    own = np.zeros(rows.shape)
    own_rows = np.zeros(rows.shape, bool)
    if len(queries):
        own[:, queries] = maps[:, queries, keys]
        own_rows[:, queries] = seen[:, queries, keys]
        maps[:, queries, keys] = 0
        seen = seen.copy()
        seen[:, queries, keys] = False
    return _Window(
        first=moment,
        last=moment,
        frames=1,
        rows=rows.sum(-1).astype(float),
        own=own.sum(-1),
        own_rows=own_rows.sum(-1).astype(float),
        chance=np.where(own_rows, chance, 0).sum(-1),
        entropy=np.where(rows, measures.entropy * layout.inverse_log_allowed, 0).sum(-1),
        received=maps.sum(1),
        seen=seen.sum(1).astype(float),
    )
