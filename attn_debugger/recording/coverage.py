"""Which attention-looking modules were captured, and which were not and why."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import nn

_LOOKS_LIKE = re.compile(r"attention|attn", re.IGNORECASE)
_PROJECTIONS = re.compile(
    r"(^|_)(q|k|query|key|qkv|kv|q_proj|k_proj|wq|wk|to_q|to_k|to_qkv|c_attn|in_proj|query_key_value"
    r"|w_q|w_k|q_lin|k_lin|query_proj|key_proj|wqkv|q_linear|k_linear)(_weight|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What the last recorded step saw. `missed` maps a module path to the reason."""

    captured: tuple[str, ...] = ()
    missed: Mapping[str, str] | None = None
    passed_over: tuple[str, ...] = ()  # softmaxes that were not taken for attention, as sentences
    problems: tuple[str, ...] = ()

    def __str__(self) -> str:
        missed = self.missed or {}
        total = len(self.captured) + len(missed)
        if not total:
            return (
                "nothing to record: no attention was seen; run the model's forward inside "
                "recorder.step(...), or teach the recorder your kernel with record.register"
            )
        text = f"captured {len(self.captured)} of {total} layers"
        if missed:
            text += ": " + "; ".join(f"{path}: {reason}" for path, reason in missed.items())
        return text


def attention_modules(modules: Mapping[str, nn.Module]) -> tuple[str, ...]:
    """Return paths of modules that look like attention: named so, with query or key projections."""
    found = []
    for path, module in modules.items():
        if not _LOOKS_LIKE.search(type(module).__name__):
            continue
        names = [name for name, _ in module.named_children()]
        names += [name for name, _ in module.named_parameters(recurse=False)]
        if any(_PROJECTIONS.search(name) for name in names):
            found.append(path)
    return tuple(found)


def scripted_attention(modules: Mapping[str, nn.Module]) -> dict[str, str]:
    """Return path -> reason of TorchScript modules with attention inside: nothing can be seen."""
    return {
        path: "TorchScript code shows nothing to a recorder; run the original module"
        for path, module in modules.items()
        if isinstance(module, torch.jit.ScriptModule)
        and any(
            _LOOKS_LIKE.search(str(getattr(inner, "original_name", "")))
            for inner in module.modules()
        )
    }


def missed_modules(
    candidates: Sequence[str],
    captured: Collection[str],
    ran: Collection[str],
    unreachable: Mapping[str, str],
) -> dict[str, str]:
    """Return the candidates that ran and gave no capture, with the reason.

    `unreachable` maps paths to reasons found while the model ran; they hold for what is inside.
    """
    missed = {}
    for path in candidates:
        if any(_within(path, seen) or _within(seen, path) for seen in captured):
            continue
        known = next((r for o, r in unreachable.items() if not o or _within(path, o)), None)
        if known is not None:
            missed[path] = known
        elif path in ran:
            missed[path] = (
                "it ran, but no attention was seen in it: a kernel this recorder does not know; "
                "record.register(function, how) teaches it"
            )
    return missed


def _within(inner: str, outer: str) -> bool:
    return inner == outer or inner.startswith(outer + ".")
