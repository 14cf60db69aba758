"""Real models of timm and x-transformers, small and random, with the weights they compute."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import Tensor, nn

X_TRANSFORMERS: dict[str, dict[str, Any]] = {
    "plain": {},
    "flash": {"attn_flash": True},
    "rotary": {"rotary_pos_emb": True},
    "grouped queries": {"attn_kv_heads": 2},
    "q, k norm": {"attn_qk_norm": True},
    "talking heads": {"attn_pre_talking_heads": True, "attn_post_talking_heads": True},
    "soft clamp": {"attn_softclamp_logits": True},
    "ALiBi": {"alibi_pos_bias": True},
    "memory keys": {"attn_num_mem_kv": 3},
}


def x_transformer(causal: bool, **options: Any) -> nn.Module:
    """Two layers, vocabulary of 50, always the same weights; skips where it is not installed."""
    library = pytest.importorskip("x_transformers")
    kind = library.Decoder if causal else library.Encoder
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layers = kind(dim=32, depth=2, heads=4, **options)
        return library.TransformerWrapper(num_tokens=50, max_seq_len=32, attn_layers=layers)


def x_transformer_truth(causal: bool, options: dict[str, Any], ids: Tensor) -> list[Tensor]:
    """Return the weights (B, H, Q, K) of each layer, as its own unfused twin hands them out."""
    model = x_transformer(causal, **options)
    written = x_transformer(causal, **{**options, "attn_flash": False}).eval()
    written.load_state_dict(model.state_dict())
    with torch.no_grad():
        _, states = written(ids, return_intermediates=True)
    return [state.post_softmax_attn for state in states.attn_intermediates]


class _Names(type):
    def __getattr__(cls, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        return name


class _NothingInIt(ModuleType):
    """A module in which every name is a class, in which every name is itself."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        made = _Names(name, (), {})
        setattr(self, name, made)
        return made


class _WithoutTorchvision(MetaPathFinder, Loader):
    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name.partition(".")[0] != "torchvision":
            return None
        return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _NothingInIt(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


@contextmanager
def torchvision_if_only_by_name() -> Iterator[None]:
    """timm imports torchvision for its data loading, which no test of ours needs."""
    if "torchvision" in sys.modules or find_spec("torchvision") is not None:
        yield
        return
    finder = _WithoutTorchvision()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.partition(".")[0] == "torchvision"]:
            del sys.modules[name]


def timm_vit(fused: bool, **options: Any) -> nn.Module:
    """timm's own vision transformer, two blocks; skips where timm is not installed."""
    with torchvision_if_only_by_name(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        library = pytest.importorskip("timm.models.vision_transformer")
    torch.manual_seed(0)
    sizes = {"img_size": 16, "patch_size": 4, "embed_dim": 32, "depth": 2, "num_heads": 4}
    model = library.VisionTransformer(**sizes, num_classes=5, **options)
    for block in model.blocks:
        block.attn.fused_attn = fused
    return model


def timm_truth(model: nn.Module, x: Tensor) -> list[Tensor]:
    """Return the weights (B, H, Q, K) that reach the dropout of each block, run without fusing."""
    seen: list[Tensor] = []
    handles = [
        block.attn.attn_drop.register_forward_pre_hook(lambda m, args: seen.append(args[0]))
        for block in model.blocks
    ]
    before = [block.attn.fused_attn for block in model.blocks]
    for block in model.blocks:
        block.attn.fused_attn = False
    with torch.no_grad():
        model(x)
    for block, fused, handle in zip(model.blocks, before, handles, strict=True):
        block.attn.fused_attn = fused
        handle.remove()
    return seen
