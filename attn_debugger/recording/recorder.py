"""The recorder a training loop holds.

    recorder = record(model, "run.h5", every=100)
    for step, batch in enumerate(loader):
        with recorder.step(step):
            loss = model(**batch).loss
        loss.backward(); optimizer.step()
        recorder.log(loss=loss)
    recorder.close()

After construction nothing here raises into the loop, and nothing waits for the disk.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Self

from torch import Tensor, nn

from attn_debugger.errors import RecordError
from attn_debugger.recording.coverage import Coverage
from attn_debugger.recording.engine import Engine
from attn_debugger.recording.flight_control import Flight, RerunFlight
from attn_debugger.recording.inputs import GivenInputs
from attn_debugger.recording.options import RecordOptions, check_destination
from attn_debugger.recording.ranks import current_rank
from attn_debugger.recording.silent import SilentRecorder
from attn_debugger.recording.step import TRAIN_STREAM

_TRAINED_STEP = 1000


class AttentionRecorder:
    """Records the attention of `model` into the archive at `path`; also a context manager.

    Raises `RecordError` for wrong arguments, at construction only.
    """

    def __init__(
        self, model: nn.Module, path: str | os.PathLike[str], options: RecordOptions
    ) -> None:
        if not isinstance(model, nn.Module):
            raise RecordError(
                f"record needs a torch.nn.Module, not {type(model).__name__}: pass the model itself"
            )
        rank = current_rank()
        self.path = rank.path(check_destination(path, options.mode), options.rank)
        self.options = options
        self._engine = Engine(model, self.path, options, rank)
        # A recorder that is forgotten, or a script that ends without close(), leaves a whole
        # archive all the same.
        self._forgotten = weakref.finalize(self, _close, self._engine, os.getpid())

    def __deepcopy__(self, memo: Any) -> SilentRecorder:
        return SilentRecorder(self.path)

    def __reduce__(self) -> tuple[Any, ...]:
        return SilentRecorder, (self.path,)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def step(
        self,
        step: int,
        *,
        tokens: Any = None,
        attention_mask: Any = None,
        key_padding: Any = None,
        documents: Any = None,
        images: Any = None,
        stream: str = "train",
    ) -> AbstractContextManager[Any]:
        """Wrap the forward of this step; records it when it is due, else costs nothing.

        `tokens` (B, N) ids, or strings; `attention_mask` (B, N) 1 = real, or `key_padding` (B, N)
        True = padding; `documents` (B, N) of packed sequences. What is not given is read from the
        call itself. `images` (B, 3, height, width), or True for those the model is called with.
        """
        if self._engine.closed:
            return self._engine.plain
        number = self._engine.number(step)
        if number is None:
            return self._engine.plain
        if number != self._engine.now:
            self._engine.take_from_optimizer()
        self._engine.now = number
        given = GivenInputs(
            tokens=tokens,
            attention_mask=attention_mask,
            key_padding=key_padding,
            documents=documents,
            images=images,
        )
        context = self._engine.guarded(
            self._context, number, stream, given, what="preparing to record"
        )
        return self._engine.plain if context is None else context

    def log(
        self,
        *,
        step: int | None = None,
        sample_losses: Tensor | None = None,
        **scalars: float | Tensor,
    ) -> None:
        """Write down any numbers of this step (or of `step`): loss, lr, grad_norm ...

        Tensors may live on a device: they are read later, without making it wait. What is no
        number is left out with a warning. `sample_losses` (B,), given with the loss, tells the
        flight recorder which item of the batch to store when the loss jumps.
        """
        if self._engine.closed:
            return
        at = self._engine.now if step is None else self._engine.number(step)
        if at is not None:
            self._engine.guarded(self._log, at, scalars, sample_losses, what="logging")

    def _context(self, step: int, stream: str, given: GivenInputs) -> AbstractContextManager[Any]:
        context = self._engine.context(step, stream, given)
        if self._engine.flight is None or stream != TRAIN_STREAM:
            return context
        return self._engine.flight.around(step, given, context)

    def _log(
        self, at: int, scalars: Mapping[str, float | Tensor], sample_losses: Tensor | None
    ) -> None:
        values, refused = self._engine.training.take(scalars)
        self._engine.logged.update(values)
        for name in refused:
            self._engine.say("log", f"log({name}=...) is not a single number and was left out", at)
        if values and self._engine.writer is not None:
            self._engine.writer.scalars(at, values)
        if self._engine.flight is not None and "loss" in values:
            self._watch_loss(self._engine.flight, at, values["loss"], sample_losses)
        if at >= _TRAINED_STEP or self._engine.training.past_peak:
            self._engine.mark_trained()

    def saved(self, step: int, path: str | os.PathLike[str]) -> None:
        """List a checkpoint that was saved beside the run, so that the window can offer it."""
        number = None if self._engine.closed else self._engine.number(step)
        if number is not None and self._engine.writer is not None:
            writer = self._engine.writer
            self._engine.guarded(
                lambda: writer.checkpoint(number, os.fspath(path)), what="listing a checkpoint"
            )

    def trigger(self, reason: str) -> None:
        """Record the next step, whatever `every` says, and write down why.

        A flight recorder also runs the last forward again, or writes its ring.
        """
        if self._engine.closed:
            return
        self._engine.forced = True
        self._engine.note(self._engine.now, "trigger", reason)
        if self._engine.flight is not None:
            self._engine.guarded(self._engine.flight.broken, self._engine.now, reason)

    def rerun(self) -> bool:
        """Run this step's forward again with the recorder on; needs `flight="rerun"`.

        Under FSDP or tensor parallel every rank must call it. Returns whether it was done.
        """
        if self._engine.closed:
            return False
        if not isinstance(self._engine.flight, RerunFlight):
            self._engine.say("rerun", "rerun() needs record(..., flight='rerun')", self._engine.now)
            return False
        return bool(self._engine.guarded(self._engine.flight.broken, self._engine.now, "asked for"))

    def coverage(self) -> Coverage:
        """Return what the last recorded step captured, missed and passed over."""
        return self._engine.delivery.coverage

    def flush(self) -> None:
        """Wait until everything handed over so far is on its way to the disk."""
        if not self._engine.closed and self._engine.writer is not None:
            self._engine.writer.flush()

    def memory(self) -> dict[str, int]:
        """Return host memory in bytes: `waiting` now, and the most the queue may hold."""
        size = self._engine.training.frame_bytes
        return {
            "waiting": 0 if self._engine.writer is None else self._engine.writer.waiting_bytes,
            "frame": size,
            "most": size * (self.options.queue + 1),
            "ring": 0 if self._engine.flight is None else self._engine.flight.bytes,
        }

    @property
    def dropped(self) -> int:
        """Frames dropped because the disk was slower than training."""
        return 0 if self._engine.writer is None else self._engine.writer.dropped

    def close(self) -> None:
        """Write what waits and close the archive; may be called twice, and after an exception."""
        self._forgotten()

    def _watch_loss(
        self, flight: Flight, step: int, loss: float | Tensor, of_samples: Tensor | None
    ) -> None:
        known = of_samples if isinstance(of_samples, Tensor) else None
        self._engine.guarded(lambda: flight.loss(step, float(loss), known))


def _close(engine: Engine, pid: int) -> None:
    """Close what a recorder owns, in the process that opened it."""
    if os.getpid() == pid:
        engine.close()
