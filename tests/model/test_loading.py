from __future__ import annotations

import argparse
import json
import os
import pickle
import struct
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from attn_debugger.demo.models import TinyTransformer
from attn_debugger.errors import ModelError
from attn_debugger.model.formats import Format, sniff
from attn_debugger.model.loading import load_weights

NAMES = {torch.float32: "F32", torch.bfloat16: "BF16", torch.int64: "I64"}


def write_safetensors(path: Path, tensors: dict[str, torch.Tensor]) -> None:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, tensor in tensors.items():
        raw = bytes(tensor.contiguous().view(torch.uint8).flatten().tolist())
        header[name] = {
            "dtype": NAMES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def assert_same(tensors: Any, model: TinyTransformer) -> None:
    expected = model.state_dict()
    assert set(tensors) == set(expected)
    for name, tensor in expected.items():
        assert torch.equal(tensors[name], tensor)


@pytest.mark.parametrize("ending", [".pt", ".pth", ".bin"])
def test_plain_state_dict(tmp_path: Path, model: TinyTransformer, ending: str) -> None:
    path = tmp_path / f"weights{ending}"
    torch.save(model.state_dict(), path)
    weights = load_weights(path)
    assert weights.format is Format.STATE_DICT
    assert_same(weights.tensors, model)


def test_state_dict_of_the_old_file_format(tmp_path: Path, model: TinyTransformer) -> None:
    path = tmp_path / "old.pt"
    torch.save(model.state_dict(), path, _use_new_zipfile_serialization=False)
    assert_same(load_weights(path).tensors, model)


@pytest.mark.parametrize("key", ["state_dict", "model", "model_state_dict", "weights_of_mine"])
def test_state_dict_inside_a_training_checkpoint(
    tmp_path: Path, model: TinyTransformer, key: str
) -> None:
    path = tmp_path / "training.pt"
    optimizer = torch.optim.AdamW(model.parameters())
    torch.save({"step": 3, key: model.state_dict(), "optimizer": optimizer.state_dict()}, path)
    assert_same(load_weights(path).tensors, model)


def test_wrappers_are_stripped(tmp_path: Path, model: TinyTransformer) -> None:
    path = tmp_path / "wrapped.pt"
    state = {f"module._orig_mod.{name}": t for name, t in model.state_dict().items()}
    torch.save(state, path)
    assert_same(load_weights(path).tensors, model)


def test_lightning_checkpoint_with_a_namespace(tmp_path: Path, model: TinyTransformer) -> None:
    path = tmp_path / "last.ckpt"
    torch.save(
        {
            "pytorch-lightning_version": "2.5.0",
            "state_dict": {f"model.{n}": t for n, t in model.state_dict().items()},
            "hyper_parameters": argparse.Namespace(n_heads=3, lr=1e-3),
        },
        path,
    )
    weights = load_weights(path)
    assert weights.format is Format.LIGHTNING
    assert weights.config == {"n_heads": 3, "lr": 1e-3}
    assert weights.config_name == "hyper_parameters"


def test_safetensors_without_its_package(tmp_path: Path, model: TinyTransformer) -> None:
    path = tmp_path / "model.safetensors"
    write_safetensors(path, model.state_dict())
    weights = load_weights(path)
    assert weights.format is Format.SAFETENSORS
    assert_same(weights.tensors, model)


def test_safetensors_of_its_own_package(tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors.torch")
    path = tmp_path / "model.safetensors"
    tensors = {"a": torch.randn(3, 4).bfloat16(), "b": torch.arange(5), "empty": torch.zeros(0, 2)}
    safetensors.save_file(tensors, path)
    read = load_weights(path).tensors
    assert all(torch.equal(read[name], tensors[name]) for name in tensors)


def test_changing_a_mapped_tensor_leaves_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    write_safetensors(path, {"a": torch.ones(4)})
    before = path.read_bytes()
    load_weights(path).tensors["a"].zero_()
    assert path.read_bytes() == before


@pytest.fixture
def folder(tmp_path: Path, model: TinyTransformer) -> Path:
    folder = tmp_path / "hub"
    folder.mkdir()
    state = list(model.state_dict().items())
    shards = {"model-1.safetensors": dict(state[:9]), "model-2.safetensors": dict(state[9:])}
    for name, tensors in shards.items():
        write_safetensors(folder / name, tensors)
    table = {name: shard for shard, tensors in shards.items() for name in tensors}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": table}))
    (folder / "config.json").write_text(json.dumps({"num_attention_heads": 3}))
    return folder


def test_hugging_face_folder_with_shards(folder: Path, model: TinyTransformer) -> None:
    weights = load_weights(folder)
    assert weights.format is Format.HUGGING_FACE
    assert weights.config["num_attention_heads"] == 3
    assert_same(weights.tensors, model)


def test_half_the_shards_is_said(folder: Path) -> None:
    (folder / "model-2.safetensors").unlink()
    with pytest.raises(ModelError, match=r"1 of its files are missing \(model-2\.safetensors\)"):
        load_weights(folder)


def test_folder_of_pickled_shards(tmp_path: Path, model: TinyTransformer) -> None:
    torch.save(model.state_dict(), tmp_path / "pytorch_model.bin")
    assert_same(load_weights(tmp_path).tensors, model)


def save_distributed(folder: Path, state: dict[str, Any]) -> None:
    from torch.distributed.checkpoint import save

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns that there is one process only
        save(state, checkpoint_id=folder, no_dist=True)


def test_distributed_checkpoint(tmp_path: Path, model: TinyTransformer) -> None:
    save_distributed(tmp_path / "dcp", {"model": model.state_dict()})
    weights = load_weights(tmp_path / "dcp")
    assert weights.format is Format.DISTRIBUTED
    assert_same(weights.tensors, model)


def test_distributed_checkpoint_without_its_shards(tmp_path: Path, model: TinyTransformer) -> None:
    save_distributed(tmp_path / "dcp", {"model": model.state_dict()})
    for shard in (tmp_path / "dcp").glob("*.distcp"):
        shard.unlink()
    with pytest.raises(ModelError, match="missing or damaged"):
        load_weights(tmp_path / "dcp")


def test_exported_program(tmp_path: Path) -> None:
    class Doubler(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = torch.nn.Linear(4, 3)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return 2 * self.inner(x)

    module = Doubler()
    path = tmp_path / "program.pt2"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.export.save(torch.export.export(module, (torch.randn(2, 4),)), path)
    weights = load_weights(path)
    assert weights.format is Format.EXPORTED
    assert torch.equal(weights.tensors["inner.weight"], module.inner.weight)
    assert torch.equal(weights.tensors["inner.bias"], module.inner.bias)


class Canary:
    """Unpickling it without restriction creates a file."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return os.mkdir, (str(self.target),)


@pytest.mark.parametrize("zipped", [True, False])
def test_a_pickle_with_code_is_refused_and_never_run(tmp_path: Path, zipped: bool) -> None:
    canary = tmp_path / "executed"
    path = tmp_path / "evil.pt"
    torch.save(
        {"state_dict": {"w": torch.ones(2)}, "extra": Canary(canary)},
        path,
        _use_new_zipfile_serialization=zipped,
    )
    with pytest.raises(ModelError, match="refused") as caught:
        load_weights(path)
    assert not canary.exists()
    assert "mkdir" in str(caught.value)
    assert "state_dict()" in str(caught.value)


def test_distributed_metadata_with_code_is_refused_and_never_run(tmp_path: Path) -> None:
    canary = tmp_path / "executed"
    folder = tmp_path / "dcp"
    folder.mkdir()
    (folder / ".metadata").write_bytes(pickle.dumps(Canary(canary)))
    with pytest.raises(ModelError, match=r"refused.*mkdir"):
        load_weights(folder)
    assert not canary.exists()


def test_a_pickled_model_is_refused(tmp_path: Path, model: TinyTransformer) -> None:
    path = tmp_path / "whole.pt"
    torch.save(model, path)
    with pytest.raises(ModelError, match=r"refused.*TinyTransformer"):
        load_weights(path)


def test_torchscript_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "script.pt"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.jit.save(torch.jit.trace(torch.nn.Linear(2, 2), torch.ones(1, 2)), path)
    with pytest.raises(ModelError, match="TorchScript"):
        load_weights(path)


@pytest.mark.parametrize("ending", [".pt", ".safetensors"])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
def test_a_file_cut_short_is_a_sentence(
    tmp_path: Path, model: TinyTransformer, ending: str, share: float
) -> None:
    path = tmp_path / f"weights{ending}"
    if ending == ".pt":
        torch.save(model.state_dict(), path)
    else:
        write_safetensors(path, model.state_dict())
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(ModelError, match=str(path)):
        load_weights(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"hello, this is no checkpoint", "not a checkpoint"),
        (b"PK\x03\x04 not really a zip", "cut short or damaged"),
        (b"\x80\x02garbage", "damaged"),
        (struct.pack("<Q", 4) + b"{,,}", "header is damaged"),
        (struct.pack("<Q", 2) + b"{}", "no tensors"),
    ],
)
def test_what_is_no_checkpoint_is_said(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "thing.pt"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=said):
        load_weights(path)


@pytest.mark.parametrize(
    "entry",
    [
        {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 8]},
        {"dtype": "F32", "shape": [1 << 40], "data_offsets": [0, 1 << 42]},
        {"dtype": "F32", "shape": [-1], "data_offsets": [0, -4]},
        {"dtype": "F999", "shape": [1], "data_offsets": [0, 4]},
        {"shape": [1]},
        [],
    ],
)
def test_safetensors_that_contradict_themselves(tmp_path: Path, entry: Any) -> None:
    path = tmp_path / "bad.safetensors"
    text = json.dumps({"w": entry}).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + bytes(16))
    with pytest.raises(ModelError, match="'w'"):
        load_weights(path)


def test_missing_file_and_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="No such file"):
        sniff(tmp_path / "absent.pt")
    with pytest.raises(ModelError, match="without weights"):
        sniff(tmp_path)


def test_a_list_of_tensors_is_no_state_dict(tmp_path: Path) -> None:
    path = tmp_path / "list.pt"
    torch.save([torch.ones(2)], path)
    with pytest.raises(ModelError, match="holds a list"):
        load_weights(path)
