"""Ragged batches in torch's own encoder: only its fast path takes them, and modes switch that off.

`nn.MultiheadAttention` raises for a strided nested tensor outside its fast path, and any active
function mode closes that path. So the mode steps aside while such a module runs: nothing is seen in
there, and that is said as a gap.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode, _get_current_function_mode, _pop_mode, _push_mode

_FAST = (nn.TransformerEncoder, nn.TransformerEncoderLayer, nn.MultiheadAttention)
GAP = (
    "a ragged (nested) batch ran on torch's fast path, where nothing can be seen; pad the batch at "
    "recorded steps"
)


class SteppingAside:
    """Takes a function mode off the stack while a fast-path module runs, and puts it back."""

    def __init__(self, mode: TorchFunctionMode) -> None:
        self._mode = mode
        self._for: nn.Module | None = None

    def before(self, module: nn.Module, args: Any) -> bool:
        """Return whether the mode stepped aside for this module, which is about to run."""
        needed = isinstance(module, _FAST) and not module.training and _is_ragged(args)
        if not needed or self._for is not None:
            return False
        if _get_current_function_mode() is not self._mode:  # type: ignore[no-untyped-call]
            return False
        _pop_mode()  # type: ignore[no-untyped-call]
        self._for = module
        return True

    def after(self, module: nn.Module) -> None:
        """Put the mode back when that module is done."""
        if self._for is module:
            self._for = None
            _push_mode(self._mode)  # type: ignore[no-untyped-call]


def _is_ragged(args: Any) -> bool:
    first = args[0] if isinstance(args, tuple) and args else None
    return isinstance(first, Tensor) and first.is_nested and first.layout == torch.strided
