"""`flight="capture"`: every step is captured into a ring in memory, written when it breaks.

Which item of a batch is to blame is known only after its forward, so the step the loop is at is
held with as many items as fit into memory. Once its loss is known, or the next step comes, no more
than the configured samples of it are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from torch import Tensor

from attn_debugger.recording.assembly import PendingFrame
from attn_debugger.recording.background import capture_bytes, frame_bytes
from attn_debugger.recording.flight import (
    FLIGHT_STREAM,
    NEXT_FRAMES,
    RING_BYTES,
    FrameRing,
    LossWatch,
)
from attn_debugger.recording.frame_samples import nonfinite_sample_of, of_samples
from attn_debugger.recording.inputs import GivenInputs
from attn_debugger.recording.suspects import Suspect, highest_loss

if TYPE_CHECKING:
    from attn_debugger.recording.engine import Engine


@dataclass(slots=True)
class _Open:
    """The step the loop is at, with every item that was captured of it."""

    frame: PendingFrame
    items: Sequence[int]  # their places in the batch
    batch: int | None  # how many the batch has, where the model's call tells
    written: bool  # its configured samples are on their way to the disk already


class CaptureFlight:
    """Holds the ring of the last frames and the step that is not judged yet."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._own = engine.options.sample_indices  # what is stored of an ordinary step
        self._watch = LossWatch()
        self._ring = FrameRing()
        self._open: _Open | None = None
        self._next = 0
        self._last_written = -1
        self.samples = self._own  # to be captured of the next step

    @property
    def bytes(self) -> int:
        """Host memory held."""
        return self._ring.bytes + (0 if self._open is None else frame_bytes(self._open.frame))

    def around(
        self, step: int, given: GivenInputs, context: AbstractContextManager[Any]
    ) -> AbstractContextManager[Any]:
        """Wrap the context of a training step: one that is not due is captured all the same."""
        return self._engine.captured(context, step, given, tuple(self.samples))

    def loss(self, step: int, value: float, of_items: Tensor | None) -> None:
        """The loss of a step is known: write the ring when it broke."""
        reason = self._watch.breaks(value)
        if reason is not None:
            self._write(step, reason, of_items)
        else:
            self._settle()

    def broken(self, step: int, reason: str) -> bool:
        """Write the ring and the next few frames."""
        self._write(step, reason, None)
        return True

    def take(
        self, frame: PendingFrame, items: Sequence[int], batch: int | None, *, due: bool
    ) -> PendingFrame | None:
        """Take the frame of a step, with these items of the batch; return what to write at once."""
        self._settle()
        n_items = max((capture.shape[0] for capture in frame.captures), default=0)
        self._plan(frame, n_items, batch)
        writes = due or self._next > 0
        if not due and writes:
            self._next -= 1
        self._open = _Open(frame, items[:n_items], batch, writes)
        if not writes:
            return None
        self._last_written = frame.step
        return self._configured(self._open)

    def _plan(self, frame: PendingFrame, n_items: int, batch: int | None) -> None:
        """Settle how many items of the next batch are captured: what memory and device allow."""
        if not n_items or batch is None:
            self.samples = self._own
            return
        largest = max(capture_bytes(capture) for capture in frame.captures)
        on_host = RING_BYTES // 2 // max(1, frame_bytes(frame) // n_items)
        on_device = self._engine.options.device_limit_bytes // max(1, largest // n_items)
        fitting = range(min(batch, on_host, on_device))
        self.samples = tuple(sorted({*fitting, *self._own}))

    def _configured(self, opened: _Open) -> PendingFrame:
        """Return what is stored of an ordinary step."""
        return self._reduced(opened, [at for at, i in enumerate(opened.items) if i in self._own])

    def _reduced(self, opened: _Open, places: Sequence[int]) -> PendingFrame:
        if len(places) in (0, len(opened.items)):
            return opened.frame
        opened.frame.transfer.wait()
        return of_samples(opened.frame, places, len(opened.items))

    def _settle(self) -> None:
        """The step that was open did not break: keep what is stored of an ordinary one."""
        opened, self._open = self._open, None
        if opened is not None and not opened.written:
            self._ring.push(self._configured(opened))

    def _suspect(self, opened: _Open, of_items: Tensor | None) -> Suspect | None:
        """Return the item of the batch that is to blame, by its place in the batch."""
        opened.frame.transfer.wait()
        place = nonfinite_sample_of(opened.frame, len(opened.items), opened.batch)
        if place is not None:
            item, where = opened.items[place[0]], place[1] or "the model"
            why = f"sample {item} of the batch is the one with non-finite values in {where}"
            return Suspect(item, why)
        return highest_loss(None, None, None, of_items)

    def _write(self, step: int, reason: str, of_items: Tensor | None) -> None:
        opened, about = self._open, ""
        if opened is not None and opened.frame.step == step:
            suspect = self._engine.guarded(self._suspect, opened, of_items)
            if suspect is not None and suspect.sample in opened.items:
                about = f"; {suspect.why}, it is stored"
                self._choose(opened, suspect.sample)
            elif suspect is not None:
                about = f"; {suspect.why}, but only {len(opened.items)} of them fit into memory"
        self._settle()
        frames = [frame for frame in self._ring.take() if frame.step > self._last_written]
        for frame in frames:
            self._engine.write(replace(frame, urgent=True))
            self._last_written = frame.step
        self._next = NEXT_FRAMES
        text = f"{reason}: the last {len(frames)} steps were written, and the next {NEXT_FRAMES}"
        self._engine.note(step, "flight", text + about)

    def _choose(self, opened: _Open, item: int) -> None:
        """Store this item in place of the configured ones, unless it is one of them."""
        if item in self._own:
            return
        # In a stream of its own: sample 0 of the training steps is the first item of the batch.
        chosen = self._reduced(opened, [list(opened.items).index(item)])
        self._open = None
        self._ring.push(replace(chosen, stream=FLIGHT_STREAM))
        self._last_written = min(self._last_written, opened.frame.step - 1)


def cost_of(seconds: float, items: Sequence[int]) -> str:
    """Say what the capture of every step costs."""
    return (
        f"flight='capture' takes {1000 * seconds:.1f} ms of every step on this model, for "
        f"{len(items)} of the batch: which of them breaks is known only afterwards"
    )
