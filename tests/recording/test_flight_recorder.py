"""The fault that falls between two recorded steps."""

from __future__ import annotations

import copy

import h5py
import numpy as np
import pytest
import torch
from nothing_left import assert_nothing_left
from recording_models import WIDTH, LanguageModel, Written, matmul_functional
from torch import nn

from attn_debugger import record
from attn_debugger.errors import RecordError
from attn_debugger.recording import flight_capture
from attn_debugger.recording.flight import LossWatch
from attn_debugger.recording.suspects import highest_loss, nonfinite_sample

BAD_STEP = 13


class Noisy(nn.Module):
    """Attention with dropout and running statistics: a second run must not count twice."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = Written(matmul_functional, dropout=0.2)
        self.norm = nn.BatchNorm1d(WIDTH)
        self.table = nn.Parameter(torch.randn(6, WIDTH))

    def forward(self, x):
        return self.attention(x) + self.norm(self.table)


def batch(step: int) -> torch.Tensor:
    x = torch.randn(3, 6, WIDTH, generator=torch.Generator().manual_seed(step))
    if step == BAD_STEP:
        x[2, 1, 0] = torch.inf
    return x


def train(model: nn.Module, recorder=None, steps: int = BAD_STEP + 3, late: bool = False):
    optimizer = torch.optim.SGD(model.parameters(), 1e-3)
    for step in range(steps):
        if recorder is None:
            loss = model(batch(step)).square().mean()
        else:
            with recorder.step(step):
                loss = model(batch(step)).square().mean()
            if not late:
                recorder.log(loss=loss)
        optimizer.zero_grad()
        loss.backward()
        if torch.isfinite(loss):
            optimizer.step()
        elif late:
            with torch.no_grad():
                next(model.parameters()).mul_(1.0)
        if recorder is not None and late:
            recorder.log(loss=loss)


def read(path):
    with h5py.File(path) as file:
        frames = len(file["steps"])
        return (
            file["steps"][:].tolist(),
            [s.decode() for s in file["stream"][:frames]],
            [row["text"].decode() for row in file["events"]],
            file["layers/0/weights"][:],
        )


def test_the_bad_forward_is_run_again_exactly_and_leaves_no_trace(tmp_path) -> None:
    plain = Noisy()
    seen = copy.deepcopy(plain)
    torch.manual_seed(3)
    train(plain)
    state = torch.get_rng_state()
    torch.manual_seed(3)
    path = tmp_path / "run.h5"
    with record(seen, path, every=1000, flight="rerun", dtype="float32") as recorder:
        train(seen, recorder)
    assert torch.equal(state, torch.get_rng_state())
    pairs = zip(plain.state_dict().items(), seen.state_dict().items(), strict=True)
    for (name, a), (_, b) in pairs:
        torch.testing.assert_close(a, b, atol=0, rtol=0, equal_nan=True, msg=name)
    steps, streams, events, weights = read(path)
    assert steps == [0, BAD_STEP]
    assert streams == ["train", "flight"]
    assert any("sample 2" in text and "run again" in text for text in events)
    # What was stored is sample 2, with the dropout and parameters of that very step.
    assert np.isnan(weights[1, 0]).any()
    assert_nothing_left()


def test_a_late_log_is_said(tmp_path) -> None:
    path = tmp_path / "run.h5"
    with record(Noisy(), path, every=1000, flight="rerun") as recorder:
        train(recorder._engine._model, recorder, late=True)
    assert any("had already been updated" in text for text in read(path)[2])


def test_the_ring_holds_the_steps_before_the_break(tmp_path) -> None:
    path = tmp_path / "run.h5"
    model = Noisy()
    with record(model, path, every=1000, flight="capture") as recorder:
        train(model, recorder, steps=BAD_STEP)
        assert 0 < recorder.memory()["ring"] < 10**6
        train_on = [BAD_STEP, BAD_STEP + 1, BAD_STEP + 2, BAD_STEP + 3, BAD_STEP + 4]
        for step in train_on:
            with recorder.step(step):
                loss = model(batch(step)).square().mean()
            recorder.log(loss=loss)
    steps, streams, events, weights = read(path)
    assert steps == [0, *range(BAD_STEP - 7, BAD_STEP + 4)]
    # What broke is sample 2, and sample 0 of the training steps is another item.
    assert [step for step, stream in zip(steps, streams, strict=True) if stream == "flight"] == [
        BAD_STEP
    ]
    assert np.isnan(weights[steps.index(BAD_STEP), 0]).any()
    assert np.isfinite(weights[steps.index(BAD_STEP + 1), 0]).all()
    assert any("ms of every step" in text for text in events)
    assert any("sample 2" in text and "non-finite" in text for text in events)


@pytest.mark.parametrize("due", [True, False])
def test_the_ring_stores_the_sample_with_the_highest_loss(due, tmp_path) -> None:
    path, model = tmp_path / "run.h5", LossOnly(per_sample=True)
    spike = batch(40)
    spike[1] += 3
    every = 20 if due else 1000
    with record(model, path, every=every, flight="capture", dtype="float32") as recorder:
        for step in range(41):
            x = spike if step == 40 else batch(step) * 0.01 if step != BAD_STEP else batch(1) * 0.01
            with recorder.step(step, tokens=[["a", "b", "c", "d", "e", "f"]] * 3):
                losses = model(x)
            recorder.log(loss=losses.mean(), sample_losses=losses)
    steps, streams, events, weights = read(path)
    at = [s == 40 and stream == "flight" for s, stream in zip(steps, streams, strict=True)]
    assert sum(at) == 1
    assert ((40, "train") in zip(steps, streams, strict=True)) is due
    assert any("sample 1" in text and "highest loss" in text for text in events)
    model.attention(spike)
    stored = weights[at.index(True), 0]
    assert stored == pytest.approx(model.attention.truth[1].numpy(), abs=1e-6)
    with h5py.File(path) as file:
        assert file["tokens"][at.index(True), 0, 5] in (b"f", "f")


def test_the_items_held_for_the_ring_are_bounded(tmp_path, monkeypatch) -> None:
    path, model = tmp_path / "run.h5", LossOnly(per_sample=True)
    with record(model, path, every=1000, flight="capture", dtype="float32") as recorder:
        with recorder.step(0):
            model(batch(0))
        one = recorder.memory()["ring"]
        monkeypatch.setattr(flight_capture, "RING_BYTES", 4 * one + 2)
        for step in range(1, 40):
            with recorder.step(step):
                losses = model(batch(step))
            if step > 2:
                assert recorder.memory()["ring"] <= 8 * one + 2 * one
                assert len(recorder._engine.flight.samples) == 2
        losses = torch.tensor([0.0, 0.0, torch.nan])
        recorder.log(loss=losses.mean(), sample_losses=losses)
    steps, streams, events, _ = read(path)
    assert steps == [0, *range(32, 40)]
    assert set(streams) == {"train"}
    assert any("sample 2" in text and "only 2 of them fit" in text for text in events)


@pytest.mark.parametrize("kind", ["rerun", "capture"])
def test_validation_steps_are_none_of_the_flight_recorders(kind, tmp_path) -> None:
    path, model = tmp_path / "run.h5", Noisy()
    with record(model, path, every=1000, flight=kind) as recorder:
        for step in range(1, 6):
            with recorder.step(step, tokens=[["a", "b", "c", "d", "e", "f"]] * 3):
                model(batch(step))
            with recorder.step(100 + step, stream="val"), torch.no_grad():
                model(batch(step))
        recorder.trigger("looked odd")
    steps, _, _, _ = read(path)
    assert steps == ([5] if kind == "rerun" else [1, 2, 3, 4, 5])
    with h5py.File(path) as file:
        assert file["tokens"][0, 0, 5] in (b"f", "f")


def test_trigger_records_the_next_step_and_rerun_the_last(tmp_path) -> None:
    path, model = tmp_path / "run.h5", Noisy()
    with record(model, path, every=1000, flight="rerun") as recorder:
        for step in range(4):
            with recorder.step(step):
                model(batch(step))
            if step == 1:
                assert recorder.rerun()
        recorder.trigger("looked odd")
        with recorder.step(4):
            model(batch(4))
    steps, streams, events, _ = read(path)
    assert list(zip(steps, streams, strict=True)) == [
        (0, "train"),
        (1, "flight"),
        (3, "flight"),
        (4, "train"),
    ]
    assert any("looked odd" in text for text in events)


def test_rerun_without_a_flight_recorder_is_refused_in_words(tmp_path) -> None:
    path = tmp_path / "run.h5"
    with record(Noisy(), path) as recorder:
        assert recorder.rerun() is False


def test_a_spike_is_told_from_noise_and_from_a_falling_loss() -> None:
    watch = LossWatch()
    noise = np.random.default_rng(0).normal(0, 0.02, 100)
    quiet = [watch.breaks(3 * 0.99**i + noise[i]) for i in range(100)]
    assert not any(quiet)
    assert "jumped" in watch.breaks(4.0)
    assert watch.breaks(4.5) is None  # said once
    assert "nan" in (LossWatch().breaks(float("nan")) or "")


def test_the_worst_sample_is_the_one_with_values_that_are_not_finite() -> None:
    out = torch.zeros(4, 3, 2)
    assert nonfinite_sample(out, 4) is None
    out[2, 1, 0] = torch.nan
    assert nonfinite_sample({"logits": out}, 4) == 2
    assert nonfinite_sample(out, 7) is None


def test_losses_of_samples_are_told_by_name_by_their_mean_or_by_hand() -> None:
    row = torch.tensor([1.0, 2.0, 9.0, 4.0])
    assert highest_loss(row, 4, 4.0, None).sample == 2  # its mean is the loss that was logged
    assert highest_loss(row, 4, 16.0, None).sample == 2  # its sum
    assert highest_loss(row, 4, 7.0, None) is None  # predictions, perhaps
    assert highest_loss({"losses": row, "logits": -row}, 4, None, None).sample == 2
    assert highest_loss(None, 4, None, -row).sample == 0
    broken = highest_loss(None, 4, None, torch.tensor([1.0, torch.nan, 2.0, 3.0]))
    assert (broken.sample, broken.finite) == (1, False)


class LossOnly(nn.Module):
    """Returns nothing but the loss, after a normalisation that spreads NaN over the batch."""

    def __init__(self, per_sample: bool) -> None:
        super().__init__()
        self.attention = Written(matmul_functional, dropout=0.0)
        self.norm = nn.BatchNorm1d(WIDTH)
        self.per_sample = per_sample

    def forward(self, x):
        mixed = self.norm(self.attention(x).mean(1))
        losses = mixed.square().mean(1) + 1e3 * x.mean((1, 2)).relu()
        return losses if self.per_sample else losses.mean()


def test_the_sample_is_found_where_values_first_are_not_finite(tmp_path) -> None:
    path, model = tmp_path / "run.h5", LossOnly(per_sample=False)
    with record(model, path, every=1000, flight="rerun") as recorder:
        for step in (BAD_STEP - 1, BAD_STEP):
            with recorder.step(step):
                loss = model(batch(step))
            recorder.log(loss=loss)
    _, streams, events, weights = read(path)
    assert streams == ["flight"]
    assert any("sample 2" in text and "attention." in text for text in events)
    assert np.isnan(weights[0, 0]).any()


@pytest.mark.parametrize("told", ["returned", "by hand"])
def test_a_finite_spike_stores_the_sample_with_the_highest_loss(told, tmp_path) -> None:
    path, model = tmp_path / "run.h5", LossOnly(per_sample=True)
    spike = batch(40)
    spike[1] += 3
    with record(model, path, every=1000, flight="rerun", dtype="float32") as recorder:
        for step in range(20, 41):
            x = spike if step == 40 else batch(step) * 0.01
            with recorder.step(step):
                losses = model(x)
            if told == "returned":
                recorder.log(loss=losses.mean())
            else:
                recorder.log(loss=losses.mean(), sample_losses=losses)
    steps, streams, events, weights = read(path)
    assert (steps, streams) == ([40], ["flight"])
    assert any("sample 1" in text and "highest loss" in text for text in events)
    model.attention(spike)
    assert weights[0, 0] == pytest.approx(model.attention.truth[1].numpy(), abs=1e-6)


@pytest.mark.filterwarnings("ignore")
def test_capturing_every_step_of_a_compiled_model_must_be_asked_for_twice(tmp_path) -> None:
    model = torch.compile(LanguageModel(), backend="eager")
    with pytest.raises(RecordError, match="compiled='eager'"):
        record(model, tmp_path / "run.h5", flight="capture")
    record(model, tmp_path / "run.h5", flight="capture", compiled="eager").close()


@pytest.mark.parametrize("kind", ["rerun", "capture"])
def test_the_overflow_of_the_demo_run_is_caught_between_recorded_steps(kind, tmp_path) -> None:
    """Scores grow until float16 overflows at a step nobody knew beforehand."""
    from attn_debugger.demo import recipes, training

    recipe = recipes.RECIPES["overflow-nan"]
    path = tmp_path / "run.h5"
    torch.manual_seed(recipe.seed)
    generator = torch.Generator().manual_seed(recipe.seed)
    task = recipe.task()
    model = training.TinyTransformer(recipe.design)
    optimizer = torch.optim.AdamW(model.parameters(), recipe.learning_rate)
    with record(model, path, every=10**6, scores=True, flight=kind) as recorder:
        for step in range(recipe.steps):
            batch = task.batch(recipe.batch_size, generator)
            with recorder.step(step):
                loss = training._loss(model, batch, recipe)
            recorder.log(loss=loss)
            if not torch.isfinite(loss):
                break
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    assert not torch.isfinite(loss)
    steps, streams, _, _ = read(path)
    assert step in steps
    if kind == "rerun":
        assert streams[steps.index(step)] == "flight"
    else:
        assert steps[1:] == list(range(step - 7, step + 1))
    with h5py.File(path) as file:
        layers = [file[f"layers/{i}"] for i in range(len(file["layers"]))]
        row = steps.index(step)
        bad = [
            layer["stats/score_posinf"][row].sum() + layer["stats/score_nan"][row].sum()
            for layer in layers
        ]
    assert sum(bad) > 0
