"""Whatever breaks inside the recorder: the loop never sees it, and the archive says what is gone.

A fault is put into every handler in turn. Training must go on to the bit, with one warning of each
kind at most, and the file must stay readable.
"""

from __future__ import annotations

import logging

import h5py
import pytest
import torch
from nothing_left import assert_nothing_left
from recording_models import LanguageModel, loss_of

from attn_debugger import record

STEPS = 4
IDS = torch.randint(1, 50, (3, 10), generator=torch.Generator().manual_seed(1))
HANDLERS = [
    "capture.session.read_root_call",
    "capture.session.output_statistics",
    "capture.session.forward_mode",
    "capture.session.CaptureMode",
    "capture.session.Observer.on_embedding",
    "capture.session.CaptureSession._before_root",
    "capture.session.CaptureSession._finish",
    "capture.observer.measure",
    "capture.observer.call_from_chain",
    "capture.observer.contributions",
    "capture.observer.Observer._real_rows",
    "capture.chains.AttentionChains.finish",
    "capture.measure.HeadStatistics.add",
    "transfer.Transfer.fetch",
    "transfer.Transfer.copy",
    "transfer.Transfer.wait",
    "delivery.layer_attributes",
    "delivery.missed_modules",
    "delivery.read_frame_inputs",
    "delivery.by_layer",
    "delivery._mode_scalars",
    "step.CaptureSession",
    "assembly.LayerTable.new_layers",
    "assembly.LayerTable.record",
    "assembly.batch_hash",
    "background.frame_bytes",
    "background.BackgroundWriter.frame",
    "background.DiskBudget.grew",
    "training.TrainingLog.measured",
    "training.TrainingLog.take",
    "optimizer.OptimizerWatch.take",
    "optimizer.OptimizerWatch._gradient_norms",
    "probe.Probe.run",
    "flight_control.RememberedCall.of",
]


class InjectedError(RuntimeError):
    """A fault of the recorder's own."""


def train(path=None):
    """A short run; returns all that training made."""
    torch.manual_seed(0)
    model = LanguageModel()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    recorder = None
    if path is not None:
        probe = record.Probe(IDS[:1])
        recorder = record(model, path, every=1, optimizer=optimizer, probe=probe, flight="rerun")
        torch.manual_seed(0)
    else:
        torch.manual_seed(0)
    losses = []
    for step in range(STEPS):
        if recorder is None:
            loss = loss_of(model, IDS)
        else:
            with recorder.step(step):
                loss = loss_of(model, IDS)
        optimizer.zero_grad()
        loss.backward()
        if recorder is not None:
            recorder.log(loss=loss)
        optimizer.step()
        losses.append(loss.detach())
    if recorder is not None:
        recorder.close()
    return [*losses, *model.state_dict().values(), torch.get_rng_state()]


@pytest.mark.parametrize("handler", HANDLERS)
def test_a_fault_in_a_handler_is_one_warning_and_never_the_loops(
    handler, tmp_path, monkeypatch, caplog
) -> None:
    plain = train()

    def broken(*args, **kwargs):
        raise InjectedError(handler)

    path = tmp_path / "run.h5"
    monkeypatch.setattr(f"attn_debugger.recording.{handler}", broken)
    with caplog.at_level(logging.WARNING, "attn_debugger.recorder"):
        seen = train(path)
    monkeypatch.undo()
    assert all(torch.equal(a, b) for a, b in zip(plain, seen, strict=True))
    assert_nothing_left()
    texts = [message.getMessage() for message in caplog.records]
    assert 0 < len(texts) <= 3, texts
    assert len(set(texts)) == len(texts), "a warning came twice"
    with h5py.File(path) as file:
        events = [row["text"].decode() for row in file["events"]]
        assert any("InjectedError" in text for text in events), events
        assert file.attrs["writer_state"] in (b"closed", "closed")
