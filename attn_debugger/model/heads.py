"""Cuts the projections of an attention into its heads."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from attn_debugger.model.naming import Site


@dataclass(frozen=True, slots=True)
class HeadWeights:
    """Projections of one attention, a head at a time.

    `query` is (head, d_head, in), `key` and `value` (key head, d_head, in), `output`
    (head, out, d_head); the last two are None where the checkpoint does not show them.
    """

    query: Tensor
    key: Tensor
    value: Tensor | None
    output: Tensor | None


def split_heads(site: Site, heads: int, key_heads: int | None = None) -> HeadWeights | None:
    """Return the projections of `site` per head, or None when the numbers do not fit together.

    `key_heads` (grouped queries) is worked out from the shapes where it is not given.
    """
    if site.query is not None and site.key is not None:
        query, key, value = site.query, site.key, site.value
    else:
        parts = _unfuse(site, heads, key_heads)
        if parts is None:
            return None
        query, key, value = parts
    if query.shape[0] % heads:
        return None
    d_head = query.shape[0] // heads
    if d_head == 0 or key.shape[0] % d_head:
        return None
    groups = key.shape[0] // d_head
    if groups == 0 or heads % groups:
        return None
    output = site.output
    if output is not None and output.shape[1] % heads:
        output = None
    if value is not None and value.shape[0] % groups:
        value = None
    return HeadWeights(
        query=query.reshape(heads, d_head, -1),
        key=key.reshape(groups, d_head, -1),
        value=None if value is None else value.reshape(groups, value.shape[0] // groups, -1),
        output=(
            None if output is None else output.reshape(output.shape[0], heads, -1).transpose(0, 1)
        ),
    )


def _unfuse(site: Site, heads: int, key_heads: int | None) -> tuple[Tensor, Tensor, Tensor] | None:
    fused = site.fused
    if fused is None:
        return None
    rows, columns = fused.shape
    if site.order == "interleaved":
        if rows % (3 * heads):
            return None
        # (head, [query key value], d_head, in)
        parts = fused.reshape(heads, 3, rows // (3 * heads), columns)
        query, key, value = (parts[:, i].reshape(-1, columns) for i in range(3))
        return query, key, value
    if key_heads is None or rows % (heads + 2 * key_heads):
        return None
    d_head = rows // (heads + 2 * key_heads)
    first, second = heads * d_head, (heads + key_heads) * d_head
    return fused[:first], fused[first:second], fused[second:]
