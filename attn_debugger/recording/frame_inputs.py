"""The inputs of a recorded frame: read from what was given, what was called, and pad ids."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import nn

from attn_debugger.recording.assembly import by_layer
from attn_debugger.recording.capture.attribution import unwrap
from attn_debugger.recording.capture.observer import continues
from attn_debugger.recording.capture.root_call import RootCall
from attn_debugger.recording.capture.session import CaptureSession
from attn_debugger.recording.inputs import (
    FrameInputs,
    GivenInputs,
    IdArray,
    decode_ids,
    given_padding,
    pad_id_of,
    resolve_padding,
    take_samples,
    text_tokens,
    to_ids,
)
from attn_debugger.recording.options import RecordOptions
from attn_debugger.recording.pictures import picture_rows

Tokens = tuple[tuple[str, ...], ...]
Complain = Callable[[str, str], None]  # (kind, sentence)


def read_frame_inputs(
    session: CaptureSession,
    given: GivenInputs,
    samples: Sequence[int],
    options: RecordOptions,
    model: nn.Module,
    complain: Complain,
) -> FrameInputs:
    """Return tokens, ids and padding of the sampled items; what is not known stays None."""
    roots = session.observer.roots[: _chain_length(session)]
    ids = to_ids(take_samples(given.tokens, samples))
    if ids is None and roots:
        ids = _joined_ids(roots, samples)
    decoder_ids = to_ids(take_samples(session.observer.decoder_ids, samples))
    padding = None
    last = roots[-1] if roots else None
    seen = None if last is None else take_samples(last.key_padding, samples)
    padding, note = resolve_padding(
        given_padding(given, samples),
        None if seen is None else seen.astype(bool),
        ids,
        pad_id_of(unwrap(model), session.observer.pad_id),
        "" if last is None else last.padding_name,
    )
    if note:
        complain("padding", note)
    decoder_padding = None if last is None else take_samples(last.decoder_padding, samples)
    return FrameInputs(
        ids=ids,
        decoder_ids=decoder_ids,
        tokens=text_tokens(given.tokens, samples) or _decoded(ids, options, complain),
        decoder_tokens=_decoded(decoder_ids, options, complain),
        key_padding=padding,
        decoder_padding=None if decoder_padding is None else decoder_padding.astype(bool),
        documents=to_ids(take_samples(given.documents, samples)),
        images=_pictures(given.images, last, samples, complain),
    )


def _pictures(
    given: Any, root: RootCall | None, samples: Sequence[int], complain: Complain
) -> NDArray[np.uint8] | None:
    if given is None or given is False:
        return None
    value = given if given is not True else None if root is None else root.pictures
    pictures = picture_rows(value, samples)
    if pictures is None:
        complain(
            "images",
            "images were asked for, but there are none: give images=True where the model is called "
            "with pictures, or images= of shape (B, 3, height, width) or (B, height, width, 3)",
        )
    return pictures


def _chain_length(session: CaptureSession) -> int:
    """Return how many forwards belong together: more than one while decoding with a cache."""
    groups = by_layer(session.captures)
    first = next(iter(groups.values()), [])
    length = 1
    while length < len(first) and continues(first[length - 1].shape, first[length].shape):
        length += 1
    return length


def _joined_ids(roots: Sequence[RootCall], samples: Sequence[int]) -> IdArray | None:
    parts = [to_ids(take_samples(root.ids, samples)) for root in roots]
    known = [part for part in parts if part is not None]
    if not known or len(known) != len(parts) or len({part.shape[0] for part in known}) != 1:
        return None
    return np.concatenate(known, axis=1)


def _decoded(ids: IdArray | None, options: RecordOptions, complain: Complain) -> Tokens | None:
    if ids is None or options.decode is None:
        return None
    try:
        return decode_ids(ids, options.decode)
    except Exception as error:  # noqa: BLE001 - the user's function must not stop training
        complain("decode", f"tokens are stored as ids: {error!r}")
        return None
