"""The command line as a program sees it: exit status, stdout, stderr."""

import json
from pathlib import Path

import h5py
import numpy as np
import pytest

from attn_debugger import cli


@pytest.fixture
def least(tmp_path: Path) -> Path:
    """The least archive we open, graph and check (DESIGN section 3), written by hand."""
    scores = np.random.default_rng(0).standard_normal((3, 2, 16, 16)).astype(np.float32)
    weights = np.exp(scores)
    path = tmp_path / "run.h5"
    with h5py.File(path, "w") as f:
        f.attrs["format"], f.attrs["version"] = "attn-debugger", 1
        f["steps"] = [0, 100, 200]
        f["layers/0/weights"] = weights / weights.sum(-1, keepdims=True)
    return path


def spoiled(path: Path) -> Path:
    with h5py.File(path, "a") as f:
        f["layers/0/weights"][1:, 1, 3] = np.nan
    return path


def test_check_of_a_healthy_run_exits_0_with_one_json_object(
    least: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["check", str(least), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["frames"], answer["layers"], answer["heads"]) == (3, 1, 2)
    assert (answer["first_step"], answer["last_step"]) == (0, 200)
    gaps = {gap["signal"]: gap for gap in answer["not_evaluated"]}
    assert gaps["score_overflow"]["layer"] in (None, 0)
    assert "not recorded" in gaps["score_overflow"]["reason"]


def test_check_names_head_step_and_query_of_a_nan(
    least: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["check", str(spoiled(least)), "--json"]) == 1
    flags = json.loads(capsys.readouterr().out)["flags"]
    flag = next(flag for flag in flags if flag["signal"] in ("nan_weights", "fully_masked_row"))
    assert (flag["layer"], flag["heads"], flag["first_step"], flag["query"]) == (0, [1], 100, 3)


def test_check_as_text_says_what_was_found(least: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", str(spoiled(least))]) == 1
    text = capsys.readouterr().out
    assert "L0.H1" in text
    assert "step" in text
    assert "Not evaluated" in text


def test_fail_on_sets_the_level(least: Path) -> None:
    with h5py.File(least, "a") as f:
        f["layers/0/weights"][1, 1] *= 0.9  # rows that sum to 0.9: a warning, not critical
    assert cli.main(["check", str(least), "--fail-on", "critical"]) == 0
    assert cli.main(["check", str(least), "--fail-on", "warning"]) == 1


def test_info_json_has_the_names_of_the_contract(
    least: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["info", str(least), "--json", "--step", "120"]) == 0
    said = capsys.readouterr()
    facts = json.loads(said.out)
    for name in "archive version frames layers heads first_step last_step streams".split():
        assert name in facts
    assert facts["ended"] in ("closed", "abrupt", "writing")
    assert facts["dropped"] == 0
    assert isinstance(facts["missing"], list)
    assert facts["step"] == 100
    assert "120" in said.err
    (layer,) = facts["summary"]
    assert layer["layer"] == 0
    assert len(layer["entropy"]) == len(layer["peak"]) == 2
    assert layer["mean"] == pytest.approx([1 / 16, 1 / 16], rel=1e-3)


def write(path: Path, **changes: object) -> None:
    with h5py.File(path, "w") as f:
        f.attrs["format"] = changes.get("format", "attn-debugger")
        f.attrs["version"] = changes.get("version", 1)
        f["steps"] = changes.get("steps", [0])
        if "layers" not in changes:
            f["layers/0/weights"] = np.full((1, 1, 4, 4), 0.25, np.float32)


UNREADABLE = {
    "missing file": lambda path: None,
    "empty file": lambda path: path.write_bytes(b""),
    "not HDF5": lambda path: path.write_text("step,loss\n0,1.0\n"),
    "newer version": lambda path: write(path, version=2),
    "foreign layout": lambda path: write(path, format="somebody else"),
    "zero frames": lambda path: write(path, steps=np.zeros(0, np.int64)),
    "no layers": lambda path: write(path, layers=None),
}


@pytest.mark.parametrize("what", UNREADABLE)
@pytest.mark.parametrize("command", [["check"], ["info", "--json"], ["render", "-o", "out.png"]])
def test_an_unreadable_file_exits_2_with_a_sentence_and_no_output(
    what: str, command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.h5"
    UNREADABLE[what](path)
    assert cli.main([command[0], str(path), *command[1:]]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "run.h5" in said.err
    assert "defect" not in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "RUN", "--fail-on", "loud"],
        ["render", "RUN", "-o", "out.gif"],
        ["render", "RUN", "-o", "out.png", "--size", "big"],
        ["render", "RUN", "-o", "out.png", "--layer", "99"],
        ["render", "RUN", "-o", "out.png", "--layer", "0", "--head", "2"],
        ["render", "RUN", "-o", "out.png", "--sample", "4"],
        ["info", "RUN", "--step", "0", "--stream", "nowhere"],
        ["demo", "no-such-demo", "-o", "x.h5"],
        ["demo", "induction"],
        ["--demo", "induction", "RUN", "--nonsense"],
        ["--step", "3"],
    ],
)
def test_wrong_use_exits_2_with_a_sentence(
    arguments: list[str], least: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([str(least) if a == "RUN" else a for a in arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err
    assert "defect" not in said.err


def test_render_writes_a_picture(least: Path, tmp_path: Path) -> None:
    out = tmp_path / "grid.png"
    assert cli.main(["render", str(least), "-o", str(out), "--size", "640x480"]) == 0
    assert out.read_bytes().startswith(b"\x89PNG")


def test_the_least_archive_is_left_untouched(least: Path) -> None:
    before = least.read_bytes()
    cli.main(["check", str(least)])
    cli.main(["info", str(least), "--json"])
    assert least.read_bytes() == before


def test_demo_list_names_every_demo(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["demo", "--list"]) == 0
    listed = capsys.readouterr().out
    for name in (
        "healthy induction diagonal-collapse missing-scale overflow-nan pad-leak no-causal "
        "left-pad-nan no-position"
    ).split():
        assert name in listed


def test_against_tells_what_was_fixed(
    least: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    healthy = tmp_path / "fixed.h5"
    healthy.write_bytes(least.read_bytes())
    broken = spoiled(least)
    assert cli.main(["check", str(healthy), "--against", str(broken), "--json"]) == 0
    compared = json.loads(capsys.readouterr().out)["compared"]
    assert {item["state"] for item in compared if item["flag"]["severity"] != "label"} == {
        "resolved"
    }
    assert cli.main(["check", str(broken), "--against", str(healthy)]) == 1
    assert "NEW" in capsys.readouterr().out
    assert cli.main(["check", str(broken), "--against", str(broken)]) == 2


def test_the_report_stands_alone(
    least: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "story.html"
    assert cli.main(["report", str(spoiled(least)), "-o", str(out)]) == 0
    page = out.read_text()
    assert "nan_weights" in page or "fully_masked_row" in page
    assert "L0.H1" in page
    assert "data:image/png;base64," in page
    assert "http" not in page.replace("http-equiv", "")
    assert not list(tmp_path.glob("*.partial"))
    assert cli.main(["report", str(least), "-o", str(tmp_path / "story.pdf")]) == 2


def test_the_report_leaves_texts_out_on_request(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    weights = np.full((2, 1, 12, 12), 1 / 12, np.float32)
    weights[1, 0, 5] = np.nan
    with h5py.File(path, "w") as f:
        f.attrs["format"], f.attrs["version"] = "attn-debugger", 1
        f["steps"] = [0, 1]
        f["layers/0/weights"] = weights
        f["tokens"] = np.array([f"secret{i}" for i in range(12)], dtype=h5py.string_dtype())
    out = tmp_path / "story.html"
    assert cli.main(["report", str(path), "-o", str(out), "--no-tokens"]) == 0
    assert "secret" not in out.read_text()
