"""From the calls of a recorded forward to its captures: what each handler makes of what it saw."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from attn_debugger.recording.capture.adapters import REGISTERED, Adapter
from attn_debugger.recording.capture.attribution import declared_heads
from attn_debugger.recording.capture.building import (
    call_from_adapter,
    call_from_chain,
    calls_from_kernel,
)
from attn_debugger.recording.capture.call import AttentionCall, Capture
from attn_debugger.recording.capture.chains import AttentionChains
from attn_debugger.recording.capture.contribution import contributions
from attn_debugger.recording.capture.flex import call_from_flex
from attn_debugger.recording.capture.fused import KernelInputs, read_sdpa
from attn_debugger.recording.capture.joining import find_pieces, join
from attn_debugger.recording.capture.layout import (
    WHOLE_BATCH,
    LayoutHints,
    pick_samples,
    unwrap_functorch,
)
from attn_debugger.recording.capture.measure import MeasureSettings, measure
from attn_debugger.recording.capture.memory import Origin
from attn_debugger.recording.capture.root_call import RootCall, is_ids
from attn_debugger.recording.capture.seen import PassedOver, SeenAttention
from attn_debugger.recording.capture.tags import OutputTag
from attn_debugger.recording.transfer import Transfer

if TYPE_CHECKING:
    from attn_debugger.recording.capture.session import CaptureSession

Shape = tuple[int, int, int, int]
NO_ITEM = "the batch has {} items, and none of those that samples= asks for"
NOT_WHOLE = (
    "the queries and keys of the whole batch would not fit into device_limit_bytes: the statistics "
    "are those of the stored samples"
)


def continues(before: Shape, after: Shape) -> bool:
    """Return whether a call (S, H, Q, K) goes on from the keys of one before it: a cache."""
    return before[:2] == after[:2] and after[3] == before[3] + after[2] and after[2] < after[3]


class Observer:
    """Holds the captures of one recorded step, in forward order."""

    adapters = REGISTERED

    def __init__(
        self,
        session: CaptureSession,
        settings: MeasureSettings,
        samples: Sequence[int],
        wanted: Callable[[str], bool],
        transfer: Transfer,
    ) -> None:
        self._session, self._settings, self._items = session, settings, tuple(samples)
        self._samples = WHOLE_BATCH if settings.whole_batch else self._items  # that are measured
        self._wanted, self._transfer = wanted, transfer
        self.captures: list[Capture] = []
        self.captured: set[str] = set()  # paths
        self.passed_over: list[PassedOver] = []
        self.skipped: dict[str, str] = {}  # path -> why nothing of its attention was kept
        self.roots: list[RootCall] = []  # one a forward of the model
        self.vocab_size: int | None = None
        self.pad_id: int | None = None
        self.decoder_ids: Tensor | None = None
        self.seconds = 0.0  # spent on measuring
        self.chains = AttentionChains(
            lambda: session.here,
            self._on_chain,
            self._on_projection,
            keep_unmasked=settings.scores,
        )
        self._calls: dict[tuple[int, str], int] = {}
        self._devices: dict[str, torch.device] = {}  # path -> where it was seen first
        self._last_shape: dict[tuple[str, int], Shape] = {}
        self._order = 0
        self._lock = threading.Lock()

    def on_sdpa(self, args: Sequence[Any], kwargs: Mapping[str, Any], out: Any) -> None:
        """`scaled_dot_product_attention` ran."""
        backend = "sdpa" if self._session.stack.mha is None else "mha"
        mark = self.on_kernel(read_sdpa(args, kwargs, out), backend)
        if mark is not None:
            self.chains.tags.set(out, mark)

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
            self.emit(call, self._stored)

    def on_kernel(self, inputs: KernelInputs, backend: str) -> OutputTag | None:
        """A fused kernel ran with these inputs."""
        if self._session.here is None:
            self._reject(tuple(inputs.q.shape))
            return None
        cast = self._session.autocast_dtype(inputs.q.device.type)
        mark = None
        samples, note = self._measured(inputs)
        for call in calls_from_kernel(inputs, backend, samples, self._hints(), cast):
            call.notes = (*call.notes, *note)
            mark = self.emit(call, stored=None if samples is self._items else self._items)
        return mark

    def _measured(self, inputs: KernelInputs) -> tuple[Sequence[int], tuple[str, ...]]:
        """Return the items of the batch to measure, and a note where not all that were wanted."""
        if inputs.q.is_nested:  # each item is a call of its own
            return self._items, ()
        size = 4 * (inputs.q.numel() + inputs.k.numel())  # in float32, to be multiplied again
        if self._settings.whole_batch and size > self._settings.device_limit_bytes // 2:
            return self._items, (NOT_WHOLE,)
        return self._samples, ()

    def on_flex(self, args: Sequence[Any], kwargs: Mapping[str, Any], out: Any) -> None:
        """`flex_attention` ran."""
        mark = self.emit(call_from_flex(args, kwargs, out, self._samples), self._stored)
        if mark is not None:
            self.chains.tags.set(out, mark)

    def on_embedding(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """An embedding ran: that of the model's own ids tells vocabulary size and padding id."""
        root = self.roots[-1] if self.roots else None
        ids = args[0] if args else kwargs.get("input")
        weight = args[1] if len(args) > 1 else kwargs.get("weight")
        if root is None or root.ids is None or not isinstance(weight, Tensor) or not is_ids(ids):
            return
        if root.decoder_ids is not None:
            self.decoder_ids = root.decoder_ids
        if ids is root.ids or (
            ids.shape == root.ids.shape and ids.data_ptr() == root.ids.data_ptr()
        ):
            self.vocab_size = int(weight.shape[0])
            padding = args[2] if len(args) > 2 else kwargs.get("padding_idx")
            if isinstance(padding, int) and padding >= 0:
                self.pad_id = padding
        elif weight.shape[0] == self.vocab_size and self.decoder_ids is None:
            # A decoder's own, made inside the model from the labels.
            self.decoder_ids = unwrap_functorch(ids)[0]

    def emit(self, call: AttentionCall, stored: tuple[int, ...] | None = None) -> OutputTag | None:
        """Measure a call and keep it, when it belongs to a layer that is wanted.

        Of its samples the maps of those `stored` are kept; None = of all.

        Of several forwards in a step the first counts; only decoding with a cache goes on.
        """
        session = self._session
        path = session.here if call.path is None else call.path
        if path is None:
            self._reject(call.source.shape)
            return None
        if not self._wanted(path):
            return None
        if not call.source.shape[0]:
            self.skipped.setdefault(path, NO_ITEM.format(call.batch))
            return None
        mha = session.stack.mha
        if mha is not None:
            call.is_cross, call.is_causal = mha.is_cross, call.is_causal or mha.is_causal
            if mha.key_padding is not None:
                call.key_padding = pick_samples(mha.key_padding, self._samples, mha.batch)
        with self._lock:
            forward = max(0, len(self.roots) - 1)
            number = self._calls.get((forward, path), 0)
            self._calls[forward, path] = number + 1
            before = self._last_shape.get((path, number))
            if before is not None and not continues(before, call.source.shape):
                return None
            # A replica of DataParallel on another device is the same layer, not a further one.
            if self._devices.setdefault(path, call.source.device) != call.source.device:
                return None
            self._last_shape[path, number] = call.source.shape
            call.order, self._order = self._order, self._order + 1
        entered = session.stack.layer_input()
        if entered is not None:
            entered = unwrap_functorch(entered.detach())[0]
            if entered.ndim and entered.shape[0] == call.batch:
                entered = pick_samples(entered, self._samples, call.batch)
            call.entered = entered
        call.items = stored
        turn = session.stack.invocation(session.paths)
        call.origin = Origin(turn, call.queries_in, call.keys_in)
        began = time.perf_counter()
        rows = self._real_rows(call)
        capture = measure(
            call, self._settings, path=path, number=number, forward=forward, real_rows=rows
        )
        self.captured.add(path)
        self.captures.append(self._transfer.fetch(capture))
        self.seconds += time.perf_counter() - began
        if call.output is None or call.output.shape[:3] != call.source.shape[:3]:
            return None
        return OutputTag(len(self.captures) - 1, call.output)

    def join_pieces(self) -> None:
        """Make one capture of attention that was computed in pieces of its queries."""
        groups = find_pieces(self.captures)
        if len(groups) < len(self.captures):
            self._transfer.done()
            self._transfer.wait()  # only models that loop over pieces wait here
        limit, heads = self._settings.max_tokens, self._settings.heads
        fewer: dict[tuple[int, str], int] = {}  # calls of a module that were joined to others
        joined = []
        for pieces in groups:
            whole = join(pieces, limit, heads) if len(pieces) > 1 else pieces[0]
            place = (whole.forward, whole.path)
            number = whole.call - fewer.get(place, 0)
            fewer[place] = fewer.get(place, 0) + len(pieces) - 1
            joined.append(replace(whole, call=number, origin=None, raw=None))
        self.captures = joined

    def _on_chain(self, seen: SeenAttention) -> OutputTag | None:
        path, shape = seen.path, tuple(seen.tag.value.shape)
        if path is None:
            self._reject(shape)
            return None
        if not seen.confirmed and path in self.captured:
            reason = "a second softmax of scores, multiplying no values"
            self.passed_over.append(PassedOver(path, shape, reason))
            return None
        backend = "mha" if self._session.stack.mha is not None else "softmax"
        call = call_from_chain(seen, backend, self._samples, self._hints())
        call.path = path
        return self.emit(call, self._stored)

    def _on_projection(self, tag: OutputTag, weight: Tensor) -> None:
        share = contributions(tag.output, unwrap_functorch(weight.detach())[0])
        if share is None:
            return
        if self._settings.heads is not None:
            share = share[:, [h for h in self._settings.heads if h < share.shape[1]]]
        if self._settings.whole_batch:
            share = share.nanmean(0, keepdim=True)
        self.captures[tag.capture].stats["contribution"] = self._transfer.copy(share)

    @property
    def _stored(self) -> tuple[int, ...] | None:
        """Of the measured items those whose maps are stored; None = all."""
        return self._items if self._settings.whole_batch else None

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
        stack = self._session.stack
        heads = next((h for m in stack.enclosing() if (h := declared_heads(m))), None)
        return LayoutHints(
            module_heads=None if stack.mha is None else stack.mha.heads,
            heads=heads,
            batch=self.roots[-1].batch if self.roots else None,
        )
