"""What `optimizer=` logs by itself: learning rate, gradient norm, skipped steps, culprits."""

from __future__ import annotations

import pytest
import torch
from recording_models import LanguageModel, loss_of

from attn_debugger import record
from attn_debugger.archive.reader import Archive

IDS = torch.randint(1, 50, (3, 10), generator=torch.Generator().manual_seed(1))


def train(path, *, steps: int = 6, skip: int = -1, break_at: int = -1, **logged):
    model = LanguageModel()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
    norms = []
    with record(model, path, every=2, optimizer=optimizer) as recorder:
        for step in range(steps):
            with recorder.step(step):
                loss = loss_of(model, IDS)
            optimizer.zero_grad()
            loss.backward()
            if step == break_at:
                model.layers[1].k.weight.grad[0, 0] = torch.nan
            gradients = [p.grad.flatten() for p in model.parameters() if p.grad is not None]
            norms.append(float(torch.cat(gradients).norm()))
            if step != skip:
                optimizer.step()
            recorder.log(loss=loss, **logged)
            schedule.step()
    assert not optimizer._optimizer_step_pre_hooks
    assert not optimizer._optimizer_step_post_hooks
    return norms


@pytest.mark.filterwarnings("ignore:.*lr_scheduler.step")
def test_rate_norm_and_skipped_steps_are_logged(tmp_path) -> None:
    path = tmp_path / "run.h5"
    norms = train(path, skip=3)
    with Archive(path) as archive:
        curves = archive.run.curves
        rates = dict(curves["lr"].tolist())
        assert rates[0] == pytest.approx(0.1)
        assert rates[4] == pytest.approx(0.025)
        measured = dict(curves["grad_norm"].tolist())
        assert sorted(measured) == [0, 2, 4]  # at recorded steps only: it costs a pass
        for step, value in measured.items():
            assert value == pytest.approx(norms[int(step)], rel=1e-5)
        assert dict(curves["skipped"].tolist())[3] == 1
        assert archive.run.scalars["grad_norm"].tolist() == pytest.approx(
            [norms[0], norms[2], norms[4]], rel=1e-5
        )


def test_what_the_loop_logs_itself_is_not_logged_twice(tmp_path) -> None:
    path = tmp_path / "run.h5"
    train(path, lr=7.0, grad_norm=1.0)
    with Archive(path) as archive:
        assert set(archive.run.curves["lr"][:, 1]) == {7.0}
        assert set(archive.run.curves["grad_norm"][:, 1]) == {1.0}


def test_the_first_parameter_with_a_bad_gradient_is_named(tmp_path) -> None:
    path = tmp_path / "run.h5"
    train(path, steps=3, break_at=2)
    with Archive(path) as archive:
        texts = [event.text for event in archive.run.events]
        assert any("layers.1.k.weight" in text for text in texts)
