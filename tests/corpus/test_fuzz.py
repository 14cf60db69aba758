"""Random healthy layers raise nothing: 400 in every run, 10,000 with `-m corpus`."""

from __future__ import annotations

import pytest
from healthy_layers import healthy_layer
from healthy_runs import healthy_run

from attn_debugger.analysis.examination import Examination


def warnings_of(seed: int) -> list[str]:
    run, frame = healthy_layer(seed)
    examination = Examination(run)
    examination.observe(frame)
    diagnosis = examination.diagnosis()
    broken = [g.reason for g in diagnosis.not_evaluated if "could not be computed" in g.reason]
    assert not broken, (seed, broken)
    return [f"seed {seed}: {flag.message}" for flag in diagnosis.flags if flag.severity >= 2]


def test_a_sample_of_healthy_layers_is_clean() -> None:
    assert [message for seed in range(400) for message in warnings_of(seed)] == []


@pytest.mark.corpus
def test_fewer_than_one_healthy_layer_in_five_thousand_warns() -> None:
    wrong = [seed for seed in range(10_000) if warnings_of(seed)]

    assert len(wrong) < 2, wrong


def warnings_of_history(seed: int) -> list[str]:
    run, frames = healthy_run(seed)
    examination = Examination(run)
    for frame in frames:
        examination.observe(frame)
    diagnosis = examination.diagnosis()
    broken = [g.reason for g in diagnosis.not_evaluated if "could not be computed" in g.reason]
    assert not broken, (seed, broken)
    return [f"seed {seed}: {flag.message}" for flag in diagnosis.flags if flag.severity >= 2]


def test_a_sample_of_healthy_histories_is_clean() -> None:
    assert [message for seed in range(25) for message in warnings_of_history(seed)] == []


@pytest.mark.corpus
def test_healthy_histories_are_clean() -> None:
    assert [message for seed in range(1500) for message in warnings_of_history(seed)] == []
