"""From a finished recorded step to the frame handed to the writer, and what is said about it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from torch import nn

from attn_debugger.recording.assembly import LayerKey, PendingFrame, by_layer
from attn_debugger.recording.capture.attribution import clean_name, unwrap
from attn_debugger.recording.coverage import (
    Coverage,
    attention_modules,
    missed_modules,
    scripted_attention,
)
from attn_debugger.recording.facts import layer_attributes
from attn_debugger.recording.frame_inputs import read_frame_inputs
from attn_debugger.recording.inputs import FrameInputs
from attn_debugger.recording.options import RecordOptions
from attn_debugger.recording.pieces import computed_in_pieces
from attn_debugger.recording.probe import PROBE_STREAM
from attn_debugger.recording.step import TRAIN_STREAM, RecordedStep

Event = Callable[[int, str, str], None]  # (step, kind, sentence)
Say = Callable[[str, str, int], None]  # (kind, sentence, step); warns once of each kind


class Delivery:
    """Remembers which layers are known, and builds the frame of each recorded step."""

    def __init__(self, model: nn.Module, options: RecordOptions, event: Event, say: Say) -> None:
        self._model, self._options, self._event, self._say = model, options, event, say
        self._modules = {clean_name(name): module for name, module in model.named_modules()}
        self._candidates = [p for p in attention_modules(self._modules) if options.wanted(p)]
        self._attributes: dict[LayerKey, Mapping[str, object]] = {}  # of every layer seen so far
        self._scripted = scripted_attention(self._modules)
        self._gaps: set[str] = set()
        self._vocabulary: int | None = None
        self._image_size: tuple[int, ...] | None = None
        self.coverage = Coverage()

    @property
    def anything(self) -> bool:
        """Whether any attention was ever seen."""
        return bool(self._attributes)

    def frame(self, recorded: RecordedStep) -> PendingFrame | None:
        """Return the frame of a finished step; None when it holds no attention."""
        session, step = recorded.session, recorded.number
        missed = self._cover(recorded)
        if not session.captures:
            return None
        inputs = read_frame_inputs(
            session,
            recorded.given,
            recorded.samples,
            self._options,
            self._model,
            lambda kind, text: self._say(kind, text, step),
        )
        inputs = self._checked_images(inputs, step)
        roots = session.observer.roots[:1]
        extract = [recorded.transfer.copy(part) for root in roots for part in root.extract]
        orders = {capture.path: capture.order for capture in session.captures}
        ran = session.modules_run
        recorded.transfer.done()
        self._learn_layers(recorded)
        return PendingFrame(
            step=step,
            stream=recorded.stream,
            time=time.time(),
            captures=session.captures,
            attributes=self._attributes,
            transfer=recorded.transfer,
            inputs=inputs,
            outputs=session.outputs,
            extract=extract,
            scalars=_mode_scalars(recorded),
            run_attributes=self._run_attributes(session.observer.vocab_size),
            never_captured=[(_place(path, ran, orders), path) for path in missed],
        )

    def _checked_images(self, inputs: FrameInputs, step: int) -> FrameInputs:
        """Leave out pictures of another size than the first: they have one place in the archive."""
        if inputs.images is None:
            return inputs
        size = inputs.images.shape
        self._image_size = self._image_size or size
        if size == self._image_size:
            return inputs
        self._say(
            "images",
            f"pictures of {size[1]} x {size[2]} came after {self._image_size[1]} x "
            f"{self._image_size[2]}: those of another size or number are not stored",
            step,
        )
        return replace(inputs, images=None)

    def _cover(self, recorded: RecordedStep) -> Mapping[str, str]:
        """Say what was seen and what was not; return path -> reason of what was not."""
        session, step = recorded.session, recorded.number
        captured = tuple(dict.fromkeys(capture.path for capture in session.captures))
        missed = missed_modules(
            self._candidates, captured, session.modules_run, session.unreachable
        )
        for path, reason in self._scripted.items():
            if path in session.modules_run and path not in missed:
                missed[path] = reason
        for path, reason in session.observer.skipped.items():
            if path not in captured:
                missed[path] = reason
        self.coverage = Coverage(
            captured=captured,
            missed=missed,
            passed_over=tuple(
                f"{'outside the model' if p.path is None else p.path}: {p.reason} {p.shape}"
                for p in session.passed_over
            ),
            problems=tuple(session.problems),
        )
        for path, reason in missed.items():
            if path not in self._gaps:
                self._gaps.add(path)
                self._event(step, "gap", f"{path}: {reason}")
        if missed or not captured:
            self._say("coverage", str(self.coverage), step)
        for note in {note for capture in session.captures for note in capture.notes}:
            self._say(f"note {note}", note, step)
        for path, pieces in computed_in_pieces(session.captures).items():
            self._say(
                f"pieces {path}",
                f"{path} computes its attention in {pieces} pieces of its queries: they are stored "
                f"as {pieces} layers, from {path!r} to '{path} (call {pieces})', in order",
                step,
            )
        for problem in session.problems[:1]:
            self._say("problem", f"part of this step was not recorded: {problem}", step)
        return missed

    def _learn_layers(self, recorded: RecordedStep) -> None:
        layers = by_layer(recorded.session.captures)
        if any(key not in self._attributes for key in layers):
            recorded.transfer.wait()  # once a layer: its mask is looked at
        for key, captures in layers.items():
            if key not in self._attributes:
                given = self._options.attributes
                found = layer_attributes(captures[0], self._modules, given)
                if recorded.stream == PROBE_STREAM:
                    found.pop("training", None)  # the probe's mode, not the run's
                self._attributes[key] = found

    def _run_attributes(self, seen: int | None) -> dict[str, object]:
        if self._vocabulary is None:
            configured = getattr(getattr(unwrap(self._model), "config", None), "vocab_size", None)
            valid = type(configured) is int and configured > 0
            self._vocabulary = configured if seen is None and valid else seen
        if self._vocabulary is None or "vocab_size" in self._options.attributes:
            return {}
        return {"vocab_size": self._vocabulary}


def _mode_scalars(recorded: RecordedStep) -> dict[str, float]:
    """Return `training` (0 or 1) and `active_dropout` of a frame that is no training step.

    Those of training steps are attributes of the layers; a stream that validates has its own mode.
    """
    mode = recorded.session.mode
    if recorded.stream == TRAIN_STREAM or mode is None:
        return {}
    called = [capture.facts.get("dropout_p", 0.0) for capture in recorded.session.captures]
    rates = [float(rate) for rate in called if isinstance(rate, (int, float))]
    return {
        "training": float(mode.training),
        "active_dropout": max(mode.dropout, *rates, 0.0),
    }


def _place(path: str, ran: Mapping[str, int], orders: Mapping[str, int]) -> int:
    """Return where in the order of captures a module that gave none belongs."""
    before = [orders[p] for p, turn in ran.items() if p in orders and turn < ran[path]]
    return max(before, default=-1) + 1
