from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from attn_debugger.model.head_counts import configured, from_weights
from attn_debugger.model.heads import split_heads
from attn_debugger.model.naming import find_attention

D = 12  # width
H = 3


def matrices(*names: str, rows: int = D, columns: int = D) -> dict[str, Tensor]:
    return {name: torch.randn(rows, columns) for name in names}


SEPARATE = {
    "bert": ("encoder.layer.0.attention.self", "query", "key", "value"),
    "llama": ("model.layers.0.self_attn", "q_proj", "k_proj", "v_proj"),
    "t5": ("encoder.block.0.layer.0.SelfAttention", "q", "k", "v"),
    "distilbert": ("transformer.layer.0.attention", "q_lin", "k_lin", "v_lin"),
    "x-transformers": ("attn_layers.layers.0.1", "to_q", "to_k", "to_v"),
    "meta llama": ("layers.0.attention", "wq", "wk", "wv"),
    "by hand": ("blocks.0.mha", "w_q", "w_k", "w_v"),
    "annotated": ("layers.0.attn", "W_q", "W_k", "W_v"),
    "deberta": ("encoder.layer.0.attention.self", "query_proj", "key_proj", "value_proj"),
    "espnet": ("encoders.0.self_attn", "linear_q", "linear_k", "linear_v"),
}


@pytest.mark.parametrize("scheme", SEPARATE)
def test_separate_projections(scheme: str) -> None:
    path, *leaves = SEPARATE[scheme]
    tensors = matrices(*(f"{path}.{leaf}.weight" for leaf in leaves))
    (site,) = find_attention(tensors)
    assert (site.path, site.projection, site.d_model) == (path, "separate", D)
    for part, leaf in zip(("query", "key", "value"), leaves, strict=True):
        assert torch.equal(getattr(site, part), tensors[f"{path}.{leaf}.weight"])


@pytest.mark.parametrize(
    "name", ["attn.qkv.weight", "attn.Wqkv.weight", "attn.W_pack.weight", "attn.to_qkv.weight"]
)
def test_stacked_projections(name: str) -> None:
    tensors = matrices(name, rows=3 * D)
    (site,) = find_attention(tensors)
    assert site.path == "attn"
    assert site.projection == "fused"
    assert torch.equal(torch.cat([site.query, site.key, site.value]), tensors[name])


def test_multihead_attention_of_torch() -> None:
    module = nn.TransformerEncoderLayer(D, H, 16)
    (site,) = find_attention(module.state_dict())
    assert site.path == "self_attn"
    assert torch.equal(site.key, module.self_attn.in_proj_weight[D : 2 * D])
    assert torch.equal(site.output, module.self_attn.out_proj.weight)


def test_multihead_attention_with_other_widths() -> None:
    module = nn.MultiheadAttention(D, H, kdim=5, vdim=7)
    (site,) = find_attention(module.state_dict())
    assert site.projection == "separate"
    assert site.key.shape == (D, 5)


def test_conv1d_of_gpt2_is_turned_round() -> None:
    weight = torch.randn(D, 3 * D)
    output = torch.randn(D, D)
    (site,) = find_attention({"h.0.attn.c_attn.weight": weight, "h.0.attn.c_proj.weight": output})
    assert torch.equal(site.query, weight[:, :D].T)
    assert torch.equal(site.output, output.T)


def test_c_attn_of_nanogpt_is_not() -> None:
    weight = torch.randn(3 * D, D)
    (site,) = find_attention({"h.0.attn.c_attn.weight": weight})
    assert torch.equal(site.query, weight[:D])


def test_interleaved_heads_need_the_head_count() -> None:
    # (head, [query key value], d_head, in)
    parts = torch.randn(H, 3, D // H, D)
    (site,) = find_attention({"a.query_key_value.weight": parts.reshape(3 * D, D)})
    assert site.query is None
    cut = split_heads(site, H)
    assert cut is not None
    assert torch.equal(cut.query, parts[:, 0])
    assert torch.equal(cut.key, parts[:, 1])


def test_grouped_queries_in_one_matrix() -> None:
    d_head, heads, groups = 4, 6, 2
    rows = (heads + 2 * groups) * d_head
    weight = torch.randn(rows, 24)
    (site,) = find_attention({"self_attn.qkv_proj.weight": weight})
    cut = split_heads(site, heads, groups)
    assert cut is not None
    assert cut.query.shape == (heads, d_head, 24)
    assert torch.equal(cut.key.flatten(0, 1), weight[heads * d_head : (heads + groups) * d_head])
    assert split_heads(site, heads) is None  # the number of key heads is not guessed


def test_three_dimensional_projections_tell_the_heads() -> None:
    tensors = {f"blocks.0.attn.{n}": torch.randn(H, D, 4) for n in ("W_Q", "W_K", "W_V")}
    tensors["blocks.0.attn.W_O"] = torch.randn(H, 4, D)
    (site,) = find_attention(tensors)
    count = from_weights(site, tensors)
    assert count is not None
    assert count.heads == H
    cut = split_heads(site, H)
    assert cut is not None
    assert torch.equal(cut.query[1], tensors["blocks.0.attn.W_Q"][1].T)
    assert torch.equal(cut.output[2], tensors["blocks.0.attn.W_O"][2].T)


def test_layers_are_ordered_by_number() -> None:
    names = [f"layers.{i}.attn.qkv.weight" for i in (10, 2, 0)]
    sites = find_attention(matrices(*names, rows=3 * D))
    assert [site.path for site in sites] == ["layers.0.attn", "layers.2.attn", "layers.10.attn"]


@pytest.mark.parametrize(
    "tensors",
    [
        matrices("mlp.fc1.weight", "classifier.weight"),
        matrices("memory.query.weight"),  # a query without a key
        {"embedding.key.weight": torch.ones(3)},
        {"attn.qkv.weight": torch.ones(3, 4, 5, 6)},
        {},
    ],
)
def test_what_is_no_attention_is_left_alone(tensors: dict[str, Tensor]) -> None:
    assert find_attention(tensors) == ()


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("a.relative_attention_bias.weight", (32, H)),
        ("a.relative_position_bias_table", (49, H)),
        ("a.sinks", (H,)),
        ("a.q_norm.weight", (D // H,)),
        ("a.rotary_emb.inv_freq", (D // H // 2,)),
    ],
)
def test_tables_beside_the_projections_tell_the_heads(name: str, shape: tuple[int, ...]) -> None:
    tensors = matrices("a.q.weight", "a.k.weight", "a.v.weight") | {name: torch.randn(shape)}
    (site,) = find_attention(tensors)
    count = from_weights(site, tensors)
    assert count is not None
    assert count.heads == H


def test_heads_are_never_guessed() -> None:
    tensors = matrices("a.q.weight", "a.k.weight", "a.v.weight")
    tensors["a.q_norm.weight"] = torch.ones(D)  # over the whole width: tells nothing
    (site,) = find_attention(tensors)
    assert from_weights(site, tensors) is None


def test_configurations_tell_the_heads() -> None:
    assert configured({"n_head": 12}, "config.json").heads == 12
    nested = configured({"text_config": {"num_attention_heads": 4}}, "config.json")
    assert (nested.heads, nested.source) == (4, "config.json: text_config: num_attention_heads")
    assert configured({"n_head": True, "num_heads": "8"}, "x") is None


@pytest.mark.coverage
@pytest.mark.parametrize("kind", ["bert", "gpt2", "llama", "gpt_neox", "bloom", "t5", "vit"])
def test_real_models_of_hugging_face(kind: str) -> None:
    transformers = pytest.importorskip("transformers")
    small = {"hidden_size": 24, "num_attention_heads": 4, "num_hidden_layers": 2}
    extra = {
        "gpt2": {"n_embd": 24, "n_head": 4, "n_layer": 2},
        "llama": {"num_key_value_heads": 2, "intermediate_size": 32},
        "bloom": {"hidden_size": 24, "n_head": 4, "n_layer": 2},
        "t5": {"d_model": 24, "num_heads": 4, "num_layers": 2, "d_kv": 6, "d_ff": 32},
    }
    config = transformers.AutoConfig.for_model(kind, **(small | extra.get(kind, {})))
    model = transformers.AutoModel.from_config(config)
    sites = find_attention(model.state_dict())
    assert len(sites) == (6 if kind == "t5" else 2)
    for site in sites:
        cut = split_heads(site, 4)
        assert cut is not None
        assert cut.query.shape == (4, 6, 24)
