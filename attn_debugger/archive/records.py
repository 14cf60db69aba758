"""What the recorder hands to the archive writer: plain arrays, no torch and no h5py.

writer = ArchiveWriter("run.h5", [LayerSpec(name="encoder.0", heads=4, queries=32, keys=32)])
writer.append(FrameRecord(step=0, layers=(LayerRecord(weights=w, captures=1),)))
writer.close()
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerSpec:
    """What is known of a layer when its datasets are created (the lengths may vary later)."""

    name: str  # module path
    heads: int
    queries: int
    keys: int
    samples: int = 1
    attributes: Mapping[str, object] = field(default_factory=dict)  # DESIGN section 3
    stats: tuple[str, ...] = ()  # names under stats/
    scores: bool = False
    query_heads: int = 0  # > 0: q and k are stored, with these head counts and width
    key_heads: int = 0
    d_head: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerRecord:
    """One layer in one frame. S samples; shorter samples are padded with fill up to the longest."""

    weights: NDArray[np.floating] | None = None  # (S, H, Q, K); None = a gap
    scores: NDArray[np.floating] | None = None  # (S, H, Q, K)
    q: NDArray[np.floating] | None = None  # (S, Hq, Q, d)
    k: NDArray[np.floating] | None = None  # (S, Hk, K, d)
    stats: Mapping[str, NDArray[np.floating]] = field(default_factory=dict)  # name -> (S or 1, H)
    output: Mapping[str, float] = field(default_factory=dict)  # mean, var, abs_max
    captures: int = 0
    lengths: NDArray[np.int64] | None = None  # (S, 2) valid query and key length
    mask: NDArray[np.bool_] | None = None  # (Q, K), (1, Q, K) or (S, 1 or H, Q, K); intended
    key_padding: NDArray[np.bool_] | None = None  # (S, K) True = padding; overrides the frame's
    query_padding: NDArray[np.bool_] | None = None  # (S, Q)
    tokens: tuple[tuple[str, ...], ...] | None = None  # per sample; overrides the frame's
    query_tokens: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameRecord:
    """Everything recorded at one step of one stream; `layers` in forward order of the specs."""

    step: int
    layers: tuple[LayerRecord, ...]
    stream: str = "train"
    time: float = float("nan")  # unix seconds
    full: bool = True  # False: overviews and statistics only, no full maps
    scalars: Mapping[str, float] = field(default_factory=dict)
    token_ids: NDArray[np.int64] | None = None  # (S, N)
    tokens: tuple[tuple[str, ...], ...] | None = None  # S of N
    key_padding: NDArray[np.bool_] | None = None  # (S, N)
    documents: NDArray[np.int64] | None = None  # (S, N)
    batch_hash: int | None = None  # the same for frames that saw the same batch
    images: NDArray[np.uint8] | None = None  # (S, height, width, 3)
