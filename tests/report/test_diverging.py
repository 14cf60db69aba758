"""The search for the first step at which two archives part."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest

from attn_debugger.analysis.beside.divergence import Divergence
from attn_debugger.archive.reader import open_archive
from attn_debugger.commands.diverging import main
from attn_debugger.core.heads import HeadRef
from attn_debugger.report.diverging import find_divergence

STEPS = np.arange(6) * 100
Change = Callable[[np.ndarray], None]


def write(
    path: Path,
    change: Change = lambda weights: None,
    *,
    steps: np.ndarray = STEPS,
    n: int = 8,
    tokens: str = "token",
    samples: int = 1,
) -> Path:
    noise = np.random.default_rng(0)
    shape = (len(STEPS), samples, 3, n, n)
    scores = noise.standard_normal((2, *shape)) + np.triu(np.full((n, n), -np.inf), 1)
    weights = np.exp(scores)
    weights /= weights.sum(-1, keepdims=True)  # (layer, frame, sample, head, query, key)
    change(weights)
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "attn-debugger", 1
        file["steps"] = steps
        file["tokens"] = np.array([f"{tokens}{i}" for i in range(n)], h5py.string_dtype())
        for layer in range(2):
            file[f"layers/{layer}/weights"] = weights[layer, : len(steps)].astype(np.float16)
    return path


def found(a: Path, b: Path, **options) -> Divergence:
    with open_archive(a) as one, open_archive(b) as other:
        return find_divergence(one, other, **options)


def test_the_first_step_and_head_are_named(tmp_path):
    def change(weights: np.ndarray) -> None:
        weights[1, 4:, :, 0, 3, 1] += 0.02
        weights[0, 3:, :, 2, 5, 0] += 0.5
        weights[0, 1:, :, 1, 5, 0] += 0.004  # within the tolerance

    result = found(write(tmp_path / "a.h5"), write(tmp_path / "b.h5", change))
    assert (result.step, result.frame) == (300, 3)
    assert [head for head, _ in result.heads] == [HeadRef(0, 2)]
    assert result.heads[0][1] == pytest.approx(0.5, abs=1e-3)
    assert (result.n_common, result.n_compared, result.inputs_known) == (6, 4, True)
    finer = found(tmp_path / "a.h5", tmp_path / "b.h5", tolerance=0.002)
    assert (finer.step, finer.heads[0][0]) == (100, HeadRef(0, 1))
    later = found(tmp_path / "a.h5", tmp_path / "b.h5", after=300)
    assert later.step == 400
    assert {head for head, _ in later.heads} == {HeadRef(0, 2), HeadRef(1, 0)}


def test_a_difference_in_any_sample_counts(tmp_path):
    def change(weights: np.ndarray) -> None:
        weights[0, 2, 1, 0, 4, 4] = np.nan

    a = write(tmp_path / "a.h5", samples=2)
    result = found(a, write(tmp_path / "b.h5", change, samples=2))
    assert result.step == 200
    assert result.heads == ((HeadRef(0, 0), np.inf),)


def test_equal_runs_agree_at_all_common_steps(tmp_path):
    steps = np.array([100, 150, 300])
    result = found(write(tmp_path / "a.h5"), write(tmp_path / "b.h5", steps=STEPS[:4]))
    assert (result.step, result.n_common, result.n_compared) == (None, 4, 4)
    other = found(tmp_path / "a.h5", write(tmp_path / "c.h5", steps=steps))
    # Frame 0 of c is a's frame 0, recorded as step 100: nothing but the step may pair them.
    assert other.n_common == 2
    assert other.step == 100


def test_steps_with_other_inputs_are_passed_over_and_counted(tmp_path):
    def change(weights: np.ndarray) -> None:
        weights[:] = np.flip(weights, axis=3)

    a, b = write(tmp_path / "a.h5"), write(tmp_path / "b.h5", change, tokens="other")
    result = found(a, b)
    assert (result.step, result.n_compared, result.n_other_input) == (None, 0, 6)


def test_maps_of_another_size_cannot_be_compared(tmp_path):
    a, b = write(tmp_path / "a.h5"), write(tmp_path / "b.h5", n=6)
    for path in (a, b):
        with h5py.File(path, "r+") as file:
            del file["tokens"]
    result = found(a, b)
    assert (result.step, result.n_common, result.n_compared) == (None, 6, 0)


def test_a_process_of_its_own_answers_in_json(tmp_path, capsys):
    a, b = write(tmp_path / "a.h5"), write(tmp_path / "b.h5", lambda weights: weights.fill(0.125))
    assert main([str(a), str(b)]) == 0
    *progress, answer = capsys.readouterr().out.splitlines()
    assert progress[0] == "PROGRESS 0 6 0"
    assert Divergence.from_json(json.loads(answer)).step == 0
    assert main([str(a), str(tmp_path / "missing.h5")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "missing.h5" in said.err
