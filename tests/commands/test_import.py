"""`import`: dumps and foreign files become archives that are told apart from guesses."""

import json
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch

from attn_debugger import cli
from attn_debugger.archive.reader import open_archive


def maps(*shape: int) -> torch.Tensor:
    return torch.rand(*shape).softmax(-1)


def run_import(*arguments: object) -> int:
    return cli.main(["import", *map(str, arguments)])


def test_a_folder_of_dumps_with_all_that_is_known_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "dumps"
    folder.mkdir()
    for step in (0, 50):
        for layer in (0, 1, 10):
            torch.save(maps(2, 3, 6, 6), folder / f"attn_l{layer}_s{step}.pt")
    (tmp_path / "tokens.txt").write_text("\n".join("abcdef"))
    (tmp_path / "padding.json").write_text(json.dumps([False] * 5 + [True]))
    (tmp_path / "loss.csv").write_text("step,loss\n0,2.5\n50,1.5\n")
    out = tmp_path / "run.h5"
    status = run_import(
        folder, "-o", out, "--pattern", "attn_l{layer}_s{step}.pt", "--attr", "causal=False",
        "--axes", "sample head query key", "--tokens", tmp_path / "tokens.txt",
        "--key-padding", tmp_path / "padding.json", "--loss", tmp_path / "loss.csv",
    )  # fmt: skip
    assert status == 0
    assert capsys.readouterr().out.strip() == str(out)
    with open_archive(out) as archive:
        assert [layer.name for layer in archive.run.layers] == ["layer 0", "layer 1", "layer 10"]
        assert archive.run.scalars["loss"].tolist() == [2.5, 1.5]
        assert archive.run.facts.causal is False
        frame = archive.layer(1, 2, sample=1)
        stored = torch.load(folder / "attn_l10_s50.pt", weights_only=True)[1].numpy()
        np.testing.assert_array_equal(frame.weights, stored)
        assert frame.tokens == tuple("abcdef")
        assert frame.key_padding is not None
        assert frame.key_padding.tolist() == [False] * 5 + [True]


def test_two_files_for_one_step_are_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for layer in (0, 1):
        torch.save(maps(3, 6, 6), tmp_path / f"attn_{layer}_100.pt")
    assert run_import(*tmp_path.glob("*.pt"), "-o", tmp_path / "run.h5") == 2
    said = capsys.readouterr()
    assert "pattern" in said.err
    assert "100 was taken for the step" in said.err
    assert not (tmp_path / "run.h5").exists()


@pytest.mark.parametrize("content", ["steps by key", "one array"])
def test_one_file_with_everything(tmp_path: Path, content: str) -> None:
    stored = maps(3, 2, 4, 5, 5)  # (step, layer, head, query, key)
    if content == "steps by key":
        torch.save({10 * i: list(stored[i]) for i in range(3)}, tmp_path / "all.pt")
        extra = []
    else:
        torch.save(stored, tmp_path / "all.pt")
        extra = ["--axes", "step layer head query key"]
    assert run_import(tmp_path / "all.pt", "-o", tmp_path / "run.h5", *extra) == 0
    with open_archive(tmp_path / "run.h5") as archive:
        assert archive.run.n_frames == 3
        np.testing.assert_array_equal(archive.layer(2, 1).weights, stored[2, 1].numpy())


def test_a_dump_that_is_damaged_from_the_start_is_a_gap(tmp_path: Path) -> None:
    (tmp_path / "s1.pt").write_bytes(b"nothing")
    torch.save([maps(2, 5, 5)], tmp_path / "s2.pt")
    files = [tmp_path / "s1.pt", tmp_path / "s2.pt"]
    assert run_import(*files, "-o", tmp_path / "run.h5") == 0
    with open_archive(tmp_path / "run.h5") as archive:
        assert archive.run.steps.tolist() == [1, 2]
        assert [archive.layer(i, 0).present for i in (0, 1)] == [False, True]
        assert any("s1.pt" in event.text for event in archive.run.events)


def test_a_checkpoint_is_no_dump(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch.save(torch.nn.Linear(8, 8).state_dict(), tmp_path / "model_1.pt")
    assert run_import(tmp_path / "model_1.pt", "-o", tmp_path / "run.h5") == 2
    assert "checkpoint" in capsys.readouterr().err


def test_a_foreign_hdf5_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored = maps(4, 2, 3, 9, 9).numpy()
    with h5py.File(tmp_path / "theirs.h5", "w") as f:
        f["attn"] = stored
    out = tmp_path / "run.h5"
    axes = "step layer head query key"
    assert run_import(tmp_path / "theirs.h5", "-o", out, "--axes", axes, "--dataset", "attn") == 0
    assert "attn" in capsys.readouterr().err
    with open_archive(out) as archive:
        assert archive.run.n_frames == 4
        np.testing.assert_array_equal(archive.layer(3, 1).weights, stored[3, 1])


@pytest.mark.parametrize(
    "arguments",
    [
        ["nowhere.pt", "-o", "run.h5"],
        ["SRC", "-o", "run.h5", "--attr", "causal"],
        ["SRC", "-o", "run.h5", "--axes", "sideways"],
        ["SRC", "-o", "run.h5", "--dataset", "x"],
        ["SRC", "-o", "SRC"],
    ],
)
def test_wrong_use_is_a_sentence(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    torch.save([maps(2, 5, 5)], tmp_path / "s2.pt")
    assert run_import(*("s2.pt" if a == "SRC" else a for a in arguments)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "defect" not in said.err
    assert (tmp_path / "s2.pt").exists()
