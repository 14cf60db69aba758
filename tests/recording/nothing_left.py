"""What every test of the recorder ends with."""

from __future__ import annotations

import sys

from torch.nn.modules import module as module_hooks
from torch.overrides import _len_torch_function_stack


def assert_nothing_left() -> None:
    """No global hook, function mode or compile stance is left behind."""
    assert not module_hooks._global_forward_pre_hooks
    assert not module_hooks._global_forward_hooks
    assert _len_torch_function_stack() == 0
    if "torch._dynamo" in sys.modules:
        assert sys.modules["torch._dynamo"].eval_frame._stance.stance == "default"
