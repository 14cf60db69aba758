"""Reading a run ahead of its examination: the next layers are read while one is looked at."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor

from attn_debugger.commands.command import with_progress
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.source import RunSource

# Layers read beyond the one that is looked at. Reading and examining a layer take about the same
# time, so more would only take memory: a layer of a long context has some hundred megabytes.
AHEAD = 2


def scan_ahead(source: RunSource, doing: str) -> Iterator[LayerFrame]:
    """Every layer of every frame in the order of `RunSource.scan`, with a progress bar.

    One thread reads, and until the iteration is over nothing else may use `source`: HDF5 is not
    asked from two threads. What reading raises is raised here, in its place in the order.
    """
    layers = _scan(source, doing)
    reader = ThreadPoolExecutor(max_workers=1, thread_name_prefix="read-ahead")
    try:
        pending = deque(reader.submit(next, layers, None) for _ in range(AHEAD))
        while (frame := pending.popleft().result()) is not None:
            pending.append(reader.submit(next, layers, None))
            yield frame
            del frame  # else it would live on while the next one is waited for
    finally:
        reader.shutdown(cancel_futures=True)
        layers.close()


def _scan(source: RunSource, doing: str) -> Generator[LayerFrame]:
    n_frames = source.run.n_frames
    for index in with_progress(range(n_frames), n_frames, doing):
        yield from source.scan(index)
