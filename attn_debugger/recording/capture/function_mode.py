"""The torch function mode: every torch call of the forward passes here, and is told apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from torch import Tensor
from torch._C import _len_torch_function_stack
from torch.overrides import TorchFunctionMode, _pop_mode, _push_mode

from attn_debugger.recording.capture import ops
from attn_debugger.recording.capture.attribution import in_backward
from attn_debugger.recording.capture.mha import read_mha, transparent_mha
from attn_debugger.recording.capture.tags import OutputTag, ScoreTag, WeightTag

if TYPE_CHECKING:
    from attn_debugger.recording.capture.session import CaptureSession


class CaptureMode(TorchFunctionMode):
    """Calls every function exactly as it was called, and tells the session what it saw.

    The original always runs with its own arguments, so results, gradients and the random number
    stream are those of a run without the mode.
    """

    def __init__(self, session: CaptureSession) -> None:
        super().__init__()
        self._session = session

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        if func in ops.TRIVIAL or not self._session.active or in_backward():
            return func(*args, **kwargs)
        function = ops.packet(func)
        session = self._session
        if function in ops.TELLING:
            session.attempt(session.trail.passed, session.here, function, args, kwargs)
        if function is ops.ATTENTION_MODULE_FUNCTION:
            return self._inside_mha(args, kwargs)
        if function in ops.DROPOUT:
            session.guard(self._before_dropout, function, args, kwargs)
        try:
            out = func(*args, **kwargs)
        except Exception:
            session.guard(session.trail.failed, session.here, function, args, kwargs)
            raise
        session.guard(self._after, function, args, kwargs, out)
        return out

    def _inside_mha(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        stack = self._session.stack
        outer = stack.mha
        stack.mha = self._session.guard(read_mha, args, kwargs)
        try:
            with self:
                return transparent_mha()(*args, **kwargs)
        finally:
            stack.mha = outer

    def _before_dropout(
        self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> None:
        rate = args[1] if len(args) > 1 else kwargs.get("p", 0.5)
        training = args[2] if len(args) > 2 else kwargs.get("training", kwargs.get("train", True))
        self._session.observer.chains.dropout = float(rate) if training else 0.0
        inplace = kwargs.get("inplace", len(args) > 3 and args[3] is True)
        if (inplace or function is ops.INPLACE_DROPOUT) and args:
            self._session.observer.chains.before_inplace(args[0])

    def _after(
        self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any], out: Any
    ) -> None:
        observer = self._session.observer
        adapter = observer.adapters.find(function)
        if adapter is not None:
            observer.on_adapter(adapter, args, kwargs, out)
        elif function in ops.SDPA:
            observer.on_sdpa(args, kwargs, out)
        elif function in ops.PRODUCT:
            observer.chains.product(function, args, kwargs, out)
        elif function in ops.SOFTMAX:
            observer.chains.softmax(function, args, kwargs, out)
        elif function is ops.EMBEDDING:
            observer.on_embedding(args, kwargs)
        else:
            self._follow(function, args, out)

    def _follow(self, function: Any, args: Sequence[Any], out: Any) -> None:
        chains = self._session.observer.chains
        if not args:
            return
        first = args[0]
        followed = isinstance(chains.tags.get(first), (OutputTag, ScoreTag, WeightTag))
        if isinstance(first, Tensor) and isinstance(out, Tensor) and not followed:
            if _merges_leading_axes(function, first, out):
                chains.merged(first, (first.shape[0], first.shape[1]), out)
                return
            factor = _number_factor(function, args)
            if factor is not None:
                chains.scaled(first, factor, out)
                return
        if not len(chains.tags):
            return
        for candidate in first if isinstance(first, (list, tuple)) else args:
            tag = chains.tags.get(candidate)
            if tag is not None:
                chains.follow(function, tag, candidate, args, out)
                return


def take_away(mode: TorchFunctionMode) -> None:
    """Take a mode off this thread's stack, wherever it is.

    Modes come off in the order of tasks that take turns, not in the reverse of their coming.
    """
    above: list[TorchFunctionMode] = []
    while _len_torch_function_stack():
        top = _pop_mode()  # type: ignore[no-untyped-call]
        if top is mode:
            break
        above.append(top)
    for other in reversed(above):
        _push_mode(other)  # type: ignore[no-untyped-call]


def _merges_leading_axes(function: Any, source: Tensor, out: Tensor) -> bool:
    return (
        function in ops.RESHAPE
        and source.ndim == 4
        and out.ndim == 3
        and out.shape[0] == source.shape[0] * source.shape[1]
    )


def _number_factor(function: Any, args: Sequence[Any]) -> float | None:
    """Return the number an activation was multiplied by, or None."""
    if len(args) < 2 or not isinstance(args[0], Tensor) or args[0].ndim < 2:
        return None
    multiplies, divides = function in ops.MULTIPLY, function in ops.DIVIDE
    if not (multiplies or divides):
        return None
    number = args[1]
    if isinstance(number, Tensor):
        # Reading a number off a GPU would wait for it.
        if number.ndim or number.device.type != "cpu" or number.requires_grad:
            return None
        number = number.item()
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not number:
        return None
    return float(number) if multiplies else 1.0 / float(number)
