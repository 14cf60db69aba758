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
import time
import weakref
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from torch import Tensor, nn

from attn_debugger.errors import ArchiveError, RecordError
from attn_debugger.recording.assembly import PendingFrame, by_layer
from attn_debugger.recording.background import LOGGER, BackgroundWriter
from attn_debugger.recording.capture.attribution import clean_name, unwrap
from attn_debugger.recording.coverage import Coverage, attention_modules, missed_modules
from attn_debugger.recording.facts import layer_attributes
from attn_debugger.recording.inputs import GivenInputs
from attn_debugger.recording.options import RecordOptions, check_destination
from attn_debugger.recording.probe import PROBE_STREAM, Probe
from attn_debugger.recording.step import RecordedStep
from attn_debugger.recording.training import TrainingLog

_NOTHING = nullcontext()
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
        self.path = check_destination(path, options.mode)
        self.options = options
        self._model = model
        self._step = 0
        self._closed = False
        self._pid = os.getpid()
        self._said: set[str] = set()
        self._last_coverage = Coverage()
        self._recorded = 0
        self._frames_of: dict[str, int] = {}
        self._modules = {clean_name(name): m for name, m in model.named_modules()}
        self._candidates = attention_modules(self._modules)
        self._known: set[tuple[str, int]] = set()
        self._training = TrainingLog()
        try:
            self._writer = BackgroundWriter(self.path, options, self._run_attributes())
        except ArchiveError as error:
            raise RecordError(str(error)) from None
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
        self._step = step
        if self._closed or self._writer.failed or not self._due(step):
            return _NOTHING
        if self.options.probe is not None:
            self._run_probe(self.options.probe, step)
        given = GivenInputs(
            tokens=tokens,
            attention_mask=attention_mask,
            key_padding=key_padding,
            documents=documents,
        )
        return RecordedStep(self, self._model, self.options, step, stream, given)

    def _run_probe(self, probe: Probe, step: int) -> None:
        try:
            with RecordedStep(self, self._model, self.options, step, PROBE_STREAM, GivenInputs()):
                probe.run(self._model)
        except Exception as error:  # noqa: BLE001 - a fault of the probe must not stop training
            self.say("probe", f"the probe could not be run: {error!r}", step)

    def log(self, *, step: int | None = None, **scalars: float | Tensor) -> None:
        """Write down any numbers of this step (or of `step`): loss, lr, grad_norm ...

        Tensors may live on a device: they are read later, without making it wait. What is no
        number is left out with a warning.
        """
        if self._closed:
            return
        at = self._step if step is None else step
        values, refused = self._training.take(scalars)
        for name in refused:
            self.say("log", f"log({name}=...) is not a single number and was left out", at)
        if values:
            self._writer.scalars(at, values)
        if at >= _TRAINED_STEP or self._training.past_peak:
            self._mark_trained()

    def saved(self, step: int, path: str | os.PathLike[str]) -> None:
        """List a checkpoint that was saved beside the run, so that the window can offer it."""
        if not self._closed:
            self._writer.checkpoint(step, os.fspath(path))

    def coverage(self) -> Coverage:
        """Return what the last recorded step captured, missed and passed over."""
        return self._last_coverage

    def flush(self) -> None:
        """Wait until everything handed over so far is on its way to the disk."""
        if not self._closed:
            self._writer.flush()

    def memory(self) -> dict[str, int]:
        """Return host memory in bytes: `waiting` now, and the most the queue may hold."""
        size = self._training.frame_bytes
        return {
            "waiting": self._writer.waiting_bytes,
            "frame": size,
            "most": size * (self.options.queue + 1),
        }

    @property
    def dropped(self) -> int:
        """Frames dropped because the disk was slower than training."""
        return self._writer.dropped

    def close(self) -> None:
        """Write what waits and close the archive; may be called twice, and after an exception."""
        if self._closed or os.getpid() != self._pid:
            return
        self._closed = True
        atexit.unregister(self._at_exit)
        if self._recorded and not self._known:
            self.say("nothing", str(Coverage()), self._step, force=True)
        self._writer.close(self._step)

    def say(self, kind: str, text: str, step: int, *, force: bool = False) -> None:
        """Warn once of each kind, and write it into the archive's events."""
        if kind in self._said and not force:
            return
        self._said.add(kind)
        LOGGER.warning("attention recorder, step %d: %s", step, text)
        self._writer.event(step, kind, text)

    def deliver(self, recorded: RecordedStep) -> None:
        """Take over a finished recorded step (called by it)."""
        step, session = recorded.number, recorded.session
        self._recorded += 1
        captured = tuple(dict.fromkeys(c.path for c in session.captures))
        ran = session.modules_run
        missed = missed_modules(
            [path for path in self._candidates if self.options.wanted(path)], captured, ran
        )
        self._last_coverage = Coverage(
            captured=captured,
            missed=missed,
            passed_over=tuple(
                f"{p.path or 'outside the model'}: {p.reason} {p.shape}"
                for p in session.passed_over
            ),
            problems=tuple(session.problems),
        )
        for path, reason in missed.items():
            if f"gap {path}" not in self._said:
                self._said.add(f"gap {path}")
                self._writer.event(step, "gap", f"{path}: {reason}")
        if missed or not captured:
            self.say("coverage", str(self._last_coverage), step)
        for problem in session.problems[:1]:
            self.say("problem", f"part of this step was not recorded: {problem}", step)
        for note in recorded.inputs.notes:
            self.say("padding", note, step)
        if not session.captures:
            return
        frame = self._pending(recorded, missed)
        self._training.measured(frame)
        if not self._writer.frame(frame):
            self.say(
                "dropping",
                "the disk is slower than training: this frame was dropped; record less often "
                "(every=), fewer samples, or use compression='lzf'",
                step,
            )

    def crashed(self, step: int, facts: Mapping[str, object]) -> None:
        """Keep what was seen of a forward that raised."""
        self._writer.crash(facts)
        self._writer.event(step, "crash", str(facts.get("message", "")))

    def _pending(self, recorded: RecordedStep, missed: Mapping[str, str]) -> PendingFrame:
        session = recorded.session
        given = self.options.attributes
        attributes = {}
        for key, captures in by_layer(session.captures).items():
            if key not in self._known:
                self._known.add(key)
                attributes[key] = layer_attributes(captures[0], self._modules, given)
                if recorded.stream == PROBE_STREAM:
                    attributes[key].pop("training", None)  # the probe's mode, not the run's
        orders = {c.path: c.order for c in session.captures}
        run: dict[str, object] = {}
        if session.vocab_size is not None and not {"vocab_size"} & (self._said | set(given)):
            self._said.add("vocab_size")
            run["vocab_size"] = session.vocab_size
        return PendingFrame(
            step=recorded.number,
            stream=recorded.stream,
            time=time.time(),
            captures=session.captures,
            attributes=attributes,
            transfer=recorded.transfer,
            inputs=recorded.inputs,
            outputs=session.outputs,
            run_attributes=run,
            never_captured=[(_place(path, session.modules_run, orders), path) for path in missed],
            full=self._is_full(recorded.stream),
        )

    def _is_full(self, stream: str) -> bool:
        """Return whether this frame stores full maps: every `full_every`-th of its stream."""
        count = self._frames_of.get(stream, 0)
        self._frames_of[stream] = count + 1
        return count % self.options.full_every == 0

    def _due(self, step: int) -> bool:
        try:
            return self.options.due(step)
        except Exception as error:  # noqa: BLE001 - the user's predicate must not stop training
            self.say("every", f"every({step}) raised {error!r}; this step is not recorded", step)
            return False

    def _mark_trained(self) -> None:
        if "trained" not in self._said and "trained" not in self.options.attributes:
            self._said.add("trained")
            self._writer.attributes({"trained": True})

    def _run_attributes(self) -> dict[str, object]:
        model = unwrap(self._model)
        return {
            "model": type(model).__name__,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            **({"probe_fixed": True} if self.options.probe is not None else {}),
            **self.options.attributes,
        }


def _place(path: str, ran: Mapping[str, int], orders: Mapping[str, int]) -> int:
    """Return where in the order of captures a module that gave none belongs."""
    before = [orders[p] for p, turn in ran.items() if p in orders and turn < ran[path]]
    return max(before, default=-1) + 1


def _close_at_exit(recorder: AttentionRecorder) -> Any:
    """A script that ends without close() still gets a whole archive."""
    reference = weakref.ref(recorder)

    def close() -> None:
        if (alive := reference()) is not None:
            alive.close()

    atexit.register(close)
    return close
