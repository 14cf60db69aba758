"""From the shapes models use to (sample, head, query, key), and the sampled items of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

WHOLE_BATCH = range(2**31)  # every item of a batch of any size


class Layout(NamedTuple):
    """A tensor as (batch, head, row, column), its batch size, and how that was found out."""

    tensor: Tensor
    batch: int
    note: str


class LayoutHints(NamedTuple):
    """What is known about a merged leading axis, from the surest to the weakest."""

    module_heads: int | None = None  # of the nn.MultiheadAttention call that is running
    merge: tuple[int, int] | None = None  # sizes seen when two leading axes were merged
    heads: int | None = None  # declared by the module or its configuration
    batch: int | None = None  # of the model's input


def split_heads(tensor: Tensor, hints: LayoutHints) -> Layout:
    """Return `tensor` (2 to 5 axes) with axes (batch, head, row, column).

    A merged leading axis is split by the surest hint; (head, batch) order is told from
    (batch, head) by the sizes seen when the axes were merged. Raises `ValueError` for other ranks.
    """
    if tensor.ndim == 4:
        return Layout(tensor, tensor.shape[0], "")
    if tensor.ndim == 2:
        return Layout(tensor[None, None], 1, "")
    if tensor.ndim == 5:
        return Layout(tensor.flatten(1, 2), tensor.shape[0], "5-D: axes 1 and 2 taken as heads")
    if tensor.ndim != 3:
        raise ValueError(f"attention scores with {tensor.ndim} axes")
    n, rest = tensor.shape[0], tensor.shape[1:]
    if hints.module_heads:
        batch = n // hints.module_heads
        return Layout(tensor.reshape(batch, hints.module_heads, *rest), batch, "")
    if hints.merge and hints.merge[0] * hints.merge[1] == n:
        first, second = hints.merge
        heads_first = (first == hints.heads or second == hints.batch) and not (
            second == hints.heads or first == hints.batch
        )
        split = tensor.reshape(first, second, *rest)
        if heads_first:
            return Layout(split.transpose(0, 1), second, "heads before batch, seen in a reshape")
        return Layout(split, first, "")
    if hints.heads and n % hints.heads == 0 and n != hints.batch:
        batch = n // hints.heads
        return Layout(tensor.reshape(batch, hints.heads, *rest), batch, "")
    if hints.batch and n % hints.batch == 0:
        return Layout(tensor.reshape(hints.batch, n // hints.batch, *rest), hints.batch, "")
    return Layout(tensor[:, None], n, "3-D scores taken as one head")


def indices_in(samples: Sequence[int], n: int) -> list[int]:
    """Return those of `samples` that a batch of `n` has; `WHOLE_BATCH` has all."""
    return list(range(n)) if samples is WHOLE_BATCH else [i for i in samples if i < n]


def pick_samples(tensor: Tensor, samples: Sequence[int], batch: int | None = None) -> Tensor:
    """Return the sampled items along axis 0; an axis of length 1 broadcasts and stays."""
    n = tensor.shape[0]
    if n == 1 and batch != 1:
        return tensor
    chosen = indices_in(samples, n)
    if chosen == list(range(n)):
        return tensor
    if chosen and chosen == list(range(chosen[0], chosen[-1] + 1)):
        return tensor[chosen[0] : chosen[-1] + 1]  # a view: nothing is copied
    return tensor[chosen]


def unwrap_functorch(tensor: Tensor) -> tuple[Tensor, str]:
    """Return the plain tensor behind `torch.func` wrappers, vmapped axes moved to the front."""
    functorch = torch._C._functorch
    note = ""
    while functorch.is_functorch_wrapped_tensor(tensor):
        if functorch.is_batchedtensor(tensor):
            axis = functorch.maybe_get_bdim(tensor)
            tensor = functorch.get_unwrapped(tensor).movedim(axis, 0)
            note = "the vmapped axis is taken as the batch"
        else:
            tensor = functorch.get_unwrapped(tensor)
    return tensor, note
