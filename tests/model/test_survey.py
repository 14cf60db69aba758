"""Reading all checkpoints of a run in one go."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from attn_debugger.archive.reader import open_archive
from attn_debugger.core.weights import CheckpointWeights, WeightHistory
from attn_debugger.demo import factories
from attn_debugger.model.survey import main, survey
from attn_debugger.recording import record


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of three steps in which W_q doubles and W_k never moves."""
    model, batch, facts = factories.missing_scale()
    path = tmp_path / "run.h5"
    with record(model, path, every=1, attributes=facts) as recorder:
        for step in range(3):
            saved = tmp_path / f"step_{step}.pt"
            torch.save(model.state_dict(), saved)
            recorder.saved(step, saved)
            with recorder.step(step):
                model(**batch)
            with torch.no_grad():
                for block in model.blocks:
                    block.attention.query.weight *= 2
    return path


def read(capsys: pytest.CaptureFixture[str]) -> tuple[list[CheckpointWeights], list[str]]:
    lines = capsys.readouterr().out.splitlines()
    objects = [line for line in lines if line.startswith("{")]
    found = [CheckpointWeights.from_json(json.loads(line)) for line in objects]
    return found, [line for line in lines if not line.startswith("{")]


def test_the_archives_own_checkpoints_are_read_in_order(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--archive", str(run)]) == 0
    found, progress = read(capsys)
    assert [item.step for item in found] == [0, 1, 2]
    assert progress == [f"PROGRESS {n} 3 step_{n - 1}.pt" for n in (1, 2, 3)]
    history = WeightHistory(checkpoints=tuple(found))
    for layer in range(2):
        steps, norms = history.numbers("query_norm", layer)
        assert steps.tolist() == [0, 1, 2]
        np.testing.assert_allclose(norms[1:] / norms[:-1], 2, rtol=1e-5)
        _, gains = history.numbers("score_gain", layer)
        np.testing.assert_allclose(gains[1:] / gains[:-1], 2, rtol=1e-4)
        last = history.of_layer(layer)[-1][1]
        assert last.unchanged == ("key", "value", "output")
        assert last.scales["query"].std == pytest.approx(
            4 * history.of_layer(layer)[0][1].scales["query"].std, rel=1e-4
        )
    assert found[0].topology is not None
    assert found[0].topology.modules[1].archive_layer == 1


def test_a_checkpoint_that_cannot_be_read_is_said_and_the_rest_goes_on(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run.parent / "step_1.pt").write_bytes(b"PK damaged")
    assert main(["--archive", str(run)]) == 0
    found, _ = read(capsys)
    assert [bool(item.error) for item in found] == [False, True, False]
    assert "step_1.pt" in found[1].error
    assert [item.step for item in WeightHistory(checkpoints=tuple(found)).readable] == [0, 2]


def test_files_without_an_archive(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(run.parent / f"step_{n}.pt") for n in (2, 0)]
    assert main(files) == 0
    found, _ = read(capsys)
    assert [item.step for item in found] == [0, 2]
    # Nobody knows the number of heads: nothing is guessed, the spread is told all the same.
    assert found[0].layers[0].per_head == {}
    assert found[0].layers[0].scales["key"].xavier > 0


def test_nothing_to_read_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "no checkpoints" in capsys.readouterr().err


def test_fused_projections_are_parted_once_the_heads_are_known(tmp_path: Path) -> None:
    torch.manual_seed(0)
    model = torch.nn.TransformerEncoderLayer(16, 4, 32)
    torch.save({"state_dict": model.state_dict(), "config": {"nhead": 4}}, tmp_path / "a.pt")
    (found,) = survey([(0, tmp_path / "a.pt")])
    (layer,) = found.layers
    assert set(layer.scales) == {"query", "key", "value", "output"}
    assert len(layer.per_head["query_norm"]) == 4


def test_history_keeps_order_and_replaces_what_is_read_again() -> None:
    first, second = (CheckpointWeights(path=f"{n}.pt", step=n) for n in (5, 1))
    history = WeightHistory().with_checkpoint(first).with_checkpoint(second)
    history = history.with_checkpoint(CheckpointWeights(path="5.pt", step=5, error="gone"))
    assert [item.step for item in history.checkpoints] == [1, 5]
    assert history.at(7) is second
    assert history.at(0) is None


def test_a_folder_without_an_archive_gets_a_timeline(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(run.parent / f"step_{n}.pt") for n in range(3)]
    out = tmp_path / "timeline.h5"
    assert main([*files, "--write", str(out)]) == 2
    assert "number of heads" in capsys.readouterr().err
    assert not out.exists()
    (run.parent / "step_1.pt").write_bytes(b"PK damaged")
    assert main([*files, "--heads", "2", "--write", str(out)]) == 0
    with open_archive(out) as archive:
        timeline = archive.run
        assert timeline.steps.tolist() == [0, 2]
        assert [layer.n_heads for layer in timeline.layers] == [2, 2]
        assert not archive.layer(0, 0).present
        assert [item.step for item in timeline.checkpoints] == [0, 2]
        gains = timeline.scalars["largest score gain"]
        assert gains[1] / gains[0] == pytest.approx(4, rel=1e-3)
        assert "step_1.pt" in timeline.events[0].text


def test_a_timeline_of_nothing_readable_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.pt").write_bytes(b"PK damaged")
    arguments = [str(tmp_path / "a.pt"), "--write", str(tmp_path / "out.h5")]
    assert main(arguments) == 2
    assert "a.pt" in capsys.readouterr().err
