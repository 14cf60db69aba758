"""Which head: the pair every view, flag and file agrees on."""

from __future__ import annotations

from typing import NamedTuple


class HeadRef(NamedTuple):
    """One attention head. Layers and heads count from zero everywhere."""

    layer: int
    head: int

    def __str__(self) -> str:
        return f"L{self.layer}.H{self.head}"
