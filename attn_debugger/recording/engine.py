"""What happens behind the recorder's methods: which step is recorded, how, and where it goes."""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from torch import nn

from attn_debugger.archive.schema import EVENT_KIND_BYTES
from attn_debugger.errors import ArchiveError, RecordError
from attn_debugger.recording.assembly import PendingFrame
from attn_debugger.recording.background import LOGGER, BackgroundWriter
from attn_debugger.recording.capture.attribution import clean_name, unwrap
from attn_debugger.recording.compiled import EAGER_WARNING, PROBE_ONLY, SKIPPED, is_compiled
from attn_debugger.recording.crash import CallTrail, crash_facts
from attn_debugger.recording.delivery import Delivery
from attn_debugger.recording.flight_capture import CaptureFlight, cost_of
from attn_debugger.recording.flight_control import Flight, RerunFlight
from attn_debugger.recording.inputs import GivenInputs
from attn_debugger.recording.optimizer import OptimizerWatch, merge_logged
from attn_debugger.recording.options import RecordOptions
from attn_debugger.recording.probe import PROBE_STREAM, Probe
from attn_debugger.recording.ranks import Rank, is_sharded
from attn_debugger.recording.run_attributes import run_attributes
from attn_debugger.recording.step import TRAIN_STREAM, CompanionStep, PlainStep, RecordedStep
from attn_debugger.recording.training import TrainingLog

_LARGEST_STEP = 2**63  # what the archive's whole numbers can hold


class Engine:
    """Owns the writer and the flight recorder of one recording.

    Raises `RecordError` at construction when the archive cannot be written.
    """

    def __init__(self, model: nn.Module, path: Path, options: RecordOptions, rank: Rank) -> None:
        self.options = options
        self._model, self._rank, self._path = model, rank, path
        self.now = 0  # the step the loop is at
        self.closed = False
        self.forced = False
        self.watch: OptimizerWatch | None = None
        self.logged: set[str] = set()  # names the loop logged itself
        self._said: set[str] = set()
        self._entered: dict[str, int] = {}  # stream -> the last step recorded in it
        self.plain = PlainStep(self)
        self.training = TrainingLog()
        self._compiled = is_compiled(model)
        self._sharded = is_sharded(model)
        self.flight = self._make_flight()
        self.writer: BackgroundWriter | None = None
        if rank.stores(options.rank):
            try:
                self.writer = self._open(path)
            except ArchiveError as error:
                raise RecordError(str(error)) from None
        if options.optimizer is not None:
            self.watch = OptimizerWatch(
                options.optimizer, model, lambda text: self.say("optimizer", text, self.now)
            )
        self.delivery = Delivery(model, options, self.event, self.say)

    def context(self, step: int, stream: str, given: GivenInputs) -> AbstractContextManager[Any]:
        """Return what wraps the forward of this step.

        Several forwards under one step number (gradient accumulation) are one frame: the first.
        """
        if self._entered.get(stream) == step and not self.forced:
            return self.plain
        if not self._due(step):
            return self.plain
        self._entered[stream] = step
        if self.watch is not None:
            self.watch.due = True
        # Every rank takes the same way from here, or a sharded model would wait for ever.
        if self._compiled and not self._may_run_eagerly(step):
            return self.plain
        if self.options.probe is not None:
            self._run_probe(self.options.probe, step)
        if self._compiled and self.options.compiled == "probe_only":
            return self.plain
        if self.writer is None or self.writer.failed:
            return CompanionStep(self)
        items = None
        if isinstance(self.flight, CaptureFlight) and stream == TRAIN_STREAM:
            items = self.flight.samples
        return RecordedStep(self, self._model, self.options, step, stream, given, samples=items)

    def close(self) -> None:
        """Write what waits and close the archive; may be called twice."""
        if self.closed:
            return
        self.take_from_optimizer()
        self.closed = True
        if self.watch is not None:
            self.watch.close()
        if self.writer is not None:
            self.writer.close(self.now)

    def take_from_optimizer(self) -> None:
        """Log what the watch on the optimizer saw since the last step."""
        self.guarded(self._read_optimizer, what="watching the optimizer")

    def _read_optimizer(self) -> None:
        if self.watch is None or self.writer is None:
            return
        values, norms = self.watch.take()
        if own := merge_logged(values, self.logged):
            self.writer.scalars(self.now, own)
        if norms is not None:
            self.writer.gradients(self.now, norms, logged="grad_norm" in self.logged)

    def number(self, step: object) -> int | None:
        """Return the number of a step; None, and a warning, for what is no whole number."""
        try:
            whole = isinstance(step, float) and step.is_integer()
            number = int(step) if whole else int(operator.index(step))  # type: ignore[call-overload, arg-type]
            if abs(number) < _LARGEST_STEP:
                return number
        except (TypeError, ValueError):
            pass
        text = f"step={step!r} is no whole number: what was to be recorded there is left out"
        self.say("step", text, self.now)
        return None

    def say(self, kind: str, text: str, step: int) -> None:
        """Warn once of each kind, and write it into the archive's events."""
        if kind in self._said:
            return
        self._said.add(kind)
        LOGGER.warning("attention recorder, step %d: %s", step, text)
        self.event(step, kind, text)

    def note(self, step: int, kind: str, text: str) -> None:
        """Write something down in the archive and say it, each time."""
        LOGGER.warning("attention recorder, step %d: %s", step, text)
        self.event(step, kind, text)

    def event(self, step: int, kind: str, text: str) -> None:
        """Write a row into the archive's table of events."""
        if self.writer is not None:
            self.writer.event(step, kind, text)

    def deliver(self, recorded: RecordedStep) -> None:
        """Take over a finished recorded step (called by it)."""
        frame = self.delivery.frame(recorded)
        if frame is None:
            return
        if isinstance(self.flight, CaptureFlight) and recorded.stream == TRAIN_STREAM:
            roots = recorded.session.observer.roots
            batch = roots[0].batch if roots else None
            if not recorded.due:
                seconds = recorded.session.observer.seconds
                self.say("flight", cost_of(seconds, recorded.samples), recorded.number)
            ready = self.flight.take(frame, recorded.samples, batch, due=recorded.due)
            if ready is None:
                return
            frame = ready
        self.training.measured(frame)
        self.write(frame)

    def write(self, frame: PendingFrame) -> None:
        """Hand a frame to the writer; a full queue drops it."""
        if self.writer is not None and not self.writer.frame(frame):
            self.say(
                "dropping",
                "the disk is slower than training: this frame was dropped; record less often "
                "(every=), fewer samples, or use compression='lzf'",
                frame.step,
            )

    def writes_after_all(self, bad_rank: int | None) -> bool:
        """Return whether this rank writes what broke: the bad one, else the one that stores."""
        if bad_rank is None or self.options.rank == "all":
            return self.writer is not None
        return bad_rank == self._rank.number

    def store_here(self) -> bool:
        """Open an archive of this rank's own, where another rank stores the run."""
        if self.writer is None and not self.closed:
            path = self._rank.own_path(self._path)
            try:
                self.writer = self._open(path)
            except ArchiveError as error:
                self.say("rank", f"what broke on this rank could not be stored: {error}", self.now)
                return False
            self.say("rank", f"what broke on this rank is stored in {path.name}", self.now)
        return True

    def _open(self, path: Path) -> BackgroundWriter:
        modules = {clean_name(name) for name, _ in self._model.named_modules()}
        attributes = run_attributes(self._model, self.options, self._rank)
        return BackgroundWriter(path, self.options, attributes, modules)

    def recorded(
        self, step: int, stream: str, given: GivenInputs, sample: int | None
    ) -> RecordedStep:
        """Return a recorded step of another stream, of one sample when it is told."""
        chosen = None if sample is None else (sample,)
        return RecordedStep(self, self._model, self.options, step, stream, given, samples=chosen)

    def captured(
        self,
        context: AbstractContextManager[Any],
        step: int,
        given: GivenInputs,
        items: tuple[int, ...],
    ) -> AbstractContextManager[Any]:
        """Return a capture for the ring in place of a step that is not recorded."""
        if context is not self.plain or self.writer is None or self.writer.failed:
            return context
        model, options = self._model, self.options
        return RecordedStep(
            self, model, options, step, TRAIN_STREAM, given, samples=items, due=False
        )

    def crashed(self, error: Exception, trail: CallTrail | None) -> None:
        """Keep what was seen of a forward that raised (called by the step it raised in)."""
        try:
            paths = {id(m): clean_name(name) for name, m in self._model.named_modules()}
            facts = crash_facts(error, self.now, paths, trail)
            if self.writer is not None and not self.closed:
                self.writer.crash(facts)
                self.event(self.now, "crash", str(facts["message"]))
        except Exception as fault:  # noqa: BLE001 - the model's own exception must pass through
            self.say("problem", f"the crash could not be kept: {fault!r}", self.now)

    def guarded(
        self, action: Callable[..., Any], *args: Any, what: str = "the flight recorder"
    ) -> Any:
        """Run something of ours; its faults must not stop training. None when it failed."""
        try:
            return action(*args)
        except Exception as error:  # noqa: BLE001 - a fault of the recorder must not stop training
            self.say(f"{what} failed"[:EVENT_KIND_BYTES], f"{what} failed: {error!r}", self.now)
            return None

    def mark_trained(self) -> None:
        """Say in the archive, once, that the run is past its warm-up."""
        if "trained" not in self._said and "trained" not in self.options.attributes:
            self._said.add("trained")
            if self.writer is not None:
                self.writer.attributes({"trained": True})

    def _due(self, step: int) -> bool:
        forced, self.forced = self.forced, False
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
        stores = self.writer is not None and not self.writer.failed
        if not stores and not self._sharded:
            return
        model = self._model if self._sharded else unwrap(self._model)
        given = GivenInputs()
        try:
            with (
                RecordedStep(self, model, self.options, step, PROBE_STREAM, given)
                if stores
                else CompanionStep(self)
            ):
                probe.run(model)
        except Exception as error:  # noqa: BLE001 - a fault of the probe must not stop training
            self.say("probe", f"the probe could not be run: {error!r}", step)

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
