"""Signals of input and use: each failing and healthy."""

from __future__ import annotations

import numpy as np
import pytest
from builders import diagnose, flags_of, layer_frame, random_scores, reason_of, roots, softmax

from attn_debugger.analysis.signals.detectors import all_signals


def plain(size: int = 24, heads: int = 4, seed: int = 1) -> np.ndarray:
    return softmax(random_scores(seed, heads, size))


@pytest.mark.parametrize(("bad", "expected"), [(-1, -1), (50, 50), (None, None)])
def test_ids_outside_the_vocabulary(bad, expected) -> None:
    ids = np.arange(24) % 40
    if bad is not None:
        ids[7] = bad
    frame = layer_frame(plain(), token_ids=ids, facts={"vocab_size": 50})

    found = flags_of(diagnose([frame]), "input_ids_out_of_range")

    assert [f.value for f in found] == ([] if expected is None else [expected])
    assert all(f.key == 7 and f.severity.word == "critical" for f in found)


def test_padding_ids_do_not_count() -> None:
    ids = np.arange(24)
    ids[20:] = -100
    frame = layer_frame(
        plain(), token_ids=ids, key_padding=np.arange(24) >= 20, facts={"vocab_size": 50}
    )

    assert flags_of(diagnose([frame]), "input_ids_out_of_range") == []


@pytest.mark.parametrize(
    ("stream", "training", "rate", "flagged"),
    [
        ("val", True, 0.1, True),
        ("probe", True, 0.1, True),
        ("val", False, 0.1, False),
        ("val", True, 0.0, False),
        ("train", True, 0.1, False),
    ],
)
def test_evaluation_with_dropout(stream, training, rate, flagged) -> None:
    frame = layer_frame(
        plain(), stream=stream, facts={"training": training, "extra": {"dropout_p": rate}}
    )

    assert bool(flags_of(diagnose([frame]), "eval_with_dropout")) is flagged


def test_dropout_before_the_softmax_shows_in_scores_and_in_weights() -> None:
    scores = random_scores(3, 4, 48)
    kept = np.random.default_rng(3).random(scores.shape) >= 0.1
    dropped = np.where(kept, scores / 0.9, 0).astype(np.float32)

    recorded = layer_frame(softmax(dropped), scores=dropped)
    weights_only = layer_frame(softmax(dropped))
    healthy = layer_frame(softmax(scores), scores=scores)

    for frame in (recorded, weights_only):
        found = flags_of(diagnose([frame]), "dropout_on_scores")
        assert [f.severity.word for f in found] == ["notice"]
    assert flags_of(diagnose([healthy]), "dropout_on_scores") == []


def test_repeated_tokens_tie_without_dropout() -> None:
    rows = random_scores(4, 4, 48, 12)
    weights = softmax(np.tile(rows, 4))

    assert flags_of(diagnose([layer_frame(weights)]), "dropout_on_scores") == []


def outputs(jump: float) -> list:
    return [
        layer_frame(
            plain(seed=10 * f + n),
            layer=n,
            frame_index=f,
            step=100 * f,
            output={"mean": 0.0, "var": 1.0 * (jump if f == 5 and n == 3 else 1), "abs_max": 4.0},
        )
        for f in range(7)
        for n in range(5)
    ]


def test_an_output_that_jumps_is_found_and_a_steady_one_is_not() -> None:
    found = flags_of(diagnose(outputs(40.0)), "output_range_jump")

    assert [(f.layer, f.first_step, f.severity.word) for f in found] == [(3, 500, "warning")]
    assert flags_of(diagnose(outputs(2.0)), "output_range_jump") == []


def test_an_output_that_grows_as_it_learns_does_not_jump() -> None:
    frames = [
        layer_frame(
            plain(seed=10 * f + n),
            layer=n,
            frame_index=f,
            step=100 * f,
            output={"mean": 0.0, "var": 0.1 * (3.2**f if n == 3 else 1), "abs_max": 4.0},
        )
        for f in range(8)
        for n in range(4)
    ]

    assert flags_of(diagnose(frames), "output_range_jump") == []


@pytest.mark.parametrize(("share", "dead"), [(0.001, (1,)), (0.2, ())])
def test_a_head_that_contributes_nothing_on_the_probe(share, dead) -> None:
    frames = [
        layer_frame(
            plain(seed=n),
            frame_index=n,
            step=1000 + 100 * n,
            stream="probe",
            facts={"probe_fixed": True},
            stats={"contribution": np.array([0.4, share, 0.3, 0.3], np.float32)},
        )
        for n in range(4)
    ]

    found = flags_of(diagnose(frames), "dead_head")

    assert [f.heads for f in found] == ([dead] if dead else [])


def test_a_crash_is_told_with_its_message_and_cause() -> None:
    crash = {"message": "expected scalar type Float but found Half", "module": "encoder.3"}

    found = flags_of(diagnose([layer_frame(plain())], crash=crash), "forward_raised")

    assert [f.severity.word for f in found] == ["critical"]
    assert "encoder.3" in found[0].message
    assert found[0].causes[0].status == "confirmed"
    assert "mixed precision" in found[0].causes[0].text


@pytest.mark.parametrize(
    ("rates", "flagged"), [([1e-3, 1e-3, 9e-4], True), ([1e-5, 1e-3, 9e-4], False)]
)
def test_no_warm_up_is_a_label(rates, flagged) -> None:
    frames = [layer_frame(plain(), frame_index=n, step=100 * n) for n in range(3)]

    found = flags_of(diagnose(frames, scalars={"lr": np.array(rates)}), "no_warmup")

    assert [f.severity.word for f in found] == (["label"] if flagged else [])


def test_no_position_reaches_the_attention() -> None:
    ids = np.array([3, 5, 7, 3, 5, 7, 9, 3, 5, 7, 9, 3, 5, 7, 9, 11])
    table = random_scores(5, 4, 16, 16)
    blind = softmax(table[:, ids][:, :, ids])
    placed = softmax(table[:, ids][:, :, ids] + 0.2 * random_scores(6, 4, 16))

    found = flags_of(diagnose([layer_frame(blind, token_ids=ids)]), "position_aliasing")
    assert [f.severity.word for f in found] == ["warning"]
    assert flags_of(diagnose([layer_frame(placed, token_ids=ids)]), "position_aliasing") == []
    causal = diagnose([layer_frame(placed, token_ids=ids, facts={"causal": True})])
    assert "causal" in reason_of(causal, "position_aliasing")


def test_padding_of_the_batch_on_the_head_axis() -> None:
    lengths = np.array([20, 14, 9, 17])
    keep = np.arange(20)[None] < lengths[:, None]
    wrong = softmax(random_scores(8, 4, 20), np.broadcast_to(keep[:, None], (4, 20, 20)))
    right = softmax(random_scores(8, 4, 20), np.broadcast_to(keep[1], (20, 20)))

    found = roots(diagnose([layer_frame(wrong)]))

    assert [f.signal for f in found] == ["mask_on_head_axis"]
    assert roots(diagnose([layer_frame(right, key_padding=~keep[1])])) == []


def test_coverage_says_what_the_verdict_rests_on() -> None:
    diagnosis = diagnose(
        [layer_frame(plain(), facts={"batch": 16})], attributes={"rank": 0, "world_size": 8}
    )

    assert diagnosis.coverage == "1 of 1 frames, sample 0 of 16, rank 0 of 8"


def test_tags_name_the_structure_of_heads() -> None:
    size = 32
    scores = random_scores(9, 4, size, std=0.5)
    scores[0, :, 0] += 6
    scores[1] += 8 * np.eye(size, k=-1, dtype=np.float32)
    scores[2] += 10 * np.eye(size, dtype=np.float32)

    tags = diagnose([layer_frame(softmax(scores))]).tags

    assert tags[(0, 0)] == ("sink",)
    assert tags[(0, 1)] == ("previous-token",)
    assert tags[(0, 2)] == ("diagonal",)
    assert (0, 3) not in tags


def test_every_signal_is_judged_or_says_why_not() -> None:
    diagnosis = diagnose([layer_frame(plain())])

    said = set(diagnosis.checked) | {item.signal for item in diagnosis.not_evaluated}

    assert said == set(all_signals())
    assert not set(diagnosis.checked) & {item.signal for item in diagnosis.not_evaluated}
