"""Recording from the real trainers of other libraries."""

from __future__ import annotations

import pytest
import torch
from hf_models import FAMILIES
from nothing_left import assert_nothing_left
from recording_models import LanguageModel, loss_of
from torch.overrides import _len_torch_function_stack

from attn_debugger import record
from attn_debugger.archive.reader import Archive
from attn_debugger.errors import RecordError

pytestmark = pytest.mark.filterwarnings("ignore")


class Rows(torch.utils.data.Dataset):
    def __len__(self) -> int:
        return 12

    def __getitem__(self, index):
        ids = torch.randint(3, 60, (10,), generator=torch.Generator().manual_seed(index))
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": ids}


class Tokenizer:
    def convert_ids_to_tokens(self, ids):
        return [f"<{i}>" for i in ids]

    def save_pretrained(self, folder) -> None:
        pass


def hugging_face_trainer(folder, callback, **changes):
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("accelerate")
    family = FAMILIES["GPT-2"]
    config = transformers.GPT2Config(**family.sizes)
    model = transformers.GPT2LMHeadModel(config)
    arguments = transformers.TrainingArguments(
        output_dir=str(folder / "out"),
        per_device_train_batch_size=2,
        max_steps=4,
        logging_steps=1,
        save_steps=4,
        report_to=[],
        use_cpu=True,
        disable_tqdm=True,
        **changes,
    )
    trainer = transformers.Trainer(
        model=model, args=arguments, train_dataset=Rows(), callbacks=[callback]
    )
    trainer.callback_handler.processing_class = Tokenizer()
    return trainer


def test_the_hugging_face_trainer(tmp_path) -> None:
    pytest.importorskip("transformers")
    callback = record.hugging_face(tmp_path / "run.h5", every=2)
    hugging_face_trainer(tmp_path, callback).train()
    assert_nothing_left()
    with Archive(tmp_path / "run.h5") as archive:
        assert archive.run.steps.tolist() == [0, 2]
        assert len(archive.run.curves["loss"]) >= 4
        assert "lr" in archive.run.curves
        assert archive.layer(0, 0).tokens[0].startswith("<")
        assert [c.step for c in archive.run.checkpoints] == [4]
        assert archive.run.layers[0].facts.causal


def test_accumulation_in_the_trainer_is_one_frame_a_step(tmp_path) -> None:
    pytest.importorskip("transformers")
    callback = record.hugging_face(tmp_path / "run.h5", every=1)
    hugging_face_trainer(tmp_path, callback, gradient_accumulation_steps=2).train()
    with Archive(tmp_path / "run.h5") as archive:
        assert archive.run.steps.tolist() == [0, 1, 2, 3]


def test_an_exception_in_the_trainers_forward_passes_and_silences_the_session(tmp_path) -> None:
    pytest.importorskip("transformers")
    callback = record.hugging_face(tmp_path / "run.h5", every=1)
    trainer = hugging_face_trainer(tmp_path, callback)
    trainer.model.lm_head = torch.nn.Linear(3, 3)
    with pytest.raises(RuntimeError, match="cannot be multiplied"):
        trainer.train()
    assert _len_torch_function_stack() == 0
    callback.on_train_end(None, None, None)
    assert_nothing_left()
    import h5py

    with h5py.File(tmp_path / "run.h5") as file:
        assert b"cannot be multiplied" in file["crash"].attrs["message"]


def test_lightning(tmp_path) -> None:
    pl = pytest.importorskip("pytorch_lightning")

    class Module(pl.LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.model = LanguageModel()

        def training_step(self, batch, index):
            return loss_of(self.model, batch)

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), 0.1)

    data = torch.utils.data.DataLoader(torch.randint(1, 50, (12, 10)), batch_size=2)
    trainer = pl.Trainer(
        max_steps=4,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        default_root_dir=tmp_path,
        callbacks=[record.lightning(tmp_path / "run.h5", every=2)],
    )
    trainer.fit(Module(), data)
    assert_nothing_left()
    with Archive(tmp_path / "run.h5") as archive:
        assert archive.run.steps.tolist() == [0, 2]
        assert [layer.name for layer in archive.run.layers] == ["model.layers.0", "model.layers.1"]
        assert len(archive.run.curves["loss"]) == 4


def test_a_plain_loop_under_accelerate(tmp_path) -> None:
    accelerate = pytest.importorskip("accelerate")
    accelerator = accelerate.Accelerator(cpu=True)
    model = LanguageModel()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    model, optimizer = accelerator.prepare(model, optimizer)
    with record(model, tmp_path / "run.h5", every=2) as recorder:
        for step in range(4):
            with recorder.step(step):
                loss = loss_of(model, torch.randint(1, 50, (2, 10)))
            accelerator.backward(loss)
            optimizer.step()
            recorder.log(loss=loss)
    with Archive(tmp_path / "run.h5") as archive:
        assert archive.run.steps.tolist() == [0, 2]


def test_wrong_options_are_refused_when_the_callback_is_made(tmp_path) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(RecordError, match="options are"):
        record.hugging_face(tmp_path / "run.h5", evry=2)
