"""NaN has one root; everything it spread to is folded under it, the story tells the order."""

from __future__ import annotations

import numpy as np
from builders import causal_mask, diagnose, flags_of, layer_frame, random_scores, roots, softmax


def spread(steps: int, spoil, layers: int = 3, heads: int = 4, size: int = 16, **run) -> object:
    """Frames 0..steps-1; `spoil(frame, layer, weights)` changes maps in place."""
    mask = causal_mask(size)
    frames = []
    for f in range(steps):
        for n in range(layers):
            weights = softmax(random_scores(10 * f + n, heads, size), mask)
            spoil(f, n, weights)
            frames.append(
                layer_frame(
                    weights,
                    layer=n,
                    frame_index=f,
                    step=100 * f,
                    mask=mask,
                    facts={"causal": True},
                )
            )
    return diagnose(frames, **run)


def test_later_frames_and_layers_follow_the_first_head() -> None:
    def spoil(f: int, n: int, weights: np.ndarray) -> None:
        if f == 2 and n == 1:
            weights[3, 5:] = np.nan
        if (f == 2 and n == 2) or f > 2:
            weights[:] = np.nan

    diagnosis = spread(5, spoil)
    found = roots(diagnosis)

    assert [(f.signal, f.layer, f.heads, f.first_step, f.last_step) for f in found] == [
        ("nan_weights", 1, (3,), 200, 400)
    ]
    index = diagnosis.flags.index(found[0])
    followers = [f for f in diagnosis.flags if f.caused_by is not None]
    assert {f.caused_by for f in followers} == {index}
    assert {(f.layer, f.heads) for f in followers} == {
        (0, (0, 1, 2, 3)),
        (1, (0, 1, 2)),
        (2, (0, 1, 2, 3)),
    }


def test_two_faults_with_clean_frames_between_are_two_roots() -> None:
    def spoil(f: int, n: int, weights: np.ndarray) -> None:
        if f == 1 and n == 0:
            weights[0, 3] = np.nan
        if f == 4 and n == 2:
            weights[1, 3] = np.nan

    found = roots(spread(6, spoil))

    assert [(f.layer, f.heads, f.first_step) for f in found] == [(0, (0,), 100), (2, (1,), 400)]


def test_rows_without_a_key_are_the_root_of_the_nan_they_cause_at_once() -> None:
    def spoil(f: int, n: int, weights: np.ndarray) -> None:
        if f == 0 and n == 0:
            weights[:, :2] = np.nan
        if f == 0 and n > 0:
            weights[:] = np.nan
        if f > 0:
            weights[:] = np.nan

    found = roots(spread(4, spoil))

    assert [(f.signal, f.layer, f.first_step) for f in found] == [("fully_masked_row", 0, 0)]


def test_nan_long_after_harmless_masked_rows_is_a_fault_of_its_own() -> None:
    def spoil(f: int, n: int, weights: np.ndarray) -> None:
        if n == 0:
            weights[:, :2] = np.nan
        if f >= 4 and n == 2:
            weights[1, 8:] = np.nan

    found = roots(spread(6, spoil))

    assert [(f.signal, f.layer, f.first_step) for f in found] == [
        ("fully_masked_row", 0, 0),
        ("nan_weights", 2, 400),
    ]


def test_a_nan_input_is_the_root_and_attention_is_not() -> None:
    mask = causal_mask(12)
    bad = {"input_nonfinite": np.array([3.0] * 4, np.float32)}
    frames = [
        layer_frame(softmax(random_scores(1, 4, 12), mask), layer=0, mask=mask,
                    stats={"input_nonfinite": np.zeros(4, np.float32)}),
        layer_frame(np.full((4, 12, 12), np.nan, np.float32), layer=1, mask=mask, stats=bad),
    ]  # fmt: skip

    found = roots(diagnose(frames))

    assert [(f.signal, f.layer) for f in found] == [("input_nonfinite", 1)]


def test_a_gradient_that_broke_before_confirms_the_bad_update() -> None:
    def spoil(f: int, n: int, weights: np.ndarray) -> None:
        if f >= 2:
            weights[:] = np.nan

    curve = np.array([[s, 1.0 if s < 150 else np.inf] for s in range(0, 400, 50)])
    diagnosis = spread(4, spoil, curves={"grad_norm": curve})

    causes = roots(diagnosis)[0].causes
    assert causes[0].status == "confirmed"
    assert "gradient norm is not finite at step 150" in causes[0].because
    assert [c.status for c in causes] == sorted(
        [c.status for c in causes], key=["confirmed", "unknown", "excluded"].index
    )


def test_the_story_tells_order_evidence_and_lead() -> None:
    def spoil(f: int, n: int, weights: np.ndarray) -> None:
        if f >= 2:
            weights[:] = np.nan

    loss = np.array([[s, 2.0 - s / 1000 if s < 300 else 9.0] for s in range(0, 500, 20)])
    diagnosis = spread(5, spoil, curves={"loss": loss})

    story = " ".join(diagnosis.story)
    assert story.startswith("First, in layer 0, all 4 heads, from step 200 to 400")
    assert "more flags follow from it" in story
    assert "100 steps before the loss leaves its trend (step 300)" in story
    assert flags_of(diagnosis, "nan_weights")[0].lead == 100
