from __future__ import annotations

import dataclasses

import pytest
import torch
from torch import Generator

from attn_debugger.demo.models import Design, SelfAttention, TinyTransformer
from attn_debugger.demo.recipes import RECIPES
from attn_debugger.demo.tasks import (
    IGNORED,
    CommonestLetter,
    LeftPaddedText,
    LetterBefore,
    PythonText,
    RepeatedSequences,
    Task,
)

TASKS = [RepeatedSequences, PythonText, CommonestLetter, LeftPaddedText, LetterBefore]


def generator(seed: int = 0) -> Generator:
    return Generator().manual_seed(seed)


@pytest.mark.parametrize("kind", TASKS)
def test_batches_fit_their_vocabulary_and_repeat(kind: type[Task]) -> None:
    task = kind(24)
    batch = task.batch(5, generator())
    assert batch.input_ids.shape == (5, 24)
    assert int(batch.input_ids.min()) >= 0
    assert int(batch.input_ids.max()) < task.vocabulary
    scored = batch.targets[batch.targets != IGNORED]
    assert int(scored.max()) < task.vocabulary
    again = kind(24).batch(5, generator())
    assert torch.equal(batch.input_ids, again.input_ids)
    assert torch.equal(batch.targets, again.targets)
    words = task.decode(list(range(task.vocabulary)))
    assert len(set(words)) == task.vocabulary or kind in (PythonText, LeftPaddedText)
    assert all(words)


def test_repeated_sequences_repeat() -> None:
    batch = RepeatedSequences(40).batch(20, generator())
    for ids, targets in zip(batch.input_ids, batch.targets, strict=True):
        first = int((targets != IGNORED).nonzero()[0])
        period = first + 1
        assert 8 <= period < 20
        # What is scored stood there one period before.
        assert torch.equal(targets[first:], ids[: len(targets) - first])


def test_the_commonest_letter_is_the_commonest() -> None:
    batch = CommonestLetter(40).batch(20, generator())
    assert batch.attention_mask is not None
    for ids, answer, real in zip(batch.input_ids, batch.targets, batch.attention_mask, strict=True):
        letters = ids[1:][real[1:]]
        counts = torch.bincount(letters, minlength=20)
        assert counts[answer] == counts.max()
        assert not ids[~real].any()


def test_left_padding_is_on_the_left_and_not_scored() -> None:
    batch = LeftPaddedText(24).batch(20, generator())
    assert batch.attention_mask is not None
    real = batch.attention_mask
    assert bool((real[:, 1:] >= real[:, :-1]).all())
    assert bool((batch.targets[~real] == IGNORED).all())


def test_the_letter_before() -> None:
    batch = LetterBefore(24).batch(3, generator())
    assert torch.equal(batch.targets[:, 1:], batch.input_ids[:, :-1])
    assert bool((batch.targets[:, 0] == IGNORED).all())


def plain() -> Design:
    return Design(vocabulary=12, width=16, heads=2, layers=2, hidden=16, length=10)


def logits(design: Design, ids: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    torch.manual_seed(0)
    with torch.no_grad():
        result: torch.Tensor = TinyTransformer(design)(ids, mask)
    return result


def test_a_healthy_model_is_causal_and_a_broken_one_is_not() -> None:
    ids = torch.randint(12, (1, 10), generator=generator())
    changed = ids.clone()
    changed[0, 7] = (changed[0, 7] + 1) % 12
    design = plain()
    assert torch.equal(logits(design, ids)[:, :7], logits(design, changed)[:, :7])
    leaky = dataclasses.replace(design, causal=False)
    assert not torch.allclose(logits(leaky, ids)[:, :7], logits(leaky, changed)[:, :7])


def test_a_healthy_model_ignores_padding_and_a_broken_one_does_not() -> None:
    design = dataclasses.replace(plain(), causal=False)
    ids = torch.randint(12, (1, 10), generator=generator())
    mask = torch.arange(10)[None] < 6
    changed = torch.where(mask, ids, 11 - ids)
    same = logits(design, ids, mask)[:, :6], logits(design, changed, mask)[:, :6]
    assert torch.allclose(*same, atol=1e-6)
    leaky = dataclasses.replace(design, masks_padding=False)
    differ = logits(leaky, ids, mask)[:, :6], logits(leaky, changed, mask)[:, :6]
    assert not torch.allclose(*differ, atol=1e-3)


def test_without_positions_order_is_lost() -> None:
    design = dataclasses.replace(plain(), causal=False, positions=False)
    ids = torch.randint(12, (1, 10), generator=generator())
    order = torch.randperm(10, generator=generator())
    assert torch.allclose(logits(design, ids)[:, order], logits(design, ids[:, order]), atol=1e-5)
    ordered = dataclasses.replace(design, positions=True)
    with_positions = logits(ordered, ids)[:, order], logits(ordered, ids[:, order])
    assert not torch.allclose(*with_positions, atol=1e-3)


def test_mistakes_of_the_projections() -> None:
    assert SelfAttention(plain()).scale == pytest.approx(8**-0.5)
    assert SelfAttention(dataclasses.replace(plain(), scales_scores=False)).scale == 1.0
    loud = SelfAttention(dataclasses.replace(plain(), projection_std=0.3))
    assert float(loud.query.weight.detach().std()) == pytest.approx(0.3, rel=0.15)
    shared = TinyTransformer(dataclasses.replace(plain(), shares_query_key=True))
    shared(torch.zeros(1, 10, dtype=torch.long)).sum().backward()
    assert shared.blocks[0].attention.key.weight.grad is None


def test_heads_must_divide_the_width() -> None:
    with pytest.raises(ValueError, match="3 heads do not divide a width of 16"):
        SelfAttention(dataclasses.replace(plain(), heads=3))


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_fits_together(name: str) -> None:
    recipe = RECIPES[name]
    task = recipe.task()
    assert task.vocabulary == recipe.design.vocabulary
    assert task.length <= recipe.design.length
    assert max(recipe.checkpoints) <= recipe.steps
    frames = sum(recipe.every(step) for step in range(recipe.steps + 1))
    assert frames >= 30
    batch = task.batch(2, generator())
    answers = TinyTransformer(recipe.design)(batch.input_ids, batch.attention_mask)
    assert answers.shape[:-1] == batch.targets.shape
