"""`checks` and `probe` on small models: each broken one fails the check it should."""

import json
from pathlib import Path

import pytest
import torch

from attn_debugger import cli
from attn_debugger.demo.factories import build

CHECK_NAMES = "padding causal order scale dropout row_sums batch precision".split()


def checked(demo: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, str]]:
    status = cli.main(["checks", "--model", f"attn_debugger.demo.factories:{demo}", "--json"])
    rows = json.loads(capsys.readouterr().out)["checks"]
    assert [row["name"] for row in rows] == CHECK_NAMES
    assert all(row["evidence"] or row["reason"] for row in rows)
    return status, {row["name"]: row["result"] for row in rows}


def test_a_healthy_model_passes(capsys: pytest.CaptureFixture[str]) -> None:
    status, results = checked("healthy", capsys)
    assert status == 0
    assert "failed" not in results.values()


@pytest.mark.parametrize(
    ("demo", "check"),
    [
        ("no_causal", "causal"),
        ("pad_leak", "padding"),
        ("missing_scale", "scale"),
        ("no_position", "order"),
    ],
)
def test_a_broken_model_fails_its_check_alone(
    demo: str, check: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, results = checked(demo, capsys)
    assert status == 1
    assert [name for name, result in results.items() if result == "failed"] == [check]


def test_a_factory_is_code_and_needs_agreement(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = tmp_path / "executed"
    module = f"import pathlib\npathlib.Path({str(canary)!r}).touch()\ndef make(): ...\n"
    (tmp_path / "their_model.py").write_text(module)
    monkeypatch.syspath_prepend(tmp_path)
    assert cli.main(["checks", "--model", "their_model:make"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "--trust-code" in said.err
    assert not canary.exists()


def test_probe_writes_a_frame_a_checkpoint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, _, _ = build("missing-scale")
    for step in (0, 10, 200):
        torch.save(model.state_dict(), tmp_path / f"ckpt_{step}.pt")
    out = tmp_path / "probed.h5"
    arguments = ["--model", "attn_debugger.demo.factories:missing_scale", "-o", str(out)]
    assert cli.main(["probe", "--checkpoints", str(tmp_path / "ckpt_*.pt"), *arguments]) == 0
    capsys.readouterr()
    assert cli.main(["info", str(out), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["frames"], facts["first_step"], facts["last_step"]) == (3, 0, 200)
    assert facts["streams"] == ["probe"]
    assert cli.main(["check", str(out), "--json"]) == 1
    signals = {flag["signal"] for flag in json.loads(capsys.readouterr().out)["flags"]}
    assert "scale_mismatch" in signals


def test_probe_without_checkpoints_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--model", "attn_debugger.demo.factories:healthy", "-o", str(tmp_path / "x.h5")]
    assert cli.main(["probe", "--checkpoints", str(tmp_path / "none_*.pt"), *arguments]) == 2
    said = capsys.readouterr()
    assert "no checkpoint matches" in said.err
    assert said.out == ""
