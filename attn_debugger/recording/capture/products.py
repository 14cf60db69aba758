"""Matrix products: which operands, and whether one contracts over a given axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from torch import Tensor, nn

from attn_debugger.recording.capture.ops import BADDBMM, EINSUM, REVERSED_MATMUL


class Product(NamedTuple):
    """The two factors of a matrix product, left first; `equation` only for einsum."""

    equation: str | None
    operands: tuple[Any, ...]


def read_product(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Product:
    """Return the factors of a call of any matrix product, whichever way it was spelled."""
    if function in EINSUM:
        if not args or not isinstance(args[0], str):
            return Product(None, ())  # the sublist spelling of einsum is not read
        rest = args[1:]
        if len(rest) == 1 and isinstance(rest[0], (list, tuple)):
            rest = rest[0]
        return Product(args[0].replace(" ", ""), tuple(rest))
    if function in BADDBMM:
        named = [kwargs[name] for name in ("batch1", "batch2") if name in kwargs]
        return Product(None, (*args[1:3], *named))
    operands = list(args[:2])
    if len(operands) < 2:
        operands += [kwargs[name] for name in ("other", "mat2", "tensor2") if name in kwargs]
    if function in REVERSED_MATMUL:
        operands.reverse()
    return Product(None, tuple(operands))


def is_parameter(value: object) -> bool:
    """Return whether `value` is a parameter or a view of one: a projection, not an activation."""
    return isinstance(value, nn.Parameter) or isinstance(
        getattr(value, "_base", None), nn.Parameter
    )


def contracts(product: Product) -> bool:
    """Return whether the product sums over something: an outer product makes no scores."""
    if product.equation is not None:
        if "->" not in product.equation:
            return True
        left, right = product.equation.split("->")
        first, second = left.split(",")[:2]
        return bool(set(first) & set(second) - set(right) - {"."})
    return bool(product.operands[0].shape[-1] != 1)


class WeightAxes(NamedTuple):
    """How weights stand in an einsum term: the order that brings (lead..., query, key)."""

    order: tuple[int, ...]
    key_axis: int


def einsum_axes(equation: str, position: int, ndim: int) -> WeightAxes | None:
    """Return where query and key are in the factor at `position`, or None if it cannot be told.

    The key axis is the one summed over with the other factor; the query axis is the one only this
    factor has and the result keeps.
    """
    if "->" not in equation or "." in equation:
        return None
    left, right = equation.split("->")
    terms = left.split(",")
    mine, other = terms[position], terms[1 - position]
    if len(mine) != ndim:
        return None
    keys = [i for i, letter in enumerate(mine) if letter in other and letter not in right]
    queries = [i for i, letter in enumerate(mine) if letter not in other and letter in right]
    if len(keys) != 1 or len(queries) != 1:
        return None
    lead = [i for i in range(ndim) if i not in (keys[0], queries[0])]
    return WeightAxes((*lead, queries[0], keys[0]), keys[0])


def einsum_value_layout(equation: str, position: int, result: Tensor) -> Tensor | None:
    """Return an einsum's result with axes (lead..., query, value), or None if unclear."""
    if "->" not in equation or "." in equation:
        return None
    left, right = equation.split("->")
    terms = left.split(",")
    mine, other = terms[position], terms[1 - position]
    if len(right) != result.ndim:
        return None
    queries = [i for i, c in enumerate(right) if c in mine and c not in other]
    values = [i for i, c in enumerate(right) if c in other and c not in mine]
    if len(queries) != 1 or len(values) != 1:
        return None
    # The leading axes in the order they have in the weights, so that heads stay heads.
    lead = [right.index(c) for c in mine if c in right and c in other]
    if sorted([*lead, queries[0], values[0]]) != list(range(len(right))):
        return None
    return result.permute(*lead, queries[0], values[0])


def einsum_factor_layout(equation: str, position: int, factor: Tensor) -> Tensor | None:
    """Return a factor of a score product with axes (lead..., row, d), or None if unclear."""
    if "->" not in equation or "." in equation:
        return None
    left, right = equation.split("->")
    terms = left.split(",")
    mine, other = terms[position], terms[1 - position]
    if len(mine) != factor.ndim:
        return None
    summed = [i for i, c in enumerate(mine) if c in other and c not in right]
    rows = [i for i, c in enumerate(mine) if c not in other and c in right]
    lead = [mine.index(c) for c in right if c in mine and c in other]
    if len(summed) != 1 or len(rows) != 1:
        return None
    if sorted([*lead, rows[0], summed[0]]) != list(range(len(mine))):
        return None
    return factor.permute(*lead, rows[0], summed[0])
