"""The torch functions the capture tells apart, in every spelling torch gives them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional

T = torch.Tensor
aten = torch.ops.aten
Function = Callable[..., Any]


def _getter(name: str) -> Any:
    """Return the function a mode sees when a tensor's property is read."""
    return getattr(T, name).__get__


SDPA: frozenset[Any] = frozenset(
    {functional.scaled_dot_product_attention, aten.scaled_dot_product_attention}
)
SOFTMAX: frozenset[Any] = frozenset(
    {
        functional.softmax,
        torch.softmax,
        T.softmax,
        torch.special.softmax,
        aten.softmax,
        aten._softmax,
        aten._safe_softmax,
        functional.gumbel_softmax,
        functional.softmin,
    }
)
REVERSED_MATMUL: frozenset[Any] = frozenset({T.__rmatmul__})
MATMUL: frozenset[Any] = REVERSED_MATMUL | {
    torch.matmul,
    T.matmul,
    T.__matmul__,
    torch.bmm,
    T.bmm,
    torch.mm,
    T.mm,
    aten.matmul,
    aten.bmm,
    aten.mm,
}
BADDBMM: frozenset[Any] = frozenset({torch.baddbmm, T.baddbmm, T.baddbmm_, aten.baddbmm})
EINSUM: frozenset[Any] = frozenset({torch.einsum, torch.functional.einsum, aten.einsum})
PRODUCT: frozenset[Any] = MATMUL | BADDBMM | EINSUM

# The step from scores to something like weights when no softmax is called by name.
NONLINEAR: frozenset[Any] = frozenset(
    {
        torch.exp,
        T.exp,
        T.exp_,
        torch.sigmoid,
        T.sigmoid,
        functional.sigmoid,
        functional.log_softmax,
        torch.log_softmax,
        T.log_softmax,
        functional.relu,
        torch.relu,
        T.relu,
        functional.softplus,
    }
)
DROPOUT: frozenset[Any] = frozenset(
    {
        functional.dropout,
        torch.dropout,
        torch.dropout_,
        functional.alpha_dropout,
        functional.feature_alpha_dropout,
        functional.dropout1d,
        functional.dropout2d,
        functional.dropout3d,
        aten.dropout,
        aten.native_dropout,
    }
)
# What ends a chain: the result is no longer scores or weights of one attention.
CHAIN_ENDS: frozenset[Any] = frozenset(
    {
        functional.layer_norm,
        functional.rms_norm,
        functional.cross_entropy,
        functional.group_norm,
        functional.batch_norm,
    }
)
MASK_FILL: frozenset[Any] = frozenset({T.masked_fill, torch.masked_fill, torch.where, T.where})
ADD: frozenset[Any] = frozenset({torch.add, T.add, T.__add__, T.__radd__})
ADD_INPLACE: frozenset[Any] = frozenset({T.add_, T.__iadd__})
SUBTRACT: frozenset[Any] = frozenset(
    {torch.sub, T.sub, T.__sub__, T.sub_, T.__isub__, torch.subtract, T.subtract}
)
MULTIPLY_INPLACE: frozenset[Any] = frozenset({T.mul_, T.__imul__, T.div_, T.__itruediv__})
MULTIPLY: frozenset[Any] = frozenset({torch.mul, T.mul, T.__mul__, T.__rmul__})
DIVIDE: frozenset[Any] = frozenset({torch.div, T.div, T.__truediv__, torch.true_divide})
RESHAPE: frozenset[Any] = frozenset(
    {T.reshape, T.view, T.flatten, torch.reshape, torch.flatten, aten.view, aten.reshape}
)
# Layout and dtype only: the numbers stay what they were.
REARRANGE: frozenset[Any] = RESHAPE | {
    T.contiguous,
    T.transpose,
    torch.transpose,
    T.permute,
    torch.permute,
    T.unsqueeze,
    torch.unsqueeze,
    T.squeeze,
    torch.squeeze,
    T.expand,
    T.unflatten,
    T.to,
    T.type,
    T.type_as,
    T.float,
    T.half,
    T.bfloat16,
    T.double,
    T.clone,
    torch.clone,
    T.detach,
    _getter("mT"),
    T.swapaxes,
    torch.swapaxes,
}
SPLIT: frozenset[Any] = frozenset(
    {
        T.split,
        torch.split,
        T.split_with_sizes,
        torch.split_with_sizes,
        T.chunk,
        torch.chunk,
        T.tensor_split,
        torch.tensor_split,
    }
)
ROTARY_STEPS: frozenset[Any] = ADD | {torch.cat, torch.concat, torch.stack, T.__neg__, T.neg}
EMBEDDING: Function = functional.embedding
INPLACE_DROPOUT: Function = torch.dropout_
ATTENTION_MODULE_FUNCTION: Function = functional.multi_head_attention_forward

# What a person wants to see of the way to a crash.
TELLING: frozenset[Any] = (
    PRODUCT | SDPA | SOFTMAX | {functional.linear, EMBEDDING, ATTENTION_MODULE_FUNCTION}
)

# Asked thousands of times a forward and never part of a chain: passed through at once.
TRIVIAL: frozenset[Any] = frozenset(
    {
        T.size,
        T.dim,
        T.stride,
        T.numel,
        T.data_ptr,
        T.is_contiguous,
        _getter("shape"),
        _getter("dtype"),
        _getter("device"),
        _getter("requires_grad"),
        _getter("ndim"),
        _getter("is_nested"),
        _getter("is_cuda"),
    }
)


def packet(function: Any) -> Any:
    """Return the operator behind one of its overloads (`aten.bmm.default` -> `aten.bmm`)."""
    if isinstance(function, torch._ops.OpOverload):
        return function.overloadpacket
    return function
