"""What was counted live in float32 is believed, and the maps of scores are not looked at for it."""

from __future__ import annotations

import numpy as np
import pytest
from builders import layer_frame, run_of, softmax

from attn_debugger.analysis.layout import make_layout
from attn_debugger.analysis.measures.scores import ScoreMeasures
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding
from attn_debugger.analysis.signals.score_levels import detect_score_extreme, detect_score_overflow
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.frame import LayerFrame

HEADS, SIZE = 3, 16
LIMITS = Thresholds()


def frame_of(score: float, **stats: float) -> LayerFrame:
    """Every recorded score is `score`; live statistics may say something else."""
    scores = np.full((HEADS, SIZE, SIZE), score, np.float32)
    live = {name: np.full(HEADS, value, np.float32) for name, value in stats.items()}
    return layer_frame(softmax(np.zeros_like(scores)), scores=scores, stats=live)


def judge(frame: LayerFrame) -> tuple[set[str], ScoreMeasures]:
    """Signals of the level of scores, and what was computed on the way."""
    measured = ScoreMeasures(frame, make_layout(frame), LIMITS)
    context = FrameContext(run_of([frame]), LIMITS, 0, 0, "train", 0)
    verdicts = (
        verdict
        for detect in (detect_score_extreme, detect_score_overflow)
        for verdict in detect(measured, context)
    )
    return {verdict.signal for verdict in verdicts if isinstance(verdict, Finding)}, measured


@pytest.mark.parametrize("recorded", [2e4, np.inf], ids=["extreme", "infinite"])
def test_quiet_statistics_leave_the_maps_alone(recorded: float) -> None:
    found, measured = judge(frame_of(recorded, score_abs_max=5.0, score_posinf=0.0))
    assert found == set()
    assert not {"considered", "unbiased"} & vars(measured).keys()  # made when maps are looked at


def test_loud_statistics_are_believed_whatever_the_maps_say() -> None:
    found, _ = judge(frame_of(0.0, score_abs_max=2e4, score_posinf=2.0))
    assert found == {"score_extreme", "score_overflow"}


@pytest.mark.parametrize(
    ("recorded", "signal"), [(2e4, "score_extreme"), (np.inf, "score_overflow")]
)
def test_without_statistics_the_maps_are_looked_at(recorded: float, signal: str) -> None:
    found, measured = judge(frame_of(recorded))
    assert signal in found
    assert "considered" in vars(measured)
