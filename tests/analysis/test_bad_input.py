"""Contradictions and damage: the signal concerned says why, the others go on, nothing raises."""

from __future__ import annotations

import numpy as np
import pytest
from builders import causal_mask, diagnose, layer_frame, random_scores, reason_of, roots, softmax
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_debugger.analysis.examination import Examination


def plain(heads: int = 4, size: int = 16) -> np.ndarray:
    return softmax(random_scores(1, heads, size))


@pytest.mark.parametrize(
    ("arrays", "facts", "signal", "says"),
    [
        ({"mask": np.ones((3, 5), bool)}, {}, "mask_leak", "mask has shape"),
        ({"mask": np.ones((7, 16, 16), bool)}, {}, "support_truncated", "mask has shape"),
        ({"key_padding": np.zeros(9, bool)}, {}, "pad_leak", "key padding has shape"),
        ({"key_documents": np.zeros(4, int), "query_documents": np.zeros(16, int)}, {},
         "cross_document_leak", "documents have lengths"),
        ({"scores": np.zeros((4, 3, 3), np.float32)}, {}, "score_extreme", "scores have shape"),
        ({}, {"alibi_slopes": (0.5,)}, "alibi_slope_mismatch", "1 slopes are declared"),
        ({}, {"softcap": 50.0}, "cap_violation", "scores not recorded"),
        ({}, {}, "pad_leak", "no padding information"),
        ({}, {}, "token_rank_collapse", "was not recorded"),
    ],
)  # fmt: skip
def test_what_cannot_be_judged_is_named(arrays, facts, signal, says) -> None:
    diagnosis = diagnose([layer_frame(plain(), facts=facts, **arrays)])

    assert says in reason_of(diagnosis, signal)
    assert "nan_weights" in diagnosis.checked
    assert roots(diagnosis) == []


def test_a_mask_that_allows_the_future_contradicts_a_causal_layer() -> None:
    mask = causal_mask(16)
    mask[:4, :4] = True
    frame = layer_frame(softmax(random_scores(1, 4, 16), mask), mask=mask, facts={"causal": True})

    diagnosis = diagnose([frame])

    assert "structural_mask" in reason_of(diagnosis, "causal_violation")
    assert roots(diagnosis) == []


def test_q_and_k_that_do_not_fit_are_named() -> None:
    scores = random_scores(1, 4, 16)
    frame = layer_frame(
        softmax(scores),
        scores=scores,
        q=np.zeros((4, 16, 8), np.float32),
        k=np.zeros((3, 16, 8), np.float32),
    )

    assert "cannot share" in reason_of(diagnose([frame]), "recompute_mismatch")


def test_shapes_that_differ_between_frames_end_the_comparison_only() -> None:
    frames = [
        layer_frame(plain(size=16 + f), frame_index=f, step=f, stream="probe",
                    facts={"probe_fixed": True})
        for f in range(6)
    ]  # fmt: skip

    diagnosis = diagnose(frames)

    assert "differs between frames" in reason_of(diagnosis, "sudden_change")
    assert "diagonal_collapse" in diagnosis.checked


def test_a_layer_that_was_never_captured_is_a_gap() -> None:
    frames = [
        layer_frame(plain(), layer=0),
        layer_frame(np.zeros((4, 0, 0), np.float32), layer=1, present=False),
    ]

    found = roots(diagnose(frames))

    assert [(f.signal, f.layer) for f in found] == [("missing_capture", 1)]


def test_a_frame_kept_as_overview_only_is_no_gap() -> None:
    frames = [layer_frame(plain()), layer_frame(None, frame_index=1, step=1100, full=False)]

    assert roots(diagnose(frames)) == []


def test_huge_values_are_invalid_not_a_traceback() -> None:
    weights = plain()
    weights[0, 3, 3] = 3e38
    weights[0, 3, 4] = 3e38

    assert [f.signal for f in roots(diagnose([layer_frame(weights)]))] == ["invalid_weights"]


def test_an_all_nan_layer_has_one_root_and_no_numbers() -> None:
    weights = np.full((4, 16, 16), np.nan, np.float32)

    found = roots(diagnose([layer_frame(weights)]))

    assert [(f.signal, f.heads) for f in found] == [("nan_weights", (0, 1, 2, 3))]


arrays = st.sampled_from(["plain", "nan", "inf", "negative", "zeros", "ones", "huge", "one-hot"])


@given(
    kind=arrays,
    heads=st.integers(0, 3),
    queries=st.integers(0, 9),
    keys=st.integers(0, 9),
    padding=st.integers(0, 11),
    offset=st.integers(-3, 12),
    window=st.integers(-1, 4),
    causal=st.sampled_from([None, True, False]),
    cross=st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_nothing_raises_whatever_comes(
    kind, heads, queries, keys, padding, offset, window, causal, cross
) -> None:
    weights = np.random.default_rng(0).random((heads, queries, keys)).astype(np.float32)
    fill = {"nan": np.nan, "inf": np.inf, "negative": -0.5, "zeros": 0, "ones": 1, "huge": 3e38}
    if kind in fill:
        weights[...] = fill[kind]
    elif kind == "one-hot" and weights.size:
        weights[...] = 0
        weights[..., 0] = 1
    frame = layer_frame(
        weights,
        key_padding=np.zeros(padding, bool) if padding else None,
        facts={
            "causal": causal,
            "q_offset": offset,
            "window": window or None,
            "kind": "cross" if cross else "self",
            "special_keys": (0, 40),
        },
    )
    examination = Examination(__import__("builders").run_of([frame]))

    summary = examination.observe(frame)
    diagnosis = examination.diagnosis()

    assert all(len(values) == heads for values in summary.values())
    broken = [g.reason for g in diagnosis.not_evaluated if "could not be computed" in g.reason]
    assert broken == []
