"""The batch of a recorded step, run again; and inputs that a model's tables do not hold."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from attn_debugger.archive.reader import open_archive
from attn_debugger.cli import main
from attn_debugger.demo.factories import build
from attn_debugger.demo.models import Design, TinyTransformer
from attn_debugger.errors import ModelError
from attn_debugger.model import trial
from attn_debugger.model.batches import check_ids
from attn_debugger.model.live import load_live
from attn_debugger.model.probe import record_checkpoints
from attn_debugger.model.probe_lines import main as probe_lines
from attn_debugger.model.recorded_batch import recorded_batch
from attn_debugger.recording import record

LETTERS = "attn_debugger.demo.factories:induction"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two samples of the induction demo's own batch at step 7, with their letters."""
    path = tmp_path_factory.mktemp("recorded") / "run.h5"
    model, batch, facts = build("induction")
    model.eval()
    with (
        record(model, path, every=1, samples=2, decode=facts["decode"]) as recorder,
        recorder.step(7),
        torch.no_grad(),
    ):
        model(batch["input_ids"].flip(0))
    return path


def test_the_batch_comes_back_with_its_strings(archive: Path) -> None:
    _, batch, facts = build("induction")
    with open_archive(archive) as source:
        found = recorded_batch(source, 0)
        one = recorded_batch(source, 0, 1)
    assert torch.equal(found.ids, batch["input_ids"].flip(0)[:2])
    assert found.real is None
    assert torch.equal(one.ids, found.ids[1:])
    ids = found.ids[0].tolist()
    assert found.decode(ids) == facts["decode"](ids)
    assert found.decode([99999]) == ["99999"]


def test_padding_is_known_again(tmp_path: Path) -> None:
    model, batch, _ = build("pad-leak")
    with (
        record(model, tmp_path / "run.h5", every=1, samples=3) as recorder,
        recorder.step(0),
        torch.no_grad(),
    ):
        model(**batch)
    with open_archive(tmp_path / "run.h5") as source:
        found = recorded_batch(source, 0)
    mask = batch["attention_mask"].bool()[:3]
    assert found.real is not None
    assert torch.equal(found.real[mask], mask[mask])
    assert not found.real[~mask].any()
    assert torch.equal(found.ids[mask], batch["input_ids"][:3][mask])


def test_it_goes_before_the_factorys_batch(archive: Path) -> None:
    with open_archive(archive) as source:
        found = recorded_batch(source, 0)
    live = load_live(LETTERS, recorded=found)
    assert torch.equal(live.inputs.ids, found.ids)
    assert len(load_live(LETTERS).inputs.ids) == 4


def test_the_command_line_runs_it(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--model", LETTERS, "--recorded"]
    assert main(["checks", *arguments, "--archive", str(archive), "--json"]) == 0
    capsys.readouterr()
    assert main(["checks", *arguments]) == 2
    assert "name its --archive" in capsys.readouterr().err
    there = [*arguments, "--archive", str(archive)]
    assert trial.main(["occlude", *there, "--sample", "1", "--span", "2:4"]) == 0
    assert json.loads(capsys.readouterr().out)["sample"] == 1
    assert trial.main(["ablate", *there, "--head", "1:2", "--factor", "2"]) == 0
    changes = json.loads(capsys.readouterr().out.splitlines()[-1])["changes"]
    known = [(i, j) for i, row in enumerate(changes) for j, v in enumerate(row) if v is not None]
    assert known == [(1, 2)]
    for wrong, said in (
        (["ablate", *there, "--head", "1:99"], "no head 99"),
        (["ablate", *there, "--head", "one"], "write LAYER:HEAD"),
        (["ablate", *arguments], "name its --archive"),
    ):
        assert trial.main(wrong) == 2
        assert said in capsys.readouterr().err


def test_a_probe_without_checkpoints_of_one_recorded_sample(archive: Path, tmp_path: Path) -> None:
    out = tmp_path / "probe.h5"
    arguments = ["--model", LETTERS, "-o", str(out), "--archive", str(archive)]
    assert probe_lines([*arguments, "--step", "7", "--sample", "1"]) == 0
    with open_archive(archive) as recorded, open_archive(out) as probed:
        assert probed.run.steps.tolist() == [7]
        assert probed.run.streams == ("probe",)
        one, two = recorded.layer(0, 1, 1), probed.layer(0, 1, 0)
        assert two.tokens == one.tokens
        assert one.weights is not None
        assert two.weights is not None
        np.testing.assert_allclose(one.weights, two.weights, atol=1e-3)


def test_a_text_becomes_letters(tmp_path: Path) -> None:
    record_checkpoints(LETTERS, [], tmp_path / "text.h5", text="abcabc", as_made_at=3)
    with open_archive(tmp_path / "text.h5") as probed:
        assert probed.layer(0, 0).tokens == tuple("abcabc")
    with pytest.raises(ModelError, match="is not in the alphabet"):
        record_checkpoints(LETTERS, [], tmp_path / "none.h5", text="§", as_made_at=3)


def test_what_the_tables_do_not_hold_is_said_before_anything_runs() -> None:
    model = TinyTransformer(Design(vocabulary=9, width=8, heads=2, layers=1, length=16))
    check_ids(model, torch.zeros(1, 16, dtype=torch.long))
    with pytest.raises(ModelError, match=r"token id 9 is outside .* of 9 \(ids 0 to 8\)"):
        check_ids(model, torch.full((1, 4), 9))
    with pytest.raises(ModelError, match=r"17 tokens, and the position table .* holds 16"):
        check_ids(model, torch.zeros(1, 17, dtype=torch.long))
    relative = nn.Module()
    relative.rel_pos_bias = nn.Embedding(3, 2)
    check_ids(relative, torch.zeros(1, 17, dtype=torch.long))
