"""A stream that evaluates has a mode of its own, and dropout in it is a fault."""

from __future__ import annotations

import pytest
import torch
from recording_models import EncoderModel, LanguageModel, operator_method, sdpa
from torch import nn

from attn_debugger import record
from attn_debugger.analysis.examination import Examination
from attn_debugger.archive.reader import Archive
from attn_debugger.recording.capture.modes import ForwardMode, forward_mode

IDS = torch.randint(1, 50, (2, 9), generator=torch.Generator().manual_seed(1))
MODELS = {
    "written": lambda: LanguageModel(operator_method),
    "sdpa": lambda: LanguageModel(sdpa),
    "torch": EncoderModel,
}


def examined(path):
    """The run, and the flags of `eval_with_dropout`."""
    with Archive(path) as archive:
        examination = Examination(archive.run)
        for index in range(archive.run.n_frames):
            for frame in archive.scan(index):
                examination.observe(frame)
        diagnosis = examination.diagnosis()
    flags = [flag for flag in diagnosis.flags if flag.signal == "eval_with_dropout"]
    return archive.run, flags


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("forgotten", [True, False])
def test_validation_in_training_mode_is_flagged_and_in_evaluation_mode_is_not(
    name, forgotten, tmp_path
) -> None:
    model, path = MODELS[name](), tmp_path / "run.h5"
    with record(model, path, every=1) as recorder:
        for step in range(3):
            model.train()
            with recorder.step(step):
                model(IDS)
            model.train(forgotten)
            with recorder.step(step, stream="val"), torch.no_grad():
                model(IDS)
    run, flags = examined(path)
    assert run.streams == ("train", "val") * 3
    assert run.scalars["training"][1::2].tolist() == [float(forgotten)] * 3
    assert run.scalars["active_dropout"][1::2] == pytest.approx([0.1 * forgotten] * 3)
    assert bool(flags) is forgotten
    if forgotten:
        assert flags[0].value == pytest.approx(0.1)


def test_the_probe_runs_without_dropout_in_a_model_that_trains(tmp_path) -> None:
    path = tmp_path / "run.h5"
    model = EncoderModel().train()
    with record(model, path, every=1, probe=record.Probe(IDS)) as recorder, recorder.step(0):
        model(IDS)
    run, flags = examined(path)
    assert "probe" in run.streams
    assert flags == []
    probe = run.streams.index("probe")
    assert run.scalars["training"][probe] == 0
    assert run.scalars["active_dropout"][probe] == 0


def test_a_part_left_in_training_mode_counts() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.3)).eval()
    assert forward_mode(model) == ForwardMode(training=False, dropout=0.0)
    model[1].train()
    assert forward_mode(model) == ForwardMode(training=True, dropout=0.3)
    attention = nn.MultiheadAttention(4, 2, dropout=0.2)
    assert forward_mode(attention) == ForwardMode(training=True, dropout=0.2)
    assert forward_mode(attention.eval()) == ForwardMode(training=False, dropout=0.0)
