"""Runs the recorded batch through the model again and holds the attention against the archive's.

result = replay(live, source, frame_index)
result.agrees
result.layers[3].differences[5]   # of head 5 of layer 3: largest |recorded - recomputed|
"""

from __future__ import annotations

import dataclasses
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch

from attn_debugger.analysis.agreement import TOLERANCE, head_differences, tolerance_of
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.source import RunSource
from attn_debugger.core.words import say
from attn_debugger.errors import ModelError
from attn_debugger.model.live import LiveModel
from attn_debugger.model.sites import live_sites
from attn_debugger.recording.capture.call import Capture


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerAgreement:
    """One layer of the archive; `differences` has a number a head, None = not comparable."""

    layer: int
    name: str
    differences: tuple[float | None, ...]
    tolerance: float = TOLERANCE
    reason: str = ""  # why it could not be compared

    @property
    def agrees(self) -> bool | None:
        """Whether every head is within the tolerance; None = nothing could be compared."""
        known = [value for value in self.differences if value is not None]
        return max(known) <= self.tolerance if known else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How a recorded frame and the model's own attention agree."""

    step: int
    frame_index: int
    samples: tuple[int, ...]
    layers: tuple[LayerAgreement, ...]
    sentence: str
    notes: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether every layer could be compared and agrees."""
        return bool(self.layers) and all(layer.agrees is True for layer in self.layers)

    def to_json(self) -> dict[str, Any]:
        """Return plain lists, numbers and strings, with `agrees` of the whole and each layer."""
        data = asdict(self) | {"agrees": self.agrees}
        for row, layer in zip(data["layers"], self.layers, strict=True):
            row["agrees"] = layer.agrees
        return data


def replay(live: LiveModel, source: RunSource, frame_index: int) -> Agreement:
    """Recompute a frame, each recorded sample on its own, and compare it head by head.

    Raises `ModelError` when the archive holds no token ids for the frame.
    """
    run = source.run
    samples = range(run.n_samples)
    worst: dict[int, list[float | None]] = {}
    reasons: dict[int, str] = {}
    for sample in samples:
        frames = [
            source.layer(frame_index, i, sample, maps=("weights",)) for i in range(len(run.layers))
        ]
        alone = _with_batch_of(live, frames)
        captures = _captures(alone)
        if len(captures) != len(frames):
            raise ModelError(
                say(
                    "the model attends {count} times, the archive has {n_layers} layers: "
                    "it is another model, or part of it was not recorded",
                    count=len(captures),
                    n_layers=len(frames),
                )
            )
        for index, (frame, capture) in enumerate(zip(frames, captures, strict=True)):
            weights = None if capture.weights is None else capture.weights[0].float().numpy()
            found, reason = head_differences(frame, weights)
            if reason:
                reasons[index] = reason
            worst[index] = _larger(worst.get(index), found)
    layers = tuple(
        LayerAgreement(
            layer=index,
            name=run.layers[index].name,
            differences=tuple(worst.get(index, ())),
            tolerance=tolerance_of(run.layers[index].storage),
            reason=reasons.get(index, ""),
        )
        for index in range(len(run.layers))
    )
    notes = list(live.notes)
    if any(layer.facts.training for layer in run.layers) or run.facts.training:
        notes.append(
            say(
                "the frame was recorded in training mode: dropout between the "
                "layers, which no replay can repeat, makes deeper layers differ"
            )
        )
    step = int(run.steps[frame_index])
    return Agreement(
        step=step,
        frame_index=frame_index,
        samples=tuple(samples),
        layers=layers,
        sentence=_sentence(layers, step),
        notes=tuple(notes),
    )


def _with_batch_of(live: LiveModel, frames: list[LayerFrame]) -> LiveModel:
    """Return the model with the one sample that these layers were recorded from."""
    frame = next((f for f in frames if f.token_ids is not None), None)
    if frame is None or frame.token_ids is None:
        raise ModelError(
            say("the archive holds no token ids for this frame: record them, or probe with a batch")
        )
    ids = torch.tensor(np.asarray(frame.token_ids))[None]
    real = None
    if frame.key_padding is not None and len(frame.key_padding) == ids.shape[1]:
        real = ~torch.tensor(np.asarray(frame.key_padding))[None]
        real = None if bool(real.all()) else real
    inputs = dataclasses.replace(live.inputs, ids=ids, real=real)
    if inputs.decoder is not None:
        inputs = dataclasses.replace(inputs, decoder=_decoder_ids(frames))
    return dataclasses.replace(live, inputs=inputs)


def _decoder_ids(frames: list[LayerFrame]) -> torch.Tensor:
    """Return (1, position): the tokens of the last attention to itself, which the decoder's is."""
    own = next((f for f in reversed(frames) if f.info.facts.kind == "self"), None)
    ids = None if own is None else own.token_ids
    if ids is None:
        raise ModelError(
            say("the archive holds no token ids of the decoder for this frame: probe with a batch")
        )
    return torch.tensor(np.asarray(ids))[None]


def _captures(live: LiveModel) -> tuple[Capture, ...]:
    ids = live.inputs.ids
    try:
        return live_sites(live)[1]
    except ModelError:
        raise
    except Exception as error:
        raise ModelError(
            say(
                "the model raised {kind} on the recorded batch: {error}. It has ids "
                "up to {largest} in a sequence of {length}: is this the model that "
                "was recorded?",
                kind=type(error).__name__,
                error=str(error)[:200],
                largest=int(ids.max()),
                length=ids.shape[1],
            )
        ) from error


def _larger(before: list[float | None] | None, now: list[float | None]) -> list[float | None]:
    if before is None:
        return now
    pairs = zip(before, now, strict=True)
    return [b if a is None else a if b is None else max(a, b) for a, b in pairs]


def _sentence(layers: tuple[LayerAgreement, ...], step: int) -> str:
    known = [layer for layer in layers if layer.agrees is not None]
    if not known:
        return say(
            "step {step}: nothing could be compared ({reason})", step=step, reason=layers[0].reason
        )
    off = [layer for layer in known if not layer.agrees]
    if not off:
        largest = max(v for layer in known for v in layer.differences if v is not None)
        return say(
            "step {step}: recorded and recomputed agree to {tolerance:g} "
            "(largest difference {largest:.1g})",
            step=step,
            tolerance=TOLERANCE,
            largest=largest,
        )
    first = off[0]
    worst = max((v, h) for h, v in enumerate(first.differences) if v is not None)
    return say(
        "step {step}: recorded and recomputed differ from layer {layer} "
        "({name}) on: head {head} by up to {value:.2g}",
        step=step,
        layer=first.layer,
        name=first.name,
        head=worst[1],
        value=worst[0],
    )
