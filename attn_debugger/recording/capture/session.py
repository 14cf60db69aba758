"""One recorded step: hooks, function mode and compile stance go in, captures come out.

with CaptureSession(model, settings) as session:
    loss = model(**batch).loss
session.captures   # one Capture an attention call, in forward order
"""

from __future__ import annotations

import sys
import threading
import time
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

from attn_debugger.recording.capture.adapters import REGISTERED, Adapter
from attn_debugger.recording.capture.attribution import (
    ModuleStack,
    clean_name,
    declared_heads,
    in_backward,
)
from attn_debugger.recording.capture.building import (
    call_from_adapter,
    call_from_chain,
    calls_from_kernel,
)
from attn_debugger.recording.capture.call import AttentionCall, Capture
from attn_debugger.recording.capture.chains import AttentionChains, PassedOver, SeenAttention
from attn_debugger.recording.capture.fast_path import GAP, SteppingAside
from attn_debugger.recording.capture.flex import call_from_flex, watching_flex
from attn_debugger.recording.capture.function_mode import CaptureMode
from attn_debugger.recording.capture.fused import KernelInputs, read_sdpa
from attn_debugger.recording.capture.layout import LayoutHints, pick_samples
from attn_debugger.recording.capture.measure import MeasureSettings, measure
from attn_debugger.recording.capture.root_call import RootCall, is_ids, read_root_call
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

    adapters = REGISTERED

    def __init__(
        self,
        model: nn.Module,
        settings: MeasureSettings,
        *,
        samples: Sequence[int] = (0,),
        wanted: Callable[[str], bool] = lambda path: True,
        transfer: Transfer | None = None,
    ) -> None:
        self._model, self._settings, self._samples = model, settings, tuple(samples)
        self._wanted = wanted
        self._transfer = Transfer() if transfer is None else transfer
        self.captures: list[Capture] = []
        self.passed_over: list[PassedOver] = []
        self.problems: list[str] = []
        self.roots: list[RootCall] = []
        self.vocab_size: int | None = None
        self.pad_id: int | None = None
        self.decoder_ids: Tensor | None = None
        self.unreachable: dict[str, str] = {}  # path -> why nothing can be seen in there
        self.stack = ModuleStack()
        self.active = False
        self.chains = AttentionChains(
            lambda: self.here, self._on_chain, keep_unmasked=settings.scores
        )
        self.paths = {id(m): clean_name(name) for name, m in model.named_modules()}
        self.outputs: dict[str, dict[str, Tensor]] = {}  # path -> mean, var, abs_max
        self.seconds = 0.0  # spent on measuring
        self._captured: set[str] = set()
        self.modules_run: dict[str, int] = {}  # path -> order of its first call
        self._calls: dict[tuple[int, str], int] = {}
        self._order = 0
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._mode = CaptureMode(self)
        self._aside = SteppingAside(self._mode)
        self._exit = ExitStack()
        self.trail = CallTrail()
        self._autocast: dict[str, torch.dtype] = {}

    def __enter__(self) -> Self:
        try:
            pre = register_module_forward_pre_hook(self._before_module)
            self._exit.callback(pre.remove)
            post = register_module_forward_hook(self._after_module, always_call=True)
            self._exit.callback(post.remove)
            hook = RootHook(self._before_root)
            root = self._model.register_forward_pre_hook(hook, with_kwargs=True)
            self._exit.callback(root.remove)
            if "torch._dynamo" in sys.modules:  # nothing is compiled where dynamo was never loaded
                self._exit.enter_context(torch.compiler.set_stance("force_eager"))
            self._exit.enter_context(watching_flex(self._on_flex))
            # Our own torch calls at the end must not pass through the mode: it goes first.
            self._exit.callback(self._finish)
            self._exit.enter_context(self._mode)
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

    def _finish(self) -> None:
        if self.active:
            self.passed_over.extend(self.guard(self.chains.finish) or [])
        self.active = False

    def guard(self, handler: Callable[..., Any], *args: Any) -> Any:
        """Run a handler of ours: without gradient, without autocast, and never raising."""
        try:
            with torch.no_grad(), ExitStack() as stack:
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
            handler(*args)
        except Exception as error:  # noqa: BLE001 - a fault of the recorder must not stop training
            self.problems.append(f"{type(error).__name__}: {error}")

    def on_sdpa(self, args: Sequence[Any], kwargs: Mapping[str, Any], out: Any) -> None:
        """`scaled_dot_product_attention` ran."""
        self.on_kernel(read_sdpa(args, kwargs, out), "sdpa" if self.stack.mha is None else "mha")

    def on_adapter(
        self, adapter: Adapter, args: Sequence[Any], kwargs: Mapping[str, Any], out: Any
    ) -> None:
        """A function the user registered ran."""
        told = adapter(args, kwargs, out)
        if told is None:
            return
        call = call_from_adapter(told, self._samples)
        if isinstance(call, KernelInputs):
            self.on_kernel(call, "adapter")
        else:
            self.emit(call)

    def on_kernel(self, inputs: KernelInputs, backend: str) -> None:
        """A fused kernel ran with these inputs."""
        if self.here is None:
            self._reject(tuple(inputs.q.shape))
            return
        cast = self._autocast.get(inputs.q.device.type)
        for call in calls_from_kernel(inputs, backend, self._samples, self._hints(), cast):
            self.emit(call)

    def _on_flex(self, args: Sequence[Any], kwargs: Mapping[str, Any], out: Any) -> None:
        if self.active and not in_backward():
            self.guard(lambda: self.emit(call_from_flex(args, kwargs, out, self._samples)))

    def on_embedding(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """An embedding ran: that of the model's own ids tells vocabulary size and padding id."""
        root = self.roots[-1] if self.roots else None
        ids = args[0] if args else kwargs.get("input")
        weight = args[1] if len(args) > 1 else kwargs.get("weight")
        if root is None or root.ids is None or not isinstance(weight, Tensor):
            return
        if root.decoder_ids is not None:
            self.decoder_ids = root.decoder_ids
        if ids is root.ids or (
            isinstance(ids, Tensor)
            and ids.shape == root.ids.shape
            and ids.data_ptr() == root.ids.data_ptr()
        ):
            self.vocab_size = int(weight.shape[0])
            padding = args[2] if len(args) > 2 else kwargs.get("padding_idx")
            if isinstance(padding, int) and padding >= 0:
                self.pad_id = padding
        elif is_ids(ids) and weight.shape[0] == self.vocab_size and self.decoder_ids is None:
            self.decoder_ids = ids  # a decoder's own, made inside the model from the labels

    def _on_chain(self, seen: SeenAttention) -> None:
        path = seen.path
        if path is None:
            self._reject(tuple(seen.tag.value.shape))
            return
        if not seen.confirmed and path in self._captured:
            reason = "a second softmax of scores, multiplying no values"
            self.passed_over.append(PassedOver(path, tuple(seen.tag.value.shape), reason))
            return
        backend = "mha" if self.stack.mha is not None else "softmax"
        call = call_from_chain(seen, backend, self._samples, self._hints())
        call.path = path
        self.emit(call)

    def emit(self, call: AttentionCall) -> None:
        """Measure a call and keep it, when it belongs to a layer that is wanted."""
        path = self.here if call.path is None else call.path
        if path is None:
            self._reject(call.source.shape)
            return
        if not self._wanted(path):
            return
        mha = self.stack.mha
        if mha is not None:
            call.is_cross, call.is_causal = mha.is_cross, call.is_causal or mha.is_causal
            if mha.key_padding is not None:
                call.key_padding = pick_samples(mha.key_padding, self._samples, mha.batch)
        with self._lock:
            forward = max(0, len(self.roots) - 1)
            number = self._calls.get((forward, path), 0)
            self._calls[forward, path] = number + 1
            call.order, self._order = self._order, self._order + 1
        began = time.perf_counter()
        capture = measure(
            call,
            self._settings,
            path=path,
            number=number,
            forward=forward,
            real_rows=self._real_rows(call),
        )
        self._captured.add(path)
        self.captures.append(self._transfer.fetch(capture))
        self.seconds += time.perf_counter() - began

    def _real_rows(self, call: AttentionCall) -> Tensor | None:
        """Return (S, Q), False where the query is padding, when the model's input tells."""
        padding = self.roots[-1].key_padding if self.roots else None
        _, _, n_queries, n_keys = call.source.shape
        if padding is None or n_queries != n_keys or padding.shape != (call.batch, n_queries):
            return None
        return ~pick_samples(padding, self._samples, call.batch).to(call.source.device)

    def _reject(self, shape: tuple[int, ...]) -> None:
        self.passed_over.append(PassedOver(None, shape, "attention outside the recorded model"))

    def _hints(self) -> LayoutHints:
        heads = next((h for m in self.stack.enclosing() if (h := declared_heads(m))), None)
        mha = self.stack.mha
        return LayoutHints(
            module_heads=None if mha is None else mha.heads,
            heads=heads,
            batch=self.roots[-1].batch if self.roots else None,
        )

    @property
    def here(self) -> str | None:
        """The path of the innermost running module of the model; None outside of it."""
        return self.stack.innermost(self.paths)

    def _before_module(self, module: nn.Module, args: Any) -> None:
        stack = self.stack
        if not stack.running:
            self._enter_thread(module)
        stack.push(module)
        path = self.paths.get(id(module))
        if path is not None:
            self.modules_run.setdefault(path, len(self.modules_run))
        if self._aside.before(module, args) and path is not None:
            self.unreachable[path] = GAP

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
            self.roots.append(root if root is not None else RootCall())

    def _after_module(self, module: nn.Module, args: Any, out: Any) -> None:
        stack = self.stack
        path = self.paths.get(id(module))
        if path in self._captured and path not in self.outputs and not in_backward():
            found = self.guard(output_statistics, out)
            if found is not None:
                self.outputs[path] = found
        self._aside.after(module)
        stack.pop(module)
        if not stack.running and stack.mode is not None:
            mode, stack.mode = stack.mode, None
            mode.__exit__(None, None, None)
