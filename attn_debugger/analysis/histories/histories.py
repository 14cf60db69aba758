"""What the examination keeps between frames: one tracker a layer, stream and sample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

import numpy as np

from attn_debugger.analysis.histories.anomalies import Anomalies
from attn_debugger.analysis.histories.frozen import conclude_frozen
from attn_debugger.analysis.histories.growth import ScoreGrowth
from attn_debugger.analysis.histories.motion import Motion
from attn_debugger.analysis.histories.persistence import Persistence, conclude_uniform
from attn_debugger.analysis.histories.short import POOLED_SIGNALS, ShortPool
from attn_debugger.analysis.histories.tags import tags_of
from attn_debugger.analysis.histories.tracking import Conclusion, Moment
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.measures.scores import ScoreMeasures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.detectors import Maps
from attn_debugger.analysis.signals.distribution import detect_rank_one, uniform_heads
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict
from attn_debugger.analysis.signals.gaps import RECORD_SCORES, too_short
from attn_debugger.analysis.signals.heads import divergence_between_heads
from attn_debugger.analysis.signals.outputs import OutputRange
from attn_debugger.analysis.signals.tokens import detect_token_collapse
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.core.words import say

Key = tuple[str, int, int]  # stream, sample, layer
Concluded = tuple[Key, Conclusion]
_MOVING_SAMPLES = 2  # the maps of two frames are kept for each: more would cost memory
_T = TypeVar("_T")

_SHAPE_SIGNALS = (
    "rank1_rows",
    "uniform_attention",
    "specialisation_loss",
    "heads_not_specialised",
)
_MOTION_SIGNALS = ("frozen_head", "frozen_layer", "frozen_all", "sudden_change", "oscillation")


class Histories:
    """All trackers; each looks at one layer in one stream and sample."""

    def __init__(self, thresholds: Thresholds) -> None:
        self._limits = thresholds
        self._growth: dict[Key, ScoreGrowth] = {}
        self._motion: dict[Key, Motion] = {}
        self._shape: dict[Key, Persistence] = {}
        self._outputs: dict[tuple[str, int], OutputRange] = {}
        self._short: dict[tuple[str, int], ShortPool] = {}
        self._untrained: set[int] = set()  # layers that are not meant to learn
        self._trained: dict[int, bool | None] = {}
        # Tags of each layer at its last frame; keeping what they are made of would keep the maps.
        self._tags: dict[int, Mapping[HeadRef, tuple[str, ...]]] = {}

    def follow_scores(self, scores: ScoreMeasures, frame: LayerFrame) -> Iterator[Verdict]:
        """Take in the largest |score| of each head."""
        largest = scores.abs_max
        facts = frame.info.facts
        if largest is None:
            yield Gap(
                signal="score_growth",
                reason=scores.problem or say("scores not recorded"),
                advice=RECORD_SCORES,
            )
            return
        if facts.softcap is not None and facts.score_stage == "post_cap":
            yield Gap(
                signal="score_growth",
                reason=say("the recorded scores are those after the soft-cap"),
                advice=say("record the scores before the soft-cap"),
            )
            return
        key = (frame.stream, frame.sample, frame.info.index)
        tracker = self._growth.get(key)
        if tracker is None or tracker.n_heads != len(largest):
            tracker = self._growth[key] = ScoreGrowth(len(largest), self._limits)
        tracker.update(largest, Moment(frame.frame_index, frame.step))
        if tracker.frames <= 4:
            yield Gap(
                signal="score_growth",
                reason=say("fewer than five frames with scores"),
                advice=say("record more often: record(model, path, every=...)"),
            )

    def follow_maps(self, maps: Maps, context: FrameContext) -> Iterator[Verdict]:
        """Take in one layer's maps; say what could not be judged."""
        measures = maps.measures
        frame = measures.frame
        moment = Moment(frame.frame_index, frame.step)
        key = (frame.stream, frame.sample, frame.info.index)
        self._trained[frame.info.index] = measures.facts.trained
        if frame.sample == 0:
            self._tags[frame.info.index] = tags_of(maps.structure)
        shape = self._shape.get(key)
        if shape is None or shape.n_heads != measures.n_heads:
            shape = self._shape[key] = Persistence(measures.n_heads, self._limits)
        if bool(measures.alive.all()) and measures.enough.any():
            yield from self._follow_shape(maps, shape, moment)
        else:
            reason, advice = too_short(measures)
            if measures.enough.any():
                reason, advice = say("an earlier fault hides it"), ""
            for signal in _SHAPE_SIGNALS:
                yield Gap(signal=signal, reason=reason, advice=advice)
        if not measures.enough.any():
            yield from self._follow_short(measures, moment)
        if measures.facts.trainable is False:
            self._untrained.add(frame.info.index)
        yield from self._follow_motion(maps, context, key, moment)

    def _follow_shape(self, maps: Maps, shape: Persistence, moment: Moment) -> Iterator[Verdict]:
        measures = maps.measures
        rank_one = None
        for verdict in detect_rank_one(maps.structure):
            if isinstance(verdict, Finding):
                rank_one = verdict
            else:
                yield verdict
        highest = float(measures.layout.log_allowed.max(initial=0))
        mean_entropy = measures.stat_mean(measures.entropy)
        several = measures.n_heads > 1 and highest > 0
        spread = float(mean_entropy[measures.enough].std()) / highest if several else float("nan")
        shape.update(
            moment,
            from_uniform=measures.from_uniform,
            uniform=uniform_heads(measures),
            rank_one=rank_one,
            divergence=divergence_between_heads(measures),
            entropy_spread=spread,
        )
        facts = measures.facts
        if facts.trained is None and moment.step < self._limits.trained_step:
            yield Gap(
                signal="uniform_attention",
                reason=say("whether the run is past warm-up is not recorded"),
                advice=say("record(model, path, attributes={'trained': True})"),
            )
        if shape.frames < 2:
            yield Gap(signal="heads_not_specialised", reason=say("needs two frames"))
        if shape.frames < 4:
            yield Gap(signal="specialisation_loss", reason=say("needs four frames"))

    def _follow_short(self, measures: Measures, moment: Moment) -> Iterator[Verdict]:
        """Pool rows that are too few or too short for a verdict of their own."""
        frame = measures.frame
        key = (frame.stream, frame.info.index)
        pool = self._short.get(key)
        if pool is None or pool.n_heads != measures.n_heads:
            pool = self._short[key] = ShortPool(measures.n_heads, self._limits)
        pool.add(measures, moment)
        if not pool.evaluated:
            reason, advice = too_short(measures)
            for signal in POOLED_SIGNALS:
                yield Gap(
                    signal=signal,
                    reason=say("{reason} ({rows} pooled)", reason=reason, rows=pool.rows),
                    advice=advice,
                )

    def pooled(self, stream: str, layer: int) -> tuple[str, ...]:
        """Signals that pooled short rows have judged in this layer."""
        pool = self._short.get((stream, layer))
        return POOLED_SIGNALS if pool is not None and pool.evaluated else ()

    def _follow_motion(
        self, maps: Maps, context: FrameContext, key: Key, moment: Moment
    ) -> Iterator[Verdict]:
        measures = maps.measures
        reason = ""
        if not context.probe_fixed(measures.facts):
            reason = say("needs the same batch in every frame")
        elif measures.frame.sample >= _MOVING_SAMPLES:
            reason = say("followed in the first {count} samples only", count=_MOVING_SAMPLES)
        if reason:
            for signal in _MOTION_SIGNALS:
                yield Gap(
                    signal=signal, reason=reason, advice=say("record(model, path, probe=batch)")
                )
            return
        motion = self._motion.get(key)
        if motion is None:
            motion = self._motion[key] = Motion(measures.n_heads, self._limits)
        motion.update(measures, moment)
        if motion.broken:
            for signal in _MOTION_SIGNALS:
                yield Gap(signal=signal, reason=say("the shape of the map differs between frames"))
            return
        coarse = measures.frame.info.storage.startswith("uint8")
        few = motion.frames < 4
        for signal in ("frozen_head", "frozen_layer", "frozen_all"):
            if coarse:
                yield Gap(signal=signal, reason=say("uint8 storage hides small changes"))
            elif few:
                yield Gap(signal=signal, reason=say("fewer than four frames"))
            elif measures.facts.trainable is False:
                yield Gap(signal=signal, reason=say("the layer is frozen on purpose"))
        for signal in ("sudden_change", "oscillation"):
            if motion.frames < 6:
                yield Gap(signal=signal, reason=say("fewer than six frames"))

    def follow_outputs(self, frame: LayerFrame, context: FrameContext) -> Iterator[Verdict]:
        """Take in output statistics and contributions."""
        where = (frame.stream, frame.info.index)
        tracker = self._outputs.setdefault(where, OutputRange())
        if frame.sample == 0:  # the statistics are of the layer, the same for every sample
            yield from tracker.judge(frame, context)
        yield from detect_token_collapse(frame, context)
        contribution = frame.stats.get("contribution")
        trained = past_warm_up(frame.info.facts.trained, frame.step, self._limits)
        reason = ""
        if contribution is None or contribution.shape != (len(frame.heads),):
            reason = say("the heads' contributions are not recorded")
        elif not context.probe_fixed(frame.info.facts):
            reason = say("needs the same batch in every frame")
        elif not trained:
            reason = say("the run is not known to be past warm-up")
        if reason or contribution is None:
            yield Gap(signal="dead_head", reason=reason)
            return
        key = (frame.stream, frame.sample, frame.info.index)
        shape = self._shape.setdefault(key, Persistence(len(contribution), self._limits))
        shape.update_contribution(contribution, Moment(frame.frame_index, frame.step))

    def conclude(self, run: Run, anomalies: Anomalies) -> Iterator[Concluded]:
        """Everything that the histories say so far."""
        for key, growth in self._growth.items():
            for conclusion in growth.conclude(anomalies):
                yield key, conclusion
        for key, motion in self._motion.items():
            for conclusion in motion.conclude():
                yield key, conclusion
        for where, motions in _by_stream(self._motion).items():
            learning = {i: m for i, m in motions.items() if self._may_freeze(run, i)}
            if _learning_rate_zero(run, learning):
                continue
            for layer, conclusion in conclude_frozen(learning):
                yield (*where, layer), conclusion
        for (stream, layer), pool in self._short.items():
            for conclusion in pool.conclude():
                yield (stream, 0, layer), conclusion
        for key, shape in self._shape.items():
            yield from self._shapes(key, shape)
        for where, shapes in _by_stream(self._shape).items():
            trained = _consensus([self._trained.get(layer) for layer in shapes])
            for layer, conclusion in conclude_uniform(shapes, trained, self._limits):
                yield (*where, layer), conclusion

    @property
    def tags(self) -> Mapping[HeadRef, tuple[str, ...]]:
        """Structure tags of the heads at each layer's last frame."""
        return {head: tags for layer in self._tags.values() for head, tags in layer.items()}

    def _shapes(self, key: Key, shape: Persistence) -> Iterator[Concluded]:
        if shape.last is None:
            return
        trained = past_warm_up(self._trained.get(key[2]), shape.last.step, self._limits)
        for conclusion in (
            *shape.conclude_rank_one(trained),
            *shape.conclude_specialisation(trained),
            *shape.conclude_dead(),
        ):
            yield key, conclusion

    def _may_freeze(self, run: Run, layer: int) -> bool:
        coarse = run.layers[layer].storage.startswith("uint8") if layer < len(run.layers) else False
        return layer not in self._untrained and not coarse


def past_warm_up(trained: bool | None, step: int, limits: Thresholds) -> bool:
    """Whether the archive says the run is past warm-up and the step is late enough."""
    return bool(trained) and step >= limits.trained_step


def _by_stream(trackers: dict[Key, _T]) -> dict[tuple[str, int], dict[int, _T]]:
    grouped: dict[tuple[str, int], dict[int, _T]] = {}
    for (stream, sample, layer), tracker in trackers.items():
        grouped.setdefault((stream, sample), {})[layer] = tracker
    return grouped


def _consensus(values: list[bool | None]) -> bool | None:
    """True or False where all layers that say anything agree, else None."""
    said = {value for value in values if value is not None}
    return said.pop() if len(said) == 1 else None


def _learning_rate_zero(run: Run, motions: dict[int, Motion]) -> bool:
    """Whether the learning rate was 0 while nothing moved: then nothing could."""
    rates = run.scalars.get("lr")
    lasts = [motion.last for motion in motions.values() if motion.last is not None]
    if rates is None or not lasts or len(rates) != len(run.steps):
        return False
    last = max(moment.frame_index for moment in lasts)
    recent = rates[max(0, last - 3) : last + 1]
    known = recent[np.isfinite(recent)]
    return bool(len(known) and (known == 0).all())
