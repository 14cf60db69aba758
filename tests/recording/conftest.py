from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch.nn.modules import module as module_hooks
from torch.overrides import _len_torch_function_stack

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def _one_thread_and_seed() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    """No test may leave a global hook, a function mode or a compile stance behind."""
    yield
    assert_nothing_left()


def assert_nothing_left() -> None:
    assert not module_hooks._global_forward_pre_hooks
    assert not module_hooks._global_forward_hooks
    assert _len_torch_function_stack() == 0
    if "torch._dynamo" in sys.modules:
        assert sys.modules["torch._dynamo"].eval_frame._stance.stance == "default"
