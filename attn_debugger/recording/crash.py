"""What is kept of a forward that raised: message, module, the failed call and those before it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

import torch
from torch import Tensor, nn

_REMEMBERED = 8
_DEVICES = ("cpu", "cuda", "mps", "xpu")


class CallTrail:
    """The last calls of a forward as sentences' raw material: names, dtypes and shapes only."""

    def __init__(self) -> None:
        self._calls: deque[tuple[str | None, Any, list[str]]] = deque(maxlen=_REMEMBERED)
        self._failed: tuple[str | None, Any, list[str]] | None = None

    def passed(
        self, path: str | None, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> None:
        """Remember a call; no tensor is kept."""
        self._calls.append((path, function, _describe(args, kwargs)))

    def failed(
        self, path: str | None, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> None:
        """Remember the call that raised, the innermost one."""
        if self._failed is None:
            self._failed = (path, function, _describe(args, kwargs))

    def facts(self) -> dict[str, object]:
        """Return `module`, `call`, `inputs` of the failed call and `last_calls`, as text."""
        found: dict[str, object] = {
            "last_calls": "\n".join(_sentence(*call) for call in self._calls)
        }
        if self._failed is not None:
            path, function, inputs = self._failed
            found.update(module=path or "", call=_name(function), inputs=", ".join(inputs))
        return found


def crash_facts(
    error: BaseException,
    step: int,
    modules: Mapping[int, str],
    trail: CallTrail | None = None,
) -> dict[str, object]:
    """Return what the group `crash/` holds. `modules` maps the id of a module to its path."""
    facts: dict[str, object] = {
        "message": f"{type(error).__name__}: {error}",
        "step": step,
        "autocast": _autocast(),
        "module": _module_of(error.__traceback__, modules),
    }
    if trail is not None:
        seen = trail.facts()
        facts.update({name: value for name, value in seen.items() if value})
    return facts


def _module_of(traceback: TracebackType | None, modules: Mapping[int, str]) -> str:
    """Return the path of the innermost module of the model whose code stands in the traceback."""
    path = ""
    while traceback is not None:
        owner = traceback.tb_frame.f_locals.get("self")
        if isinstance(owner, nn.Module) and id(owner) in modules:
            path = modules[id(owner)]
        traceback = traceback.tb_next
    return path


def _describe(args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[str]:
    values: list[Any] = []
    for value in (*args, *kwargs.values()):
        values.extend(value if isinstance(value, (list, tuple)) else (value,))
    return [
        f"{str(value.dtype).removeprefix('torch.')} {tuple(value.shape)} on {value.device}"
        for value in values
        if isinstance(value, Tensor)
    ]


def _sentence(path: str | None, function: Any, inputs: Sequence[str]) -> str:
    where = "outside the model" if path is None else path or "the model"
    return f"{where}: {_name(function)}({', '.join(inputs)})"


def _name(function: Any) -> str:
    return str(getattr(function, "__name__", None) or function)


def _autocast() -> str:
    on = [
        f"{device} {str(torch.get_autocast_dtype(device)).removeprefix('torch.')}"
        for device in _DEVICES
        if torch.is_autocast_enabled(device)
    ]
    return ", ".join(on) or "off"
