"""A process that records until it is killed: `python endless_recording.py PATH MODE [nolock]`.

Every number in frame i says i, so that a reader can tell a wrong frame from a right one. Prints the
index of each frame once it is committed. Now and then the structure changes: a new scalar, longer
maps, a crash, frames without full maps.
"""

from __future__ import annotations

import sys

import numpy as np

from attn_debugger.archive import lock
from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.writer import ArchiveWriter

HEADS, LAYERS = 3, 2


def length_of(index: int) -> int:
    """Queries and keys of frame `index`."""
    return 40 if index % 29 == 28 else 24


def is_full(index: int) -> bool:
    """Whether frame `index` keeps its full maps."""
    return index < 30 or index % 3 != 1


def weight_of(index: int, layer: int) -> float:
    """The one weight all cells of a layer have in frame `index`; exact in half precision."""
    return ((index * 7 + layer) % 1000 + 1) / 1024


def record_of(index: int) -> FrameRecord:
    length = length_of(index)
    layers = tuple(
        LayerRecord(
            weights=np.full((1, HEADS, length, length), weight_of(index, layer), np.float16),
            captures=1 + index % 5,
            stats={"score_max": np.full((1, HEADS), index, np.float32)},
            output={"mean": float(index)},
        )
        for layer in range(LAYERS)
    )
    return FrameRecord(
        step=index * 10,
        layers=layers,
        full=is_full(index),
        scalars={"loss": float(index), f"metric_{index // 40}": 1.0},
        token_ids=np.full((1, length), index),
    )


def main() -> None:
    path, mode = sys.argv[1:3]
    if "nolock" in sys.argv:  # as on a network folder that denies locks
        lock.SUPPORTED = False
    specs = [LayerSpec(name=f"block.{i}", heads=HEADS, queries=24, keys=24) for i in range(LAYERS)]
    writer = ArchiveWriter(path, specs, mode=mode)  # type: ignore[arg-type]
    print("ready", flush=True)
    index = writer.n_frames
    while True:
        writer.append(record_of(index))
        print(index, flush=True)
        writer.log(index * 10, lr=0.5)
        if index % 50 == 49:
            writer.event(index * 10, "note", f"frame {index}")
        index += 1


if __name__ == "__main__":
    main()
