"""Small random Hugging Face models, one a family; nothing is downloaded."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch

SIZE = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "vocab_size": 60,
    "max_position_embeddings": 64,
}
ROTARY = {**SIZE, "num_key_value_heads": 2, "head_dim": 8, "pad_token_id": 0}


@dataclass(frozen=True)
class Family:
    """`layers` attentions are expected; `outputs` name the fields that hold the truth."""

    model: str
    config: str
    sizes: dict[str, Any]
    layers: int = 2
    outputs: tuple[str, ...] = ("attentions",)
    inputs: Callable[[], dict[str, torch.Tensor]] | None = None
    kernels: tuple[str, ...] = ("eager", "sdpa")
    options: dict[str, Any] = field(default_factory=dict)


def text_inputs() -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(4)
    ids = torch.randint(3, 60, (3, 11), generator=generator)
    mask = torch.ones_like(ids)
    mask[1, 8:] = 0
    ids[1, 8:] = 0
    return {"input_ids": ids, "attention_mask": mask}


def pair_inputs() -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(5)
    decoder = torch.randint(3, 60, (3, 7), generator=generator)
    return {**text_inputs(), "decoder_input_ids": decoder}


def image_inputs() -> dict[str, torch.Tensor]:
    return {"pixel_values": torch.randn(2, 3, 16, 16, generator=torch.Generator().manual_seed(6))}


EVERY_KERNEL = ("eager", "sdpa", "flex_attention")
ENCODER_DECODER = ("encoder_attentions", "decoder_attentions", "cross_attentions")
FAMILIES: dict[str, Family] = {
    "BERT": Family("BertModel", "BertConfig", SIZE, kernels=EVERY_KERNEL),
    "RoBERTa": Family("RobertaModel", "RobertaConfig", {**SIZE, "pad_token_id": 0}),
    "DistilBERT": Family(
        "DistilBertModel",
        "DistilBertConfig",
        {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48, "vocab_size": 60},
    ),
    "ALBERT (shared layers)": Family("AlbertModel", "AlbertConfig", {**SIZE, "embedding_size": 16}),
    "DeBERTa-v2": Family(
        "DebertaV2Model",
        "DebertaV2Config",
        {**SIZE, "relative_attention": True, "pos_att_type": ["c2p", "p2c"]},
        kernels=("eager",),
    ),
    "XLNet": Family(
        "XLNetModel",
        "XLNetConfig",
        {"d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 48, "vocab_size": 60},
        kernels=("eager",),
    ),
    "GPT-2": Family(
        "GPT2Model",
        "GPT2Config",
        {"n_embd": 32, "n_layer": 2, "n_head": 4, "vocab_size": 60, "n_positions": 64},
    ),
    "GPT-NeoX": Family("GPTNeoXModel", "GPTNeoXConfig", SIZE),
    "OPT": Family(
        "OPTModel",
        "OPTConfig",
        {
            **{k: v for k, v in SIZE.items() if k != "intermediate_size"},
            "ffn_dim": 48,
            "word_embed_proj_dim": 32,
            "pad_token_id": 0,
        },
    ),
    "Bloom (ALiBi)": Family(
        "BloomModel",
        "BloomConfig",
        {"hidden_size": 32, "n_layer": 2, "n_head": 4, "vocab_size": 60},
        kernels=("eager",),
    ),
    "Llama (grouped queries)": Family("LlamaModel", "LlamaConfig", ROTARY, kernels=EVERY_KERNEL),
    "Mistral (window)": Family("MistralModel", "MistralConfig", {**ROTARY, "sliding_window": 4}),
    "Qwen3": Family("Qwen3Model", "Qwen3Config", ROTARY),
    "Gemma-2 (soft cap)": Family(
        "Gemma2Model", "Gemma2Config", {**ROTARY, "sliding_window": 4}, kernels=("eager",)
    ),
    "Mixtral (router)": Family("MixtralModel", "MixtralConfig", {**ROTARY, "num_local_experts": 4}),
    "gpt-oss (sinks)": Family(
        "GptOssModel",
        "GptOssConfig",
        {**ROTARY, "num_local_experts": 4, "sliding_window": 4},
        kernels=("eager",),
    ),
    "T5": Family(
        "T5Model",
        "T5Config",
        {"d_model": 32, "num_layers": 2, "num_heads": 4, "d_kv": 8, "d_ff": 48, "vocab_size": 60},
        layers=6,
        outputs=ENCODER_DECODER,
        inputs=pair_inputs,
        kernels=("eager",),
    ),
    "BART": Family(
        "BartModel",
        "BartConfig",
        {
            "d_model": 32,
            "encoder_layers": 2,
            "decoder_layers": 2,
            "encoder_attention_heads": 4,
            "decoder_attention_heads": 4,
            "encoder_ffn_dim": 48,
            "decoder_ffn_dim": 48,
            "vocab_size": 60,
            "pad_token_id": 0,
        },
        layers=6,
        outputs=ENCODER_DECODER,
        inputs=pair_inputs,
    ),
    "ViT": Family(
        "ViTModel",
        "ViTConfig",
        {**{k: v for k, v in SIZE.items() if k != "vocab_size"}, "image_size": 16, "patch_size": 4},
        inputs=image_inputs,
    ),
    "ModernBERT": Family(
        "ModernBertModel", "ModernBertConfig", {**SIZE, "pad_token_id": 0, "local_attention": 6}
    ),
}


def build(family: Family, kernel: str) -> torch.nn.Module:
    """Return the model with random weights, dropout as configured, in evaluation mode."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        transformers = pytest.importorskip("transformers")

        transformers.logging.set_verbosity_error()
        config = getattr(transformers, family.config)(**family.sizes)
        torch.manual_seed(0)
        model = getattr(transformers, family.model)._from_config(config, attn_implementation=kernel)
    return model.eval()


def truth_of(family: Family, inputs: dict[str, torch.Tensor]) -> list[torch.Tensor]:
    """Return the weights an eager twin puts out, one (B, H, Q, K) an attention."""
    twin = build(family, "eager")
    with torch.no_grad():
        out = twin(**inputs, output_attentions=True)
    return [weights for name in family.outputs for weights in out[name]]
