"""`flex_attention`: it refuses to run under a function mode, so it steps out of ours and back.

While a step is recorded the function's code is exchanged for a few lines that call us first: that
reaches every alias of it (`from ... import flex_attention`) without touching a module. The weights
are recomputed densely by mapping `score_mod` and `mask_mod` over all indices.
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

import torch
import torch.nn.attention.flex_attention as flex_module
from torch import Tensor
from torch._C import _len_torch_function_stack
from torch.overrides import _pop_mode_temporarily

from attn_debugger.recording.capture.call import AttentionCall, RowBlock
from attn_debugger.recording.capture.layout import indices_in, pick_samples
from attn_debugger.recording.statistics import accumulate_dtype

_NAMES = ("query", "key", "value", "score_mod", "block_mask", "scale", "enable_gqa")
_HOOK = "_attention_recorder_call"
_lock = threading.Lock()
_watchers: list[Callable[[Sequence[Any], Mapping[str, Any], Any], None]] = []
_put_back: list[Callable[[], None]] = []  # what undoes the exchange, while there are watchers


@contextlib.contextmanager
def watching_flex(seen: Callable[[Sequence[Any], Mapping[str, Any], Any], None]) -> Iterator[None]:
    """Call `seen(args, kwargs, out)` after every `flex_attention` while the context is open."""
    with _lock:
        if not _watchers:
            _put_back.append(_exchange_code())
        _watchers.append(seen)
    try:
        yield
    finally:
        with _lock:
            _watchers.remove(seen)
            if not _watchers:
                _put_back.pop()()


def _exchange_code() -> Callable[[], None]:
    """Make `flex_attention` call us; return what undoes it."""
    function = flex_module.flex_attention
    scope = function.__globals__
    code, defaults, named = function.__code__, function.__defaults__, function.__kwdefaults__
    if code.co_freevars:  # such code cannot be exchanged: it is left alone
        return lambda: None
    original = FunctionType(code, scope, function.__name__, defaults, None)
    original.__kwdefaults__ = named

    def call(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        inside = _len_torch_function_stack() > 0
        outside = _pop_mode_temporarily() if inside else contextlib.nullcontext()
        with outside, torch.compiler.set_stance("default"):
            out = original(*args, **kwargs)
        for seen in list(_watchers):
            seen(args, kwargs, out)
        return out

    def undo() -> None:
        function.__code__, function.__defaults__ = code, defaults
        function.__kwdefaults__ = named
        scope.pop(_HOOK, None)

    scope[_HOOK] = call
    function.__code__ = _detour.__code__
    function.__defaults__, function.__kwdefaults__ = None, None
    return undo


def _detour(*args: Any, **kwargs: Any) -> Any:
    return _attention_recorder_call(args, kwargs)  # type: ignore[name-defined]  # noqa: F821


class FlexScores:
    """Scores and weights of the sampled items of a `flex_attention` call, block by block."""

    def __init__(self, given: Mapping[str, Any], samples: Sequence[int]) -> None:
        q, k = given["query"].detach(), given["key"].detach()
        batch = max(q.shape[0], k.shape[0])
        self._items = indices_in(samples, batch)
        self.q, self.k = (accumulate_dtype(pick_samples(t, samples, batch)) for t in (q, k))
        heads = self.q.shape[1]
        keys = self.k
        if keys.shape[1] != heads:
            keys = keys.repeat_interleave(heads // keys.shape[1], 1)
        self._keys = keys
        scale = given.get("scale")
        self._scale = 1 / math.sqrt(q.shape[-1]) if scale is None else float(scale)
        self._score_mod = given.get("score_mod")
        block_mask = given.get("block_mask")
        self._mask_mod = None if block_mask is None else block_mask.mask_mod
        self.shape = (len(self._items), heads, q.shape[2], k.shape[2])
        self.device = q.device

    def blocks(self, rows: int) -> Iterator[RowBlock]:
        """Yield blocks of at most `rows` query rows."""
        for start in range(0, self.shape[2], rows):
            at = slice(start, min(start + rows, self.shape[2]))
            scores = self.q[:, :, at] @ self._keys.transpose(-1, -2) * self._scale
            where = self._indices(at)
            with torch._C.DisableTorchFunction():
                if self._score_mod is not None:
                    scores = _map_indices(self._score_mod, True)(scores, *where)
                keep = None
                if self._mask_mod is not None:
                    keep = _map_indices(self._mask_mod, False)(*where)
            if keep is None:
                weights = torch.softmax(scores, -1)
                keep = None if not bool(torch.isneginf(scores).any()) else ~torch.isneginf(scores)
            else:
                weights = torch.softmax(scores.masked_fill(~keep, -math.inf), -1)
                weights = weights.masked_fill(~keep.any(-1, keepdim=True), 0.0)
            yield RowBlock(at, scores, keep, weights)

    def _indices(self, at: slice) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        device = self.device
        return (
            torch.tensor(self._items, device=device),
            torch.arange(self.shape[1], device=device),
            torch.arange(at.start, at.stop, device=device),
            torch.arange(self.shape[3], device=device),
        )


def call_from_flex(
    args: Sequence[Any], kwargs: Mapping[str, Any], out: Any, samples: Sequence[int]
) -> AttentionCall:
    """Return the call of `flex_attention(*args, **kwargs)`."""
    given = {**dict(zip(_NAMES, args, strict=False)), **kwargs}
    source = FlexScores(given, samples)
    batch = max(given["query"].shape[0], given["key"].shape[0])
    output = out[0] if isinstance(out, tuple) else out
    return AttentionCall(
        backend="flex",
        source=source,
        batch=batch,
        compute_dtype=given["query"].dtype,
        source_dtype=given["query"].dtype,
        q=source.q,
        k=source.k,
        v=pick_samples(given["value"].detach(), samples, batch),
        output=pick_samples(output.detach(), samples, batch)
        if isinstance(output, Tensor)
        else None,
        scale=given.get("scale"),
        multiplied=given.get("score_mod") is not None,  # it may do anything to a score
    )


def _map_indices(function: Callable[..., Any], with_score: bool) -> Callable[..., Tensor]:
    """Map f([score,] batch, head, query, key) over every index: (S,), (H,), (q,), (K,)."""
    axes = [
        (None, None, None, 0),
        (None, None, 0, None),
        (None, 0, None, None),
        (0, None, None, None),
    ]
    for axis in axes:
        function = torch.func.vmap(function, ((0, *axis) if with_score else axis))
    return function
