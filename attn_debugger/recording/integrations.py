"""Recording from a trainer: callbacks for Hugging Face and Lightning, in one line each.

    Trainer(..., callbacks=[record.hugging_face("run.h5", every=100)])
    Trainer(callbacks=[record.lightning("run.h5", every=100)])

The libraries are imported only when their callback is asked for.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import Any

from torch import nn

from attn_debugger.errors import RecordError
from attn_debugger.recording.background import LOGGER
from attn_debugger.recording.capture.session import CaptureSession
from attn_debugger.recording.options import read_options
from attn_debugger.recording.recorder import AttentionRecorder
from attn_debugger.recording.step import RecordedStep

_LOGGED_AS = {"learning_rate": "lr"}


class TrainerRecording:
    """A recording driven by callbacks: a trainer says when a step begins and ends."""

    def __init__(self, path: str | os.PathLike[str], options: dict[str, Any]) -> None:
        read_options(options)  # wrong options are refused here, not in the middle of a set-up
        self._path, self._options = path, options
        self._recorder: AttentionRecorder | None = None
        self._open = ExitStack()
        self._session: CaptureSession | None = None

    def start(self, model: nn.Module, tokenizer: Any = None) -> None:
        """Training begins; a tokenizer gives the tokens their text."""
        options = dict(self._options)
        decode = getattr(tokenizer, "convert_ids_to_tokens", None)
        if decode is not None:
            options.setdefault("decode", decode)
        self._recorder = AttentionRecorder(model, self._path, read_options(options))

    def begin(self, step: int) -> None:
        """A step begins; one still open from an exception is closed first."""
        self.end()
        if self._recorder is not None:
            context = self._open.enter_context(self._recorder.step(step))
            if isinstance(context, RecordedStep):
                context.session.watches_for_errors = True
                self._session = context.session

    def end(self, error: BaseException | None = None) -> None:
        """The forward of the step is over, or it raised."""
        if error is None and self._session is not None:
            error = self._session.raised
        self._session = None
        if error is None:
            self._open.close()
        else:
            self._open.__exit__(type(error), error, error.__traceback__)
        self._open = ExitStack()

    def log(self, step: int, numbers: dict[str, Any]) -> None:
        """Log what the trainer logs."""
        if self._recorder is not None:
            scalars = {_LOGGED_AS.get(name, name): value for name, value in numbers.items()}
            self._recorder.log(step=step, **scalars)

    def saved(self, step: int, path: str) -> None:
        """List a checkpoint."""
        if self._recorder is not None:
            self._recorder.saved(step, path)

    def finish(self) -> None:
        """Training is over."""
        self.end()
        if self._recorder is not None:
            self._recorder.close()


def hugging_face(path: str | os.PathLike[str], **options: Any) -> Any:
    """Return a `transformers.TrainerCallback` that records the training into `path`.

    Tokens, ids, architecture, loss, learning rate and checkpoints are taken from the trainer.
    Raises `RecordError` for wrong options, or when transformers is not installed.
    """
    try:
        from transformers import TrainerCallback
    except ImportError:
        raise RecordError("record.hugging_face needs the package transformers") from None
    recording = TrainerRecording(path, options)

    class AttentionCallback(TrainerCallback):
        """Drives the recording from the trainer's events."""

        def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            tokenizer = kwargs.get("processing_class") or kwargs.get("tokenizer")
            recording.start(kwargs["model"], tokenizer)

        def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            recording.begin(state.global_step)

        def on_substep_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            recording.end()

        def on_pre_optimizer_step(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            recording.end()

        def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            recording.end()

        def on_log(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            recording.log(state.global_step, kwargs.get("logs") or {})

        def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            folder = os.path.join(args.output_dir, f"checkpoint-{state.global_step}")
            recording.saved(state.global_step, folder)

        def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            recording.finish()

    return AttentionCallback()


def lightning(path: str | os.PathLike[str], **options: Any) -> Any:
    """Return a Lightning `Callback` that records the training into `path`.

    Raises `RecordError` for wrong options, or when Lightning is not installed.
    """
    callback_type = _lightning_callback()
    recording = TrainerRecording(path, options)

    class AttentionCallback(callback_type):  # type: ignore[misc, valid-type]
        """Drives the recording from the trainer's events."""

        def on_train_start(self, trainer: Any, pl_module: Any) -> None:
            recording.start(pl_module)

        def on_train_batch_start(
            self, trainer: Any, pl_module: Any, batch: Any, batch_idx: int
        ) -> None:
            recording.begin(trainer.global_step)

        def on_before_backward(self, trainer: Any, pl_module: Any, loss: Any) -> None:
            recording.end()
            recording.log(trainer.global_step, {"loss": loss.detach()})

        def on_train_batch_end(self, trainer: Any, pl_module: Any, *rest: Any) -> None:
            recording.end()

        def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
            recording.end(exception)
            recording.finish()

        def on_train_end(self, trainer: Any, pl_module: Any) -> None:
            recording.finish()

    return AttentionCallback()


def _lightning_callback() -> Any:
    for name in ("lightning.pytorch", "pytorch_lightning"):
        try:
            return __import__(name, fromlist=["Callback"]).Callback
        except ImportError:
            LOGGER.debug("%s is not installed", name)
    raise RecordError("record.lightning needs the package lightning or pytorch-lightning")
