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

import atexit
import os
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from torch import Tensor, nn

from attn_debugger.errors import ArchiveError, RecordError
from attn_debugger.recording.assembly import PendingFrame
from attn_debugger.recording.background import LOGGER, BackgroundWriter
from attn_debugger.recording.capture.attribution import clean_name, unwrap
from attn_debugger.recording.compiled import EAGER_WARNING, PROBE_ONLY, SKIPPED, is_compiled
from attn_debugger.recording.coverage import Coverage
from attn_debugger.recording.crash import CallTrail, crash_facts
from attn_debugger.recording.delivery import Delivery
from attn_debugger.recording.flight_control import CaptureFlight, Flight, RerunFlight
from attn_debugger.recording.inputs import GivenInputs
from attn_debugger.recording.optimizer import OptimizerWatch, merge_logged
from attn_debugger.recording.options import RecordOptions, check_destination
from attn_debugger.recording.probe import PROBE_STREAM, Probe
from attn_debugger.recording.ranks import current_rank, is_sharded
from attn_debugger.recording.step import CompanionStep, PlainStep, RecordedStep
from attn_debugger.recording.training import TrainingLog

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
        self._rank = current_rank()
        self.path = self._rank.path(check_destination(path, options.mode), options.rank)
        self.options = options
        self._model = model
        self._step = 0
        self._closed = False
        self._pid = os.getpid()
        self._said: set[str] = set()
        self._recorded = 0
        self._forced = False
        self._logged: set[str] = set()
        self._plain = PlainStep(self)
        self._training = TrainingLog()
        self._compiled = is_compiled(model)
        self._sharded = is_sharded(model)
        self._flight = self._make_flight()
        self._writer: BackgroundWriter | None = None
        if self._rank.stores(options.rank):
            try:
                self._writer = BackgroundWriter(self.path, options, self._run_attributes())
            except ArchiveError as error:
                raise RecordError(str(error)) from None
        self._delivery = Delivery(model, options, self._event, self.say)
        self._watch = None
        if options.optimizer is not None:
            self._watch = OptimizerWatch(
                options.optimizer, model, lambda text: self.say("optimizer", text, self._step)
            )
        self._at_exit = _close_at_exit(self)

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
        stream: str = "train",
    ) -> AbstractContextManager[Any]:
        """Wrap the forward of this step; records it when it is due, else costs nothing.

        `tokens` (B, N) ids, or strings; `attention_mask` (B, N) 1 = real, or `key_padding` (B, N)
        True = padding; `documents` (B, N) of packed sequences. What is not given is read from the
        call itself.
        """
        if self._closed:
            return self._plain
        if step != self._step:
            self._take_from_optimizer()
        self._step = step
        given = GivenInputs(
            tokens=tokens,
            attention_mask=attention_mask,
            key_padding=key_padding,
            documents=documents,
        )
        context = self._context(step, stream, given)
        return context if self._flight is None else self._flight.around(step, context)

    def _context(self, step: int, stream: str, given: GivenInputs) -> AbstractContextManager[Any]:
        if not self._due(step):
            return self._plain
        if self._watch is not None:
            self._watch.due = True
        # Every rank takes the same way from here, or a sharded model would wait for ever.
        if self._compiled and not self._may_run_eagerly(step):
            return self._plain
        if self.options.probe is not None:
            self._run_probe(self.options.probe, step)
        if self._compiled and self.options.compiled == "probe_only":
            return self._plain
        if self._writer is None or self._writer.failed:
            return CompanionStep(self)
        return RecordedStep(self, self._model, self.options, step, stream, given)

    def log(self, *, step: int | None = None, **scalars: float | Tensor) -> None:
        """Write down any numbers of this step (or of `step`): loss, lr, grad_norm ...

        Tensors may live on a device: they are read later, without making it wait. What is no
        number is left out with a warning.
        """
        if self._closed:
            return
        at = self._step if step is None else step
        values, refused = self._training.take(scalars)
        self._logged.update(values)
        for name in refused:
            self.say("log", f"log({name}=...) is not a single number and was left out", at)
        if values and self._writer is not None:
            self._writer.scalars(at, values)
        if self._flight is not None and "loss" in values:
            self._watch_loss(self._flight, at, values["loss"])
        if at >= _TRAINED_STEP or self._training.past_peak:
            self._mark_trained()

    def saved(self, step: int, path: str | os.PathLike[str]) -> None:
        """List a checkpoint that was saved beside the run, so that the window can offer it."""
        if not self._closed and self._writer is not None:
            self._writer.checkpoint(step, os.fspath(path))

    def trigger(self, reason: str) -> None:
        """Record the next step, whatever `every` says, and write down why.

        A flight recorder also runs the last forward again, or writes its ring.
        """
        self._forced = True
        self.note(self._step, "trigger", reason)
        if self._flight is not None:
            self._guarded(self._flight.broken, self._step, reason)

    def rerun(self) -> bool:
        """Run this step's forward again with the recorder on; needs `flight="rerun"`.

        Under FSDP or tensor parallel every rank must call it. Returns whether it was done.
        """
        if not isinstance(self._flight, RerunFlight):
            self.say("rerun", "rerun() needs record(..., flight='rerun')", self._step)
            return False
        return bool(self._guarded(self._flight.broken, self._step, "asked for"))

    def coverage(self) -> Coverage:
        """Return what the last recorded step captured, missed and passed over."""
        return self._delivery.coverage

    def flush(self) -> None:
        """Wait until everything handed over so far is on its way to the disk."""
        if not self._closed and self._writer is not None:
            self._writer.flush()

    def memory(self) -> dict[str, int]:
        """Return host memory in bytes: `waiting` now, and the most the queue may hold."""
        size = self._training.frame_bytes
        return {
            "waiting": 0 if self._writer is None else self._writer.waiting_bytes,
            "frame": size,
            "most": size * (self.options.queue + 1),
            "ring": 0 if self._flight is None else self._flight.bytes,
        }

    @property
    def dropped(self) -> int:
        """Frames dropped because the disk was slower than training."""
        return 0 if self._writer is None else self._writer.dropped

    def close(self) -> None:
        """Write what waits and close the archive; may be called twice, and after an exception."""
        if self._closed or os.getpid() != self._pid:
            return
        self._take_from_optimizer()
        self._closed = True
        atexit.unregister(self._at_exit)
        if self._watch is not None:
            self._watch.close()
        if self._writer is not None:
            self._writer.close(self._step)

    def say(self, kind: str, text: str, step: int) -> None:
        """Warn once of each kind, and write it into the archive's events."""
        if kind in self._said:
            return
        self._said.add(kind)
        LOGGER.warning("attention recorder, step %d: %s", step, text)
        self._event(step, kind, text)

    def deliver(self, recorded: RecordedStep) -> None:
        """Take over a finished recorded step (called by it)."""
        self._recorded += 1
        frame = self._delivery.frame(recorded)
        if frame is None:
            return
        self._training.measured(frame)
        if isinstance(self._flight, CaptureFlight):
            seconds = recorded.session.observer.seconds
            cost = f"flight='capture' takes {1000 * seconds:.1f} ms of every step on this model"
            self.say("flight", cost, recorded.number)
            if recorded.stream == "train" and self._flight.keep(frame, due=recorded.due):
                return
        self.write(frame)

    def write(self, frame: PendingFrame) -> None:
        """Hand a frame to the writer; a full queue drops it."""
        if self._writer is not None and not self._writer.frame(frame):
            self.say(
                "dropping",
                "the disk is slower than training: this frame was dropped; record less often "
                "(every=), fewer samples, or use compression='lzf'",
                frame.step,
            )

    def recorded(self, step: int, stream: str, sample: int | None) -> RecordedStep:
        """Return a recorded step of another stream, of one sample when it is told."""
        chosen = None if sample is None else (sample,)
        given = GivenInputs()
        return RecordedStep(self, self._model, self.options, step, stream, given, samples=chosen)

    def captured(
        self, context: AbstractContextManager[Any], step: int
    ) -> AbstractContextManager[Any]:
        """Return a capture for the ring in place of a step that is not recorded."""
        if context is not self._plain or self._writer is None or self._writer.failed:
            return context
        given = GivenInputs()
        return RecordedStep(self, self._model, self.options, step, "train", given, due=False)

    def note(self, step: int, kind: str, text: str) -> None:
        """Write something down in the archive and say it, each time."""
        LOGGER.warning("attention recorder, step %d: %s", step, text)
        self._event(step, kind, text)

    def crashed(self, error: Exception, trail: CallTrail | None) -> None:
        """Keep what was seen of a forward that raised (called by the step it raised in)."""
        try:
            paths = {id(m): clean_name(name) for name, m in self._model.named_modules()}
            facts = crash_facts(error, self._step, paths, trail)
            if self._writer is not None and not self._closed:
                self._writer.crash(facts)
                self._event(self._step, "crash", str(facts["message"]))
        except Exception as fault:  # noqa: BLE001 - the model's own exception must pass through
            self.say("problem", f"the crash could not be kept: {fault!r}", self._step)

    def _make_flight(self) -> Flight | None:
        kind = self.options.flight
        if kind == "capture":
            if self._compiled and self.options.compiled != "eager":
                raise RecordError(
                    "flight='capture' would run every step of this compiled model eagerly; use "
                    "flight='rerun', or say compiled='eager' as well if that is meant"
                )
            return CaptureFlight(self)
        if kind == "rerun":
            if getattr(self._model, "_compiled_call_impl", None) is not None:
                raise RecordError(
                    "flight='rerun' cannot see the calls of a model compiled in place by "
                    "model.compile(); use model = torch.compile(model)"
                )
            return RerunFlight(self, self._model, alone=not self._sharded)
        return None

    def _due(self, step: int) -> bool:
        forced, self._forced = self._forced, False
        try:
            return forced or self.options.due(step)
        except Exception as error:  # noqa: BLE001 - the user's predicate must not stop training
            self.say("every", f"every({step}) raised {error!r}; this step is not recorded", step)
            return False

    def _may_run_eagerly(self, step: int) -> bool:
        if self.options.compiled == "skip":
            self.say("compiled", SKIPPED, step)
            return False
        eager = self.options.compiled != "probe_only"
        self.say("compiled", EAGER_WARNING if eager else PROBE_ONLY, step)
        return True

    def _run_probe(self, probe: Probe, step: int) -> None:
        """Run the probe as its own stream. A sharded model communicates: every rank runs it."""
        stores = self._writer is not None and not self._writer.failed
        if not stores and not self._sharded:
            return
        model = self._model if self._sharded else unwrap(self._model)
        given = GivenInputs()
        try:
            with (
                RecordedStep(self, self._model, self.options, step, PROBE_STREAM, given)
                if stores
                else CompanionStep(self)
            ):
                probe.run(model)
        except Exception as error:  # noqa: BLE001 - a fault of the probe must not stop training
            self.say("probe", f"the probe could not be run: {error!r}", step)

    def _take_from_optimizer(self) -> None:
        if self._watch is None or self._writer is None:
            return
        values, norms = self._watch.take()
        if own := merge_logged(values, self._logged):
            self._writer.scalars(self._step, own)
        if norms is not None and "grad_norm" not in self._logged:
            self._writer.gradients(self._step, norms)

    def _watch_loss(self, flight: Flight, step: int, loss: float | Tensor) -> None:
        self._guarded(lambda: flight.loss(step, float(loss)))

    def _guarded(self, action: Callable[..., Any], *args: Any) -> Any:
        try:
            return action(*args)
        except Exception as error:  # noqa: BLE001 - a fault of the recorder must not stop training
            self.say("flight error", f"the flight recorder failed: {error!r}", self._step)
            return None

    def _event(self, step: int, kind: str, text: str) -> None:
        if self._writer is not None:
            self._writer.event(step, kind, text)

    def _mark_trained(self) -> None:
        if "trained" not in self._said and "trained" not in self.options.attributes:
            self._said.add("trained")
            if self._writer is not None:
                self._writer.attributes({"trained": True})

    def _run_attributes(self) -> dict[str, object]:
        model = unwrap(self._model)
        return {
            "model": type(model).__name__,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            **({"probe_fixed": True} if self.options.probe is not None else {}),
            **self._rank.attributes(),
            **self.options.attributes,
        }


def _close_at_exit(recorder: AttentionRecorder) -> Any:
    """A script that ends without close() still gets a whole archive."""
    reference = weakref.ref(recorder)

    def close() -> None:
        if (alive := reference()) is not None:
            alive.close()

    atexit.register(close)
    return close
