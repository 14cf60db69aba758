"""Which token is which patch of a picture: rows and columns after the tokens before them. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from attn_debugger.core.run import LayerFacts


@dataclass(frozen=True, slots=True)
class PatchGrid:
    """`rows` x `columns` patches, row by row, after `prefix` tokens that are none (CLS, ...)."""

    rows: int
    columns: int
    prefix: int = 0

    @property
    def n_patches(self) -> int:
        return self.rows * self.columns

    def patch_of(self, token: int) -> tuple[int, int] | None:
        """Return (row, column) of a token; `None` for those that are no patch."""
        place = token - self.prefix
        return divmod(place, self.columns) if 0 <= place < self.n_patches else None

    def token_of(self, row: int, column: int) -> int | None:
        """Return the token of a patch; `None` outside the picture."""
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return None
        return self.prefix + row * self.columns + column

    def label(self, token: int) -> str:
        """Return `r2 c5` for a patch, the number for any other token."""
        patch = self.patch_of(token)
        return str(token) if patch is None else f"r{patch[0]} c{patch[1]}"


def patch_grid(facts: LayerFacts, n_tokens: int) -> PatchGrid | None:
    """Return the patches among `n_tokens` tokens; `None` where the archive does not tell.

    How many tokens come before the patches is taken from `prefix_tokens`; without it, only where
    there is no choice: as many tokens as patches.
    """
    if facts.grid is None:
        return None
    rows, columns = facts.grid
    prefix = facts.prefix_tokens
    if prefix is None and n_tokens == rows * columns:
        prefix = 0
    if prefix is None or rows < 1 or columns < 1 or prefix + rows * columns > n_tokens:
        return None
    return PatchGrid(rows, columns, prefix)
