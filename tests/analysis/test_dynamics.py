"""Signals over steps, on a fixed probe where that matters."""

from __future__ import annotations

import numpy as np
import pytest
from builders import diagnose, flags_of, layer_frame, random_scores, reason_of, roots, softmax

from attn_debugger.analysis.histories.anomalies import spikes


def probe(maps, *, stream: str = "probe", layer: int = 0, step: int = 100, **facts) -> list:
    return [
        layer_frame(
            weights,
            layer=layer,
            frame_index=f,
            step=step * f,
            stream=stream,
            facts={"probe_fixed": True, **facts},
        )
        for f, weights in enumerate(maps)
    ]


def drifting(count: int, seed: int = 0, heads: int = 4, size: int = 20) -> list:
    scores = random_scores(seed, heads, size)
    out = []
    for n in range(count):
        scores = scores + 0.1 * random_scores(1000 + seed + n, heads, size)
        out.append(softmax(scores))
    return out


def test_a_drifting_probe_is_clean() -> None:
    diagnosis = diagnose(probe(drifting(9)))

    assert roots(diagnosis, least=1) == []
    assert {"frozen_head", "sudden_change", "oscillation"} <= set(diagnosis.checked)


def test_on_changing_batches_dynamics_are_not_evaluated() -> None:
    frames = probe(drifting(9), stream="train", probe_fixed=False)

    assert "same batch" in reason_of(diagnose(frames), "frozen_head")


def test_a_head_that_stops_is_named_with_its_onset() -> None:
    maps = drifting(9)
    for n in range(5, 9):
        maps[n][2] = maps[4][2]

    found = flags_of(diagnose(probe(maps)), "frozen_head")

    assert [(f.heads, f.first_step, f.severity.word) for f in found] == [((2,), 500, "warning")]


def test_a_head_frozen_on_purpose_is_not_flagged() -> None:
    still = [drifting(1)[0]] * 6
    frames = probe(still, trainable=False) + probe(drifting(6, seed=5), layer=1)

    assert roots(diagnose(frames)) == []


def test_nothing_frozen_while_the_learning_rate_is_zero() -> None:
    frames = probe([drifting(1)[0]] * 6)

    found = roots(diagnose(frames, scalars={"lr": np.zeros(6)}))

    assert found == []


def test_a_jump_of_all_heads_is_a_warning_at_its_step() -> None:
    maps = drifting(6) + drifting(3, seed=9)

    found = flags_of(diagnose(probe(maps)), "sudden_change")

    assert [(f.heads, f.first_step, f.severity.word) for f in found] == [
        ((0, 1, 2, 3), 600, "warning")
    ]


def test_heads_that_look_alike_past_warm_up_are_a_notice() -> None:
    base = random_scores(1, 1, 24, std=0.8)
    maps = [softmax(base + 0.05 * random_scores(2 + n, 4, 24)) for n in range(4)]
    frames = [layer_frame(w, frame_index=n, step=1000 * (n + 1)) for n, w in enumerate(maps)]

    found = flags_of(diagnose(frames), "heads_not_specialised")

    assert [f.severity.word for f in found] == ["notice"]


def test_different_heads_are_specialised() -> None:
    frames = [
        layer_frame(softmax(random_scores(n, 4, 24)), frame_index=n, step=1000 * (n + 1))
        for n in range(4)
    ]

    diagnosis = diagnose(frames)

    assert flags_of(diagnosis, "heads_not_specialised") == []
    assert "heads_not_specialised" in diagnosis.checked


@pytest.mark.parametrize(("trained", "severity"), [(True, "warning"), (None, "notice")])
def test_uniform_to_the_end_is_as_loud_as_the_archive_allows(trained, severity) -> None:
    frames = [
        layer_frame(
            softmax(random_scores(n, 4, 24, std=0.05)),
            frame_index=n,
            step=500 * n,
            facts={"trained": trained},
        )
        for n in range(5)
    ]

    found = flags_of(diagnose(frames), "uniform_attention")

    assert [(f.severity.word, f.first_step) for f in found] == [(severity, 0)]


def test_growth_from_live_statistics_needs_no_maps() -> None:
    frames = [
        layer_frame(
            None,
            frame_index=n,
            step=100 * n,
            full=False,
            stats={"score_abs_max": np.array([3, 4, 20 * 1.3**n, 5], np.float32)},
        )
        for n in range(12)
    ]

    found = flags_of(diagnose(frames), "score_growth")

    assert [(f.heads, f.first_step) for f in found] == [((2,), 400)]


def test_a_spike_is_found_on_a_falling_curve_and_noise_is_not() -> None:
    steps = np.arange(0, 600, 5.0)
    falling = 2 + 3 * np.exp(-steps / 100) + 0.02 * np.random.default_rng(0).standard_normal(120)
    spiked = falling.copy()
    spiked[80] += 2

    assert spikes(np.column_stack([steps, falling]), 0.15, 7.0) == ()
    assert spikes(np.column_stack([steps, spiked]), 0.15, 7.0) == (400,)


def test_a_loss_that_is_not_a_number_is_an_anomaly() -> None:
    series = np.array([[0, 3.0], [1, 2.9], [2, 2.8], [3, np.nan]])

    assert spikes(series, 0.15, 7.0) == (3,)


def test_a_broken_loss_does_not_confirm_a_spike_of_the_rate() -> None:
    maps = drifting(6) + drifting(3, seed=9)
    steps = np.arange(9) * 100.0

    def ruling(**curves: np.ndarray) -> str:
        logged = {name: np.column_stack([steps, values]) for name, values in curves.items()}
        (flag,) = flags_of(diagnose(probe(maps), curves=logged), "sudden_change")
        return next(cause.status for cause in flag.causes if "learning rate" in cause.text)

    loss = np.where(steps < 600, 2.0, 9.0)
    steady, spike = np.full(9, 1e-3), np.where(steps == 600, 1e-2, 1e-3)
    assert ruling(loss=loss) == "unknown"
    assert ruling(loss=loss, lr=spike) == "confirmed"
    assert ruling(loss=loss, lr=steady, grad_norm=np.ones(9)) == "excluded"
