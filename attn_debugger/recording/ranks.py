"""Which process of a distributed run this is, and which of them store an archive."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

import torch
from torch import nn


class Rank(NamedTuple):
    """The number of this process among those of the run."""

    number: int
    world_size: int

    def stores(self, wanted: int | Literal["all"]) -> bool:
        """Return whether this process writes an archive."""
        return wanted == "all" or self.world_size == 1 or self.number == wanted

    def path(self, path: Path, wanted: int | Literal["all"]) -> Path:
        """Return where: each rank its own file when all of them store."""
        if wanted != "all" or self.world_size == 1:
            return path
        return self.own_path(path)

    def own_path(self, path: Path) -> Path:
        """Return the file of this rank alone, beside that of the rank that stores."""
        return path.with_name(f"{path.stem}.rank{self.number}{path.suffix}")

    def attributes(self) -> dict[str, object]:
        """Return what the archive says about it; nothing outside a distributed run."""
        if self.world_size == 1:
            return {}
        return {"rank": self.number, "world_size": self.world_size}


def current_rank() -> Rank:
    """Return the rank of this process; 0 of 1 outside a distributed run."""
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        return Rank(torch.distributed.get_rank(), torch.distributed.get_world_size())
    return Rank(0, 1)


def first_of(condition: bool) -> int | None:
    """Return the first rank on which `condition` holds; None = on no rank. All ranks must call."""
    rank = current_rank()
    if rank.world_size == 1:
        return 0 if condition else None
    answers: list[bool | None] = [None] * rank.world_size
    torch.distributed.all_gather_object(answers, condition)
    return next((number for number, answer in enumerate(answers) if answer), None)


def is_sharded(model: nn.Module) -> bool:
    """Return whether a forward of this model communicates: FSDP or tensor parallel."""
    for module in model.modules():
        if any(
            kind.__name__ in ("FullyShardedDataParallel", "FSDPModule")
            for kind in type(module).__mro__
        ):
            return True
    return any(hasattr(parameter, "to_local") for parameter in model.parameters())
