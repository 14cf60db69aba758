"""Tokens and padding of a frame: as given by hand, as the model was called, or from pad ids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

BoolArray = NDArray[np.bool_]
IdArray = NDArray[np.int64]
_FEW = 3  # so many different ids among "padding" are no padding


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenInputs:
    """What the user handed to `recorder.step`; None = nothing."""

    tokens: Any = None
    attention_mask: Any = None
    key_padding: Any = None
    documents: Any = None
    images: Any = None  # True: those the model is called with


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameInputs:
    """Inputs of the sampled items, on the CPU; S samples, N tokens."""

    ids: IdArray | None = None  # (S, N)
    decoder_ids: IdArray | None = None
    tokens: tuple[tuple[str, ...], ...] | None = None
    decoder_tokens: tuple[tuple[str, ...], ...] | None = None
    key_padding: BoolArray | None = None  # (S, N) True = padding
    decoder_padding: BoolArray | None = None
    documents: IdArray | None = None
    images: NDArray[np.uint8] | None = None  # (S, height, width, 3)


def take_samples(value: Any, samples: Sequence[int]) -> NDArray[Any] | None:
    """Return the sampled rows of a (B, N) or (N,) tensor, array or list as an owned numpy array.

    None when it is no such thing.
    """
    if value is None:
        return None
    if isinstance(value, Tensor):
        value = value.detach()
        rows = value[None] if value.ndim == 1 else value
        if rows.ndim != 2:
            return None
        chosen = [index for index in samples if index < rows.shape[0]]
        copied: NDArray[Any] = rows[chosen].cpu().numpy().copy()
        return copied
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        return None
    if array.dtype == object or array.ndim not in (1, 2):
        return None
    array = array[None] if array.ndim == 1 else array
    return array[[index for index in samples if index < array.shape[0]]].copy()


def text_tokens(value: Any, samples: Sequence[int]) -> tuple[tuple[str, ...], ...] | None:
    """Return tokens given as strings: one list, or one a sample."""
    if not isinstance(value, (list, tuple)) or not value:
        return None
    if all(isinstance(token, str) for token in value):
        return (tuple(value),)
    if all(isinstance(row, (list, tuple)) for row in value):
        rows = [value[index] for index in samples if index < len(value)]
        if all(isinstance(token, str) for row in rows for token in row):
            return tuple(tuple(row) for row in rows)
    return None


def decode_ids(
    ids: IdArray, decode: Callable[[list[int]], Sequence[str]]
) -> tuple[tuple[str, ...], ...]:
    """Return the strings of (S, N) ids. Raises `ValueError` when their number differs."""
    rows = []
    for row in ids:
        tokens = tuple(str(token) for token in decode([int(i) for i in row]))
        if len(tokens) != len(row):
            raise ValueError(
                f"decode returned {len(tokens)} strings for {len(row)} ids; it must return one "
                "string an id (tokenizer.convert_ids_to_tokens does)"
            )
        rows.append(tokens)
    return tuple(rows)


def looks_inverted(padding: BoolArray, ids: IdArray | None) -> bool:
    """Return whether padding marks the real tokens: padding repeats one id, text does not."""
    if ids is None or ids.shape != padding.shape or padding.all() or not padding.any():
        return False
    padded, real = np.unique(ids[padding]), np.unique(ids[~padding])
    return len(padded) >= _FEW and len(real) == 1


def padding_from_ids(ids: IdArray, pad_id: int) -> BoolArray | None:
    """Return the runs of `pad_id` that end or begin a sample; None when there are none.

    One sample in which a single pad id stands at the edge may be text (padding id = end of text):
    a run must be two long somewhere to be believed.
    """
    is_pad = ids == pad_id
    trailing = np.cumprod(is_pad[:, ::-1], axis=1)[:, ::-1].astype(bool)
    leading = np.cumprod(is_pad, axis=1).astype(bool)
    padding: BoolArray = trailing | leading
    if padding.sum(axis=1).max(initial=0) < 2 or padding.all(axis=1).any():
        return None
    return padding


def resolve_padding(
    given: BoolArray | None,
    seen: BoolArray | None,
    ids: IdArray | None,
    pad_id: int | None,
    seen_name: str = "",
) -> tuple[BoolArray | None, str]:
    """Return the padding that was meant, (S, N), and a note when an argument looks inverted.

    By hand first, then the model's own call, then the padding id of configuration or embedding.
    """
    if given is not None:
        if looks_inverted(given, ids):
            return ~given, (
                "the padding given to recorder.step looks inverted: it marks tokens with many ids "
                "as padding and one repeated id as text. attention_mask= is 1 for real tokens, "
                "key_padding= is True for padding. The other way round was stored."
            )
        return given, ""
    if seen is not None:
        if looks_inverted(seen, ids):
            return ~seen, (
                f"the model was called with {seen_name} that looks inverted: it marks tokens with "
                "many ids as padding and one repeated id as text"
            )
        return seen, ""
    if ids is not None and pad_id is not None:
        return padding_from_ids(ids, pad_id), ""
    return None, ""


def given_padding(given: GivenInputs, samples: Sequence[int]) -> BoolArray | None:
    """Return the padding of the sampled items as given by hand."""
    padding = take_samples(given.key_padding, samples)
    if padding is not None:
        return padding.astype(bool)
    mask = take_samples(given.attention_mask, samples)
    return None if mask is None else np.array(mask == 0, bool)


def to_ids(array: NDArray[Any] | None) -> IdArray | None:
    """Return ids as int64, or None when the values are no ids."""
    if array is None or not np.issubdtype(array.dtype, np.integer):
        return None
    return array.astype(np.int64)


def pad_id_of(model: torch.nn.Module, seen: int | None) -> int | None:
    """Return the padding id: of the embedding that was called, else of the configuration."""
    if seen is not None:
        return seen
    value = getattr(getattr(model, "config", None), "pad_token_id", None)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
