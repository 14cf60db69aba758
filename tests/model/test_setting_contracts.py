"""Rules on dropout, norms, optimiser and warm-up: each from checkpoints of small real models."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from attn_debugger.cli import main
from attn_debugger.core.run import LayerFacts, Run
from attn_debugger.core.topology import ModelCheck
from attn_debugger.demo.models import TinyTransformer
from attn_debugger.model.live import load_live
from attn_debugger.model.live_contracts import check_live, module_settings
from attn_debugger.model.topology import describe

DROPOUT, NORMS = "dropout at most 0.5", "norms: placement and eps"
OPTIMISER, WARM_UP = "optimiser settings", "warm-up"


def check(
    path: Path, name: str, checkpoint: Mapping[str, Any], run: Run | None = None
) -> ModelCheck:
    torch.save(dict(checkpoint), path / "step.pt")
    (found,) = [c for c in describe(path / "step.pt", run=run).checks if c.name == name]
    return found


def run_of(rates: list[tuple[float, float]]) -> Run:
    return Run(
        path="run.h5",
        version=1,
        steps=np.array([0, 100]),
        streams=("train", "train"),
        times=None,
        scalars={},
        curves={"lr": np.array(rates, float)},
        layers=(),
        facts=LayerFacts(),
        attributes={},
    )


@pytest.mark.parametrize(
    ("config", "result", "said"),
    [
        ({}, "not_run", "no configuration"),
        ({"hidden_dropout_prob": 0.1, "attn_pdrop": 0.2}, "passed", "0.2 (attn_pdrop)"),
        ({"model": {"dropout": 0.9}}, "failed", "dropout is 0.9"),
        ({"dropout": -0.1}, "failed", "-0.1"),
        ({"classifier_dropout": None, "n_dropped": "3"}, "not_run", "no configuration"),
    ],
)
def test_dropout(
    tmp_path: Path, model: TinyTransformer, config: dict[str, Any], result: str, said: str
) -> None:
    found = check(tmp_path, DROPOUT, {"model": model.state_dict(), "config": config})
    assert found.result == result
    assert said in found.evidence + found.reason


class Block(nn.Module):
    """One hand-written block whose norm has a name of choice."""

    def __init__(self, norm: str = "ln_1", final: bool = True) -> None:
        super().__init__()
        block = nn.Module()
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            block.add_module(name, nn.Linear(8, 8))
        block.add_module(norm, nn.LayerNorm(8))
        self.blocks = nn.ModuleList([block])
        if final:
            self.ln_f = nn.LayerNorm(8)


@pytest.mark.parametrize(
    ("model", "config", "result", "said"),
    [
        (Block(), {"norm_eps": 1e-5}, "passed", "pre-norm (blocks.0.ln_1.weight); norm_eps"),
        (Block(), {"layer_norm_eps": 0.0}, "failed", "layer_norm_eps is 0"),
        (Block(), {"rms_norm_eps": 0.5}, "failed", "rms_norm_eps is 0.5"),
        (Block(final=False), {}, "failed", "no norm after the last layer"),
        (Block("norm1"), {}, "not_run", "neither their names"),
        (Block("norm1", final=False), {"norm_first": False}, "passed", "post-norm (norm_first"),
        (nn.Linear(2, 2), {}, "not_run", "no norm layer"),
    ],
)
def test_norms(
    tmp_path: Path, model: nn.Module, config: dict[str, Any], result: str, said: str
) -> None:
    found = check(tmp_path, NORMS, {"model": model.state_dict(), "config": config})
    assert found.result == result, found
    assert said in found.evidence + found.reason


@pytest.mark.parametrize(
    ("settings", "broken", "result", "said"),
    [
        ({"lr": 3e-4, "betas": (0.9, 0.98)}, False, "passed", "lr 0.0003, betas 0.9/0.98"),
        ({"lr": 3.0}, False, "failed", "lr is 3"),
        ({"lr": 1e-3, "eps": 0.5}, False, "failed", "eps is 0.5"),
        ({"lr": 1e-3}, True, "failed", "exp_avg of parameter 0 is not finite"),
    ],
)
def test_optimiser(
    tmp_path: Path,
    model: TinyTransformer,
    settings: dict[str, Any],
    broken: bool,
    result: str,
    said: str,
) -> None:
    optimizer = torch.optim.AdamW(model.parameters(), **settings)
    ids = torch.zeros(1, 4, dtype=torch.long)
    loss = model(ids).sum() * (math.nan if broken else 1.0)
    loss.backward()
    weights = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    optimizer.step()
    checkpoint = {"model_state_dict": weights, "optimizer_state_dict": optimizer.state_dict()}
    found = check(tmp_path, OPTIMISER, checkpoint)
    assert found.result == result
    assert said in found.evidence
    assert check(tmp_path, OPTIMISER, weights).result == "not_run"


@pytest.mark.parametrize(
    ("rates", "norm", "result", "said"),
    [
        ([(0, 1e-5), (10, 1e-3), (90, 1e-4)], "ln_1", "passed", "to 0.001 at step 10"),
        ([(0, 1e-3), (10, 1e-3)], "ln_1", "passed", "pre-norm does without"),
        ([(0, 1e-3), (10, 1e-4)], "post_norm", "failed", "such models need warm-up"),
        ([(0, 1e-3), (10, 1e-4)], "norm1", "not_run", "is not known"),
        ([], "norm1", "not_run", "neither a learning rate was recorded"),
        # Resumed: where it started is not in the archive.
        ([(5000, 1e-3), (5010, 1e-4)], "norm1", "not_run", "neither a learning rate"),
    ],
)
def test_warm_up_in_the_recorded_rate(
    tmp_path: Path, rates: list[tuple[float, float]], norm: str, result: str, said: str
) -> None:
    found = check(tmp_path, WARM_UP, Block(norm).state_dict(), run_of(rates))
    assert found.result == result, found
    assert said in found.evidence + found.reason


def test_warm_up_in_a_schedule(tmp_path: Path) -> None:
    model = Block("norm1")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedules = (
        torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=50),
        torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=100),
    )
    for schedule in schedules:
        state = {"model": model.state_dict(), "lr_scheduler": schedule.state_dict()}
        assert check(tmp_path, WARM_UP, state).result == "passed"
    lightning = {"state_dict": model.state_dict(), "hyper_parameters": {"warmup_steps": 400}}
    assert "warmup_steps is 400" in check(tmp_path, WARM_UP, lightning).evidence


def test_what_a_trainer_left_in_the_folder(tmp_path: Path) -> None:
    model = Block()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)
    torch.save(model.state_dict(), tmp_path / "pytorch_model.bin")
    torch.save(optimizer.state_dict(), tmp_path / "optimizer.pt")
    (tmp_path / "config.json").write_text(json.dumps({"layer_norm_eps": 1e-12}))
    log = [{"step": 10, "learning_rate": 1e-6}, {"step": 20, "learning_rate": 2e-5}, {"step": 30}]
    (tmp_path / "trainer_state.json").write_text(json.dumps({"log_history": log}))
    checks = {c.name: c for c in describe(tmp_path).checks}
    assert "lr 2e-05" in checks[OPTIMISER].evidence
    assert "rises from 1e-06 to 2e-05 at step 20" in checks[WARM_UP].evidence
    assert "1e-12" in checks[NORMS].evidence
    # What would run code, or is cut short, is not read; the weights still are.
    (tmp_path / "optimizer.pt").write_bytes(b"\x80\x04cut")
    (tmp_path / "trainer_state.json").write_text("{")
    checks = {c.name: c for c in describe(tmp_path).checks}
    assert {checks[OPTIMISER].result, checks[WARM_UP].result} == {"not_run"}


def test_modules_speak_for_themselves() -> None:
    layer = nn.TransformerEncoderLayer(8, 2, 8, dropout=0.6, norm_first=True, batch_first=True)
    settings = module_settings(nn.TransformerEncoder(layer, 1, enable_nested_tensor=False))
    assert settings["norm_first"] is True
    assert settings["num_heads"] == 2
    assert settings["norm_eps"] == 1e-5
    assert [value for key, value in settings.items() if "dropout" in key] == [0.6]
    with_config = nn.Linear(1, 1)
    with_config.config = SimpleNamespace(to_dict=lambda: {"attn_pdrop": 0.7})
    assert module_settings(with_config)["config"] == {"attn_pdrop": 0.7}


def test_rules_of_a_running_model() -> None:
    live = load_live("attn_debugger.demo.factories:induction")
    checks = {c.name: c for c in check_live(live)}
    assert "heads" in checks["heads divide the width"].evidence  # the forward told how many
    assert {c.result for c in checks.values()} == {"passed", "not_run"}
    raising = dataclasses.replace(live, inputs=dataclasses.replace(live.inputs, ids_name="other"))
    assert {c.name: c for c in check_live(raising)}["heads divide the width"].result == "not_run"


def test_the_command_prints_them_beside_the_experiments(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["checks", "--model", "attn_debugger.demo.factories:induction", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in found["checks"]][-1] == "precision"
    assert NORMS in [row["name"] for row in found["contracts"]]
