"""Looking inside `nn.MultiheadAttention`, whose Python body hides its own softmax or kernel.

Inside a function mode's handler the mode is off, so what `F.multi_head_attention_forward` calls
would not be seen. The very same code is therefore run again under our mode, with
`has_torch_function` answering no (it would hand the call straight back to the mode).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from torch import Tensor
from torch.nn import functional

_NAMES = ("query", "key", "value", "embed_dim_to_check", "num_heads")


@dataclass(frozen=True, slots=True)
class MhaCall:
    """What the running `nn.MultiheadAttention` was called with."""

    heads: int
    is_cross: bool
    is_causal: bool
    key_padding: Tensor | None  # (B, K) True = padding, when it is boolean or additive
    batch: int


def read_mha(args: Sequence[Any], kwargs: Mapping[str, Any]) -> MhaCall:
    """Return the facts of a `F.multi_head_attention_forward` call."""
    given = {**dict(zip(_NAMES, args, strict=False)), **kwargs}
    query, key = given["query"], given["key"]
    padding = given.get("key_padding_mask")
    if isinstance(padding, Tensor):
        padding = padding.detach()
        if padding.dtype.is_floating_point:
            padding = padding < -1e4
        padding = padding.reshape(-1, padding.shape[-1]).bool()
    # (L, N, E) here: nn.MultiheadAttention has already undone batch_first; 2-D has no batch.
    batch = query.shape[1] if query.ndim == 3 else 1
    same = query is key or (query.shape == key.shape and query.data_ptr() == key.data_ptr())
    return MhaCall(
        heads=int(given["num_heads"]),
        is_cross=not same,
        is_causal=bool(given.get("is_causal", False)),
        key_padding=padding,
        batch=batch,
    )


@functools.cache
def transparent_mha() -> Callable[..., Any]:
    """Return `F.multi_head_attention_forward` with its calls visible to a function mode."""
    original = functional.multi_head_attention_forward
    scope = dict(functional.__dict__)
    scope["has_torch_function"] = lambda _: False
    twin = FunctionType(
        original.__code__, scope, original.__name__, original.__defaults__, original.__closure__
    )
    twin.__kwdefaults__ = original.__kwdefaults__
    return twin
