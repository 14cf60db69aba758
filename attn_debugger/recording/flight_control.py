"""What a flight recorder is to the recorder, and the one that runs the bad forward again."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import Tensor, nn

from attn_debugger.recording.capture.attribution import unwrap
from attn_debugger.recording.capture.session import RootHook
from attn_debugger.recording.compiled import running_eagerly
from attn_debugger.recording.flight import (
    FLIGHT_STREAM,
    LossWatch,
    RememberedCall,
    parameter_version,
)
from attn_debugger.recording.inputs import GivenInputs
from attn_debugger.recording.ranks import first_of
from attn_debugger.recording.step import CompanionStep
from attn_debugger.recording.suspects import NonfiniteWatch, Suspect, highest_loss

if TYPE_CHECKING:
    from attn_debugger.recording.engine import Engine


class Flight(Protocol):
    """What the recorder asks of a flight recorder."""

    def around(
        self, step: int, given: GivenInputs, context: AbstractContextManager[Any]
    ) -> AbstractContextManager[Any]:
        """Wrap the context of a training step."""
        ...

    def loss(self, step: int, value: float, of_samples: Tensor | None) -> None:
        """The loss of a step is known, and perhaps that of each item, (B,)."""
        ...

    def broken(self, step: int, reason: str) -> bool:
        """Something broke, by the loss or by a person's word; True when it was dealt with."""
        ...

    @property
    def bytes(self) -> int:
        """Host memory held."""
        ...


class RerunFlight:
    """`flight="rerun"`: the offending forward is run again, with the recorder on."""

    def __init__(self, engine: Engine, model: nn.Module, *, alone: bool) -> None:
        self._engine, self._model, self._alone = engine, model, alone
        self._watch = LossWatch()
        self._call: RememberedCall | None = None
        self._loss: float | None = None  # of this step, once it is logged
        self._of_samples: Tensor | None = None
        self._given = GivenInputs()  # by hand, with the call that is remembered

    bytes = 0

    def around(
        self, step: int, given: GivenInputs, context: AbstractContextManager[Any]
    ) -> AbstractContextManager[Any]:
        """Wrap the context of a training step: the model's call is remembered, by reference."""
        return _Remembering(self, self._model, step, given, context)

    def loss(self, step: int, value: float, of_samples: Tensor | None) -> None:
        """The loss of a step is known: run the forward again when it broke."""
        reason = self._watch.breaks(value)
        self._loss, self._of_samples = value, of_samples
        if reason is None:
            return
        if not self._alone:
            self._engine.say(
                "flight",
                f"{reason}. The model is sharded, so every rank must take part: call "
                "recorder.rerun() on all of them",
                step,
            )
            return
        self.broken(step, reason)

    def broken(self, step: int, reason: str) -> bool:
        """Run the last forward again with the recorder on; False when there is none."""
        call = self._call
        if call is None:
            self._engine.note(step, "flight", f"{reason}, but no forward was seen to run again")
            return False
        model = self._model if not self._alone else unwrap(self._model)
        late = parameter_version(self._model) != call.version
        watch = NonfiniteWatch(self._model, _batch(call))
        with call.again(self._model), running_eagerly(), watch.looking():
            out = model(*call.args, **call.kwargs)
        suspect = watch.suspect or self._engine.guarded(
            highest_loss, out, _batch(call), self._loss, self._of_samples
        )
        recorded = self._recorded(call, suspect)
        with call.again(self._model), recorded:
            out = model(*call.args, **call.kwargs)
        if not isinstance(recorded, CompanionStep):
            sentence = _rerun_sentence(reason, call, suspect, late=late, finite=_all_finite(out))
            self._engine.note(step, "flight", sentence)
        self._call = self._loss = self._of_samples = None
        return True

    def _recorded(
        self, call: RememberedCall, suspect: Suspect | None
    ) -> AbstractContextManager[Any]:
        """Return what wraps the second run: the first rank with something bad in it writes.

        Ranks that do not wait for each other each speak for themselves. Ranks of a sharded model
        are all here, and agree.
        """
        bad = suspect is not None and not suspect.finite
        if not self._alone and not self._engine.writes_after_all(first_of(bad)):
            return CompanionStep(self._engine)
        if not self._engine.store_here():
            return CompanionStep(self._engine)
        sample = None if suspect is None else suspect.sample
        return self._engine.recorded(call.step, FLIGHT_STREAM, self._given, sample)

    def complain(self, kind: str, text: str, step: int) -> None:
        """Say once what went wrong."""
        self._engine.say(kind, text, step)

    def remember(self, step: int, given: GivenInputs, args: Any, kwargs: Any) -> None:
        """The model is about to run (called by the hook); the first forward of a step counts."""
        if self._call is None or self._call.step != step:
            self._loss = self._of_samples = None
            self._call = RememberedCall.of(step, self._model, args, kwargs)
            self._given = given


class _Remembering(AbstractContextManager[Any]):
    """A hook on the model for the length of a step; nothing else."""

    def __init__(
        self,
        flight: RerunFlight,
        model: nn.Module,
        step: int,
        given: GivenInputs,
        context: AbstractContextManager[Any],
    ) -> None:
        self._flight, self._model, self._step, self._context = flight, model, step, context
        self._given = given
        self._open = ExitStack()

    def __enter__(self) -> Any:
        hook = RootHook(lambda module, args, kwargs: self._seen(args, kwargs))
        handle = self._model.register_forward_pre_hook(hook, with_kwargs=True)
        self._open.callback(handle.remove)
        return self._open.enter_context(self._context)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._open.__exit__(kind, error, traceback)

    def _seen(self, args: Any, kwargs: Any) -> None:
        try:
            self._flight.remember(self._step, self._given, args, kwargs)
        except Exception as error:  # noqa: BLE001 - a fault of the recorder must not stop training
            self._flight.complain("flight", f"a call was not remembered: {error!r}", self._step)


def _batch(call: RememberedCall) -> int | None:
    values = (*call.args, *call.kwargs.values())
    return next((v.shape[0] for v in values if isinstance(v, torch.Tensor) and v.ndim), None)


def _rerun_sentence(
    reason: str, call: RememberedCall, suspect: Suspect | None, *, late: bool, finite: bool
) -> str:
    text = f"{reason}: the forward of step {call.step} was run again"
    if suspect is not None:
        text += f"; {suspect.why}, it is stored"
    if late:
        text += (
            "; the parameters had already been updated, so it is not exact: call "
            "recorder.log(loss=...) before optimizer.step()"
        )
    elif ("nan" in reason or "inf" in reason) and finite and (suspect is None or suspect.finite):
        text += "; run again it is finite: a compiled or fused kernel is then the suspect"
    return text


def _all_finite(out: Any) -> bool:
    values = out if isinstance(out, (tuple, list)) else [out]
    values = list(out.values()) if isinstance(out, dict) else values
    tensors = [v for v in values if isinstance(v, torch.Tensor) and v.is_floating_point()]
    return all(bool(torch.isfinite(tensor).all()) for tensor in tensors)
