"""What is read of one frame: a layer's maps for one sample, and the tiles of the head grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from attn_debugger.core.heads import HeadRef
from attn_debugger.core.run import LayerInfo

# The overview code (archive/overview.py): round(254 * weight ** 0.25); 255 = non-finite in here.
NONFINITE_CODE = 255
TOP_CODE = 254


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerFrame:
    """One layer in one frame, for one sample of the batch; arrays are read-only.

    Axes are always (head, query, key). Maps are cut to the sample's valid lengths in this frame
    and decoded to float32 (what they were stored as is `info.storage`). None = not stored for
    this frame, or not asked for; `image` comes with a single head only. `heads` says which heads
    the head axis holds: all of the layer's, or the one that was asked for.
    """

    frame_index: int
    step: int
    stream: str
    sample: int
    info: LayerInfo
    heads: tuple[int, ...]
    present: bool = True  # False: a gap, nothing was captured here
    captures: int | None = None  # how often the layer fired in this frame
    full: bool = True  # False: only overviews and statistics were stored for this frame
    weights: NDArray[np.float32] | None = None  # (head, query, key)
    scores: NDArray[np.float32] | None = None  # (head, query, key)
    q: NDArray[np.float32] | None = None  # (query head, query, d_head)
    k: NDArray[np.float32] | None = None  # (key head, key, d_head)
    mask: NDArray[np.bool_] | None = None  # (query, key) or (head or 1, query, key); True = allowed
    key_padding: NDArray[np.bool_] | None = None  # (key,) True = padding
    query_padding: NDArray[np.bool_] | None = None  # (query,)
    key_documents: NDArray[np.int64] | None = None  # (key,)
    query_documents: NDArray[np.int64] | None = None  # (query,)
    tokens: tuple[str, ...] | None = None  # of the keys
    query_tokens: tuple[str, ...] | None = None  # of the queries (= tokens in self-attention)
    token_ids: NDArray[np.int64] | None = None  # (key,)
    image: NDArray[np.uint8] | None = None  # (height, width, 3): what patches were cut from
    stats: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)  # name -> (head,)
    output: Mapping[str, float] = field(default_factory=dict)  # mean, var, abs_max
    problems: tuple[str, ...] = ()  # sentences: what of this frame could not be used, and why
    stands_in: bool = False  # a probe in the place of the recorded frame

    @property
    def n_queries(self) -> int:
        return 0 if self.weights is None else int(self.weights.shape[1])

    @property
    def n_keys(self) -> int:
        return 0 if self.weights is None else int(self.weights.shape[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class GridFrame:
    """Every head of one frame as a small tile: what the head grid paints.

    A tile always fills its square: maps larger than the tile are max-pooled, smaller ones repeat
    cells (cell (q, k) covers tile rows `q * tile // Q` up to `(q + 1) * tile // Q`).
    """

    frame_index: int
    sample: int
    tile: int  # side in pixels
    codes: NDArray[np.uint8]  # (layer, head, tile, tile); overview code, 255 = non-finite
    known: NDArray[np.bool_]  # (layer, head) False = no such head, or a gap
    masked: NDArray[np.bool_]  # (layer, tile, tile) True = every cell in here is masked on purpose
    shapes: tuple[tuple[int, int], ...]  # (Q, K) of each layer in this frame; (0, 0) = gap
    source: str = "full maps"  # or "overview": said in the window
    note: str = ""  # a sentence when something is shown otherwise than asked


@dataclass(frozen=True, slots=True, kw_only=True)
class SharpTile:
    """One head as a tile made of its full map, as fine as the screen shows it."""

    head: HeadRef
    codes: NDArray[np.uint8]  # (tile, tile), as in `GridFrame`
    masked: NDArray[np.bool_]  # (tile, tile)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharpTiles:
    """Heads of one frame that are in sight, finer than the overview: painted over a `GridFrame`.

    Comes in parts, each with all before it. Heads without a full map, and those beyond the budget
    of bytes, are not in it.
    """

    frame_index: int
    sample: int
    tile: int  # side in pixels
    tiles: tuple[SharpTile, ...]
    n_wanted: int  # heads in sight
    is_complete: bool  # nothing more comes
    note: str = ""  # a sentence: why some are missing
