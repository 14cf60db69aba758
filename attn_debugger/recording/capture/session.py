"""One recorded step: hooks, function mode and compile stance go in, captures come out.

with CaptureSession(model, settings) as session:
    loss = model(**batch).loss
session.captures   # one Capture an attention call, in forward order
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn.modules.module import (
    register_module_forward_hook,
    register_module_forward_pre_hook,
)
from torch.utils._python_dispatch import _disable_current_modes

from attn_debugger.recording.capture.attribution import (
    ModuleStack,
    clean_name,
    in_backward,
    unwrap,
)
from attn_debugger.recording.capture.call import Capture
from attn_debugger.recording.capture.fast_path import GAP, SteppingAside
from attn_debugger.recording.capture.flex import watching_flex
from attn_debugger.recording.capture.function_mode import CaptureMode, take_away
from attn_debugger.recording.capture.measure import MeasureSettings
from attn_debugger.recording.capture.modes import ForwardMode, forward_mode
from attn_debugger.recording.capture.observer import Observer
from attn_debugger.recording.capture.root_call import RootCall, read_root_call
from attn_debugger.recording.capture.seen import PassedOver
from attn_debugger.recording.compiled import running_eagerly
from attn_debugger.recording.crash import CallTrail
from attn_debugger.recording.outputs import output_statistics
from attn_debugger.recording.transfer import Transfer

_DEVICES = ("cpu", "cuda", "mps", "xpu")


class RootHook:
    """The one hook that sits on the model itself, to see its keyword arguments.

    A copy of the model made during a recorded step gets a hook that does nothing.
    """

    def __init__(self, seen: Callable[[nn.Module, Any, Any], None]) -> None:
        self._seen = seen

    def __call__(self, module: nn.Module, args: Any, kwargs: Any) -> None:
        """The model is about to run with these arguments."""
        self._seen(module, args, kwargs)

    def __deepcopy__(self, memo: Any) -> RootHook:
        return RootHook(_see_nothing)

    def __reduce__(self) -> tuple[Any, ...]:
        return RootHook, (_see_nothing,)


def _see_nothing(module: nn.Module, args: Any, kwargs: Any) -> None:
    return None


class CaptureSession(AbstractContextManager["CaptureSession"]):
    """Captures the attention of `model` while it is open; leaves nothing behind when it closes.

    `samples` are indices into the batch; `wanted(path)` chooses layers. Errors of ours never leave
    it: they are listed in `problems`, as sentences.
    """

    def __init__(
        self,
        model: nn.Module,
        settings: MeasureSettings,
        *,
        samples: Sequence[int] = (0,),
        wanted: Callable[[str], bool] = lambda path: True,
        transfer: Transfer | None = None,
    ) -> None:
        # The user's own module: it runs whether it is called through a wrapper or not.
        self._root = unwrap(model)
        self.stack = ModuleStack()
        transfer = Transfer() if transfer is None else transfer
        self.observer = Observer(self, settings, samples, wanted, transfer)
        self.problems: list[str] = []
        self.unreachable: dict[str, str] = {}  # path -> why nothing can be seen in there
        self.active = False
        self.paths = {id(m): clean_name(name) for name, m in model.named_modules()}
        self.outputs: dict[str, dict[str, Tensor]] = {}  # path -> mean, var, abs_max
        self.modules_run: dict[str, int] = {}  # path -> order of its first call
        self.mode: ForwardMode | None = None  # of the model, as its first module ran
        self._thread = threading.get_ident()
        self._mode = CaptureMode(self)
        self._aside = SteppingAside(self._mode)
        self._mode_on = False
        # Set where nobody's `with` sees an exception of the forward: it is then kept in `raised`.
        self.watches_for_errors = False
        self.raised: BaseException | None = None
        self._exit = ExitStack()
        self.trail = CallTrail()
        self._autocast: dict[str, torch.dtype] = {}

    def __enter__(self) -> Self:
        try:
            pre = register_module_forward_pre_hook(self._entering)
            self._exit.callback(pre.remove)
            post = register_module_forward_hook(self._leaving, always_call=True)
            self._exit.callback(post.remove)
            hook = RootHook(self._entering_root)
            root = self._root.register_forward_pre_hook(hook, with_kwargs=True)
            self._exit.callback(root.remove)
            self._exit.enter_context(running_eagerly())
            self._exit.enter_context(watching_flex(self._on_flex))
            # Our own torch calls at the end must not pass through the mode: it goes first.
            self._exit.callback(self._finish)
            self._mode.__enter__()  # type: ignore[no-untyped-call]
            self._mode_on = True
            self._exit.callback(self._leave_mode)
        except BaseException:
            self._exit.close()
            raise
        self.active = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._exit.close()

    def _leave_mode(self) -> None:
        if self._mode_on:
            self._mode_on = False
            take_away(self._mode)

    def _finish(self) -> None:
        if self.active:
            self.observer.passed_over.extend(self.guard(self.observer.chains.finish) or [])
            self.guard(self.observer.join_pieces)
        self.active = False

    def guard(self, handler: Callable[..., Any], *args: Any) -> Any:
        """Run a handler of ours: without gradient, without autocast, and never raising."""
        try:
            # Modes of the user's (counting, tracing, checkpointing) see the model's calls only:
            # what we compute must not be counted, traced or kept for the backward.
            with torch._C.DisableTorchFunction(), torch.no_grad(), ExitStack() as stack:
                if torch._C._len_torch_dispatch_stack():
                    stack.enter_context(_disable_current_modes())
                self._autocast = {}
                for device in _DEVICES:
                    if torch.is_autocast_enabled(device):
                        self._autocast[device] = torch.get_autocast_dtype(device)
                        stack.enter_context(torch.autocast(device, enabled=False))
                return handler(*args)
        except Exception as error:  # noqa: BLE001 - a fault of the recorder must not stop training
            path = self.here or "outside the model"
            self.problems.append(f"{path}: {type(error).__name__}: {error}")
            return None

    def attempt(self, handler: Callable[..., Any], *args: Any) -> None:
        """Run a handler of ours that computes nothing: never raising is all it needs."""
        try:
            with torch._C.DisableTorchFunction():
                handler(*args)
        except Exception as error:  # noqa: BLE001 - a fault of the recorder must not stop training
            self.problems.append(f"{type(error).__name__}: {error}")

    def autocast_dtype(self, device: str) -> torch.dtype | None:
        """Return what autocast makes of inputs on this kind of device; None where it is off."""
        return self._autocast.get(device)

    def _on_flex(self, args: Sequence[Any], kwargs: Mapping[str, Any], out: Any) -> None:
        if self.active and not in_backward():
            self.guard(self.observer.on_flex, args, kwargs, out)

    @property
    def captures(self) -> list[Capture]:
        """What was captured, in forward order."""
        return self.observer.captures

    @property
    def passed_over(self) -> list[PassedOver]:
        """Softmaxes and kernels that were not taken for attention of this model."""
        return self.observer.passed_over

    @property
    def here(self) -> str | None:
        """The path of the innermost running module of the model; None outside of it."""
        return self.stack.innermost(self.paths)

    def _entering(self, module: nn.Module, args: Any) -> None:
        self.attempt(self._before_module, module, args)

    def _leaving(self, module: nn.Module, args: Any, out: Any) -> None:
        self.attempt(self._after_module, module, args, out)

    def _entering_root(self, module: nn.Module, args: Any, kwargs: Any) -> None:
        self.attempt(self._before_root, module, args, kwargs)

    def _before_module(self, module: nn.Module, args: Any) -> None:
        stack = self.stack
        if not stack.running:
            self._enter_thread(module)
        stack.push(module, args)
        path = self.paths.get(id(module))
        if path is not None:
            if self.mode is None:
                self.attempt(self._read_mode)
            self.modules_run.setdefault(path, len(self.modules_run))
        if self._aside.before(module, args) and path is not None:
            self.unreachable[path] = GAP

    def _read_mode(self) -> None:
        self.mode = forward_mode(self._root)

    def _enter_thread(self, module: nn.Module) -> None:
        """A replica of DataParallel runs in its own thread, where the mode is not yet on."""
        if getattr(module, "_is_replica", False):
            for name, child in module.named_modules():
                self.paths.setdefault(id(child), clean_name(name))
        foreign = threading.get_ident() != self._thread
        if foreign and self.stack.mode is None and id(module) in self.paths:
            self.stack.mode = CaptureMode(self)
            self.stack.mode.__enter__()

    def _before_root(self, module: nn.Module, args: Any, kwargs: Any) -> None:
        if not in_backward():
            root = self.guard(read_root_call, module, args, kwargs)
            self.observer.roots.append(root if root is not None else RootCall())

    def _after_module(self, module: nn.Module, args: Any, out: Any) -> None:
        stack = self.stack
        path = self.paths.get(id(module))
        if path in self.observer.captured and path not in self.outputs and not in_backward():
            found = self.guard(output_statistics, out)
            if found is not None:
                self.outputs[path] = found
        self._aside.after(module)
        stack.pop(module)
        if not stack.running and stack.mode is not None:
            mode, stack.mode = stack.mode, None
            mode.__exit__(None, None, None)
        error = sys.exc_info()[1]
        if error is not None and out is None and module is self._root and self.watches_for_errors:
            # torch is walking its hooks: they may not be removed now, only made deaf.
            self.active = False
            self._leave_mode()
            self.raised = error
