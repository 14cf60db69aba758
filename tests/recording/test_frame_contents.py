"""What a frame holds beside the maps: the batch's hash, pictures, gradient norms on request."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
import torch
from recording_models import WIDTH, LanguageModel, Written, loss_of, matmul_functional
from torch import nn

from attn_debugger import record
from attn_debugger.archive.reader import Archive
from attn_debugger.core.heads import HeadRef
from attn_debugger.errors import RecordError
from attn_debugger.recording.batch_hash import batch_extract, batch_hash
from attn_debugger.recording.optimizer import _QUERY_KEY
from attn_debugger.recording.pictures import picture_rows

IDS = torch.randint(1, 50, (3, 10), generator=torch.Generator().manual_seed(1))


class Patches(nn.Module):
    """A vision model in small: 4 x 4 patches, one layer of attention."""

    def __init__(self) -> None:
        super().__init__()
        self.cut = nn.Conv2d(3, WIDTH, 4, 4)
        self.attention = Written(matmul_functional)

    def forward(self, pixel_values):
        return self.attention(self.cut(pixel_values).flatten(2).mT)


def test_frames_of_the_same_batch_have_the_same_hash(tmp_path) -> None:
    path, other = tmp_path / "run.h5", IDS.clone()
    other[2, 9] += 1
    with record(LanguageModel(), path, every=1) as recorder:
        for step, batch in enumerate((IDS, other, IDS.clone())):
            with recorder.step(step):
                recorder._engine._model(batch)
    with h5py.File(path) as file:
        first, second, third = file["batch_hash"][:3].tolist()
    assert first == third
    assert first != second


def test_the_hash_covers_every_argument_its_shape_and_its_type() -> None:
    def code(*values):
        return batch_hash(batch_extract(values))

    x = torch.randn(4, 6)
    assert code(x) == code(x.clone())
    assert code(x) != code(x.view(6, 4), x)
    assert code({"a": x, "b": [x + 1]}) != code({"a": x, "b": [x + 2]})
    assert code(x.to(torch.bfloat16)) == code(x.to(torch.bfloat16).clone())
    assert code(torch.zeros(0)) is not None
    assert code("text", None) is None


def test_pictures_are_stored_on_request_as_given_or_as_the_model_was_called(tmp_path) -> None:
    pictures = torch.rand(3, 3, 8, 12)
    model = Patches()
    for name, images in (("called", True), ("given", pictures.permute(0, 2, 3, 1).numpy())):
        path = tmp_path / f"{name}.h5"
        with record(model, path, every=1, samples=2) as recorder:
            with recorder.step(0, images=images):
                model(pixel_values=pictures)
            with recorder.step(1, images=images):
                model(pictures)
        with h5py.File(path) as file:
            assert file["images"].shape[1:] == (2, 8, 12, 3)
            expected = (pictures[:2].permute(0, 2, 3, 1) * 255).round().numpy()
            assert np.abs(file["images"][0].astype(float) - expected).max() <= 1
        with Archive(str(path)) as archive:
            assert archive.head(1, HeadRef(0, 0), sample=1).image.shape == (8, 12, 3)


def test_no_pictures_are_stored_unless_asked_for_and_their_absence_is_said(tmp_path) -> None:
    path, model = tmp_path / "run.h5", LanguageModel()
    with record(model, path, every=1) as recorder, recorder.step(0, images=True):
        model(IDS)
    with h5py.File(path) as file:
        assert "images" not in file
        assert len(file["steps"]) == 1
        assert any(b"images were asked for" in row["text"] for row in file["events"])


@pytest.mark.filterwarnings("ignore")
def test_pictures_of_another_size_do_not_cost_the_frame(tmp_path) -> None:
    path, model = tmp_path / "run.h5", Patches()
    with record(model, path, every=1) as recorder:
        for step, size in enumerate((8, 12, 8)):
            with recorder.step(step, images=True):
                model(torch.rand(2, 3, size, size))
    with h5py.File(path) as file:
        assert len(file["steps"]) == 3
        assert file["images"].shape[1:] == (1, 8, 8, 3)


def test_normalised_and_broken_pictures_become_colours() -> None:
    values = torch.linspace(-2, 2, 16).view(1, 1, 4, 4).clone()
    values[0, 0, 1, 1] = torch.nan
    rows = picture_rows(values, [0, 5])
    assert rows.shape == (1, 4, 4, 3)
    assert (rows[0, 0, 0, 0], rows[0, 3, 3, 0], rows[0, 1, 1, 0]) == (0, 255, 0)
    assert picture_rows(torch.full((1, 3, 2, 2), 200.0), [0]).max() == 200
    assert picture_rows(np.zeros((2, 5, 5)), [0]) is None


def test_gradient_norms_of_queries_and_keys_are_logged_on_request(tmp_path) -> None:
    path, model = tmp_path / "run.h5", LanguageModel()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    with record(model, path, every=1, optimizer=optimizer, qk_gradients=True) as recorder:
        with recorder.step(0):
            loss = loss_of(model, IDS)
        loss.backward()
        expected = float(model.layers[1].k.weight.grad.norm())
        optimizer.step()
    with Archive(str(path)) as archive:
        curves = archive.run.curves
        names = {name for name in curves if name.startswith("grad_norm ")}
        assert names == {f"grad_norm layers.{i}.{p}" for i in (0, 1) for p in "qk"}
        assert curves["grad_norm layers.1.k"][0].tolist() == pytest.approx([0, expected])
        assert "grad_norm" in curves


def test_gradient_norms_need_the_optimizer(tmp_path) -> None:
    with pytest.raises(RecordError, match="optimizer="):
        record(LanguageModel(), tmp_path / "run.h5", qk_gradients=True)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("h.0.attn.c_attn.weight", True),
        ("encoder.layer.1.attention.self.query.weight", True),
        ("layers.0.self_attn.in_proj_weight", True),
        ("layers.0.self_attn.k_proj.weight", True),
        ("layers.0.self_attn.k_proj.bias", False),
        ("layers.0.self_attn.v_proj.weight", False),
        ("layers.0.k_norm.weight", False),
        ("blocks.3.attn.qkv.weight", True),
    ],
)
def test_projections_are_known_by_their_usual_names(name, wanted) -> None:
    assert bool(_QUERY_KEY.search(name)) is wanted
