"""The thread that writes: training hands frames over and never waits for the disk."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

from attn_debugger.archive.writer import ArchiveWriter
from attn_debugger.errors import ArchiveError
from attn_debugger.recording.assembly import LayerTable, PendingFrame, split_layer_name
from attn_debugger.recording.budget import DiskBudget, DiskRoom, default_limit
from attn_debugger.recording.capture.call import Capture
from attn_debugger.recording.optimizer import GradientNorms
from attn_debugger.recording.options import RecordOptions

LOGGER = logging.getLogger("attn_debugger.recorder")
_SMALL_ITEMS = 100_000  # scalars and events that may wait; they are a few bytes each


@dataclass(frozen=True, slots=True)
class _Scalars:
    step: int
    values: Mapping[str, float | Tensor]


@dataclass(frozen=True, slots=True)
class _Note:
    write: Callable[[ArchiveWriter], None]


_Item = PendingFrame | _Scalars | _Note | None


class BackgroundWriter:
    """Owns the archive writer and its thread. Nothing here raises into the caller or blocks it.

    A full queue drops the *new* frame and counts it. The first error of the disk ends the
    recording with one warning; what was written until then stays readable.
    """

    def __init__(
        self,
        path: Path,
        options: RecordOptions,
        attributes: Mapping[str, object],
        modules: Collection[str],
    ) -> None:
        self._options = options
        self._writer = ArchiveWriter(
            path,
            [],
            attributes=attributes,
            compression=options.compression,
            dtype=options.dtype,
            mode=options.mode,
            accepts=lambda names: _refuse_foreign(path, names, modules),
        )
        limit = options.limit_bytes or default_limit(path)
        self._budget = DiskBudget(limit, options.full_every)
        self._room = DiskRoom(path)
        self._attributes: dict[str, object] = {}
        self._layers = LayerTable([spec.name for spec in self._writer.layers])
        self._queue: queue.Queue[_Item] = queue.Queue()
        self._waiting = 0
        self._waiting_bytes = 0
        self._lock = threading.Lock()
        self.dropped = 0
        self.failed = ""
        self._last_step = 0
        self._lost: set[str] = set()  # kinds of items of which one could not be written
        self._thread = threading.Thread(target=self._run, name="attention recorder", daemon=True)
        self._thread.start()

    @property
    def waiting_bytes(self) -> int:
        """Host memory those frames hold."""
        return self._waiting_bytes

    def frame(self, frame: PendingFrame) -> bool:
        """Hand a frame over; False when the queue is full and it was dropped."""
        if self.failed:
            return False
        size = frame_bytes(frame)
        with self._lock:
            if self._waiting >= self._options.queue and not frame.urgent:
                self.dropped += 1
                return False
            self._waiting += not frame.urgent
            self._waiting_bytes += size
        self._queue.put(frame)
        return True

    def scalars(self, step: int, values: Mapping[str, float | Tensor]) -> None:
        """Hand logged numbers over; device tensors are read in the thread."""
        self._put(_Scalars(step, values))

    def event(self, step: int, kind: str, text: str) -> None:
        """Write something down in the archive's table of events."""
        self._put(_Note(lambda writer: writer.event(step, kind, text)))

    def checkpoint(self, step: int, path: str) -> None:
        """List a checkpoint."""
        self._put(_Note(lambda writer: writer.checkpoint(step, path)))

    def attributes(self, attributes: Mapping[str, object]) -> None:
        """Set attributes of the run."""
        self._put(_Note(lambda writer: self._set_attributes(attributes)))

    def gradients(self, step: int, norms: GradientNorms, *, logged: bool) -> None:
        """Log gradient norms; name the first parameter whose gradient is not finite.

        The global one is left to the loop where it logs that itself.
        """

        def write(writer: ArchiveWriter) -> None:
            total, culprit = norms.read()
            own = norms.projections() if self._options.qk_gradients else {}
            writer.log(step, **(own | ({} if logged else {"grad_norm": total})))
            if culprit is not None:
                writer.event(step, "gradient", f"the gradient of {culprit} is not finite")

        self._put(_Note(write))

    def crash(self, facts: Mapping[str, object]) -> None:
        """Keep what was seen of a forward that raised."""
        self._put(_Note(lambda writer: writer.crash(facts)))

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until everything handed over so far is written; False when time ran out."""
        reached = threading.Event()

        def write(writer: ArchiveWriter) -> None:
            writer.flush()
            reached.set()

        self._queue.put(_Note(write))
        return self._finished(reached, timeout)

    def close(self, step: int, timeout: float = 60.0) -> None:
        """Write what waits and close the archive."""
        if not self._thread.is_alive():
            return
        if self.dropped and not self.failed:
            self.event(step, "dropped", f"{self.dropped} frames: the disk was slower than training")
        self._queue.put(None)
        if threading.current_thread() is self._thread:
            return  # the recorder was collected as garbage here: the thread ends by itself
        self._thread.join(timeout)
        if self._thread.is_alive():
            LOGGER.warning(
                "attention recorder: the disk has not taken the last frames after %.0f s; they may "
                "be missing in %s",
                timeout,
                self._writer.path,
            )

    def _finished(self, reached: threading.Event, timeout: float | None) -> bool:
        waited = 0.0
        while not reached.wait(0.05):
            waited += 0.05
            if self.failed or not self._thread.is_alive():
                return False
            if timeout is not None and waited >= timeout:
                return False
        return True

    def _put(self, item: _Item) -> None:
        if not self.failed and self._queue.qsize() < _SMALL_ITEMS:
            self._queue.put(item)

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            try:
                if not self.failed:
                    self._write(item)
            except ArchiveError as error:
                self._fail(str(error))
            except Exception as error:  # noqa: BLE001 - one bad frame must not end the recording
                self._lose(item, error)
            finally:
                if isinstance(item, PendingFrame):
                    with self._lock:
                        self._waiting -= not item.urgent
                        self._waiting_bytes -= frame_bytes(item)
        if not self.failed:
            try:
                self._writer.close()
            except ArchiveError as error:
                self._fail(str(error))

    def _lose(self, item: PendingFrame | _Scalars | _Note, error: Exception) -> None:
        """Say once of each kind of item that it could not be written, and why."""
        kind = "frame" if isinstance(item, PendingFrame) else "logged number or note"
        step = self._last_step if isinstance(item, _Note) else item.step
        if kind in self._lost:
            return
        self._lost.add(kind)
        text = f"a {kind} could not be written, others may be missing too: {error!r}"
        LOGGER.warning("attention recorder, step %d: %s", step, text)
        try:
            self._writer.event(step, "gap", text)
        except Exception as failure:  # noqa: BLE001 - the thread must live to close the archive
            self._fail(str(failure))

    def _write(self, item: PendingFrame | _Scalars | _Note) -> None:
        if isinstance(item, PendingFrame):
            item.transfer.wait()
            if new := self._layers.new_layers(item):
                self._writer.add_layers(new)
            self._set_attributes(item.run_attributes)
            if self._room.is_short():
                self._end("there is no room left on the disk for another frame")
                return
            self._writer.append(self._layers.record(item, full=self._budget.full(item.stream)))
            self._last_step = item.step
            self._room.grew(self._size())
            if change := self._budget.grew(self._size()):
                self._writer.event(item.step, "thinning", change)
                LOGGER.warning("attention recorder, step %d: %s", item.step, change)
        elif isinstance(item, _Scalars):
            self._writer.log(item.step, **{n: float(v) for n, v in item.values.items()})
        else:
            item.write(self._writer)

    def _set_attributes(self, wanted: Mapping[str, object]) -> None:
        new = {name: value for name, value in wanted.items() if self._attributes.get(name) != value}
        if new:
            self._attributes.update(new)
            self._writer.set_attributes(new)

    def _size(self) -> int:
        try:
            return Path(self._writer.path).stat().st_size
        except OSError:
            return 0

    def _end(self, reason: str) -> None:
        """End the recording in good order, while the file can still be closed."""
        self.failed = reason
        LOGGER.warning("attention recorder: recording ends here, training goes on: %s", reason)
        self._writer.event(self._last_step, "disk", f"recording ended: {reason}")
        self._writer.close()

    def _fail(self, sentence: str) -> None:
        self.failed = sentence
        LOGGER.warning(
            "attention recorder: recording ends here, training goes on. %s What was written until "
            "now stays readable.",
            sentence,
        )
        try:
            self._writer.abandon()
        except ArchiveError as error:
            LOGGER.debug("attention recorder: closing after the failure failed too: %s", error)


def _refuse_foreign(path: Path, names: Sequence[str], modules: Collection[str]) -> None:
    """An archive of another model is not continued: raise `ArchiveError`."""
    foreign = [name for name in names if split_layer_name(name)[0] not in modules]
    if foreign:
        raise ArchiveError(
            f"{path} was recorded from another model: this one has no module {foreign[0]!r}; "
            "record into another file, or use mode='create'"
        )


def frame_bytes(frame: PendingFrame) -> int:
    """Return the host memory a waiting frame holds."""
    return sum(capture_bytes(capture) for capture in frame.captures)


def capture_bytes(capture: Capture) -> int:
    """Return the memory the tensors of one layer take."""
    tensors: list[Any] = [capture.weights, capture.scores, capture.q, capture.k, capture.keep]
    tensors += capture.stats.values()
    return sum(t.numel() * t.element_size() for t in tensors if isinstance(t, Tensor))
