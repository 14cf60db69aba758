"""The recorded batch again: agreement head by head, and where there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from attn_debugger.archive.reader import open_archive
from attn_debugger.demo import factories
from attn_debugger.errors import ModelError
from attn_debugger.model.live import load_live
from attn_debugger.model.replay import Agreement, replay
from attn_debugger.model.trial import main
from attn_debugger.recording import record

FACTORY = "attn_debugger.demo.factories:pad_leak"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two steps; W_q of layer 1 is turned by hand between them. Checkpoints beside them."""
    path = tmp_path_factory.mktemp("replay") / "run.h5"
    model, batch, facts = factories.pad_leak()
    model.eval()
    with record(model, path, every=1, samples=2, attributes=facts) as recorder:
        for step in range(2):
            saved = path.parent / f"step_{step}.pt"
            torch.save(model.state_dict(), saved)
            recorder.saved(step, saved)
            with recorder.step(step):
                model(**batch)
            with torch.no_grad():
                model.blocks[1].attention.query.weight[:16] *= 3  # head 0 alone
    return path


def compared(run: Path, step: int, frame: int) -> Agreement:
    live = load_live(FACTORY, checkpoint=run.parent / f"step_{step}.pt")
    with open_archive(run) as source:
        return replay(live, source, frame)


@pytest.mark.parametrize("step", [0, 1])
def test_the_right_checkpoint_agrees(run: Path, step: int) -> None:
    result = compared(run, step, step)
    assert result.agrees
    assert result.samples == (0, 1)
    assert "agree to 0.001" in result.sentence
    assert all(d is not None and d < 1e-3 for layer in result.layers for d in layer.differences)


def test_another_checkpoint_is_told_apart_where_it_differs(run: Path) -> None:
    result = compared(run, 0, 1)
    assert not result.agrees
    assert [layer.agrees for layer in result.layers] == [True, False]
    assert "differ from layer 1" in result.sentence
    heads = result.layers[1].differences
    assert heads[0] is not None
    assert heads[0] > 1e-2
    assert all(value is not None and value < 1e-3 for value in heads[1:])


def test_another_model_is_a_sentence(run: Path) -> None:
    live = load_live("attn_debugger.demo.factories:no_position")
    with (
        open_archive(run) as source,
        pytest.raises(ModelError, match="the model that was recorded"),
    ):
        replay(live, source, 0)


def test_a_part_that_was_recorded_is_not_taken_for_the_whole(tmp_path: Path) -> None:
    model, batch, facts = factories.pad_leak()
    path = tmp_path / "one.h5"
    recorder = record(model, path, every=1, layers=r"blocks\.0", attributes=facts)
    with recorder, recorder.step(0):
        model(**batch)
    with open_archive(path) as source, pytest.raises(ModelError, match="has 1 layer"):
        replay(load_live(FACTORY), source, 0)


def test_in_a_process_of_its_own(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checkpoint = str(run.parent / "step_1.pt")
    common = ["--model", FACTORY, "--checkpoint", checkpoint, "--archive", str(run)]
    assert main(["replay", *common, "--step", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["agrees"] is True
    assert main(["ablate", *common]) == 0
    *progress, last = capsys.readouterr().out.splitlines()
    changes = json.loads(last)["changes"]
    assert len(changes) == 2
    assert len(progress) == sum(map(len, changes))
    assert main(["occlude", *common, "--sample", "0", "--span", "0:2"]) == 0
    assert json.loads(capsys.readouterr().out)["spans"][0]["last"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["replay", "--model", FACTORY], "--archive"),
        (["ablate", "--model", "no_such_module_here:make"], "--trust-code"),
        (["ablate", "--model", "no_such_module_here:make", "--trust-code"], "failed"),
        (["occlude", "--model", FACTORY, "--span", "x"], "FIRST:END"),
        (["occlude", "--model", FACTORY, "--text", "§"], "alphabet"),
    ],
)
def test_wrong_use_is_a_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err
