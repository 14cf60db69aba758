"""Child processes: progress, result, failure and cancelling, each said in a sentence."""

from __future__ import annotations

import json
import sys

import pytest

from attn_debugger.core.topology import AttentionModule, ModelTopology
from attn_debugger.session.jobs import Job, demo_job, model_job, topology_of


class Outcome:
    def __init__(self, job: Job) -> None:
        self.progress: list[tuple[int, int, str]] = []
        self.ends: list[tuple[str, str]] = []
        job.progressed.connect(lambda *told: self.progress.append(told))
        job.succeeded.connect(lambda text: self.ends.append(("succeeded", text)))
        job.failed.connect(lambda text: self.ends.append(("failed", text)))
        job.cancelled.connect(lambda: self.ends.append(("cancelled", "")))


def run(qtbot, code: str) -> Outcome:
    job = Job("the job", ["-c", code])
    outcome = Outcome(job)
    job.start()
    qtbot.waitUntil(lambda: bool(outcome.ends), timeout=20_000)
    return outcome


def test_progress_lines_are_told_and_the_rest_is_the_result(qtbot):
    outcome = run(
        qtbot,
        "print('PROGRESS 1 3 loss 2.5'); print('one'); print('PROGRESS 3 3'); print('two', end='')",
    )
    assert outcome.progress == [(1, 3, "loss 2.5"), (3, 3, "")]
    assert outcome.ends == [("succeeded", "one\ntwo")]


def test_what_only_looks_like_progress_is_part_of_the_result(qtbot):
    outcome = run(qtbot, "print('PROGRESS is being made')")
    assert outcome.progress == []
    assert outcome.ends == [("succeeded", "PROGRESS is being made")]


def test_a_failure_is_the_last_thing_the_child_said(qtbot):
    outcome = run(
        qtbot,
        "import sys; sys.stderr.write('a hint\\nno space is left on the disk\\n'); sys.exit(2)",
    )
    assert outcome.ends == [("failed", "the job: no space is left on the disk")]


def test_a_traceback_is_reduced_to_its_error(qtbot):
    assert run(qtbot, "1 / 0").ends == [("failed", "the job: ZeroDivisionError: division by zero")]


def test_a_child_that_fails_in_silence(qtbot):
    assert run(qtbot, "import sys; sys.exit(3)").ends == [
        ("failed", "the job: it gave no reason (exit code 3)")
    ]


def test_a_killed_child_is_said(qtbot):
    outcome = run(qtbot, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert outcome.ends == [
        ("failed", "the job: the process ended abruptly; perhaps memory ran out")
    ]


@pytest.mark.parametrize("stubborn", [False, True])
def test_cancelling_ends_the_child(qtbot, stubborn, monkeypatch):
    monkeypatch.setattr("attn_debugger.session.jobs.GRACE_MS", 300)
    ignore = "signal.signal(signal.SIGTERM, signal.SIG_IGN);" if stubborn else ""
    code = f"import signal, time; {ignore} print('PROGRESS 0 1 ready', flush=True); time.sleep(60)"
    job = Job("the job", ["-c", code])
    outcome = Outcome(job)
    job.start()
    qtbot.waitUntil(lambda: bool(outcome.progress), timeout=20_000)
    job.cancel()
    assert outcome.ends == [("cancelled", "")]
    assert not job.is_running


def test_a_python_that_cannot_be_started(qtbot, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    job = Job("the job", [])
    outcome = Outcome(job)
    job.start()
    qtbot.waitUntil(lambda: bool(outcome.ends))
    kind, sentence = outcome.ends[0]
    assert kind == "failed"
    assert sentence.startswith("the job: Python could not be started")


def test_an_unknown_demo_is_refused_by_the_child(qtbot, tmp_path):
    job = demo_job("no-such-demo", str(tmp_path / "run.h5"))
    outcome = Outcome(job)
    job.start()
    qtbot.waitUntil(lambda: bool(outcome.ends), timeout=60_000)
    kind, sentence = outcome.ends[0]
    assert kind == "failed"
    assert "invalid choice: 'no-such-demo'" in sentence


def test_a_checkpoint_that_is_not_there_is_refused_by_the_child(qtbot, tmp_path):
    job = model_job(str(tmp_path / "model.pt"), None)
    outcome = Outcome(job)
    job.start()
    qtbot.waitUntil(lambda: bool(outcome.ends), timeout=60_000)
    kind, sentence = outcome.ends[0]
    assert kind == "failed"
    assert sentence.startswith("model.pt: ")


def test_the_topology_travels_as_json():
    told = ModelTopology(
        path="a.pt",
        format="state dict (.pt)",
        modules=(AttentionModule(path="h.0.attn", projection="fused", d_model=64, n_heads=4),),
    )
    assert topology_of(json.dumps(told.to_json())) == told
    with pytest.raises(ValueError, match="not the description of a model"):
        topology_of('{"path": 1, "surprise": 2}')
