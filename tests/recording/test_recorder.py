"""The recorder as a training loop uses it: what stands in the archive, and that it does no harm."""

from __future__ import annotations

import copy
import logging
import pickle

import h5py
import numpy as np
import pytest
import torch
from bit_equality import Trainable, what_differs
from nothing_left import assert_nothing_left
from recording_models import (
    EncoderModel,
    HalfPrecision,
    LanguageModel,
    loss_of,
    merged_bmm,
    operator_method,
    sdpa,
)
from torch import nn

from attn_debugger import record
from attn_debugger.errors import RecordError


def batches(n: int, seed: int = 0) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return [torch.randint(1, 50, (3, 10), generator=generator) for _ in range(n)]


def train(model, recorder=None, steps: int = 6, **options):
    optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
    losses = []
    for step, batch in enumerate(batches(steps)):
        if recorder is None:
            loss = loss_of(model, batch)
        else:
            with recorder.step(step, **options):
                loss = loss_of(model, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        if recorder is not None:
            recorder.log(loss=loss, lr=1e-2)
    return losses, optimizer


def text(value) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def events(path) -> list[tuple[int, str, str]]:
    with h5py.File(path) as file:
        return [(int(r["step"]), text(r["kind"]), text(r["text"])) for r in file["events"]]


def test_the_archive_holds_what_was_trained(tmp_path) -> None:
    path = tmp_path / "run.h5"
    model = LanguageModel()
    with record(model, path, every=2, samples=2, scores=True, qk=True) as recorder:
        losses, _ = train(model, recorder)
        recorder.saved(4, tmp_path / "ckpt.pt")
    with h5py.File(path) as file:
        assert text(file.attrs["format"]) == "attn-debugger"
        assert file["steps"][:].tolist() == [0, 2, 4]
        assert sorted(file["layers"]) == ["0", "1"]
        layer = file["layers/1"]
        assert text(layer.attrs["name"]) == "layers.1"
        assert layer["weights"].shape == (3, 2, 4, 10, 10)
        assert np.allclose(layer["weights"][:].sum(-1), 1, atol=2e-3)
        assert layer["scores"].shape == (3, 2, 4, 10, 10)
        assert layer["q"].shape == layer["k"].shape == (3, 2, 4, 10, 8)
        assert layer["stats/entropy_mean"][:3].shape == (3, 2, 4)
        assert np.isfinite(layer["output/abs_max"][:3]).all()
        assert layer["captures"][:3].tolist() == [1, 1, 1]
        assert np.array_equal(file["token_ids"][0], batches(1)[0][:2].numpy())
        logged = np.array([float(loss) for loss in losses])
        assert np.array_equal(file["curves/loss"][:, 1], logged)
        assert np.allclose(file["scalars/loss"][:3], logged[::2])
        assert [text(row["path"]) for row in file["checkpoints"]] == ["ckpt.pt"]
        assert file.attrs["vocab_size"] == 50


MODELS = {
    "written": lambda: LanguageModel(operator_method),
    "kernel": lambda: LanguageModel(sdpa),
    "merged heads": lambda: LanguageModel(merged_bmm),
    "torch's encoder": EncoderModel,
    "autocast": lambda: HalfPrecision(sdpa),
}


@pytest.mark.parametrize("name", MODELS)
def test_fifty_steps_with_a_probe_are_bit_equal_with_and_without(name, tmp_path) -> None:
    trained = Trainable(
        MODELS[name],
        lambda model, step: model(batches(1, seed=step)[0]),
        {"probe": record.Probe(batches(1)[0])},
    )
    assert what_differs(trained, tmp_path / "run.h5") == []


def test_a_step_not_due_installs_nothing(tmp_path) -> None:
    model = LanguageModel()
    with record(model, tmp_path / "run.h5", every=lambda step: step == 1) as recorder:
        with recorder.step(0):
            assert_nothing_left()
        with recorder.step(1), pytest.raises(AssertionError):
            assert_nothing_left()
        assert not model._forward_pre_hooks


def test_the_probe_is_its_own_stream_in_evaluation_and_restores_the_modes(tmp_path) -> None:
    model = LanguageModel()
    model.layers[1].eval()
    probe = record.Probe(batches(1)[0])
    path = tmp_path / "run.h5"
    with record(model, path, every=1, probe=probe) as recorder:
        train(model, recorder, steps=3)
    assert model.training
    assert model.layers[0].drop.training
    assert not model.layers[1].drop.training
    with h5py.File(path) as file:
        assert [text(s) for s in file["stream"][:6]] == ["probe", "train"] * 3
        assert file["steps"][:].tolist() == [0, 0, 1, 1, 2, 2]
        assert bool(file.attrs["probe_fixed"])


def test_a_probe_that_fails_leaves_training_and_its_record_alone(tmp_path) -> None:
    model = LanguageModel()
    probe = record.Probe(batches(1)[0], call=lambda model, batch: model(batch.float()))
    path = tmp_path / "run.h5"
    with record(model, path, every=1, probe=probe) as recorder:
        train(model, recorder, steps=2)
    with h5py.File(path) as file:
        assert [text(s) for s in file["stream"][:2]] == ["train"] * 2
        assert "crash" not in file
    assert any(kind == "probe" for _, kind, _ in events(path))


def test_streams_tokens_and_padding_given_by_hand(tmp_path) -> None:
    model, path = LanguageModel(), tmp_path / "run.h5"
    batch = batches(1)[0]
    batch[:, 7:] = 0
    words = [[f"w{int(i)}" for i in row] for row in batch]
    with (
        record(model, path, every=1, samples=[0, 2]) as recorder,
        recorder.step(0, tokens=words, key_padding=batch == 0, stream="val"),
    ):
        model(batch)
    with h5py.File(path) as file:
        assert text(file["stream"][0]) == "val"
        assert [text(t) for t in file["tokens"][0, 1]] == words[2]
        assert np.array_equal(file["key_padding"][0], (batch == 0)[[0, 2]].numpy())


def test_padding_is_read_from_the_embedding_when_nobody_tells(tmp_path) -> None:
    model, path = LanguageModel(), tmp_path / "run.h5"
    batch = batches(1)[0]
    batch[:, 7:] = 0
    with record(model, path, every=1) as recorder, recorder.step(0):
        model(batch)
    with h5py.File(path) as file:
        assert np.array_equal(file["key_padding"][0, 0], (batch[0] == 0).numpy())


def test_an_argument_that_looks_inverted_is_said_and_turned(tmp_path) -> None:
    model, path = LanguageModel(), tmp_path / "run.h5"
    batch = batches(1)[0]
    batch[:, 7:] = 0
    recorder = record(model, path, every=1)
    with recorder.step(0, attention_mask=batch == 0):
        model(batch)
    recorder.close()
    with h5py.File(path) as file:
        assert np.array_equal(file["key_padding"][0, 0], (batch[0] == 0).numpy())
    assert any("looks inverted" in message for _, _, message in events(path))


def test_the_forward_that_raises_passes_through_and_is_kept(tmp_path) -> None:
    model, path = LanguageModel(), tmp_path / "run.h5"
    recorder = record(model, path, every=1)
    model.layers[1].o = nn.Linear(5, 5)
    with pytest.raises(RuntimeError, match="cannot be multiplied"), recorder.step(0):
        model(batches(1)[0])
    assert_nothing_left()
    train(LanguageModel(), None, steps=1)
    recorder.close()
    with h5py.File(path) as file:
        assert "shapes cannot be multiplied" in text(file["crash"].attrs["message"])


def interrupt(*_):
    raise KeyboardInterrupt


def test_keyboard_interrupt_passes_through_and_leaves_nothing(tmp_path) -> None:
    model = LanguageModel()
    recorder = record(model, tmp_path / "run.h5", every=1)
    model.head.register_forward_hook(interrupt)
    with pytest.raises(KeyboardInterrupt), recorder.step(0):
        model(batches(1)[0])
    assert_nothing_left()
    recorder.close()


def test_a_model_without_attention_is_said_once(tmp_path, caplog) -> None:
    model = nn.Sequential(nn.Embedding(50, 8), nn.Linear(8, 50))
    path = tmp_path / "run.h5"
    with caplog.at_level(logging.WARNING), record(model, path, every=1) as recorder:
        for step in range(3):
            with recorder.step(step):
                model(batches(1)[0])
    said = [r for r in caplog.records if "no attention was seen" in r.getMessage()]
    assert len(said) >= 1
    assert any("no attention was seen" in message for _, _, message in events(path))


def test_shapes_that_change_every_step_and_a_small_last_batch(tmp_path) -> None:
    model, path = LanguageModel(), tmp_path / "run.h5"
    with record(model, path, every=1, samples=3) as recorder:
        for step, (size, length) in enumerate([(3, 10), (3, 4), (1, 12), (2, 7)]):
            with recorder.step(step):
                model(torch.randint(1, 50, (size, length)))
    with h5py.File(path) as file:
        lengths = file["layers/0/lengths"][:4]
        assert lengths[0].tolist() == [[10, 10]] * 3
        assert lengths[2].tolist() == [[12, 12], [0, 0], [0, 0]]
        assert np.allclose(file["layers/0/weights"][3, 1, :, :7, :7].sum(-1), 1, atol=2e-3)


def test_the_model_may_be_copied_and_pickled_while_recording(tmp_path) -> None:
    model = LanguageModel()
    with record(model, tmp_path / "run.h5", every=1) as recorder, recorder.step(0):
        model(batches(1)[0])
        twin = copy.deepcopy(model)
        again = pickle.loads(pickle.dumps(model))
    for other in (twin, again):
        with torch.no_grad():
            assert other.eval()(batches(1)[0]).shape == (3, 10, 50)
    assert not model._forward_pre_hooks


def test_anything_may_be_logged_and_what_is_no_number_is_said(tmp_path) -> None:
    path = tmp_path / "run.h5"
    with record(LanguageModel(), path, every=1) as recorder:
        recorder.log(loss=torch.tensor([2.5]), lr=1, text="high", many=torch.ones(3))
        recorder.log(step=7, loss=np.float32(3.0), flag=True)
    with h5py.File(path) as file:
        assert file["curves/loss"][:].tolist() == [[0, 2.5], [7, 3.0]]
        assert "text" not in file["curves"]
    assert any(kind == "log" for _, kind, _ in events(path))


def test_after_close_everything_is_silent(tmp_path) -> None:
    model = LanguageModel()
    recorder = record(model, tmp_path / "run.h5", every=1)
    recorder.close()
    recorder.close()
    with recorder.step(0):
        model(batches(1)[0])
    recorder.log(loss=1.0)
    recorder.saved(0, "x.pt")
    recorder.flush()


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"every": 0}, "every"),
        ({"samples": []}, "samples"),
        ({"samples": [-1]}, "samples"),
        ({"dtype": "float8"}, "float16"),
        ({"compression": "zip"}, "lzf"),
        ({"layers": "("}, "regular expression"),
        ({"mode": "w"}, "append"),
        ({"evry": 1}, "options are"),
        ({"probe": torch.ones(1)}, "Probe"),
        ({"decode": 5}, "function"),
        ({"attributes": 3}, "mapping"),
    ],
    ids=str,
)
def test_wrong_arguments_are_refused_at_construction(tmp_path, options, names) -> None:
    with pytest.raises(RecordError, match=names):
        record(LanguageModel(), tmp_path / "run.h5", **options)


def test_wrong_places_are_refused_at_construction(tmp_path) -> None:
    with pytest.raises(RecordError, match="does not exist"):
        record(LanguageModel(), tmp_path / "no" / "run.h5")
    with pytest.raises(RecordError, match="is a folder"):
        record(LanguageModel(), tmp_path)
    with pytest.raises(RecordError, match=r"torch\.nn\.Module"):
        record("model", tmp_path / "run.h5")
