"""The benchmarks' own archives: structured softmax maps, written by `ArchiveWriter`, any size.

    python tests/benchmarks/benchmark_runs.py RUN.h5 --gigabytes 5

The maps drift smoothly through a handful of key frames, so that scrubbing shows motion and every
frame differs from its neighbours. With `--gigabytes` frames are added until the file is that large.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.writer import ArchiveWriter

KEY_FRAMES = 4
FRAMES_BETWEEN = 250  # from one key frame to the next

Maps = NDArray[np.float32]  # (layer, head, query, key)


def best_compression() -> str:
    """Return `fast` where hdf5plugin is installed, else the default."""
    try:
        import hdf5plugin  # noqa: F401
    except ImportError:
        return "lzf"
    return "fast"


def key_frame(index: int, n_layers: int, n_heads: int, n_tokens: int) -> Maps:
    """Causal maps: each head mixes content, a taste for near keys and one for the first key."""
    rng = np.random.default_rng([index, n_layers, n_heads, n_tokens])
    distance = np.arange(n_tokens)[:, None] - np.arange(n_tokens)
    future = distance < 0
    maps = np.empty((n_layers, n_heads, n_tokens, n_tokens), np.float32)
    for layer in range(n_layers):
        query, key = rng.standard_normal((2, n_heads, n_tokens, 16), dtype=np.float32)
        scores = query @ key.swapaxes(1, 2) * rng.uniform(0.2, 0.7, (n_heads, 1, 1))
        reach = rng.uniform(1, 24, (n_heads, 1, 1))
        scores += rng.uniform(0, 4, (n_heads, 1, 1)) * np.exp(-np.abs(distance) / reach)
        scores[:, :, 0] += rng.uniform(0, 4, (n_heads, 1))
        scores[:, future] = -np.inf
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        maps[layer] = weights / weights.sum(-1, keepdims=True)
    return maps


def drifting_maps(n_layers: int, n_heads: int, n_tokens: int) -> Iterator[Maps]:
    """Endless frames between key frames; a mixture of softmax rows is a softmax row again."""
    first = key_frame(0, n_layers, n_heads, n_tokens)
    for place in count(1):
        second = key_frame(place % KEY_FRAMES, n_layers, n_heads, n_tokens)
        for frame in range(FRAMES_BETWEEN):
            share = np.float32(frame / FRAMES_BETWEEN)
            yield (1 - share) * first + share * second
        first = second


def record_of(step: int, maps: Maps, *, full: bool = True) -> FrameRecord:
    """Return the record of one frame of one sample."""
    layers = tuple(LayerRecord(weights=layer[None], captures=1) for layer in maps)
    loss = 0.4 + 4.0 * float(np.exp(-step / 40_000))
    return FrameRecord(step=step, layers=layers, full=full, scalars={"loss": loss})


def layer_specs(n_layers: int, n_heads: int, n_tokens: int) -> list[LayerSpec]:
    return [
        LayerSpec(name=f"blocks.{layer}.attn", heads=n_heads, queries=n_tokens, keys=n_tokens)
        for layer in range(n_layers)
    ]


def write_run(
    path: Path,
    *,
    frames: int = 0,
    gigabytes: float = 0.0,
    n_layers: int = 12,
    n_heads: int = 12,
    n_tokens: int = 128,
    full_every: int = 1,
    compression: str = "",
) -> int:
    """Write at least `frames` frames and `gigabytes`; return how many frames that made."""
    specs = layer_specs(n_layers, n_heads, n_tokens)
    attributes = {"causal": True, "trained": True, "model": "benchmark"}
    compression = compression or best_compression()
    with ArchiveWriter(path, specs, attributes=attributes, compression=compression) as writer:
        for index, maps in enumerate(drifting_maps(n_layers, n_heads, n_tokens)):
            if index >= frames and path.stat().st_size >= gigabytes * 1e9:
                break
            writer.append(record_of(100 * index, maps, full=index % full_every == 0))
        return writer.n_frames


def stretch_run(source: Path, target: Path, frames: int) -> None:
    """Write `source` anew with its frames repeated up to `frames`: same types, chunks, filters.

    Ten thousand frames through the writer take minutes; what opening them costs depends on the
    layout alone.
    """
    with h5py.File(source, "r") as old, h5py.File(target, "w", libver=("v110", "v110")) as new:
        new.attrs.update(old.attrs)
        length = len(old["steps"])

        def copy(path: str, item: h5py.Group | h5py.Dataset) -> None:
            if isinstance(item, h5py.Group):
                new.require_group(path).attrs.update(item.attrs)
                return
            if item.shape[0] < length:
                old.copy(item, new, path)
                return
            shape = (frames, *item.shape[1:])
            options = {"chunks": item.chunks, "maxshape": item.maxshape, "shuffle": item.shuffle}
            if item.compression:
                options["compression"] = item.compression
            rows = new.create_dataset(path, shape, item.dtype, fillvalue=item.fillvalue, **options)
            rows.attrs.update(item.attrs)
            values = item[:length]
            for start in range(0, frames, length):
                rows[start : start + length] = values[: frames - start]

        old.visititems(copy)
        new["steps"][:] = 100 * np.arange(frames)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--gigabytes", type=float, default=0.0)
    parser.add_argument("--frames", type=int, default=0)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--heads", type=int, default=12)
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--full-every", type=int, default=1)
    parser.add_argument("--compression", default="")
    asked = parser.parse_args()
    started = time.perf_counter()
    frames = write_run(
        asked.path,
        frames=asked.frames,
        gigabytes=asked.gigabytes,
        n_layers=asked.layers,
        n_heads=asked.heads,
        n_tokens=asked.tokens,
        full_every=asked.full_every,
        compression=asked.compression,
    )
    size = asked.path.stat().st_size / 1e9
    seconds = time.perf_counter() - started
    print(f"{frames} frames, {size:.2f} GB, {seconds:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
