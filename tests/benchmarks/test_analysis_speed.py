"""Speed of the analysis on a frame of 144 heads x 128 x 128, against `max` over the same values.

Every round takes another frame, as a scan does, so that no frame is still in the cache. Times are
process times: neighbours on the machine change walls, not these. The limits in the assertions are
twice the goal, so that a busy machine does not fail a build; the numbers are printed.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from attn_debugger.analysis.examination import Examination
from attn_debugger.analysis.layout import LayoutCache
from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.measures.scores import ScoreMeasures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.detectors import MAP_DETECTORS, Maps
from attn_debugger.analysis.summary import summarise_measures
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import LayerFacts, LayerInfo, Run

LAYERS, HEADS, SIZE, FRAMES = 12, 12, 128, 10


def make_frames(causal: bool) -> list[list[LayerFrame]]:
    draw = np.random.default_rng(0)
    mask = np.tril(np.ones((SIZE, SIZE), bool))
    facts = LayerFacts(causal=causal, trained=True)
    infos = [
        LayerInfo(
            index=n,
            facts=facts,
            n_samples=1,
            n_heads=HEADS,
            n_queries=SIZE,
            n_keys=SIZE,
            storage="float32",
            maps=frozenset(("weights",)),
            stats=frozenset(),
        )
        for n in range(LAYERS)
    ]
    frames = []
    for index in range(FRAMES):
        scores = draw.standard_normal((LAYERS, HEADS, SIZE, SIZE), dtype=np.float32)
        weights = np.exp(scores) * (mask if causal else 1)
        weights = (weights / weights.sum(-1, keepdims=True)).astype(np.float32)
        frames.append(
            [
                LayerFrame(
                    frame_index=index,
                    step=100 * index,
                    stream="train",
                    sample=0,
                    info=infos[n],
                    heads=tuple(range(HEADS)),
                    weights=weights[n],
                )
                for n in range(LAYERS)
            ]
        )
    return frames


def seconds(
    work: Callable[[Sequence[LayerFrame]], object], frames: list[list[LayerFrame]]
) -> float:
    """Median process time of `work` on a frame, each round on another one."""
    times = []
    for _ in range(3):
        for frame in frames:
            start = time.process_time()
            work(frame)
            times.append(time.process_time() - start)
    return statistics.median(times)


@pytest.mark.benchmark
@pytest.mark.parametrize("causal", [False, True], ids=["bidirectional", "causal"])
def test_statistics_and_detectors_against_max(
    causal: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    frames = make_frames(causal)
    layouts, limits = LayoutCache(), Thresholds()
    run = run_of(frames)

    def detect(frame: Sequence[LayerFrame]) -> None:
        for layer in frame:
            measures = Measures(layer, limits, layouts)
            maps = Maps(measures, ScoreMeasures(layer, measures.layout, limits))
            context = FrameContext(run, limits, layer.frame_index, layer.step, layer.stream, 0)
            for detector in MAP_DETECTORS:
                for _ in detector.judge(maps, context):
                    pass

    largest = seconds(lambda frame: [layer.weights.max() for layer in frame], frames)
    summaries = seconds(
        lambda frame: [summarise_measures(Measures(layer, limits, layouts)) for layer in frame],
        frames,
    )
    detectors = seconds(detect, frames)

    with capsys.disabled():
        print(
            f"\nmax {1e3 * largest:.2f} ms; statistics {summaries / largest:.0f}x (goal 14), "
            f"all single-frame detectors {detectors / largest:.0f}x (goal 60)"
        )
    assert summaries < 2 * 14 * largest
    assert detectors < 2 * 60 * largest


@pytest.mark.benchmark
def test_a_whole_examination_keeps_up(capsys: pytest.CaptureFixture[str]) -> None:
    frames = make_frames(True)
    examination = Examination(run_of(frames))

    def observe(frame: Sequence[LayerFrame]) -> None:
        for layer in frame:
            examination.observe(layer)

    per_frame = seconds(observe, frames)
    start = time.process_time()
    for _ in range(20):
        examination.diagnosis()
    diagnosis = (time.process_time() - start) / 20

    with capsys.disabled():
        print(
            f"\nexamination {1 / per_frame:.0f} frames/s without reading (goal 15 with it); "
            f"diagnosis {1e3 * diagnosis:.1f} ms"
        )
    assert per_frame < 1 / 15
    assert diagnosis < 0.1


def run_of(frames: list[list[LayerFrame]]) -> Run:
    return Run(
        path="run.h5",
        version=1,
        steps=np.arange(len(frames), dtype=np.int64) * 100,
        streams=("train",) * len(frames),
        times=None,
        scalars={},
        curves={},
        layers=tuple(layer.info for layer in frames[0]),
        facts=frames[0][0].info.facts,
        attributes={},
    )
