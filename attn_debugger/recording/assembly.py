"""From the captures of a step to the record the archive writer takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.recording.batch_hash import batch_hash
from attn_debugger.recording.capture.call import Capture
from attn_debugger.recording.capture.observer import continues
from attn_debugger.recording.inputs import FrameInputs
from attn_debugger.recording.layer_inputs import layer_padding, layer_tokens
from attn_debugger.recording.transfer import Transfer

LayerKey = tuple[str, int]  # module path, which call of it in a forward, from zero


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingFrame:
    """A recorded step on its way to the archive; its tensors may be read after `transfer.wait`."""

    step: int
    stream: str
    time: float
    captures: Sequence[Capture]
    attributes: Mapping[LayerKey, Mapping[str, object]]  # of layers that may be new
    transfer: Transfer
    inputs: FrameInputs = field(default_factory=FrameInputs)
    outputs: Mapping[str, Mapping[str, Tensor]] = field(default_factory=dict)  # path -> mean, ...
    extract: Sequence[Tensor] = ()  # what tells its batch from others
    scalars: Mapping[str, float] = field(default_factory=dict)  # known as the frame was captured
    run_attributes: Mapping[str, object] = field(default_factory=dict)
    never_captured: Sequence[tuple[int, str]] = ()  # (place in the forward, path)
    urgent: bool = False  # from a bounded ring in memory: not counted by the queue, never dropped


class LayerTable:
    """The order of layers, fixed by the first frame in which each was seen.

    `names` are the layers of an archive that is continued.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._index: dict[LayerKey, int] = {}
        for name in names:
            self._index.setdefault(split_layer_name(name), len(self._index))

    def __len__(self) -> int:
        return len(self._index)

    def new_layers(self, frame: PendingFrame) -> list[LayerSpec]:
        """Return specs of the layers this frame brings for the first time, in forward order."""
        entries: list[tuple[int, LayerKey, LayerSpec]] = []
        for key, captures in by_layer(frame.captures).items():
            if key not in self._index:
                attributes = frame.attributes.get(key, {})
                entries.append((captures[0].order * 2, key, _spec(key, captures[0], attributes)))
        for place, path in frame.never_captured:
            if (path, 0) not in self._index:
                spec = LayerSpec(name=path, heads=0, queries=0, keys=0)
                entries.append((place * 2 - 1, (path, 0), spec))
        entries.sort(key=lambda entry: entry[0])
        for _, key, _ in entries:
            self._index[key] = len(self._index)
        return [spec for _, _, spec in entries]

    def record(self, frame: PendingFrame, *, full: bool) -> FrameRecord:
        """Return the frame with its layers at their places; a layer not seen is a gap.

        `full` says whether full maps are stored, or overviews and statistics alone.
        """
        layers = [LayerRecord() for _ in self._index]
        for key, captures in by_layer(frame.captures).items():
            layers[self._index[key]] = _layer_record(captures, frame)
        return FrameRecord(
            step=frame.step,
            layers=tuple(layers),
            stream=frame.stream,
            time=frame.time,
            full=full,
            scalars=frame.scalars,
            token_ids=frame.inputs.ids,
            tokens=frame.inputs.tokens,
            key_padding=frame.inputs.key_padding,
            documents=frame.inputs.documents,
            images=frame.inputs.images,
            batch_hash=batch_hash(frame.extract),
        )


def layer_name(key: LayerKey) -> str:
    """`encoder.layer` for the first call of a module, `encoder.layer (call 2)` for the second."""
    path, number = key
    return path if number == 0 else f"{path} (call {number + 1})"


def split_layer_name(name: str) -> LayerKey:
    """The reverse of `layer_name`."""
    path, mark, number = name.rpartition(" (call ")
    if mark and number.endswith(")") and number[:-1].isdigit():
        return path, int(number[:-1]) - 1
    return name, 0


def by_layer(captures: Sequence[Capture]) -> dict[LayerKey, list[Capture]]:
    """Group captures by layer; each group holds one capture a forward, in order."""
    groups: dict[LayerKey, list[Capture]] = {}
    for capture in captures:
        groups.setdefault((capture.path, capture.call), []).append(capture)
    return groups


def _spec(key: LayerKey, capture: Capture, attributes: Mapping[str, object]) -> LayerSpec:
    shape = capture.shape if capture.weights is None else capture.weights.shape
    samples, heads, queries, keys = shape
    return LayerSpec(
        name=layer_name(key),
        heads=heads,
        queries=queries,
        keys=keys,
        samples=samples,
        attributes=attributes,
        stats=tuple(capture.stats),
        scores=capture.scores is not None,
        query_heads=0 if capture.q is None else capture.q.shape[1],
        key_heads=0 if capture.k is None else capture.k.shape[1],
        d_head=0 if capture.q is None else capture.q.shape[3],
    )


def _layer_record(captures: Sequence[Capture], frame: PendingFrame) -> LayerRecord:
    chain = captures[:1]
    for capture in captures[1:]:
        if not continues(chain[-1].shape, capture.shape):
            break
        chain = [*chain, capture]
    first, last = chain[0], chain[-1]
    weights = _stitched([c.weights for c in chain], fill=0.0)
    keys = 0 if weights is None else weights.shape[3]
    return LayerRecord(
        weights=weights,
        scores=_stitched([c.scores for c in chain], fill=float("nan")),
        q=_stitched([c.q for c in chain], fill=0.0, rows_only=True),
        k=None if last.k is None else _numpy(last.k),
        stats={name: _numpy(value) for name, value in first.stats.items()},
        output={name: float(value) for name, value in frame.outputs.get(first.path, {}).items()},
        captures=1,
        key_padding=layer_padding(first, frame.inputs, keys),
        **layer_tokens(first, frame.inputs, keys),
    )


def _stitched(
    parts: Sequence[Tensor | None], *, fill: float, rows_only: bool = False
) -> NDArray[np.floating] | None:
    """Join the maps of one generation: (S, H, Q_i, K_i) -> (S, H, sum of Q_i, last K)."""
    tensors = [part for part in parts if part is not None]
    if len(tensors) != len(parts):
        return None
    if len(tensors) == 1:
        return _numpy(tensors[0])
    width = tensors[-1].shape[-1]
    if not rows_only:
        tensors = [
            torch.nn.functional.pad(t, (0, width - t.shape[-1]), value=fill) for t in tensors
        ]
    return _numpy(torch.cat(tensors, 2))


def _numpy(tensor: Tensor) -> NDArray[np.floating]:
    array: NDArray[np.floating] = tensor.numpy()
    return array
