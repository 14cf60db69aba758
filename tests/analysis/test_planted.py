"""A planted fault is found exactly where it was planted, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest
from builders import causal_mask, diagnose, flags_of, layer_frame, random_scores, roots, softmax
from hypothesis import given, settings
from hypothesis import strategies as st

LAYERS, HEADS, SIZE, FRAMES = 3, 4, 16, 4


def healthy_run() -> list:
    mask = causal_mask(SIZE)
    return [
        layer_frame(
            softmax(random_scores(100 * f + n, HEADS, SIZE), mask),
            layer=n,
            frame_index=f,
            step=100 * f,
            mask=mask,
            facts={"causal": True},
        )
        for f in range(FRAMES)
        for n in range(LAYERS)
    ]


def spoiled(at: tuple[int, int, int], spoil) -> list:
    frames = healthy_run()
    frame, layer, _ = at
    spoil(frames[frame * LAYERS + layer].weights)
    return frames


places = st.tuples(
    st.integers(0, FRAMES - 1), st.integers(0, LAYERS - 1), st.integers(0, HEADS - 1)
)


@given(at=places, query=st.integers(0, SIZE - 1))
@settings(max_examples=40, deadline=None)
def test_nan_is_found_at_its_frame_layer_head_and_query(
    at: tuple[int, int, int], query: int
) -> None:
    def spoil(weights: np.ndarray) -> None:
        weights[at[2], query, 0] = np.nan

    found = roots(diagnose(spoiled(at, spoil)))

    assert [(f.signal, f.first_frame, f.layer, f.heads, f.query) for f in found] == [
        ("nan_weights", at[0], at[1], (at[2],), query)
    ]


@given(at=places, query=st.integers(0, SIZE - 2))
@settings(max_examples=40, deadline=None)
def test_a_look_ahead_is_found_where_it_is(at: tuple[int, int, int], query: int) -> None:
    def spoil(weights: np.ndarray) -> None:
        row = weights[at[2], query]
        row *= 0.9
        row[query + 1] = 0.1

    found = roots(diagnose(spoiled(at, spoil)))

    assert [(f.signal, f.first_frame, f.layer, f.heads) for f in found] == [
        ("causal_violation", at[0], at[1], (at[2],))
    ]
    assert (found[0].query, found[0].key) == (query, query + 1)


@given(at=places)
@settings(max_examples=25, deadline=None)
def test_a_negative_weight_is_found_where_it_is(at: tuple[int, int, int]) -> None:
    def spoil(weights: np.ndarray) -> None:
        weights[at[2], 8, 3] = -0.2

    found = roots(diagnose(spoiled(at, spoil)))

    assert [(f.signal, f.first_frame, f.layer, f.heads) for f in found] == [
        ("invalid_weights", at[0], at[1], (at[2],))
    ]


def test_the_healthy_run_itself_is_clean() -> None:
    diagnosis = diagnose(healthy_run())

    assert roots(diagnosis, least=1) == []
    assert {"nan_weights", "causal_violation", "invalid_weights"} <= set(diagnosis.checked)


@pytest.mark.parametrize("signal", ["diagonal_collapse"])
def test_identity_in_one_head_is_a_notice_and_in_half_a_warning(signal: str) -> None:
    def run(heads: int) -> list:
        scores = random_scores(7, HEADS, SIZE)
        scores[:heads] += 12 * np.eye(SIZE, dtype=np.float32)
        return [layer_frame(softmax(scores))]

    one, half = flags_of(diagnose(run(1)), signal), flags_of(diagnose(run(2)), signal)

    assert [(f.severity.word, f.heads) for f in one] == [("notice", (0,))]
    assert [(f.severity.word, f.heads) for f in half] == [("warning", (0, 1))]
