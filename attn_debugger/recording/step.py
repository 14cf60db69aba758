"""One recorded step, as a context manager around the model's forward."""

from __future__ import annotations

from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Self

from torch import nn

from attn_debugger.recording.background import LOGGER
from attn_debugger.recording.capture.attribution import unwrap
from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.session import CaptureSession
from attn_debugger.recording.inputs import (
    FrameInputs,
    GivenInputs,
    decode_ids,
    given_padding,
    pad_id_of,
    resolve_padding,
    take_samples,
    text_tokens,
    to_ids,
)
from attn_debugger.recording.options import DTYPES, RecordOptions
from attn_debugger.recording.probe import PROBE_STREAM
from attn_debugger.recording.transfer import Transfer

if TYPE_CHECKING:
    from attn_debugger.recording.recorder import AttentionRecorder


class RecordedStep(AbstractContextManager["RecordedStep"]):
    """Opens a capture session, and hands what it saw to the recorder when the forward is over."""

    def __init__(
        self,
        recorder: AttentionRecorder,
        model: nn.Module,
        options: RecordOptions,
        number: int,
        stream: str,
        given: GivenInputs,
    ) -> None:
        self.number, self.stream = number, str(stream)
        self.inputs = FrameInputs()
        self.transfer = Transfer()
        self._recorder, self._model, self._options, self._given = recorder, model, options, given
        settings = MeasureSettings(
            dtype=DTYPES[options.dtype],
            scores=options.scores,
            qk=options.qk,
            heads=options.head_indices,
            device_limit_bytes=options.device_limit_bytes,
        )
        self.session = CaptureSession(
            model,
            settings,
            samples=options.sample_indices,
            wanted=options.wanted,
            deliver=self.transfer.fetch,
        )
        self._open = False

    def __enter__(self) -> Self:
        try:
            self.session.__enter__()
            self._open = True
        except Exception as error:  # noqa: BLE001 - a fault of the recorder must not stop training
            self._recorder.say("problem", f"this step was not recorded: {error!r}", self.number)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self._open:
            return
        self.session.__exit__(kind, error, traceback)
        try:
            if error is None:
                self.inputs = self._read_inputs()
                self.transfer.done()
                self._recorder.deliver(self)
            elif isinstance(error, Exception) and self.stream != PROBE_STREAM:
                self._recorder.crashed(self.number, {"message": f"{type(error).__name__}: {error}"})
        except Exception as fault:  # noqa: BLE001 - a fault of the recorder must not stop training
            LOGGER.warning("attention recorder: step %d was not recorded: %r", self.number, fault)

    def _read_inputs(self) -> FrameInputs:
        samples = self._options.sample_indices
        session, given = self.session, self._given
        root = session.roots[0] if session.roots else None
        ids = to_ids(take_samples(given.tokens, samples))
        if ids is None and root is not None:
            ids = to_ids(take_samples(root.ids, samples))
        tokens, notes = text_tokens(given.tokens, samples), []
        if tokens is None and ids is not None and self._options.decode is not None:
            try:
                tokens = decode_ids(ids, self._options.decode)
            except Exception as error:  # noqa: BLE001 - the user's function must not stop training
                self._recorder.say("decode", f"tokens are stored as ids: {error!r}", self.number)
        seen = None if root is None else take_samples(root.key_padding, samples)
        padding, note = resolve_padding(
            given_padding(given, samples),
            None if seen is None else seen.astype(bool),
            ids,
            pad_id_of(unwrap(self._model), session.pad_id),
            "" if root is None else root.padding_name,
        )
        if note:
            notes.append(note)
        return FrameInputs(
            ids=ids,
            tokens=tokens,
            key_padding=padding,
            documents=to_ids(take_samples(given.documents, samples)),
            notes=tuple(notes),
        )
