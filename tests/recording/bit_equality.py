"""Fifty training steps, once alone and once recorded: nothing may differ by a single bit."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attn_debugger import record

STEPS, EVERY = 50, 5
Forward = Callable[[nn.Module, int], Tensor]  # (model, step) -> output of that step


@dataclass(frozen=True)
class Trainable:
    """`build` returns the same fresh model each time; `forward` runs it on the batch of a step."""

    build: Callable[[], nn.Module]
    forward: Forward
    options: dict[str, Any] = field(default_factory=dict)  # of record
    backward: bool = True  # False: torch cannot train it here, its outputs alone are compared


def what_differs(trained: Trainable, path: Path, steps: int = STEPS) -> list[str]:
    """Return what the recorder changed in training: `[]`, or names such as `gradients, step 5`."""
    alone = list(snapshots(trained, None, steps))
    recorded = list(snapshots(trained, path, steps))
    differ = []
    for step, (a, b) in enumerate(zip(alone, recorded, strict=True)):
        differ += [f"{name}, step {step}" for name in a if not equal(a[name], b[name])]
    return differ


def snapshots(trained: Trainable, path: Path | None, steps: int) -> Iterator[dict[str, list[Any]]]:
    """Train; yield what there is to compare at each step. With a path every fifth is recorded."""
    torch.manual_seed(3)
    random.seed(3)
    np.random.seed(3)
    model = trained.build().train()
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    torch.manual_seed(4)
    recorder = None
    if path is not None:
        recorder = record(
            model,
            path,
            **{
                "every": EVERY,
                "samples": 2,
                "scores": True,
                "qk": True,
                "optimizer": optimizer,
                "flight": "rerun",
                **trained.options,
            },
        )
    for step in range(steps):
        due = nullcontext() if recorder is None else recorder.step(step)
        with due, torch.set_grad_enabled(trained.backward):
            out = trained.forward(model, step)
            loss = out.float().square().mean()
        optimizer.zero_grad()
        if trained.backward:
            loss.backward()
        if recorder is not None:
            recorder.log(loss=loss)
        gradients = [p.grad.clone() for p in model.parameters() if p.grad is not None]
        optimizer.step()
        yield {
            "outputs": [out.detach().clone()],
            "loss": [loss.detach().clone()],
            "gradients": gradients,
            "parameters": [p.detach().clone() for p in model.parameters()],
            "buffers": [b.detach().clone() for b in model.buffers()],
            "optimiser state": [
                value.clone()
                for state in optimizer.state.values()
                for value in state.values()
                if isinstance(value, Tensor)
            ],
            "random numbers": [torch.get_rng_state(), random.getstate(), np.random.rand()],
        }
    if recorder is not None:
        coverage = recorder.coverage()
        recorder.close()
        # A recorder that saw nothing would change nothing.
        assert coverage.captured, coverage
        assert not coverage.problems, coverage


def equal(first: list[Any], second: list[Any]) -> bool:
    if len(first) != len(second):
        return False
    return all(
        same_bits(a, b) if isinstance(a, Tensor) else a == b
        for a, b in zip(first, second, strict=True)
    )


def same_bits(a: Tensor, b: Tensor) -> bool:
    """A NaN equals the same NaN: a model whose numbers broke must break the same way."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.is_floating_point():
        whole = {2: torch.int16, 4: torch.int32, 8: torch.int64}[a.element_size()]
        a, b = a.contiguous().view(whole), b.contiguous().view(whole)
    return torch.equal(a, b)
