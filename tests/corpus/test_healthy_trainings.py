"""Healthy trainings raise no warning: two in every run, all twenty with `-m corpus`."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from corpus_tools import examine
from tiny_models import RECIPES, Recipe, train

_ALWAYS = ("language-probe", "padded-torch")


@pytest.mark.parametrize(
    "recipe",
    [
        pytest.param(r, id=r.name, marks=() if r.name in _ALWAYS else pytest.mark.corpus)
        for r in RECIPES
    ],
)
def test_a_healthy_training_raises_no_warning(recipe: Recipe, tmp_path: Path) -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        losses = train(recipe, tmp_path / "run.h5")
    finally:
        torch.set_num_threads(threads)

    run, diagnosis = examine(tmp_path / "run.h5")

    assert losses[-1] < 0.95 * losses[0]
    assert run.n_frames >= 10
    assert [flag.message for flag in diagnosis.flags if flag.severity >= 2] == []
