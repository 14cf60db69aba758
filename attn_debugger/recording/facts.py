"""What a layer was *meant* to do, from configuration: never from the mask that was applied.

A fault hides when the intention is read off the tensor that carries it. So causality comes from
flags, buffers and configuration first; a mask that was applied only speaks when it is causal to
the cell, for then there is nothing it could hide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import torch
from torch import Tensor, nn

from attn_debugger.recording.capture.attribution import declared_heads
from attn_debugger.recording.capture.call import Capture

_CROSS = re.compile(r"cross|encoder_attn|encdec|multihead_attn", re.IGNORECASE)
_CAUSAL_FLAGS = ("is_causal", "causal")
_WINDOWS = ("sliding_window", "window_size", "local_attn_window_size")
_SOFTCAPS = ("attn_logit_softcapping", "logit_softcap", "softcap")


def module_chain(modules: Mapping[str, nn.Module], path: str) -> Iterator[nn.Module]:
    """The module at `path` and its parents up to the model, innermost first."""
    while True:
        module = modules.get(path)
        if module is not None:
            yield module
        if not path:
            return
        path = path.rpartition(".")[0]


def layer_attributes(
    capture: Capture, modules: Mapping[str, nn.Module], given: Mapping[str, object]
) -> dict[str, object]:
    """Return the archive attributes of a layer, as far as the code and the call tell.

    What the user gave (`given`) is left out where it says the same thing for the whole run, so
    that it holds.
    """
    chain = list(module_chain(modules, capture.path))
    owner = chain[0] if chain else None
    cross = is_cross(capture, owner)
    _, heads, n_queries, n_keys = capture.shape
    found: dict[str, object] = {"kind": "cross" if cross else "self"}
    found.update({k: v for k, v in capture.facts.items() if k not in ("causal", "captured_heads")})
    stored = capture.stats["row_sum_min"].shape[1]
    found["n_heads"] = stored
    if stored == heads and owner is not None and (declared := _own_heads(owner)) is not None:
        found["n_heads"] = declared
    causal = False if cross else intended_causality(capture, chain)
    if causal is not None:
        found["causal"] = causal
    if not cross and causal and n_keys > n_queries:
        found["q_offset"] = n_keys - n_queries  # keys kept from earlier calls come first
    if not cross and (window := intended_window(chain)) is not None:
        found["window"] = window
    if (softcap := _number(chain[:1], _SOFTCAPS)) is not None:
        found["softcap"], found["score_stage"] = softcap, "post_cap"
    if "scale" not in found and (scale := _number(chain[:1], ("scaling",))) is not None:
        found["scale"] = scale
    if (terms := score_terms(capture)) is not None:
        found["score_terms"] = terms
    if owner is not None:
        found["training"] = owner.training
        parameters = list(owner.parameters())
        if parameters:
            found["trainable"] = any(p.requires_grad for p in parameters)
    cross_only = {"causal"} if cross else set()
    return {k: v for k, v in found.items() if k not in given or k in cross_only}


def score_terms(capture: Capture) -> str | None:
    """Return what the scores hold beside q k^T, a number and a mask: added, multiplied; or None."""
    if capture.multiplied:
        return "multiplied"
    return "added" if capture.added is not None and bool(capture.added) else None


def is_cross(capture: Capture, owner: nn.Module | None) -> bool:
    """Return whether keys come from elsewhere than queries, from what tells it most surely."""
    if capture.is_cross is not None:
        return capture.is_cross
    flag = getattr(owner, "is_cross_attention", None)
    if isinstance(flag, bool):
        return flag
    return _CROSS.search(capture.path) is not None


def intended_causality(capture: Capture, chain: list[nn.Module]) -> bool | None:
    """Return whether the layer is meant to be causal; None where nothing tells."""
    for module in chain:
        for name in _CAUSAL_FLAGS:
            flag = getattr(module, name, None)
            if isinstance(flag, bool):
                return flag
    owner = chain[0] if chain else None
    decoder = getattr(owner, "is_decoder", None)
    if isinstance(decoder, bool):
        return decoder
    if owner is not None and any(_is_causal_mask(buffer) for buffer in owner.buffers()):
        return True
    if capture.facts.get("causal"):
        return True
    if capture.keep is not None and applied_mask_is_causal(capture.keep):
        return True
    return None


def applied_mask_is_causal(keep: Tensor) -> bool:
    """Return whether a mask (S, 1, Q, K) is causal to the cell, but for whole masked columns.

    Columns masked for every query are padding. A mask that is one diagonal off is not causal, and
    one row or column alone tells nothing.
    """
    n_queries, n_keys = keep.shape[-2:]
    if n_queries < 2 or n_keys < 2 or n_keys < n_queries:
        return False
    offset = n_keys - n_queries
    causal = torch.ones(n_queries, n_keys, dtype=torch.bool).tril(offset)
    used = keep.any(-2, keepdim=True)  # (S, 1, 1, K)
    visible = keep.any(-1, keepdim=True)  # the rows of padded queries may be masked as a whole
    if not bool(((keep == (causal & used)) | ~visible).all()):
        return False
    return bool((visible.sum((-3, -2, -1)) >= 2).all()) and bool((~keep & used & visible).any())


def intended_window(chain: list[nn.Module]) -> int | None:
    """Return how many keys back a layer may look, by its own attribute or the configuration.

    Only for causal layers: what a two-sided window counts differs from model to model.
    """
    if (window := _whole_number(chain[:1], _WINDOWS)) is not None:
        return window if getattr(chain[0], "is_causal", False) else None
    config = next((c for m in chain if (c := getattr(m, "config", None)) is not None), None)
    if config is None or not getattr(chain[0], "is_causal", False):
        return None
    window, kinds = getattr(config, "sliding_window", None), getattr(config, "layer_types", None)
    if type(window) is not int or getattr(config, "use_sliding_window", True) is False:
        return None
    if kinds:
        index = getattr(chain[0], "layer_idx", None)
        if type(index) is not int or not 0 <= index < len(kinds):
            return None
        return window if kinds[index] == "sliding_attention" else None
    return window


def _is_causal_mask(buffer: Tensor) -> bool:
    """Return whether a buffer is a lower triangle of ones, as causal attention keeps."""
    if buffer.ndim < 2 or buffer.shape[-1] != buffer.shape[-2] or buffer.shape[-1] < 2:
        return False
    if buffer.numel() != buffer.shape[-1] ** 2 or buffer.is_meta or buffer.is_complex():
        return False
    square = buffer.detach().reshape(buffer.shape[-2:])[:64, :64].cpu()
    if square.dtype != torch.bool and not bool(((square == 0) | (square == 1)).all()):
        return False
    return bool((square.bool() == torch.ones_like(square, dtype=torch.bool).tril()).all())


def _own_heads(module: nn.Module) -> int | None:
    return declared_heads(module) if getattr(module, "config", None) is None else None


def _number(chain: list[nn.Module], names: tuple[str, ...]) -> float | None:
    for module in chain:
        for name in names:
            value = getattr(module, name, None)
            if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0:
                return float(value)
    return None


def _whole_number(chain: list[nn.Module], names: tuple[str, ...]) -> int | None:
    value = _number(chain, names)
    return int(value) if value is not None and value.is_integer() else None
