"""What is known about a recorded run before any map is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Ended = Literal["closed", "abrupt", "writing"]
FloatArray = NDArray[np.float32] | NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerFacts:
    """The attributes of the archive that say how one layer's attention was meant to work.

    A layer's own attributes override the run's. None means *unknown*, never an assumed default.
    `problems` lists, as sentences, attributes whose value could not be used (wrong type,
    contradiction); the fact concerned is then unknown.
    """

    name: str = ""
    kind: Literal["self", "cross"] = "self"
    causal: bool | None = None
    q_offset: int = 0  # query row i stands at position i + q_offset
    window: int | None = None  # key allowed iff position - k < window
    softcap: float | None = None
    score_stage: str = "pre_mask"  # or "post_cap"
    scale: float | None = None  # multiplier on q.k; None = 1/sqrt(d_head)
    # What the scores hold beside q.k * scale and a mask: "added" terms (a position bias), or
    # "multiplied" by more than a number. None = nothing that is known of.
    score_terms: str | None = None
    d_head: int | None = None
    n_heads: int | None = None  # as configured, to be held against what was captured
    seq_len: int | None = None
    batch: int | None = None
    dropout: float = 0.0  # probability still applied in the stored weights
    sink_logit: bool = False  # rows may sum below 1
    alibi_slopes: tuple[float, ...] | None = None
    special_keys: tuple[int, ...] = ()
    structural_mask: bool = False
    source_dtype: str | None = None  # dtype the weights had when captured
    compute_dtype: str | None = None  # dtype of scores and softmax
    backend: str | None = None
    trainable: bool | None = None
    training: bool | None = None
    probe: str | None = None  # "repeat_token"
    trained: bool | None = None
    probe_fixed: bool = False
    vocab_size: int | None = None
    grid: tuple[int, int] | None = None  # rows, columns of image patches
    prefix_tokens: int | None = None
    extra: Mapping[str, object] = field(default_factory=dict)  # attributes we have no field for
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerInfo:
    """One layer of a run: its shape and what is stored of it. `index` is forward order."""

    index: int
    facts: LayerFacts
    n_samples: int
    n_heads: int
    n_queries: int  # longest over frames; 0 with n_keys 0 = the layer was never captured
    n_keys: int
    storage: str  # dtype of the stored weights: "float16", "float32", "uint8", "uint8-sqrt" ...
    maps: frozenset[str]  # of "weights", "scores", "q", "k": stored at full resolution
    stats: frozenset[str]  # names under stats/ (DESIGN: recorded live in fp32)
    has_padding: bool = False
    has_documents: bool = False
    has_mask: bool = False
    has_tokens: bool = False
    n_key_heads: int | None = None  # grouped queries: heads that keys and values have; None unknown

    def key_head(self, head: int) -> int | None:
        """Which key head query head `head` reads; None where the heads are not grouped."""
        if self.n_key_heads is None or self.n_key_heads >= self.n_heads:
            return None
        return head * self.n_key_heads // self.n_heads

    @property
    def name(self) -> str:
        """Module path, or `layer 3` where the archive does not tell."""
        return self.facts.name or f"layer {self.index}"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint saved beside the run. `path` is absolute or relative to the archive."""

    step: int
    path: str


# Scalars the recorder itself writes beside a frame, for the signals that need them.
FRAME_FACTS = ("training", "active_dropout")


@dataclass(frozen=True, slots=True)
class Event:
    """Something the recorder wrote down: a gap and why, thinning, a trigger, a resume."""

    step: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The index of an archive: everything small, nothing that grows with the maps.

    Arrays are read-only and as long as `steps`: F frames, in the order they were recorded.
    """

    path: str
    version: int
    steps: NDArray[np.int64]  # (F,) optimiser step of each frame
    streams: tuple[str, ...]  # (F,) "train", "probe", "val", ...
    times: NDArray[np.float64] | None  # (F,) unix seconds
    scalars: Mapping[str, NDArray[np.float64]]  # name -> (F,), NaN = not logged
    curves: Mapping[str, NDArray[np.float64]]  # name -> (T, 2): step, value
    layers: tuple[LayerInfo, ...]
    facts: LayerFacts  # the run's own attributes, without any layer's
    attributes: Mapping[str, object]  # everything at the root, as stored (model, created, rank ...)
    checkpoints: tuple[Checkpoint, ...] = ()
    events: tuple[Event, ...] = ()
    crash: Mapping[str, object] | None = None  # the group crash/, when the forward raised
    batches: NDArray[np.int64] | None = None  # (F,) equal = saw the same batch; -1 = not known
    missing: tuple[str, ...] = ()  # sentences: what is absent or damaged
    ended: Ended = "closed"
    dropped: int = 0
    generation: int = 0
    identity: str = ""  # changes when the file's content does; keys caches and side files

    @property
    def n_frames(self) -> int:
        return len(self.steps)

    @property
    def curve_names(self) -> tuple[str, ...]:
        """What was logged and changes over the run, dense curves first.

        Facts of single frames (was the model training? with which dropout?) are evidence for
        signals, stored like numbers that were logged; drawn as curves they say nothing.
        """
        sparse = (n for n in self.scalars if n not in self.curves and n not in FRAME_FACTS)
        return (*self.curves, *sparse)

    @property
    def n_samples(self) -> int:
        return max((layer.n_samples for layer in self.layers), default=0)

    @property
    def n_heads(self) -> int:
        """All heads of all layers."""
        return sum(layer.n_heads for layer in self.layers)

    @property
    def max_heads(self) -> int:
        """Heads of the widest layer: the width of the head grid."""
        return max((layer.n_heads for layer in self.layers), default=0)

    def nearest_frame(self, step: int, stream: str | None = None) -> int:
        """Index of the frame recorded nearest to `step` (the earlier one on a tie).

        Only frames of `stream` are looked at when it is given and exists. Raises `ValueError`
        when the run has no frames.
        """
        if not self.n_frames:
            raise ValueError("the run has no frames")
        distance = np.abs(self.steps - step).astype(np.float64)
        if stream is not None and stream in self.streams:
            distance[[name != stream for name in self.streams]] = np.inf
        return int(np.argmin(distance))
