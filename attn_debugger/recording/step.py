"""The context managers `recorder.step` hands out: a recorded step, a plain one, a companion."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Self

from torch import nn

from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.session import CaptureSession
from attn_debugger.recording.compiled import running_eagerly
from attn_debugger.recording.inputs import GivenInputs
from attn_debugger.recording.options import DTYPES, RecordOptions
from attn_debugger.recording.probe import PROBE_STREAM
from attn_debugger.recording.transfer import Transfer

if TYPE_CHECKING:
    from attn_debugger.recording.engine import Engine

TRAIN_STREAM = "train"


class PlainStep(AbstractContextManager[None]):
    """A step that is not recorded: nothing is installed; only an exception is taken note of."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if isinstance(error, Exception):
            self._engine.crashed(error, None)


class CompanionStep(PlainStep):
    """A step that another rank records: compiled code runs eagerly here too, or ranks diverge."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._open = ExitStack()

    def __enter__(self) -> None:
        self._open.enter_context(running_eagerly())

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._open.close()


class RecordedStep(AbstractContextManager["RecordedStep"]):
    """Opens a capture session, and hands what it saw to the recorder when the forward is over."""

    def __init__(
        self,
        engine: Engine,
        model: nn.Module,
        options: RecordOptions,
        number: int,
        stream: str,
        given: GivenInputs,
        *,
        samples: tuple[int, ...] | None = None,
        due: bool = True,
    ) -> None:
        self.due = due  # False: captured for the flight recorder's ring only
        self.samples = options.sample_indices if samples is None else samples
        self.number, self.stream, self.given = number, str(stream), given
        self.transfer = Transfer()
        self._engine = engine
        settings = MeasureSettings(
            dtype=DTYPES[options.dtype],
            scores=options.scores,
            qk=options.qk,
            heads=options.head_indices,
            max_tokens=options.max_tokens,
            device_limit_bytes=options.device_limit_bytes,
            whole_batch=options.statistics == "batch",
        )
        self.session = CaptureSession(
            model,
            settings,
            samples=self.samples,
            wanted=options.wanted,
            transfer=self.transfer,
        )
        self._open = False

    def __enter__(self) -> Self:
        try:
            self.session.__enter__()
            self._open = True
        except Exception as error:  # noqa: BLE001 - a fault of the recorder must not stop training
            self._engine.say("problem", f"this step was not recorded: {error!r}", self.number)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self._open:
            return
        try:
            self.session.__exit__(kind, error, traceback)
            if error is None:
                self._engine.deliver(self)
            elif isinstance(error, Exception) and self.stream != PROBE_STREAM:
                self._engine.crashed(error, self.session.trail)
        except Exception as fault:  # noqa: BLE001 - a fault of the recorder must not stop training
            self._engine.say("problem", f"this step was not recorded: {fault!r}", self.number)
