"""Builders of `LayerFrame` and `Run`, and an examination of a list of layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn_debugger.analysis.examination import Examination
from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import Diagnosis, Flag
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.run import LayerFacts, LayerInfo, Run

Floats = NDArray[np.float32]


def softmax(scores: NDArray[Any], mask: NDArray[np.bool_] | None = None) -> Floats:
    """Softmax over keys; forbidden keys get exactly 0."""
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    shifted = np.exp(scores - scores.max(-1, keepdims=True))
    result: Floats = (shifted / shifted.sum(-1, keepdims=True)).astype(np.float32)
    return result


def causal_mask(size: int) -> NDArray[np.bool_]:
    return np.tril(np.ones((size, size), bool))


def random_scores(
    seed: int, heads: int, queries: int, keys: int | None = None, std: float = 1.2
) -> Floats:
    shape = (heads, queries, queries if keys is None else keys)
    drawn: Floats = np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
    return drawn * np.float32(std)


def layer_frame(
    weights: Floats | None,
    *,
    layer: int = 0,
    frame_index: int = 0,
    step: int = 1000,
    stream: str = "train",
    sample: int = 0,
    storage: str = "float32",
    n_samples: int = 1,
    facts: Mapping[str, Any] | None = None,
    **arrays: Any,
) -> LayerFrame:
    """One layer in one frame; `facts` are fields of `LayerFacts`, `arrays` of `LayerFrame`."""
    heads = 4 if weights is None else weights.shape[0]
    info = LayerInfo(
        index=layer,
        facts=LayerFacts(**{"causal": False, "trained": True, **(facts or {})}),
        n_samples=n_samples,
        n_heads=heads,
        n_queries=0 if weights is None else weights.shape[1],
        n_keys=0 if weights is None else weights.shape[2],
        storage=storage,
        maps=frozenset(("weights",)),
        stats=frozenset(arrays.get("stats", ())),
        has_padding="key_padding" in arrays,
        has_mask="mask" in arrays,
    )
    return LayerFrame(
        frame_index=frame_index,
        step=step,
        stream=stream,
        sample=sample,
        info=info,
        heads=tuple(range(heads)),
        weights=weights,
        **arrays,
    )


def run_of(frames: Sequence[LayerFrame], **fields: Any) -> Run:
    """The index that belongs to a list of layer frames."""
    by_index: dict[int, LayerFrame] = {}
    for frame in frames:
        by_index.setdefault(frame.frame_index, frame)
    layers: dict[int, LayerInfo] = {}
    for frame in frames:
        layers.setdefault(frame.info.index, frame.info)
    ordered = [by_index[index] for index in sorted(by_index)]
    given: dict[str, Any] = {
        "path": "run.h5",
        "version": 1,
        "steps": np.array([frame.step for frame in ordered], np.int64),
        "streams": tuple(frame.stream for frame in ordered),
        "times": None,
        "scalars": {},
        "curves": {},
        "layers": tuple(layers[index] for index in sorted(layers)),
        "facts": next(iter(layers.values())).facts,
        "attributes": {},
    }
    return Run(**{**given, **fields})


def diagnose(
    frames: Sequence[LayerFrame], thresholds: Thresholds | None = None, **run_fields: Any
) -> Diagnosis:
    """Examine layer frames in scan order."""
    examination = Examination(run_of(frames, **run_fields), thresholds)
    for frame in sorted(frames, key=lambda f: (f.frame_index, f.sample, f.info.index)):
        examination.observe(frame)
    return examination.diagnosis()


def roots(diagnosis: Diagnosis, least: int = 2) -> list[Flag]:
    """Flags that follow from no other, at or above a severity (2 = warning)."""
    return [f for f in diagnosis.flags if f.caused_by is None and f.severity >= least]


def flags_of(diagnosis: Diagnosis, signal: str) -> list[Flag]:
    return [flag for flag in diagnosis.flags if flag.signal == signal]


def reason_of(diagnosis: Diagnosis, signal: str) -> str:
    """Why a signal was not evaluated; fails if it was."""
    found = [item.reason for item in diagnosis.not_evaluated if item.signal == signal]
    assert found, f"{signal} was evaluated"
    return found[0]
