"""The runs of the acceptance tests, made from structured softmax data (no training, fixed seeds).

    python tests/acceptance/synthetic_runs.py FOLDER [NAME ...]     writes ok.h5, bad.h5, ...

bad.h5: 50 steps 0..4900, 12 x 12 heads, 128 tokens. A uniform head L2.H10 always; diagonal collapse
in L9.H0 to L9.H7 from step 2000; a sink in L11.H0 from 2500; NaN rows in L4.H7 from 3000, which
poison every layer above.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import h5py
import numpy as np
from numpy.typing import NDArray

LAYERS = HEADS = 12
WORDS = (
    "the previous token looks back to a bank of the river where water runs over stones and "
    "nobody asks which head at which step on which token went wrong first"
).split()
CHINESE = "注意力机制在第三层的第五个头开始出现异常我们需要找到最先出错的位置并说明原因以及如何修改"
NAN_HEAD, NAN_FRAME, NAN_ROWS = (4, 7), 30, range(40, 56)
COLLAPSED_LAYER, COLLAPSED_HEADS, COLLAPSE_FRAME = 9, range(8), 20
UNIFORM_HEAD = (2, 10)
SINK_HEAD, SINK_FRAME = (11, 0), 25


def softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Softmax over the last axis (key)."""
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def head_scores(layer: int, head: int, n: int) -> NDArray[np.float32]:
    """Scores (query, key) of one healthy head: content plus a taste for near or early keys."""
    noise = np.random.default_rng([layer, head, n])
    query, key = noise.standard_normal((2, n, 24)).astype(np.float32)
    distance = np.abs(np.arange(n)[:, None] - np.arange(n)[None]).astype(np.float32)
    near = noise.uniform(0.0, 1.5) * np.exp(-distance / noise.uniform(2, 20))
    return (query @ key.T / np.sqrt(24) * noise.uniform(0.8, 1.6) + near).astype(np.float32)


def healthy_frames(frames: int, n: int) -> Iterator[NDArray[np.float32]]:
    """Weights (layer, head, query, key) of each frame: causal heads that sharpen slowly."""
    base = np.stack([[head_scores(i, h, n) for h in range(HEADS)] for i in range(LAYERS)])
    drift = np.stack([[head_scores(i + 50, h, n) for h in range(HEADS)] for i in range(LAYERS)])
    forbidden = np.triu(np.full((n, n), -np.inf, np.float32), 1)
    for frame in range(frames):
        part = frame / max(frames - 1, 1)
        yield softmax((0.6 + 0.6 * part) * base + 0.3 * part * drift + forbidden)


def spoil(frame: int, weights: NDArray[np.float32]) -> None:
    """Plant the four faults of bad.h5 into the weights (layer, head, query, key) of one frame."""
    n = weights.shape[-1]
    visible = np.tril(np.ones((n, n), np.float32))
    layer, head = UNIFORM_HEAD
    weights[layer, head] = visible / visible.sum(-1, keepdims=True)
    if frame >= COLLAPSE_FRAME:
        identity = np.eye(n, dtype=np.float32)
        for head in COLLAPSED_HEADS:
            weights[COLLAPSED_LAYER, head] = 0.03 * weights[COLLAPSED_LAYER, head] + 0.97 * identity
    if frame >= SINK_FRAME:
        sink = np.zeros((n, n), np.float32)
        sink[:, 0] = 1.0
        weights[SINK_HEAD] = 0.2 * weights[SINK_HEAD] + 0.8 * sink
    if frame >= NAN_FRAME:
        weights[NAN_HEAD][list(NAN_ROWS)] = np.nan
        weights[NAN_HEAD[0] + 1 :, :, NAN_ROWS[0] :] = np.nan  # later layers read the broken rows


def words(n: int) -> list[str]:
    """Return n tokens."""
    return [WORDS[i % len(WORDS)] for i in range(n)]


def write_run(
    path: Path,
    *,
    frames: int = 50,
    n: int = 128,
    change: Callable[[int, NDArray[np.float32]], None] | None = None,
    tokens: list[str] | None = None,
) -> None:
    """Write an archive by hand, as a user would: weights, tokens, loss, nothing derived."""
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = "attn-debugger", 1
        file.attrs["causal"], file.attrs["trained"], file.attrs["d_head"] = True, True, 64
        file["steps"] = np.arange(frames) * 100
        file["scalars/loss"] = 0.5 + 4.0 * np.exp(-np.arange(frames) / 12)
        file["tokens"] = np.array(tokens or words(n), dtype=h5py.string_dtype())
        maps = [
            file.create_dataset(
                f"layers/{layer}/weights",
                shape=(frames, HEADS, n, n),
                dtype=np.float16,
                chunks=(1, 1, n, n),
                compression="lzf",
                shuffle=True,
            )
            for layer in range(LAYERS)
        ]
        for layer in range(LAYERS):
            file[f"layers/{layer}"].attrs["name"] = f"encoder.layer.{layer}.attention.self"
        for frame, weights in enumerate(healthy_frames(frames, n)):
            if change:
                change(frame, weights)
            half = weights.astype(np.float16)
            for layer in range(LAYERS):
                maps[layer][frame] = half[layer]


def write_foreign(path: Path) -> None:
    """Write a layout that is not ours: one 5-D dataset /attn (step, layer, head, query, key)."""
    with h5py.File(path, "w") as file:
        file["attn"] = np.stack([w[:4, :4] for w in healthy_frames(5, 32)]).astype(np.float16)
        file["meta/note"] = "written by another tool"


def write_truncated(path: Path) -> None:
    """Write 50 frames live, and cut the file where it stood after frame 31."""
    from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
    from attn_debugger.archive.writer import ArchiveWriter

    n, layers = 32, 4
    specs = [LayerSpec(name=f"layer.{i}", heads=4, queries=n, keys=n) for i in range(layers)]
    writer = ArchiveWriter(path, specs, attributes={"causal": True})
    size = 0
    for frame, weights in enumerate(healthy_frames(50, n)):
        half = weights[:layers, None, :4].astype(np.float16)
        writer.append(
            FrameRecord(
                step=frame * 100,
                layers=tuple(LayerRecord(weights=half[i], captures=1) for i in range(layers)),
            )
        )
        if frame == 31:
            size = path.stat().st_size
    live = path.read_bytes()[:size]  # before close: as a killed trainer leaves it
    writer.close()
    path.write_bytes(live)


WRITERS: dict[str, Callable[[Path], None]] = {
    "ok": write_run,
    "bad": lambda path: write_run(path, change=spoil),
    "n512": lambda path: write_run(path, frames=3, n=512),
    "zh": lambda path: write_run(path, frames=4, n=40, tokens=list(CHINESE[:40])),
    "foreign": write_foreign,
    "trunc": write_truncated,
}


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or WRITERS:
        WRITERS[name](folder / f"{name}.h5")
        print(folder / f"{name}.h5")
