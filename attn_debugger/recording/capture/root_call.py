"""What the model was called with: ids, masks and padding, read from its own arguments."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

import torch
from torch import Tensor, nn

from attn_debugger.recording.batch_hash import batch_extract
from attn_debugger.recording.capture.attribution import unwrap
from attn_debugger.recording.capture.layout import unwrap_functorch
from attn_debugger.recording.pictures import looks_like_pictures

_ID_NAMES = ("input_ids", "ids", "tokens", "token_ids", "idx", "src", "input", "x", "inputs")
_DECODER_ID_NAMES = ("decoder_input_ids", "tgt")
# True = real token (the convention of Hugging Face) or True = padding (that of torch).
_REAL_NAMES = ("attention_mask", "input_mask")
_PADDING_NAMES = ("src_key_padding_mask", "key_padding_mask", "padding_mask", "pad_mask", "pad")
_DECODER_PADDING_NAMES = ("tgt_key_padding_mask",)


@dataclass(frozen=True, slots=True, kw_only=True)
class RootCall:
    """The inputs of one forward of the model; all (B, N), None = not seen."""

    batch: int | None = None
    ids: Tensor | None = None
    decoder_ids: Tensor | None = None
    key_padding: Tensor | None = None  # True = padding
    decoder_padding: Tensor | None = None
    padding_name: str = ""  # the argument it was read from
    pictures: Tensor | None = None  # (B, C, height, width) or (B, height, width, C)
    extract: Sequence[Tensor] = ()  # what tells this batch from others


def read_root_call(model: nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any]) -> RootCall:
    """Return what the arguments of `model(*args, **kwargs)` tell. Tensors are not copied."""
    named = _bind(unwrap(model), args, kwargs)
    batch = next((v.size(0) for v in named.values() if isinstance(v, Tensor) and v.dim()), None)
    ids = _first(named, _ID_NAMES, is_ids)
    if ids is None:
        integers = [
            v
            for n, v in named.items()
            if is_ids(v)
            and not n.startswith(("label", "target"))
            and n not in (*_REAL_NAMES, *_PADDING_NAMES, "token_type_ids", "position_ids")
        ]
        ids = integers[0] if integers else None
    padding, name = _padding(named, _REAL_NAMES, _PADDING_NAMES)
    decoder_padding, _ = _padding(named, ("decoder_attention_mask",), _DECODER_PADDING_NAMES)
    return RootCall(
        batch=batch,
        ids=ids,
        decoder_ids=_first(named, _DECODER_ID_NAMES, is_ids),
        key_padding=padding,
        decoder_padding=decoder_padding,
        padding_name=name,
        pictures=next((v for v in named.values() if _is_pictures(v)), None),
        extract=batch_extract([named[name] for name in sorted(named)]),
    )


def _bind(model: nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    try:
        names = list(inspect.signature(model.forward).parameters)
    except (TypeError, ValueError):
        names = []
    named = {names[i] if i < len(names) else f"argument {i}": v for i, v in enumerate(args)}
    named.update(kwargs)
    # They are read when the forward is over; what torch.func wraps must not be seen by then.
    return {n: unwrap_functorch(v)[0] if isinstance(v, Tensor) else v for n, v in named.items()}


def is_ids(value: Any) -> TypeGuard[Tensor]:
    """Return whether a value looks like a batch of token ids, (B, N)."""
    return (
        isinstance(value, Tensor)
        and value.ndim == 2
        and value.dtype in (torch.int64, torch.int32, torch.int16)
    )


def _is_pictures(value: Any) -> bool:
    return isinstance(value, Tensor) and looks_like_pictures(value)


def _first(named: Mapping[str, Any], names: Sequence[str], wanted: Any) -> Tensor | None:
    return next((named[name] for name in names if wanted(named.get(name))), None)


def _padding(
    named: Mapping[str, Any], real_names: Sequence[str], padding_names: Sequence[str]
) -> tuple[Tensor | None, str]:
    for name in real_names:
        mask = named.get(name)
        if isinstance(mask, Tensor) and mask.ndim == 2:
            return mask == 0, name
    for name in padding_names:
        mask = named.get(name)
        if isinstance(mask, Tensor) and mask.ndim == 2:
            return (mask < -1e4 if mask.dtype.is_floating_point else mask.bool()), name
    return None, ""
