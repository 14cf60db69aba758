"""Attention this package cannot know: functions and kernels the user registers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from attn_debugger.errors import RecordError
from attn_debugger.recording.capture.known_kernels import KNOWN

Adapter = Callable[[Sequence[Any], Mapping[str, Any], Any], Mapping[str, Any] | None]


class Adapters:
    """Function -> how to read its call: `how(args, kwargs, out)` returns a mapping or None.

    The mapping holds `q` (B, H, Q, d), `k` (B, Hk, K, d) and optionally `v`, `mask`, `is_causal`,
    `scale`; or `weights` (B, H, Q, K) and optionally `scores`, `keep`.
    """

    def __init__(self) -> None:
        self._known: dict[Any, Adapter] = {}

    def register(self, function: Callable[..., Any], how: Adapter) -> None:
        """Read calls of `function` with `how`. Raises `RecordError` when either is not callable."""
        for name, value in (("function", function), ("how", how)):
            if not callable(value):
                raise RecordError(
                    f"record.register: {name} is {type(value).__name__}, not a function; pass the "
                    "attention function itself and how(args, kwargs, out) -> dict(q=..., k=...)"
                )
        self._known[function] = how

    def find(self, function: Any) -> Adapter | None:
        """Return how to read a call of `function`, or None."""
        found = self._known.get(function) if self._known else None
        if found is None and isinstance(function, torch._ops.OpOverloadPacket):
            return KNOWN.get(str(function))
        return found


REGISTERED = Adapters()
