"""An examination: frames go in one by one, a diagnosis can be asked for at any time."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from attn_debugger.analysis.diagnosis.conclusions import Diagnosing
from attn_debugger.analysis.flags.blame import NonfiniteBlame, is_nonfinite
from attn_debugger.analysis.flags.ledger import Ledger, Place
from attn_debugger.analysis.flags.verdicts import Verdicts
from attn_debugger.analysis.histories.anomalies import Anomalies, find_anomalies
from attn_debugger.analysis.histories.histories import Histories
from attn_debugger.analysis.layout.layout import LayoutCache
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.measures.scores import ScoreMeasures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.detectors import (
    FOLLOWED_SIGNALS,
    FRAME_DETECTORS,
    MAP_DETECTORS,
    OUTPUT_SIGNALS,
    SCORE_DETECTORS,
    SILENCES,
    Maps,
)
from attn_debugger.analysis.signals.findings import Finding, Gap, Stage, Verdict
from attn_debugger.analysis.signals.layers import Chain
from attn_debugger.analysis.summary import summarise, summarise_measures
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import Diagnosis, Severity
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import Run
from attn_debugger.core.topology import ModelTopology
from attn_debugger.core.words import say


class Examination:
    """Examine a run frame by frame.

    examination = Examination(run)
    for index in range(run.n_frames):
        for frame in source.scan(index):
            summary = examination.observe(frame)      # name -> (head,)
    diagnosis = examination.diagnosis()               # also while scanning

    Frames come in the order of `RunSource.scan`: frame ascending, then sample, then layer. Memory
    does not grow with the number of frames (a few numbers a head and frame aside). Nothing here
    raises on bad content: the signal concerned is reported as not evaluated.
    """

    def __init__(self, run: Run, thresholds: Thresholds | None = None) -> None:
        self._run = run
        self._thresholds = thresholds or Thresholds()
        self._layouts = LayoutCache()
        self._ledger = Ledger()
        self._verdicts = Verdicts()
        self._blame = NonfiniteBlame()
        self._histories = Histories(self._thresholds)
        self._context: FrameContext | None = None
        self._chain = Chain(self._thresholds.layer_cosine)
        self._nonfinite: list[tuple[Finding, Place]] = []
        self._frame_broken = False
        self._frames: set[int] = set()
        self._samples: set[int] = set()
        self._model: ModelTopology | None = None
        self._anomalies: tuple[int, Anomalies] | None = None
        self._prepared: dict[int, Maps] = {}  # by the identity of their frames

    @property
    def run(self) -> Run:
        """The index of the run as last given."""
        return self._run

    def update_run(self, run: Run) -> None:
        """Take over the index of a run that has grown."""
        self._run = run
        self._anomalies = None

    def attach_model(self, topology: ModelTopology | None) -> None:
        """Let a checkpoint speak too: causes it can decide are confirmed or excluded by it."""
        self._model = topology

    def prepare(self, frame: LayerFrame) -> None:
        """Compute what needs this layer alone, ahead of `observe`: another thread may do it.

        Layers are prepared by one thread, and each of them is observed once, later.
        """
        with np.errstate(all="ignore"), contextlib.suppress(Exception):
            # What goes wrong here goes wrong again in `observe`, where a signal answers for it.
            maps = self._maps(frame)
            if maps is not None:
                maps.prepare()
                self._prepared[id(frame)] = maps  # it holds the frame, whose identity so stays

    def observe(self, frame: LayerFrame) -> Mapping[str, NDArray[np.float32]]:
        """Look at one layer of one frame; return its summary (names of `SUMMARY_NAMES`)."""
        with np.errstate(all="ignore"):
            context = self._enter(frame)
            self._frames.add(frame.frame_index)
            self._samples.add(frame.sample)
            maps = self._prepared.pop(id(frame), None) or self._maps(frame)
            raised = self._judge_frame(frame, context)
            if maps is None:
                self._judge_scores(ScoreMeasures(frame, None, self._thresholds), frame, context)
                self._without_maps(frame)
                summary = summarise(frame)
            else:
                self._judge_maps(maps, frame, context, raised)
                self._follow(maps, frame, context)
                summary = summarise_measures(maps.measures)
            self._follow_outputs(frame, context)
        if frame.info.index == len(self._run.layers) - 1:
            self._settle()
        return summary

    def diagnosis(self) -> Diagnosis:
        """What was found so far."""
        if self._anomalies is None:
            self._anomalies = (self._run.n_frames, find_anomalies(self._run, self._thresholds))
        with np.errstate(all="ignore"):
            return Diagnosing(
                run=self._run,
                thresholds=self._thresholds,
                ledger=self._ledger,
                verdicts=self._verdicts,
                blame=self._blame,
                histories=self._histories,
                anomalies=self._anomalies[1],
                frames=frozenset(self._frames),
                samples=frozenset(self._samples),
                model=self._model,
                tags=self._histories.tags,
            ).diagnosis()

    def _enter(self, frame: LayerFrame) -> FrameContext:
        """The context of this frame and sample; what came before is settled first."""
        context = self._context
        same_frame = context is not None and context.frame_index == frame.frame_index
        if context is not None and same_frame and context.sample == frame.sample:
            return context
        self._settle()
        if context is not None and not same_frame:
            if not self._frame_broken:
                self._blame.clean(context.stream)
            self._frame_broken = False
        self._context = FrameContext(
            run=self._run,
            thresholds=self._thresholds,
            frame_index=frame.frame_index,
            step=frame.step,
            stream=frame.stream,
            sample=frame.sample,
        )
        self._chain = Chain(self._thresholds.layer_cosine)
        return self._context

    def _settle(self) -> None:
        """Assign the non-finite findings of one frame and sample to their root."""
        if not self._nonfinite:
            return
        self._frame_broken = True
        for finding, place, group in self._blame.assign(self._nonfinite):
            self._ledger.add(finding, place, group)
        self._nonfinite = []

    def _maps(self, frame: LayerFrame) -> Maps | None:
        weights = frame.weights
        if weights is None or weights.ndim != 3 or 0 in weights.shape or not frame.present:
            return None
        measures = Measures(frame, self._thresholds, self._layouts)
        return Maps(measures, ScoreMeasures(frame, measures.layout, self._thresholds))

    def _judge_frame(self, frame: LayerFrame, context: FrameContext) -> set[str]:
        """Run the detectors that need no maps; return the signals they raised."""
        raised: set[str] = set()
        for detector in FRAME_DETECTORS:
            found = self._run_detector(
                detector.signals, partial(detector.judge, frame, context), frame
            )
            raised |= {finding.signal for finding in found}
        return raised

    def _judge_maps(
        self, maps: Maps, frame: LayerFrame, context: FrameContext, raised: set[str]
    ) -> None:
        measures = maps.measures
        pending: dict[Stage, NDArray[np.bool_]] = {}
        everyone = np.ones(measures.n_heads, bool)
        for signal in raised & SILENCES.keys():
            pending[SILENCES[signal]] = everyone
        scored = False
        for detector in MAP_DETECTORS:
            if detector.stage >= Stage.MASKS and not scored:
                self._judge_scores(maps.scores, frame, context)
                measures.score_abs_max = maps.scores.abs_max
                scored = True
            for stage in [stage for stage in pending if stage <= detector.stage]:
                measures.alive &= ~pending.pop(stage)
            found = self._run_detector(
                detector.signals, partial(detector.judge, maps, context), frame
            )
            for finding in found:
                loud = finding.severity >= Severity.WARNING or finding.signal == "trivial_attention"
                silenced = SILENCES.get(finding.signal)
                if loud and silenced is not None:
                    heads = everyone.copy()
                    if finding.heads:
                        heads[:] = False
                        heads[list(finding.heads)] = True
                    pending[silenced] = pending.get(silenced, ~everyone) | heads
        for heads in pending.values():
            measures.alive &= ~heads

    def _judge_scores(
        self, scores: ScoreMeasures, frame: LayerFrame, context: FrameContext
    ) -> None:
        for detector in SCORE_DETECTORS:
            self._run_detector(detector.signals, partial(detector.judge, scores, context), frame)
        self._run_detector(
            ("score_growth",), lambda: self._histories.follow_scores(scores, frame), frame
        )

    def _follow(self, maps: Maps, frame: LayerFrame, context: FrameContext) -> None:
        """Hand the layer to everything that looks at more than one frame or layer."""
        self._run_detector(("layer_similarity",), lambda: self._chain.follow(maps.structure), frame)
        self._run_detector(
            FOLLOWED_SIGNALS, lambda: self._histories.follow_maps(maps, context), frame
        )
        layer = frame.info.index
        self._verdicts.judged(self._histories.pooled(frame.stream, layer), layer)

    def _follow_outputs(self, frame: LayerFrame, context: FrameContext) -> None:
        self._run_detector(
            OUTPUT_SIGNALS, lambda: self._histories.follow_outputs(frame, context), frame
        )

    def _without_maps(self, frame: LayerFrame) -> None:
        """Say of every signal that needs maps why it was not judged here."""
        reason = (
            say("no weights were captured")
            if frame.full or not frame.present
            else (say("only statistics and overviews were stored"))
        )
        signals = [signal for detector in MAP_DETECTORS for signal in detector.signals]
        for signal in (*signals, "layer_similarity", *FOLLOWED_SIGNALS):
            self._verdicts.gap(Gap(signal=signal, reason=reason), frame.info.index)

    def _run_detector(
        self,
        signals: tuple[str, ...],
        judge: Callable[[], Iterable[Verdict]],
        frame: LayerFrame,
    ) -> list[Finding]:
        """Judge, write down what was found, and mark the other signals as judged."""
        layer = frame.info.index
        findings: list[Finding] = []
        gaps: set[str] = set()
        try:
            for verdict in judge():
                if isinstance(verdict, Gap):
                    gaps.add(verdict.signal)
                    self._verdicts.gap(verdict, layer)
                else:
                    findings.append(verdict)
                    self._take(verdict, frame)
        except Exception as error:  # noqa: BLE001  one signal's failure must not end the scan
            for signal in signals:
                gaps.add(signal)
                self._verdicts.gap(_failure(signal, error), layer)
        raised = {finding.signal for finding in findings}
        self._verdicts.judged((set(signals) - gaps) | raised, layer)
        return findings

    def _take(self, finding: Finding, frame: LayerFrame) -> None:
        place = Place.of(frame, None if finding.whole_run else frame.info.index)
        if is_nonfinite(finding):
            self._nonfinite.append((finding, place))
        else:
            self._ledger.add(finding, place)


def _failure(signal: str, error: Exception) -> Gap:
    return Gap(
        signal=signal,
        reason=say(
            "could not be computed ({kind}: {error})", kind=type(error).__name__, error=error
        ),
    )
