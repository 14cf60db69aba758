"""Child processes around the user's model: interpreter, folder, agreement, results."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import torch

from attn_debugger.core.heads import HeadRef
from attn_debugger.demo import factories
from attn_debugger.session.model_jobs import (
    ModelJob,
    checkpoint_of,
    checks_job,
    checks_of,
    probe_job,
    rules_of,
    stand_in_job,
    survey_job,
    trial_job,
    trial_of,
)
from attn_debugger.session.model_wishes import ProbeInput, RunnableModel, Trial

HEALTHY = RunnableModel(name="attn_debugger.demo.factories:healthy")


def ended(qtbot, job: ModelJob) -> tuple[str, str]:
    ends: list[tuple[str, str]] = []
    job.succeeded.connect(lambda text: ends.append(("succeeded", text)))
    job.failed.connect(lambda text: ends.append(("failed", text)))
    job.cancelled.connect(lambda: ends.append(("cancelled", "")))
    job.start()
    qtbot.waitUntil(lambda: bool(ends), timeout=60_000)
    return ends[0]


def test_lines_are_told_as_they_come_and_good_codes_are_answers(qtbot) -> None:
    code = "import sys; print('one'); print('PROGRESS 1 2 x'); print('two'); sys.exit(1)"
    job = ModelJob("job", ["-c", code], good_codes=(0, 1))
    lines: list[str] = []
    job.line_read.connect(lines.append)
    assert ended(qtbot, job) == ("succeeded", "one\ntwo")
    assert lines == ["one", "two"]
    assert ended(qtbot, ModelJob("job", ["-c", code]))[0] == "failed"


def test_it_starts_in_the_users_folder(qtbot, tmp_path: Path) -> None:
    code = "import os; print(os.path.realpath(os.getcwd()))"
    job = ModelJob("job", ["-c", code], folder=str(tmp_path))
    assert ended(qtbot, job) == ("succeeded", str(tmp_path.resolve()))


def test_another_python_gets_our_package_and_not_our_libraries(qtbot, tmp_path: Path) -> None:
    script = tmp_path / "python"
    script.write_text('#!/bin/sh\necho "$PYTHONPATH"\n')
    script.chmod(0o755)
    kind, output = ended(qtbot, ModelJob("job", ["-c", ""], python=str(script)))
    assert kind == "succeeded"
    assert output == str(Path(__file__).resolve().parents[2])
    missing = ModelJob("job", [], python="/no/such/python")
    assert "could not be started" in ended(qtbot, missing)[1]


def test_checks_of_a_broken_model_are_an_answer(qtbot) -> None:
    model = RunnableModel(name="attn_debugger.demo.factories:no_causal")
    kind, output = ended(qtbot, checks_job(model, None, None, ProbeInput()))
    assert kind == "succeeded"
    checks = {check.name: check for check in checks_of(output)}
    assert checks["causal"].result == "failed"
    assert checks["causal"].evidence


def test_code_is_not_run_before_it_was_agreed_to(qtbot, tmp_path: Path) -> None:
    canary = tmp_path / "executed"
    text = f"import pathlib\npathlib.Path({str(canary)!r}).touch()\nfrom attn_debugger.demo."
    (tmp_path / "their_own_model.py").write_text(text + "factories import healthy as make\n")
    model = RunnableModel(name="their_own_model:make", folder=str(tmp_path))
    assert model.runs_code
    kind, said = ended(qtbot, checks_job(model, None, None, ProbeInput()))
    assert kind == "failed"
    assert "code" in said
    assert not canary.exists()
    trusted = RunnableModel(name=model.name, folder=model.folder, trusted=True)
    kind, output = ended(qtbot, checks_job(trusted, None, None, ProbeInput()))
    assert kind == "succeeded"
    assert canary.exists()
    assert all(check.result != "failed" for check in checks_of(output))


def test_what_runs_no_foreign_code(tmp_path: Path) -> None:
    assert not HEALTHY.runs_code
    assert not RunnableModel(name=str(tmp_path)).runs_code
    pickled = tmp_path / "model.pt"
    pickled.touch()
    assert RunnableModel(name=str(pickled)).runs_code


@pytest.fixture
def checkpoints(tmp_path: Path) -> list[str]:
    model, _, _ = factories.healthy()
    for step in (0, 10):
        torch.save(model.state_dict(), tmp_path / f"step_{step}.pt")
    return [str(tmp_path / f"step_{step}.pt") for step in (0, 10)]


def test_a_survey_tells_each_checkpoint(qtbot, checkpoints: list[str]) -> None:
    job = survey_job(None, checkpoints)
    lines: list[str] = []
    job.line_read.connect(lines.append)
    assert ended(qtbot, job)[0] == "succeeded"
    assert [checkpoint_of(line).step for line in lines] == [0, 10]
    with pytest.raises(ValueError, match="not the weights"):
        checkpoint_of('{"path": 1}')


def test_a_probe_writes_an_archive_and_then_a_frame_is_recomputed(
    qtbot, checkpoints: list[str], tmp_path: Path
) -> None:
    out = str(tmp_path / "probed.h5")
    progress: list[tuple[int, int, str]] = []
    job = probe_job(HEALTHY, checkpoints, ProbeInput(), out)
    job.progressed.connect(lambda *told: progress.append(told))
    assert ended(qtbot, job)[0] == "succeeded"
    assert progress[-1][:2] == (2, 2)
    model = RunnableModel(name=HEALTHY.name, checkpoint=checkpoints[1])
    kind, output = ended(qtbot, trial_job("replay", model, out, 10, ProbeInput()))
    assert kind == "succeeded"
    assert trial_of(output)["agrees"] is True
    kind, said = ended(qtbot, probe_job(HEALTHY, checkpoints, ProbeInput(text="§"), out + "2"))
    assert kind == "failed"
    assert "alphabet" in said


def test_results_are_found_behind_what_a_factory_prints() -> None:
    row = {"name": "causal", "result": "passed", "evidence": "fine", "reason": ""}
    output = "building the model\n" + json.dumps({"checks": [row]})
    assert checks_of(output)[0].result == "passed"
    for text in ("nothing", '{"else": 1}'):
        with pytest.raises(ValueError, match="result"):
            checks_of(text)


def test_a_virtual_environment_of_the_same_python_keeps_its_own_libraries(
    qtbot, tmp_path: Path
) -> None:
    link = tmp_path / "python"
    link.symlink_to(sys.executable)
    code = "import os; print(os.environ['PYTHONPATH'])"
    kind, output = ended(qtbot, ModelJob("job", ["-S", "-c", code], python=str(link)))
    assert kind == "succeeded"
    assert output == str(Path(__file__).resolve().parents[2])


@pytest.mark.coverage
def test_a_probe_of_one_step_and_what_is_tried_on_its_batch(
    qtbot, checkpoints: list[str], tmp_path: Path
) -> None:
    out = str(tmp_path / "here.h5")
    model = RunnableModel(name=HEALTHY.name, checkpoint=checkpoints[1])
    job = stand_in_job(model, "no-such-run.h5", 30, 0, ProbeInput(text="def f"), out)
    assert ended(qtbot, job)[0] == "succeeded"
    recorded = ProbeInput(recorded=True)
    again = str(tmp_path / "again.h5")
    assert ended(qtbot, stand_in_job(model, out, 30, 0, recorded, again))[0] == "succeeded"
    trial = Trial(factor=2.0, head=HeadRef(1, 2))
    _, output = ended(qtbot, trial_job("ablate", model, again, 30, recorded, trial=trial))
    found = trial_of(output)
    assert found["factor"] == 2.0
    assert sum(value is not None for row in found["changes"] for value in row) == 1
    trial = Trial(spans=((1, 3),), token=4)
    _, output = ended(qtbot, trial_job("occlude", model, again, 30, recorded, trial=trial))
    (span,) = trial_of(output)["spans"]
    assert (span["first"], span["last"]) == (1, 2)
    _, output = ended(qtbot, checks_job(model, again, 30, recorded, Trial(overfit=True)))
    assert checks_of(output)[-1].name == "overfit"
    assert "heads" in rules_of(output)[0].name


def test_words_of_the_command_line() -> None:
    assert ProbeInput(recorded=True).arguments() == ["--recorded"]
    assert ProbeInput(text="a", recorded=True).arguments() == ["--text", "a"]
    hidden = Trial(spans=((0, 2), (5, 6)), hide=True, token=3)
    assert hidden.token_arguments() == ["--span", "0:2", "--span", "5:6", "--hide"]
    assert Trial().scale_arguments() == ["--factor", "0"]
