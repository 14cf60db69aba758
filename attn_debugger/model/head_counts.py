"""How many heads does an attention have? Asked of those who know; never guessed.

A projection of 768 rows may be 12 heads or 16: the weights alone do not tell, except where some
table has one entry a head, or a norm the width of one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from attn_debugger.core.words import say
from attn_debugger.model.naming import Site

_QUERY_HEADS = (
    "num_attention_heads", "n_head", "num_heads", "n_heads", "nhead", "heads", "nheads",
    "encoder_attention_heads", "decoder_attention_heads",
)  # fmt: skip
_KEY_HEADS = ("num_key_value_heads", "n_kv_heads", "num_kv_heads", "n_head_kv")
_D_HEAD = ("head_dim", "d_head", "d_kv", "dim_head")


@dataclass(frozen=True, slots=True)
class HeadCount:
    """Query heads, and who says so."""

    heads: int
    source: str


def configured(config: Mapping[str, Any], source: str) -> HeadCount | None:
    """Return the head count of a configuration (also one level down, as `text_config` holds it)."""
    for name in _QUERY_HEADS:
        value = config.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return HeadCount(value, f"{source}: {name}")
    for key, nested in config.items():
        if isinstance(nested, Mapping) and (found := configured(nested, f"{source}: {key}")):
            return found
    return None


def configured_width(config: Mapping[str, Any]) -> int | None:
    """Return the width of one head where the configuration states it."""
    return _first(config, _D_HEAD)


def configured_key_heads(config: Mapping[str, Any]) -> int | None:
    """Return the number of key heads (grouped queries) where the configuration states it."""
    return _first(config, _KEY_HEADS)


def from_weights(site: Site, tensors: Mapping[str, Tensor]) -> HeadCount | None:
    """Return the head count where a table beside the projections has one entry for each head."""
    if site.heads is not None:
        return HeadCount(site.heads, say("shape of the projections"))
    for name, tensor in _beside(site, tensors).items():
        leaf = name.removesuffix(".weight").rpartition(".")[2]
        if leaf in ("relative_attention_bias", "relative_position_bias_table") and tensor.ndim == 2:
            return HeadCount(
                int(tensor.shape[1]), say("{leaf} has a column for each head", leaf=leaf)
            )
        if leaf == "sinks" and tensor.ndim == 1:
            return HeadCount(int(tensor.shape[0]), say("sinks has an entry for each head"))
        if found := _from_width(site, leaf, tensor):
            return found
    # T5 keeps one bias table, in the first layer, for all of them.
    for name, tensor in tensors.items():
        if name.endswith("relative_attention_bias.weight") and _same_stack(name, site.path):
            return HeadCount(
                int(tensor.shape[1]), say("relative_attention_bias of the first layer")
            )
    return None


def _from_width(site: Site, leaf: str, tensor: Tensor) -> HeadCount | None:
    if tensor.ndim != 1 or site.query is None:
        return None
    rows = int(site.query.shape[0])
    width = int(tensor.shape[0]) * (2 if leaf == "inv_freq" else 1)
    known = leaf in ("q_norm", "k_norm", "q_layernorm", "k_layernorm", "inv_freq")
    # A norm over the whole width (OLMo 2) tells nothing.
    if not known or width >= rows or rows % width:
        return None
    return HeadCount(rows // width, say("{leaf} gives the width of a head", leaf=leaf))


def _beside(site: Site, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    prefix = site.path + "." if site.path else ""
    return {name: tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _same_stack(name: str, path: str) -> bool:
    def stack(text: str) -> str:
        return re.split(r"\d", text, maxsplit=1)[0]

    return stack(name) == stack(path)


def _first(config: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    for name in names:
        value = config.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
    return None
