"""Four to eight tokens: rows are pooled over samples and frames before anything is said."""

from __future__ import annotations

import numpy as np
from builders import diagnose, flags_of, layer_frame, random_scores, reason_of, roots, softmax


def frames(tokens: int, samples: int, count: int, gain: float) -> list:
    identity = gain * np.eye(tokens, dtype=np.float32)
    return [
        layer_frame(
            softmax(random_scores(100 * f + s, 4, tokens, std=0.7) + identity),
            frame_index=f,
            step=100 * f,
            sample=s,
            n_samples=samples,
        )
        for f in range(count)
        for s in range(samples)
    ]


def test_too_few_rows_are_said_with_the_line_to_paste() -> None:
    diagnosis = diagnose(frames(5, 1, 1, 12.0))

    assert roots(diagnosis, least=1) == []
    assert "5 tokens, one sample" in reason_of(diagnosis, "diagonal_collapse")
    advice = [g.advice for g in diagnosis.not_evaluated if g.signal == "diagonal_collapse"]
    assert advice == ["record(model, path, samples=16)"]


def test_samples_of_one_frame_are_pooled() -> None:
    found = flags_of(diagnose(frames(5, 16, 2, 12.0)), "diagonal_collapse")

    assert [(f.severity.word, f.heads, f.first_step) for f in found] == [
        ("warning", (0, 1, 2, 3), 0)
    ]


def test_frames_of_one_sample_are_pooled() -> None:
    found = flags_of(diagnose(frames(5, 1, 20, 12.0)), "diagonal_collapse")

    assert [(f.severity.word, f.first_step) for f in found] == [("warning", 0)]


def test_ordinary_short_maps_are_clean_once_pooled() -> None:
    diagnosis = diagnose(frames(5, 16, 4, 0.0))

    assert roots(diagnosis, least=1) == []
    assert "diagonal_collapse" in diagnosis.checked


def test_two_tokens_of_which_each_prefers_itself_are_held_against_chance() -> None:
    diagnosis = diagnose(frames(2, 32, 2, 1.0))

    assert flags_of(diagnosis, "diagonal_collapse") == []
