"""The examination as a whole: partial answers, growing runs, memory, samples."""

from __future__ import annotations

import tracemalloc

import numpy as np
from builders import causal_mask, diagnose, layer_frame, random_scores, run_of, softmax

from attn_debugger.analysis.examination import Examination
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.topology import ModelCheck, ModelTopology


def frame_at(index: int, layer: int = 0, **options: object) -> LayerFrame:
    weights = softmax(random_scores(10 * index + layer, 4, 32), causal_mask(32))
    facts = {"causal": True, "probe_fixed": True}
    return layer_frame(
        weights, layer=layer, frame_index=index, step=100 * index, facts=facts, **options
    )


def test_a_diagnosis_can_be_asked_for_at_any_time() -> None:
    frames = [frame_at(index, layer) for index in range(3) for layer in range(2)]
    examination = Examination(run_of(frames))
    assert examination.diagnosis().n_frames == 0

    for number, frame in enumerate(frames):
        examination.observe(frame)
        assert examination.diagnosis().n_frames == number // 2 + 1
    first, second = examination.diagnosis(), examination.diagnosis()

    assert first == second


def test_a_fault_shows_before_its_frame_is_whole() -> None:
    frames = [frame_at(0, layer) for layer in range(3)]
    frames[0].weights[1, 4] = -0.5
    examination = Examination(run_of(frames))

    examination.observe(frames[0])

    assert [flag.signal for flag in examination.diagnosis().flags] == ["invalid_weights"]


def test_a_run_that_grows_is_followed() -> None:
    frames = [frame_at(index) for index in range(6)]
    examination = Examination(run_of(frames[:3]))
    for frame in frames[:3]:
        examination.observe(frame)

    loss = np.array([[s, 3.0 if s < 400 else np.nan] for s in range(0, 600, 50)])
    examination.update_run(run_of(frames, curves={"loss": loss}))
    for frame in frames[3:]:
        examination.observe(frame)
    diagnosis = examination.diagnosis()

    assert diagnosis.n_frames == 6
    assert diagnosis.coverage.startswith("6 of 6 frames")
    assert "loss_anomaly" in [flag.signal for flag in diagnosis.flags]


def test_memory_does_not_grow_with_the_number_of_frames() -> None:
    frames = [frame_at(0, layer, stream="probe") for layer in range(2)]
    examination = Examination(run_of(frames))

    def observe(first: int, last: int) -> None:
        for index in range(first, last):
            for layer in range(2):
                examination.observe(frame_at(index, layer, stream="probe"))
            examination.diagnosis()

    observe(0, 80)  # the histories of jumps hold 64 intervals at most
    tracemalloc.start()
    try:
        observe(80, 90)
        before = tracemalloc.get_traced_memory()[0]
        observe(90, 190)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()

    assert grown < 64_000


def test_one_fault_in_several_samples_is_one_flag() -> None:
    frames = []
    for sample in range(3):
        weights = softmax(random_scores(sample, 4, 16), causal_mask(16))
        if sample:
            weights[sample, 6] = np.nan
        frames.append(layer_frame(weights, sample=sample, n_samples=3, facts={"causal": True}))

    flags = diagnose(frames).flags

    assert [(f.signal, f.heads, f.sample) for f in flags] == [("nan_weights", (1, 2), 1)]


def test_limits_are_the_users() -> None:
    scores = random_scores(5, 4, 16, std=8.0)
    frame = layer_frame(softmax(scores), scores=scores)

    strict = diagnose([frame], Thresholds.from_mapping({"score_notice": 10}))

    assert "score_extreme" in [flag.signal for flag in strict.flags]
    assert "score_extreme" not in [flag.signal for flag in diagnose([frame]).flags]


def test_an_attached_checkpoint_decides_between_causes() -> None:
    scores = random_scores(6, 4, 16) + 60 * np.eye(16, dtype=np.float32)
    frame = layer_frame(softmax(scores), scores=scores, step=0)
    examination = Examination(run_of([frame]))
    examination.observe(frame)
    tied = ModelTopology(
        path="ckpt_0.pt",
        format="state dict (.pt)",
        checks=(
            ModelCheck(name="query and key differ", result="failed", evidence="layer 0"),
            ModelCheck(name="initial scale", result="passed", evidence="std 0.09"),
        ),
    )

    def statuses() -> dict[str, str]:
        flags = examination.diagnosis().flags
        collapse = next(flag for flag in flags if flag.signal == "diagonal_collapse")
        return {cause.text: cause.status for cause in collapse.causes}

    before = statuses()
    examination.attach_model(tied)
    after = statuses()

    assert before["q and k share their weights"] == "unknown"
    assert after["q and k share their weights"] == "confirmed"
    assert after["W_q and W_k are initialised too large"] == "excluded"
