"""Where the queries and keys of a call lie in memory: pieces of one attention share their keys."""

from __future__ import annotations

from typing import NamedTuple, Self

from torch import Tensor
from torch.multiprocessing.reductions import StorageWeakRef


class Memory(NamedTuple):
    """The rows of a tensor (lead..., rows, d) in memory. The memory is not kept alive.

    While the weak reference lives its address is not given to anyone else, so equal means same.
    """

    storage: StorageWeakRef
    start: int  # of the first row, in elements
    row: int  # from one row to the next
    rows: int

    @classmethod
    def of(cls, tensor: Tensor | None) -> Self | None:
        """Return where `tensor` lies; None for what has no memory of its own (functorch, meta)."""
        if tensor is None or tensor.ndim < 2 or tensor.is_nested:
            return None
        try:
            storage = StorageWeakRef(tensor.untyped_storage())  # type: ignore[no-untyped-call]
        except (RuntimeError, NotImplementedError):
            return None
        return cls(storage, int(tensor.storage_offset()), tensor.stride(-2), tensor.shape[-2])

    def begins_like(self, other: Memory) -> bool:
        """Return whether both have the same first row: the same keys, or more of them."""
        return self[:3] == other[:3]

    def follows(self, before: Memory) -> bool:
        """Return whether its first row comes just after the last one of `before`."""
        same = self.storage == before.storage and self.row == before.row
        return same and self.start == before.start + before.rows * before.row


class Origin(NamedTuple):
    """What tells whether two calls of a module are pieces of one attention."""

    invocation: int  # which run of the module, of all modules' runs in this step
    queries: Memory | None
    keys: Memory | None
