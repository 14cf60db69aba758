"""Mean, variance and largest value of what each captured layer put out."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attn_debugger.recording.capture.layout import unwrap_functorch
from attn_debugger.recording.statistics import accumulate_dtype


def output_statistics(out: Any) -> dict[str, Tensor] | None:
    """Return `mean`, `var`, `abs_max` of a module's (first) output as 0-d tensors, or None."""
    tensor = out[0] if isinstance(out, (tuple, list)) and out else out
    if not isinstance(tensor, Tensor):
        tensor = getattr(out, "last_hidden_state", None)
    if not isinstance(tensor, Tensor) or not tensor.is_floating_point() or not tensor.numel():
        return None
    if tensor.is_nested or hasattr(tensor, "to_local"):
        return None
    values = accumulate_dtype(unwrap_functorch(tensor.detach())[0])
    mean = values.mean()
    # torch.var_mean is twenty times slower on the CPU.
    variance = torch.linalg.vector_norm(values - mean).square() / values.numel()
    return {"mean": mean, "var": variance, "abs_max": values.abs().amax()}
