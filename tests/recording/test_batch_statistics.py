"""Statistics of the whole batch beside maps of a few of its items."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
import torch
from recording_models import (
    HEADS,
    WIDTH,
    EncoderModel,
    LanguageModel,
    Written,
    operator_method,
    sdpa,
)
from torch import nn

from attn_debugger import record
from attn_debugger.analysis.examination import Examination
from attn_debugger.archive.reader import Archive
from attn_debugger.errors import RecordError
from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.session import CaptureSession

IDS = torch.randint(1, 50, (5, 9), generator=torch.Generator().manual_seed(1))
MODELS = {
    "written": lambda: LanguageModel(operator_method),
    "kernel": lambda: LanguageModel(sdpa),
    "torch's encoder": EncoderModel,
}


def captured(model: nn.Module, samples, **options):
    with CaptureSession(model, MeasureSettings(**options), samples=samples) as session:
        model(IDS)
    assert session.problems == []
    return session.captures


@pytest.mark.parametrize("name", MODELS)
def test_they_are_those_of_all_items_together(name) -> None:
    model = MODELS[name]().eval()
    each = captured(model, range(5), qk=True)
    whole = captured(model, (1, 3), whole_batch=True, qk=True)
    assert len(each) == len(whole) == 2
    for one, all_of_it in zip(each, whole, strict=True):
        assert all_of_it.shape == (2, *one.shape[1:])
        for field in ("weights", "q", "k"):
            stored, expected = getattr(all_of_it, field), getattr(one, field)[[1, 3]]
            torch.testing.assert_close(stored, expected, msg=field)
        assert set(all_of_it.stats) == set(one.stats)
        for stat, value in all_of_it.stats.items():
            assert value.shape == (1, HEADS), stat
            items = one.stats[stat]
            if stat in ("score_max", "score_abs_max", "row_sum_max"):
                expected = items.amax(0, keepdim=True)
            elif stat in ("score_min", "row_sum_min", "entropy_min"):
                expected = items.amin(0, keepdim=True)
            elif stat.endswith(("nan", "inf", "nonfinite")):
                expected = items.sum(0, keepdim=True)
            elif stat.endswith("_mean") or stat == "masked_mass":
                expected = items.mean(0, keepdim=True)  # items of one length have the same rows
            else:
                continue
            torch.testing.assert_close(value, expected, atol=1e-5, rtol=1e-5, msg=stat)


class Broken(nn.Module):
    """Item 4 of the batch brings an infinite input; its map is not stored."""

    def __init__(self, attend) -> None:
        super().__init__()
        self.attention = Written(attend)

    def forward(self, x):
        return self.attention(x)


@pytest.mark.parametrize("attend", [operator_method, sdpa], ids=lambda f: f.__name__)
def test_a_fault_in_an_item_that_is_not_stored_is_found(attend, tmp_path) -> None:
    x = torch.randn(5, 9, WIDTH)
    x[4, 2, 0] = torch.inf
    signals = {}
    for kind in ("samples", "batch"):
        path = tmp_path / f"{kind}.h5"
        with (
            record(Broken(attend), path, every=1, samples=2, statistics=kind) as recorder,
            recorder.step(0),
        ):
            recorder._engine._model(x)
        with Archive(path) as archive:
            examination = Examination(archive.run)
            for sample in range(2):
                examination.observe(archive.layer(0, 0, sample))
            signals[kind] = {flag.signal for flag in examination.diagnosis().flags}
        with h5py.File(path) as file:
            rows = file["layers/0/stats/input_nonfinite"][:1]
            assert file["layers/0/weights"].shape == (1, 2, HEADS, 9, 9)
            assert rows.shape == ((1, 1, HEADS) if kind == "batch" else (1, 2, HEADS))
            assert np.isfinite(file["layers/0/weights"][:]).all()
            assert file.attrs.get("stats_of") == (b"batch" if kind == "batch" else None)
    assert "input_nonfinite" in signals["batch"]
    assert "input_nonfinite" not in signals["samples"]


def test_a_batch_too_large_for_the_device_keeps_to_the_samples(tmp_path) -> None:
    model, path = LanguageModel(sdpa), tmp_path / "run.h5"
    limit = 4 * 2 * IDS.numel() * WIDTH  # exactly q and k of the batch
    options = {"statistics": "batch", "samples": 2, "every": 1, "device_limit_bytes": limit}
    with record(model, path, **options) as recorder, recorder.step(0):
        model(IDS)
    with h5py.File(path) as file:
        assert file["layers/0/stats/score_max"].shape[1:] == (1, HEADS)
        assert any(b"those of the stored samples" in row["text"] for row in file["events"])


def test_other_words_are_refused(tmp_path) -> None:
    with pytest.raises(RecordError, match="'samples', 'batch'"):
        record(LanguageModel(), tmp_path / "run.h5", statistics="all")
