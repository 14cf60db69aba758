from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from attn_debugger.archive.reader import open_archive
from attn_debugger.demo import factories
from attn_debugger.errors import ModelError
from attn_debugger.model.batches import encode_text, load_batch
from attn_debugger.model.captured import capture_attention
from attn_debugger.model.live import load_live
from attn_debugger.model.probe import in_order_of_steps, record_checkpoints

FACTORY = "attn_debugger.demo.factories:missing_scale"


@pytest.fixture
def checkpoints(tmp_path: Path) -> list[Path]:
    model, _, _ = factories.missing_scale()
    paths = []
    for step in (20, 100, 3):
        with torch.no_grad():
            model.blocks[1].attention.query.weight *= 1.5
        paths.append(tmp_path / f"ckpt_{step}.pt")
        torch.save(model.state_dict(), paths[-1])
    return paths


def test_one_frame_a_checkpoint_in_the_order_of_steps(
    tmp_path: Path, checkpoints: list[Path]
) -> None:
    done: list[tuple[int, int, str]] = []
    out = tmp_path / "run.h5"
    notes = record_checkpoints(FACTORY, checkpoints, out, progress=lambda *a: done.append(a))
    assert notes == ()
    assert done == [(1, 3, "ckpt_3.pt"), (2, 3, "ckpt_20.pt"), (3, 3, "ckpt_100.pt")]
    with open_archive(out) as archive:
        run = archive.run
        assert run.steps.tolist() == [3, 20, 100]
        assert set(run.streams) == {"probe"}
        assert run.facts.probe_fixed
        assert run.facts.causal is True
        assert [(c.step, c.path) for c in run.checkpoints] == [
            (3, "ckpt_3.pt"),
            (20, "ckpt_20.pt"),
            (100, "ckpt_100.pt"),
        ]
        assert run.layers[0].maps >= {"weights", "scores", "q", "k"}
        for index, path in enumerate(("ckpt_3.pt", "ckpt_20.pt", "ckpt_100.pt")):
            live = load_live(FACTORY, checkpoint=tmp_path / path)
            captures, _ = capture_attention(live, live.inputs.ids)
            frame = archive.layer(index, 1, 2)
            assert captures[1].weights is not None
            np.testing.assert_allclose(frame.weights, captures[1].weights[2], atol=1e-3)


def test_a_checkpoint_that_cannot_be_read_is_left_out_and_said(
    tmp_path: Path, checkpoints: list[Path]
) -> None:
    checkpoints[0].write_bytes(b"PK damaged")
    notes = record_checkpoints(FACTORY, checkpoints, tmp_path / "run.h5")
    assert len(notes) == 1
    assert notes[0].startswith("left out:")
    with open_archive(tmp_path / "run.h5") as archive:
        assert archive.run.steps.tolist() == [3, 100]


def test_nothing_recorded_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no checkpoint matches"):
        record_checkpoints(FACTORY, [], tmp_path / "run.h5")
    bad = tmp_path / "bad.pt"
    bad.write_bytes(b"")
    with pytest.raises(ModelError, match=r"nothing was recorded.*empty"):
        record_checkpoints(FACTORY, [bad], tmp_path / "run.h5")


@pytest.mark.parametrize("ids", [torch.full((1, 4), 999), torch.zeros(1, 4000, dtype=torch.long)])
def test_tokens_the_model_was_not_built_for(
    tmp_path: Path, checkpoints: list[Path], ids: torch.Tensor
) -> None:
    with pytest.raises(ModelError, match=r"outside the model|position table"):
        record_checkpoints(FACTORY, checkpoints, tmp_path / "run.h5", batch=ids)


def test_steps_come_from_names_or_are_counted(tmp_path: Path) -> None:
    names = ["epoch2_step10.pt", "epoch1_step9.pt"]
    paths = [tmp_path / name for name in names]
    for path in paths:
        path.touch()
    assert in_order_of_steps(paths) == [(9, paths[1]), (10, paths[0])]
    folder = tmp_path / "checkpoint-500"
    folder.mkdir()
    assert in_order_of_steps([folder]) == [(500, folder)]
    assert in_order_of_steps([tmp_path / "b.pt", tmp_path / "a1.pt"]) == [
        (0, tmp_path / "a1.pt"),
        (1, tmp_path / "b.pt"),
    ]


def test_batches_from_files(tmp_path: Path) -> None:
    ids = torch.tensor([[1, 2, 3]])
    torch.save({"input_ids": ids}, tmp_path / "a.pt")
    assert torch.equal(load_batch(tmp_path / "a.pt")["input_ids"], ids)
    np.save(tmp_path / "a.npy", ids.numpy())
    assert torch.equal(load_batch(tmp_path / "a.npy"), ids)
    np.savez(tmp_path / "a.npz", input_ids=ids.numpy())
    assert torch.equal(load_batch(tmp_path / "a.npz")["input_ids"], ids)
    for value in ([1, 2, 3], [[1, 2, 3]]):
        (tmp_path / "a.json").write_text(json.dumps(value))
        assert torch.equal(load_batch(tmp_path / "a.json"), ids)


@pytest.mark.parametrize("text", ["[[1, 2], [3]]", "[1.5]", "[]", "{", '"words"'])
def test_ids_that_are_none_are_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(ModelError, match=r"a\.json: no batch"):
        load_batch(tmp_path / "a.json")


def test_a_batch_with_code_is_refused(tmp_path: Path) -> None:
    torch.save({"input_ids": torch.ones(1), "model": torch.nn.Linear(1, 1)}, tmp_path / "a.pt")
    with pytest.raises(ModelError, match="refused"):
        load_batch(tmp_path / "a.pt")


def test_text_needs_an_encoder() -> None:
    with pytest.raises(ModelError, match="encode"):
        encode_text("hello", None)
    assert load_live(FACTORY, text="ab").inputs.ids.tolist() == [[0, 1]]
    assert encode_text("ab", lambda text: [ord(c) for c in text]).tolist() == [[97, 98]]
    with pytest.raises(ModelError, match="KeyError"):
        encode_text("ab", lambda text: {}[text])


@pytest.mark.coverage
def test_a_hugging_face_folder_is_a_model(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    config = transformers.GPT2Config(n_embd=24, n_head=3, n_layer=2, vocab_size=50, n_positions=32)
    model = transformers.GPT2LMHeadModel(config)
    for step in (100, 200):
        model.save_pretrained(tmp_path / f"checkpoint-{step}")
    folders = sorted(tmp_path.glob("checkpoint-*"))
    ids = torch.arange(20)[None]
    record_checkpoints(str(folders[0]), folders, tmp_path / "run.h5", batch=ids)
    with open_archive(tmp_path / "run.h5") as archive:
        assert archive.run.steps.tolist() == [100, 200]
        assert archive.run.facts.causal is True
        assert [layer.n_heads for layer in archive.run.layers] == [3, 3]
