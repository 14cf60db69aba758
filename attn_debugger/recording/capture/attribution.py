"""Whose attention is this? The stack of modules that are running, kept by global module hooks."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

import torch
from torch import Tensor, nn

_WRAPPER = re.compile(
    r"(^|\.)(_orig_mod|_fsdp_wrapped_module|_checkpoint_wrapped_module|module|_forward_module)(?=\.|$)"
)
_HEAD_COUNTS = ("num_heads", "n_head", "n_heads", "num_attention_heads", "heads", "nhead", "nheads")
_UNWRAP = ("_orig_mod", "module")
_turns = count()


def clean_name(name: str) -> str:
    """Strip what wrappers (compile, DDP, FSDP, checkpointing) put into a module path."""
    return _WRAPPER.sub("", name).lstrip(".")


def unwrap(model: nn.Module) -> nn.Module:
    """Return the user's own module behind compile, DataParallel and DDP wrappers."""
    wrappers = ("OptimizedModule", "DataParallel", "DistributedDataParallel")
    while type(model).__name__ in wrappers:
        inner = next((getattr(model, name, None) for name in _UNWRAP if hasattr(model, name)), None)
        if not isinstance(inner, nn.Module):
            break
        model = inner
    return model


def declared_heads(module: nn.Module) -> int | None:
    """Return the head count the module, or its configuration, says it has."""
    for owner in (module, getattr(module, "config", None)):
        for name in _HEAD_COUNTS:
            value = getattr(owner, name, None)
            if isinstance(value, int) and value > 0:
                return value
    return None


def in_backward() -> bool:
    """Return whether autograd is running a backward: a checkpoint recomputes, it does not train."""
    return bool(torch._C._current_graph_task_id() != -1)


class ModuleStack(threading.local):
    """The modules running in this thread, outermost first; one stack a thread."""

    def __init__(self) -> None:
        self.running: list[nn.Module] = []
        self._turns: list[int] = []  # which run of a module each is, counted over all
        self._inputs: list[Tensor | None] = []  # first argument of each, where it is activations
        self.mha: Any = None  # the nn.MultiheadAttention call being looked into
        self.mode: Any = None  # our function mode, when this is a thread of DataParallel

    def push(self, module: nn.Module, args: Any) -> None:
        """`module` starts running with these positional arguments."""
        self.running.append(module)
        self._turns.append(next(_turns))
        first = args[0] if isinstance(args, tuple) and args else None
        wanted = isinstance(first, Tensor) and first.is_floating_point() and not first.is_nested
        self._inputs.append(first if wanted else None)

    def pop(self, module: nn.Module) -> None:
        """Forget `module`, and whatever an exception left above it."""
        if module in self.running:
            while self.running.pop() is not module:
                self._inputs.pop()
                self._turns.pop()
            self._inputs.pop()
            self._turns.pop()

    def invocation(self, paths: Mapping[int, str]) -> int:
        """Return which run this is of the innermost module of the model; -1 outside of it."""
        running = zip(reversed(self.running), reversed(self._turns), strict=True)
        return next((turn for module, turn in running if id(module) in paths), -1)

    def innermost(self, paths: Mapping[int, str]) -> str | None:
        """Return the path of the innermost running module of the model, or None."""
        for module in reversed(self.running):
            path = paths.get(id(module))
            if path is not None:
                return path
        return None

    def layer_input(self) -> Tensor | None:
        """Return the activations that entered the innermost module known to have been given any.

        A module called with keywords alone shows none to a global hook; its parent's stand in.
        """
        return next((x for x in reversed(self._inputs) if x is not None), None)

    def enclosing(self) -> Iterator[nn.Module]:
        """The running modules, innermost first."""
        return reversed(self.running)
