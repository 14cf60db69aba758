"""Reading a run ahead of its examination: the next layers are read while one is looked at."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor

from attn_debugger.commands.command import with_progress
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import Run
from attn_debugger.core.source import RunSource

# What may be read beyond the layer that is looked at. On a busy machine threads wait for their turn
# longer than a small layer takes; a large one, of a long context, has some hundred megabytes.
_AHEAD_LAYERS = 16
_AHEAD_BYTES = 64 << 20


def scan_ahead(
    source: RunSource, doing: str, prepare: Callable[[LayerFrame], None] | None = None
) -> Iterator[LayerFrame]:
    """Every layer of every frame in the order of `RunSource.scan`, with a progress bar.

    One thread reads, and `prepare`s what it has read, so that two cores have as much to do each.
    Until the iteration is over nothing else may use `source`: HDF5 is not asked from two threads.
    What reading raises is raised here, in its place in the order.
    """
    layers = _scan(source, doing, prepare)
    reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="read-ahead")
    try:
        pending = deque(reader.submit(next, layers, None) for _ in range(layers_ahead(source.run)))
        while (frame := pending.popleft().result()) is not None:
            pending.append(reader.submit(next, layers, None))
            yield frame
            del frame  # else it would live on while the next one is waited for
    finally:
        reader.shutdown(cancel_futures=True)
        layers.close()


def layers_ahead(run: Run) -> int:
    """How many layers of the run's size are read ahead: at least one."""
    largest = max(
        (
            4 * layer.n_heads * layer.n_queries * layer.n_keys * max(1, len(layer.maps))
            for layer in run.layers
        ),
        default=1,
    )
    return max(1, min(_AHEAD_LAYERS, _AHEAD_BYTES // max(1, largest)))


def _scan(
    source: RunSource, doing: str, prepare: Callable[[LayerFrame], None] | None
) -> Generator[LayerFrame]:
    n_frames = source.run.n_frames
    for index in with_progress(range(n_frames), n_frames, doing):
        for layer in source.scan(index):
            if prepare is not None:
                prepare(layer)
            yield layer
