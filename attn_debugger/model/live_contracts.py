"""The rules of a model that can be run: what its modules say of themselves, beside experiments.

for check in check_live(live):
    print(check.name, check.result)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import nn

from attn_debugger.core.run import Run
from attn_debugger.core.topology import ModelCheck
from attn_debugger.core.words import say
from attn_debugger.model.contracts import check_contracts, count_nonfinite
from attn_debugger.model.head_counts import HeadCount
from attn_debugger.model.live import LiveModel
from attn_debugger.model.naming import find_attention
from attn_debugger.model.setting_contracts import check_settings
from attn_debugger.model.sites import live_sites
from attn_debugger.model.topology import describe_site
from attn_debugger.model.training_state import TrainingState


def check_live(
    live: LiveModel, run: Run | None = None, training: TrainingState | None = None
) -> tuple[ModelCheck, ...]:
    """Return the rules of weights and settings. `training` is what its checkpoint holds."""
    tensors = {name: tensor.detach() for name, tensor in live.model.state_dict().items()}
    sites = find_attention(tensors)
    settings = module_settings(live.model)
    seen = _seen_heads(live)
    modules = tuple(describe_site(site, tensors, settings, seen.get(site.path)) for site in sites)
    return (
        *check_contracts(tensors, sites, modules, count_nonfinite(tensors), run),
        *check_settings(settings, tuple(tensors), training or TrainingState(), run),
    )


def _seen_heads(live: LiveModel) -> dict[str, HeadCount]:
    """Return how many heads each attention had in a forward; nothing where none runs."""
    try:
        found = live_sites(live)[0]
    except Exception:  # noqa: BLE001 - the user's model may raise anything: experiments tell it
        return {}
    return {site.site: HeadCount(site.heads, say("its forward")) for site in found if site.site}


def module_settings(model: nn.Module) -> dict[str, Any]:
    """Return what the modules themselves say, under the names that configurations use.

    The largest dropout, the smallest and largest eps of the norms, `norm_first`; a Hugging Face
    configuration lies below them.
    """
    found: dict[str, Any] = {}
    config = getattr(model, "config", None)
    if callable(as_dict := getattr(config, "to_dict", None)):
        found["config"] = as_dict()
    dropouts: dict[str, float] = {}
    eps: list[float] = []
    for path, module in model.named_modules():
        if isinstance(module, nn.Dropout):
            dropouts[path] = module.p
        elif isinstance(module, nn.MultiheadAttention):
            dropouts[path] = module.dropout
            found.setdefault("num_heads", module.num_heads)
        for name in ("eps", "variance_epsilon"):
            value = getattr(module, name, None)
            if isinstance(value, float) and "Norm" in type(module).__name__:
                eps.append(value)
        if isinstance(first := getattr(module, "norm_first", None), bool):
            found["norm_first"] = first
    if dropouts:
        path = max(dropouts, key=lambda path: dropouts[path])
        found[f"dropout of {path or 'the model'}"] = dropouts[path]
    if eps:
        found["norm_eps"] = min(eps)
        if max(eps) != min(eps):
            found["layer_norm_eps"] = max(eps)
    return found


def as_rows(checks: tuple[ModelCheck, ...]) -> list[Mapping[str, str]]:
    """Return the checks as JSON holds them."""
    return [
        {"name": c.name, "result": c.result, "evidence": c.evidence, "reason": c.reason}
        for c in checks
    ]
