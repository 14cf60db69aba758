"""Finds the attention modules among the parameters of a checkpoint, by how people name them.

    for site in find_attention(tensors):
        site.path, site.query.shape

Covers `nn.MultiheadAttention`, Hugging Face (BERT, ViT, GPT-2, NeoX, Bloom, Llama, Phi-3, T5,
DistilBERT, DeBERTa, BART, ModernBERT), timm, nanoGPT, x-transformers, fairseq, TransformerLens,
Meta's llama, and hand-written q/k/v, query/key/value, w_q/w_k/w_v, to_q/to_k/to_v.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from torch import Tensor

Order = Literal["stacked", "interleaved", "grouped", "transposed"]

# The last part of the module (or parameter) name that holds query, key and value in one matrix.
_FUSED: Mapping[str, Order] = {
    "in_proj_weight": "stacked",  # nn.MultiheadAttention
    "qkv": "stacked",  # timm, Swin
    "Wqkv": "stacked",  # ModernBERT, MPT
    "W_pack": "stacked",  # Baichuan
    "to_qkv": "stacked",  # vit-pytorch
    "qkv_proj": "grouped",  # Phi-3: query rows, then fewer key and value rows
    "query_key_value": "interleaved",  # NeoX, Bloom: [q k v] of each head in turn
    "c_attn": "stacked",  # nanoGPT; GPT-2's Conv1D stores it transposed
}
_SEPARATE = (
    ("q_proj", "k_proj", "v_proj"),  # Llama, BART, CLIP, OPT
    ("query", "key", "value"),  # BERT, ViT
    ("q", "k", "v"),  # T5
    ("q_lin", "k_lin", "v_lin"),  # DistilBERT
    ("to_q", "to_k", "to_v"),  # x-transformers, diffusers
    ("wq", "wk", "wv"),  # Meta llama
    ("w_q", "w_k", "w_v"),
    ("w_qs", "w_ks", "w_vs"),
    ("W_q", "W_k", "W_v"),
    ("W_Q", "W_K", "W_V"),  # TransformerLens
    ("query_proj", "key_proj", "value_proj"),  # DeBERTa-v2
    ("q_linear", "k_linear", "v_linear"),
    ("linear_q", "linear_k", "linear_v"),  # ESPnet, Conformer
    ("query_projection", "key_projection", "value_projection"),
    ("q_proj_weight", "k_proj_weight", "v_proj_weight"),  # nn.MultiheadAttention with kdim
)
_OUTPUT = (
    "out_proj", "o_proj", "out", "o", "proj", "c_proj", "dense", "wo", "W_O", "w_o", "W_o",
    "out_lin", "to_out.0", "to_out", "Wo", "fc", "output_projection", "linear_out", "out_linear",
)  # fmt: skip
_KEY_NAMES = {q: (k, v) for q, k, v in _SEPARATE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One attention module as its parameters show it.

    `query`, `key`, `value` are (out, in) matrices, heads stacked along `out`, whenever the layout
    can be told without knowing the head count; `fused` is the whole matrix where it cannot.
    """

    path: str
    projection: Literal["fused", "separate"]
    order: Order
    query: Tensor | None = None
    key: Tensor | None = None
    value: Tensor | None = None
    output: Tensor | None = None
    fused: Tensor | None = None
    heads: int | None = None  # from three-dimensional weights (TransformerLens)

    @property
    def d_model(self) -> int:
        """Width of what comes in."""
        matrix = self.fused if self.query is None else self.query
        assert matrix is not None
        return int(matrix.shape[1])


def find_attention(tensors: Mapping[str, Tensor]) -> tuple[Site, ...]:
    """Return every attention module, in the order of the layers (numbers compared as numbers)."""
    sites = {}
    for name, tensor in tensors.items():
        if tensor.ndim < 2:
            continue
        path, leaf = _split(name)
        site = None
        if leaf in _FUSED:
            site = _fused(path, _FUSED[leaf], tensor, tensors)
        elif leaf in _KEY_NAMES:
            site = _separate(path, leaf, name, tensor, tensors)
        if site is not None:
            sites[path] = site
    return tuple(sorted(sites.values(), key=lambda site: _natural(site.path)))


def _split(name: str) -> tuple[str, str]:
    path, _, leaf = name.removesuffix(".weight").rpartition(".")
    return path, leaf


def _natural(path: str) -> list[tuple[int, str]]:
    # "layers.10" after "layers.9"
    return [(int(p), "") if p.isdigit() else (-1, p) for p in re.split(r"(\d+)", path)]


def _fused(path: str, order: Order, matrix: Tensor, tensors: Mapping[str, Tensor]) -> Site | None:
    if matrix.ndim != 2:
        return None
    rows, columns = matrix.shape
    output = _output(path, tensors)
    if columns == 3 * rows:
        # GPT-2's Conv1D keeps (in, out).
        order, matrix, output = "transposed", matrix.T, None if output is None else output.T
        rows, columns = columns, rows
    if order == "interleaved":
        return Site(path=path, projection="fused", order=order, fused=matrix, output=output)
    if order == "grouped" and rows != 3 * columns:
        return Site(path=path, projection="fused", order=order, fused=matrix, output=output)
    if rows % 3:
        return None
    query, key, value = matrix.chunk(3)
    order = "stacked" if order == "grouped" else order
    return Site(
        path=path,
        projection="fused",
        order=order,
        query=query,
        key=key,
        value=value,
        output=output,
        fused=matrix,
    )


def _separate(
    path: str, leaf: str, name: str, query: Tensor, tensors: Mapping[str, Tensor]
) -> Site | None:
    key_leaf, value_leaf = _KEY_NAMES[leaf]
    stem = name[: len(name) - len(leaf)] if name.endswith(leaf) else f"{path}.{leaf}"[: -len(leaf)]
    ending = "" if name.endswith(leaf) else ".weight"
    key = tensors.get(f"{stem}{key_leaf}{ending}")
    value = tensors.get(f"{stem}{value_leaf}{ending}")
    if key is None or key.ndim != query.ndim or query.ndim > 3:
        return None
    heads = None
    if query.ndim == 3:  # (head, in, d_head)
        heads = int(query.shape[0])
        query, key = _stack(query), _stack(key)
        value = None if value is None or value.ndim != 3 else _stack(value)
    return Site(
        path=path,
        projection="separate",
        order="stacked",
        query=query,
        key=key,
        value=value,
        output=_output(path, tensors),
        heads=heads,
    )


def _stack(weight: Tensor) -> Tensor:
    # (head, in, d_head) -> (head * d_head, in)
    return weight.transpose(1, 2).reshape(-1, weight.shape[1])


def _output(path: str, tensors: Mapping[str, Tensor]) -> Tensor | None:
    # BERT and ViT keep it beside the module: attention.self and attention.output.dense.
    parent = path.rpartition(".")[0]
    names = [f"{path}.{leaf}" for leaf in _OUTPUT] + [f"{parent}.output.dense"]
    for name in names:
        for candidate in (f"{name}.weight", name):
            tensor = tensors.get(candidate)
            if tensor is not None and tensor.ndim == 2:
                return tensor
            if tensor is not None and tensor.ndim == 3:  # (head, d_head, out)
                return tensor.reshape(-1, tensor.shape[-1]).T
    return None
