"""What the optimizer tells by itself: learning rate, gradient norm, steps it skipped."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

_QUERY_KEY = re.compile(
    r"(^|\.)((q|k|query|key|wq|wk)(_proj|_lin)?|(to|w)_[qk]|qkv(_proj)?|to_qkv|Wqkv|c_attn"
    r"|query_key_value|qkv_proj)\.weight$|(^|\.)(in_proj|q_proj|k_proj)_weight$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class GradientNorms:
    """Norm of every parameter's gradient, on the device, unread."""

    names: tuple[str, ...]
    norms: Tensor  # (parameter,)

    def read(self) -> tuple[float, str | None]:
        """Return the global norm and the first parameter whose gradient is not finite."""
        norms = self.norms.cpu().double()
        bad = (~torch.isfinite(norms)).nonzero()
        total = float(torch.linalg.vector_norm(norms))
        return total, self.names[int(bad[0])] if len(bad) else None

    def projections(self) -> dict[str, float]:
        """Return the norms of the query and key projections: `grad_norm layers.0.q` -> norm.

        Where one matrix makes queries, keys and values, the norm is that of the whole of it.
        """
        found = {}
        for name, norm in zip(self.names, self.norms.tolist(), strict=True):
            if _QUERY_KEY.search(name):
                found[f"grad_norm {name.removesuffix('.weight')}"] = norm
        return found


class OptimizerWatch:
    """Hooks on one optimizer. `due` says whether the gradient norm is wanted at this step.

    The norm is that of the gradients the step is made with: after clipping, where the loop clips.
    """

    def __init__(
        self,
        optimizer: torch.optim.Optimizer,
        model: nn.Module,
        problem: Callable[[str], None],
    ) -> None:
        self._names = {id(parameter): name for name, parameter in model.named_parameters()}
        self._problem = problem
        self._ever = False
        self.due = False
        self.stepped = False
        self.lr: float | None = None
        self.norms: GradientNorms | None = None
        before = optimizer.register_step_pre_hook(self._before)
        after = optimizer.register_step_post_hook(self._after)
        self._handles = (before, after)

    def take(self) -> tuple[dict[str, float], GradientNorms | None]:
        """Return what came since the last call: lr, `skipped`; and the gradient norms."""
        values: dict[str, float] = {}
        if self._ever:
            values["skipped"] = 0.0 if self.stepped else 1.0
        if self.lr is not None:
            values["lr"] = self.lr
        norms = self.norms
        self.stepped, self.lr, self.norms, self.due = False, None, None, False
        return values, norms

    def close(self) -> None:
        """Remove the hooks."""
        for handle in self._handles:
            handle.remove()

    def _before(self, optimizer: torch.optim.Optimizer, args: Any, kwargs: Any) -> None:
        if not self.due or self.norms is not None:
            return
        try:
            self.norms = self._gradient_norms(optimizer)
        except Exception as error:  # noqa: BLE001 - a fault of the recorder must not stop training
            self._problem(f"the gradient norm could not be taken: {error!r}")

    def _after(self, optimizer: torch.optim.Optimizer, args: Any, kwargs: Any) -> None:
        self.stepped = self._ever = True
        lr = optimizer.param_groups[0].get("lr")
        if isinstance(lr, (int, float)) or (isinstance(lr, Tensor) and lr.device.type == "cpu"):
            self.lr = float(lr)

    def _gradient_norms(self, optimizer: torch.optim.Optimizer) -> GradientNorms | None:
        names: list[str] = []
        gradients: list[Tensor] = []
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    gradient = parameter.grad.detach()
                    local = getattr(gradient, "to_local", None)  # a shard, under FSDP
                    names.append(self._names.get(id(parameter), f"parameter {len(names)}"))
                    gradients.append(gradient if local is None else local())
        if not gradients:
            return None
        device = gradients[0].device
        with torch.no_grad():
            norms = [
                torch.linalg.vector_norm(g.coalesce().values() if g.is_sparse else g)
                for g in gradients
            ]
            return GradientNorms(tuple(names), torch.stack([n.float().to(device) for n in norms]))


def merge_logged(own: Mapping[str, float], logged: Collection[str]) -> dict[str, float]:
    """Return what the optimizer told and the loop did not log itself."""
    return {name: value for name, value in own.items() if name not in logged}
