"""A trainer that appends a frame every 0.2 s, in a process of its own: live_writer.py PATH N."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from synthetic_runs import healthy_frames

from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.writer import ArchiveWriter

LAYERS, HEADS, N = 3, 4, 32

if __name__ == "__main__":
    path, frames = Path(sys.argv[1]), int(sys.argv[2])
    specs = [LayerSpec(name=f"layer.{i}", heads=HEADS, queries=N, keys=N) for i in range(LAYERS)]
    writer = ArchiveWriter(path, specs, attributes={"causal": True})
    for frame, weights in enumerate(healthy_frames(frames, N)):
        half = weights[:LAYERS, None, :HEADS].astype(np.float16)
        writer.append(
            FrameRecord(
                step=frame * 100,
                time=time.time(),
                layers=tuple(LayerRecord(weights=half[i], captures=1) for i in range(LAYERS)),
            )
        )
        print(frame, flush=True)
        time.sleep(0.2)
    writer.close()
