"""Tokens and padding of one layer, where they differ from those of the frame."""

from __future__ import annotations

from typing import TypedDict

import numpy as np

from attn_debugger.recording.capture.call import Capture
from attn_debugger.recording.inputs import BoolArray, FrameInputs, IdArray

Tokens = tuple[tuple[str, ...], ...]


class LayerTokens(TypedDict):
    """What overrides the frame's tokens; None = the frame's hold."""

    tokens: Tokens | None
    query_tokens: Tokens | None


def layer_tokens(capture: Capture, inputs: FrameInputs, keys: int) -> LayerTokens:
    """Return a layer's own tokens: of a decoder beside an encoder, or cut to `max_tokens`."""
    encoder = inputs.tokens or _as_text(inputs.ids)
    found = LayerTokens(tokens=None, query_tokens=None)
    if encoder is not None and _longest(encoder) > keys == capture.kept_keys < capture.shape[3]:
        found["tokens"] = tuple(row[:keys] for row in encoder)
    if inputs.decoder_ids is None or "decoder" not in capture.path.lower():
        return found
    decoder = inputs.decoder_tokens or _as_text(inputs.decoder_ids)
    if decoder is None:
        return found
    length = _longest(decoder)
    if capture.shape[3] == length and not _is_cross(capture):
        found["tokens"] = decoder
    elif capture.shape[2] == length:
        found["query_tokens"] = decoder
    return found


def layer_padding(capture: Capture, inputs: FrameInputs, keys: int) -> BoolArray | None:
    """Return (S, K) padding of a layer's keys where the frame's does not say it."""
    own = inputs.decoder_padding if "decoder" in capture.path.lower() else None
    if own is not None and not _is_cross(capture) and own.shape[1] == keys:
        return own
    frame = inputs.key_padding
    if frame is not None and frame.shape[1] > keys and capture.kept_keys < capture.shape[3]:
        return frame[:, :keys]
    if capture.key_padding is None or frame is not None:
        return None
    padding: BoolArray = capture.key_padding.numpy().astype(bool)
    # What a layer adds behind (a bias, a zero key) is no padding.
    missing = max(0, keys - padding.shape[1])
    return np.pad(padding, ((0, 0), (0, missing)))[:, :keys]


def _is_cross(capture: Capture) -> bool:
    path = capture.path.lower()
    return bool(capture.is_cross) or any(
        word in path for word in ("cross", "encoder_attn", "encdec", "multihead_attn")
    )


def _as_text(ids: IdArray | None) -> Tokens | None:
    return None if ids is None else tuple(tuple(str(int(i)) for i in row) for row in ids)


def _longest(tokens: Tokens) -> int:
    return max((len(row) for row in tokens), default=0)
