"""Healthy trainings raise no warning: two in every run, all twenty with `-m corpus`."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from corpus_tools import examine
from tiny_models import RECIPES, Recipe, train, train_reversal

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


@pytest.mark.corpus
def test_an_encoder_and_decoder_raise_no_warning(tmp_path: Path) -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        losses = train_reversal(tmp_path / "run.h5")
    finally:
        torch.set_num_threads(threads)

    run, diagnosis = examine(tmp_path / "run.h5")

    assert losses[-1] < 0.5 * losses[0]
    assert {layer.facts.kind for layer in run.layers} == {"self", "cross"}
    assert [flag.message for flag in diagnosis.flags if flag.severity >= 2] == []
