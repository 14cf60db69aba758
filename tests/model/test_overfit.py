from __future__ import annotations

import dataclasses
import json
import math

import pytest
import torch
from torch import Generator, Tensor, nn

from attn_debugger.cli import main
from attn_debugger.demo.models import Design, TinyTransformer
from attn_debugger.model.inputs import read_inputs
from attn_debugger.model.live import LiveModel, load_live
from attn_debugger.model.overfit import RATES, STEPS, check_overfit

IDS = torch.randint(9, (10, 12), generator=Generator().manual_seed(0))
DESIGN = Design(vocabulary=9, width=16, heads=2, layers=1, length=12)


def live_of(model: nn.Module, ids: Tensor = IDS, **facts: object) -> LiveModel:
    return LiveModel(model=model.eval(), inputs=read_inputs(model, ids), facts=facts)


@pytest.fixture
def model() -> TinyTransformer:
    torch.manual_seed(0)
    return TinyTransformer(DESIGN)


def test_a_healthy_model_learns_ten_samples_and_is_left_as_it_was(model: TinyTransformer) -> None:
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    random = torch.random.get_rng_state()
    seen: list[tuple[int, int, str]] = []
    check = check_overfit(live_of(model, causal=True), progress=lambda *all: seen.append(all))
    assert check.result == "passed", check
    assert check.evidence.startswith("next-token loss of 10 samples: 2.")
    # The first letters of ten sequences cannot be foretold, and the check knows it.
    assert "is the least these samples allow" in check.evidence
    assert all(torch.equal(before[name], now) for name, now in model.state_dict().items())
    assert torch.equal(random, torch.random.get_rng_state())
    assert seen[0][:2] == (0, STEPS * len(RATES))
    assert all(parameter.grad is None for parameter in model.parameters())


def test_few_samples_are_made_ten(model: TinyTransformer) -> None:
    check = check_overfit(live_of(model, IDS[:3], causal=True))
    assert check.result == "passed"
    assert "10 samples, 7 of them the batch's in another order" in check.evidence


class Cut(TinyTransformer):
    """The gradient reaches nothing but the bias of the last layer."""

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        logits: Tensor = super().forward(input_ids, attention_mask)
        return logits.detach() + self.head.weight.mean()


def test_a_model_without_a_way_for_the_gradient_fails() -> None:
    torch.manual_seed(0)
    check = check_overfit(live_of(Cut(DESIGN), causal=True), steps=20)
    assert check.result == "failed"
    assert "does not learn them" in check.evidence


def test_without_positions_equal_tokens_cannot_be_told_apart() -> None:
    torch.manual_seed(0)
    design = dataclasses.replace(DESIGN, positions=False, causal=False)
    check = check_overfit(live_of(TinyTransformer(design), causal=False), steps=40)
    assert check.result == "failed"
    assert "random classes" in check.evidence


def test_what_makes_it_impossible_is_said(model: TinyTransformer) -> None:
    live = live_of(model, causal=True)
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    frozen = check_overfit(live)
    assert (frozen.result, frozen.reason) == ("not_run", "no parameter of the model is trainable")
    for parameter in model.parameters():
        parameter.requires_grad_(True)
    with torch.no_grad():
        model.head.weight[0, 0] = math.nan
    assert "nan before any step" in check_overfit(live).reason

    class Stopped(TinyTransformer):
        def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> Tensor:
            with torch.no_grad():
                logits: Tensor = super().forward(input_ids, attention_mask)
            return logits

    assert "no gradient" in check_overfit(live_of(Stopped(DESIGN), causal=True)).reason


def test_time_that_runs_out_is_no_failure(model: TinyTransformer) -> None:
    check = check_overfit(live_of(model, causal=True), seconds=0.0, steps=3)
    assert check.result == "not_run"
    assert "after 0 steps" in check.reason
    assert "the time was up" in check.reason


def test_the_authors_loss_and_the_batchs_labels_come_first(model: TinyTransformer) -> None:
    def loss(output: Tensor, ids: Tensor) -> Tensor:
        return nn.functional.cross_entropy(output.flatten(0, 1), ids.flatten())

    check = check_overfit(live_of(model, causal=False, loss=loss))
    assert check.result == "passed"
    assert check.evidence.startswith("the factory's loss of 10 samples")

    class Pooled(TinyTransformer):
        def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> Tensor:
            return super().forward(input_ids, attention_mask).mean(1)

    torch.manual_seed(0)
    pooled = Pooled(DESIGN).eval()
    labels = torch.arange(10) % 9
    inputs = read_inputs(pooled, {"input_ids": IDS, "labels": labels})
    check = check_overfit(LiveModel(model=pooled, inputs=inputs))
    assert check.evidence.startswith("the loss on the batch's labels of 10 samples")
    assert check.result == "passed"


def test_the_command_runs_it_only_when_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["checks", "--model", "attn_debugger.demo.factories:induction", "--json"]
    assert main(arguments) == 0
    names = [row["name"] for row in json.loads(capsys.readouterr().out)["checks"]]
    assert names[-1] == "precision"
    monkeypatch.setenv("ATTN_DEBUGGER_PROGRESS_LINES", "1")
    assert main([*arguments, "--overfit"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert json.loads(last)["checks"][-1]["name"] == "overfit"
    assert lines[0].startswith("PROGRESS 0 600 overfitting: loss")


def test_half_precision_is_trained_in_single(model: TinyTransformer) -> None:
    live = load_live("attn_debugger.demo.factories:induction")
    live.model.bfloat16()
    assert check_overfit(live, steps=60).result == "passed"
    assert next(live.model.parameters()).dtype == torch.bfloat16
