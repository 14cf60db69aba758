"""What a command is, and the few arguments and lookups that several commands share."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import Run
from attn_debugger.errors import UsageError

Item = TypeVar("Item")
PROGRESS_LINES = "ATTN_DEBUGGER_PROGRESS_LINES"  # set by the window for its child processes


@dataclass(frozen=True, slots=True)
class Command:
    """A word on the command line: its help sentence, its arguments, and what it does."""

    name: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def add_place(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name a place in a run: step, layer, head, stream, sample."""
    parser.add_argument("--step", type=int, metavar="N", help="training step (nearest recorded)")
    parser.add_argument("--layer", type=int, metavar="L", help="layer, counted from 0")
    parser.add_argument("--head", type=int, metavar="H", help="head, counted from 0")
    parser.add_argument("--stream", metavar="S", help="train, probe, val, ...")
    parser.add_argument("--sample", type=int, default=0, metavar="I", help="item of the batch")


def find_frame(run: Run, step: int | None, stream: str | None) -> tuple[int, str]:
    """Return the frame to show for `step` (default: the last) and a sentence if it is another one.

    Raises `UsageError` when the stream does not exist.
    """
    if stream is not None and stream not in run.streams:
        raise UsageError(
            f"{run.path} has no stream {stream!r}; it has {', '.join(sorted(set(run.streams)))}"
        )
    if step is None:
        of_stream = [i for i, name in enumerate(run.streams) if stream in (None, name)]
        return of_stream[-1], ""
    frame = run.nearest_frame(step, stream)
    found = int(run.steps[frame])
    return frame, "" if found == step else f"step {step} was not recorded, showing {found}"


def find_head(run: Run, layer: int | None, head: int | None) -> HeadRef | None:
    """Return the head that was asked for, None when none was.

    Raises `UsageError`, naming the valid range, for a layer or head the run does not have.
    """
    if layer is None and head is None:
        return None
    layer = 0 if layer is None else layer
    if not 0 <= layer < len(run.layers):
        raise UsageError(f"{run.path} has no layer {layer}: layers are 0 to {len(run.layers) - 1}")
    heads = run.layers[layer].n_heads
    head = 0 if head is None else head
    if not 0 <= head < heads:
        raise UsageError(f"layer {layer} of {run.path} has no head {head}: 0 to {heads - 1}")
    return HeadRef(layer, head)


def check_sample(run: Run, sample: int) -> int:
    """Return `sample` if the run has it, else raise `UsageError` naming the valid range."""
    if not 0 <= sample < run.n_samples:
        raise UsageError(f"{run.path} has no sample {sample}: samples are 0 to {run.n_samples - 1}")
    return sample


def say(sentence: str) -> None:
    """Tell a person something that is not the result."""
    print(sentence, file=sys.stderr)  # noqa: T201


def answer(text: str) -> None:
    """Print a result."""
    print(text)  # noqa: T201


def with_progress(items: Iterable[Item], total: int, doing: str) -> Iterator[Item]:
    """Pass the items on, with a bar on a terminal once it has taken longer than a second.

    For a window, which reads standard output, with lines `PROGRESS done total doing`.
    """
    if os.environ.get(PROGRESS_LINES):
        for done, item in enumerate(items):
            print(f"PROGRESS {done} {total} {doing}", flush=True)  # noqa: T201
            yield item
        return
    from tqdm import tqdm

    yield from tqdm(items, total=total, desc=doing, delay=1, disable=None, file=sys.stderr)
