"""What the stored maps of one head allow to be recomputed, and what they do not, with reasons.

The logits of the softmax come from the stored scores, or from q and k, or, up to a constant a row
that the softmax does not see, from the logarithm of the weights. The first that gives back the
recorded weights is taken: what does not is no basis for a question about them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats
from attn_debugger.analysis.layout.layout import make_layout
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.words import say
from attn_debugger.errors import UsageError

Source = Literal["scores", "q and k", "log-weights"]

_FILL = -5e3  # a score below this is a mask fill, not a score
_CORRELATED = 0.98  # SIGNALS: below this, scores are not a multiple of q.k
# Largest difference to the recorded weights, absolute, by what they are stored as.
_AGREE = {"float16": 2e-3, "float32": 1e-3, "float64": 1e-3, "bfloat16": 1e-2}


@dataclass(frozen=True, kw_only=True)
class Basis:
    """The logits of one head and everything that a `Change` may be applied to.

    `logits` is (query, key) float32, NaN where nothing stored tells the value. `allowed` is the
    recorded mask, None = every cell. `reasons` maps the name of a `Change` field to the sentence
    why it cannot be answered.
    """

    weights: Floats  # (query, key), as recorded
    logits: Floats
    allowed: Bools | None  # (query, key)
    source: Source
    note: str = ""  # why a better source was passed over
    product: Floats | None = None  # (query, key) q.k without scale; None = not recorded
    scale: float | None = None  # the multiplier on `product` that is in the logits
    softcap: float | None = None
    sink: Floats | None = None  # (query,) logit of a sink outside the map
    positions: Floats = field(default_factory=lambda: np.zeros(0, np.float32))  # (query,)
    real_queries: Bools = field(default_factory=lambda: np.zeros(0, bool))  # (query,)
    padding: Bools | None = None  # (key,) True = padding
    other_document: Bools | None = None  # (query, key) True = hidden for another reason for good
    causal: bool = False  # the recorded mask is causal
    window: int | None = None
    is_self: bool = True
    reasons: Mapping[str, str] = field(default_factory=dict)
    kept: dict[str, object] = field(default_factory=dict, repr=False, compare=False)  # results


def basis_of(frame: LayerFrame, head: int | None = None) -> Basis:
    """Return the basis of `head` (a head number; by default the first that `frame` holds).

    Raises `UsageError` with a sentence when nothing can be recomputed at all.
    """
    weights, place = _weights(frame, head)
    facts, layout = frame.info.facts, make_layout(frame)
    allowed = None
    if layout.allowed is not None:
        allowed = layout.allowed[place if len(layout.allowed) > 1 else 0]
    product = _product(frame, place, weights.shape)
    notes: list[str] = []
    logits: Floats | None = None
    source: Source = "log-weights"
    tolerance = _AGREE.get(frame.info.storage, 1e-2)
    candidates: tuple[tuple[Source, Floats | None], ...] = (
        ("scores", _from_scores(frame, place, weights.shape)),
        ("q and k", _from_product(frame, product)),
    )
    for name, candidate in candidates:
        if candidate is None:
            continue
        off = _disagreement(candidate, weights, allowed, layout.real_queries, facts.softcap)
        if off <= tolerance or facts.sink_logit:
            logits, source = candidate, name
            break
        notes.append(
            say(
                "the softmax of {name} is off the recorded weights by up to {off:.2g}",
                name=name,
                off=off,
            )
        )
    if logits is None:
        logits = _from_weights(weights)
    scale = _scale_in(logits, product, allowed) if source != "log-weights" else None
    cap = facts.softcap if source != "log-weights" else None
    basis = Basis(
        weights=weights,
        logits=logits,
        allowed=allowed,
        source=source,
        note="; ".join(notes),
        product=product,
        scale=scale,
        softcap=cap,
        sink=_sink(capped(logits, cap), weights, allowed) if facts.sink_logit else None,
        positions=np.arange(weights.shape[0], dtype=np.float32) + facts.q_offset,
        real_queries=layout.real_queries,
        padding=layout.padding,
        other_document=layout.other_document,
        causal=bool(facts.causal),
        window=facts.window,
        is_self=facts.kind == "self",
    )
    return replace(basis, reasons=_reasons(basis, frame))


def capped(logits: Floats, softcap: float | None) -> Floats:
    """Return cap * tanh(logits / cap), or the logits where there is no cap (Gemma 2)."""
    if not softcap:
        return logits
    result: Floats = softcap * np.tanh(logits / softcap)
    return result


def _weights(frame: LayerFrame, head: int | None) -> tuple[Floats, int]:
    if not frame.present:
        raise UsageError(say("nothing was captured of this layer at this step"))
    if frame.weights is None or not frame.weights.size:
        raise UsageError(say("only overviews and statistics are stored at this step, no full map"))
    place = 0 if head is None else frame.heads.index(head)
    weights = frame.weights[place]
    if not np.isfinite(weights).any():
        raise UsageError(say("no weight of this head is finite at this step"))
    return weights, place


def _from_scores(frame: LayerFrame, place: int, shape: tuple[int, ...]) -> Floats | None:
    scores = frame.scores
    if scores is None or scores.shape[1:] != shape:
        return None
    logits = np.asarray(scores[place], np.float32)
    facts = frame.info.facts
    if facts.softcap and facts.score_stage == "post_cap":
        with np.errstate(all="ignore"):
            logits = facts.softcap * np.arctanh(np.clip(logits / facts.softcap, -1, 1))
    unknown = ~np.isfinite(logits) | (logits < _FILL)
    result: Floats = np.where(unknown, np.float32(np.nan), logits).astype(np.float32)
    return result


def _product(frame: LayerFrame, place: int, shape: tuple[int, ...]) -> Floats | None:
    q, k = frame.q, frame.k
    if q is None or k is None or q.ndim != 3 or k.ndim != 3 or place >= len(q):
        return None
    if len(k) == 0 or len(q) % len(k) or q.shape[2] != k.shape[2]:
        return None
    key = k[place // (len(q) // len(k))]
    if (q.shape[1], key.shape[0]) != shape:
        return None
    product: Floats = q[place].astype(np.float32) @ key.astype(np.float32).T
    return product


def _from_product(frame: LayerFrame, product: Floats | None) -> Floats | None:
    if product is None or frame.q is None:
        return None
    facts = frame.info.facts
    scale = 1 / math.sqrt(frame.q.shape[2]) if facts.scale is None else facts.scale
    result: Floats = product * np.float32(scale)
    return result


def _from_weights(weights: Floats) -> Floats:
    known = np.isfinite(weights) & (weights > 0)
    logits = np.log(np.where(known, weights, np.float32(1)))
    result: Floats = np.where(known, logits, np.float32(np.nan)).astype(np.float32)
    return result


def _disagreement(
    logits: Floats, weights: Floats, allowed: Bools | None, real: Bools, softcap: float | None
) -> float:
    """Largest difference of softmax(logits) to the recorded weights, over rows known whole."""
    values = capped(logits, softcap)
    open_cells = np.ones(weights.shape, bool) if allowed is None else allowed
    rows = real & np.isfinite(np.where(open_cells, values, 0)).all(1) & open_cells.any(1)
    rows &= np.isfinite(weights).all(1)
    if not rows.any():
        return math.inf
    values = np.where(open_cells, values, -np.inf)[rows]
    values = np.exp(values - values.max(1, keepdims=True))
    values /= values.sum(1, keepdims=True)
    return float(np.abs(values - weights[rows]).max())


def _scale_in(logits: Floats, product: Floats | None, allowed: Bools | None) -> float | None:
    """Return the multiplier on q.k that the logits were made with; None = they are not q.k."""
    if product is None:
        return None
    keep = np.isfinite(logits) & np.isfinite(product)
    if allowed is not None:
        keep &= allowed
    x, y = product[keep].astype(np.float64), logits[keep].astype(np.float64)
    if x.size < 8:
        return None
    x, y = x - x.mean(), y - y.mean()
    xx, yy, xy = float(x @ x), float(y @ y), float(x @ y)
    if xx <= 0 or yy <= 0 or xy / math.sqrt(xx * yy) < _CORRELATED:
        return None
    return xy / xx


def _sink(logits: Floats, weights: Floats, allowed: Bools | None) -> Floats:
    """(query,): the logit that takes what a row lacks to one: lse + ln((1 - sum) / sum)."""
    with np.errstate(all="ignore"):
        open_logits = logits if allowed is None else np.where(allowed, logits, np.nan)
        top = np.nanmax(open_logits, axis=1)
        log_sum = top + np.log(np.nansum(np.exp(open_logits - top[:, None]), axis=1))
        total = weights.sum(1)
        sink: Floats = log_sum + np.log(np.maximum(1 - total, 1e-30) / total)
    return sink


def _reasons(basis: Basis, frame: LayerFrame) -> dict[str, str]:
    reasons: dict[str, str] = {}
    from_weights = basis.source == "log-weights"
    if from_weights and frame.info.storage.startswith("uint8"):
        reasons["temperature"] = say(
            "the weights are stored in 8 bits, too coarse for their logarithms: record scores=True"
        )
    elif from_weights and _n_unknown(basis) > 0:
        reasons["temperature"] = say(
            "{count} weights are stored as 0 where a key is allowed, and what a higher "
            "temperature would make of them is not known: record scores=True",
            count=_n_unknown(basis),
        )
    if basis.product is None:
        reasons["scale"] = say("q and k are not recorded: record qk=True, or use the temperature")
    elif basis.scale is None:
        reasons["scale"] = (
            say("the scores are not recorded: record scores=True")
            if from_weights
            else say("the scores are not a multiple of q.k (a position bias?)")
        )
    if not basis.is_self:
        reasons["causal"] = reasons["window"] = say(
            "cross-attention: queries and keys share no order"
        )
    elif basis.causal and not _is_known(basis, _future(basis)):
        reasons["causal"] = _about_masked(from_weights)
    if basis.is_self and basis.window is not None and not _is_known(basis, _outside(basis)):
        reasons["window"] = _about_masked(from_weights)
    if basis.padding is None:
        reasons["padding"] = say("no padding is recorded for this sample")
    elif not _is_known(basis, np.broadcast_to(basis.padding, basis.weights.shape)):
        reasons["padding"] = _about_masked(from_weights)
    return reasons


def _about_masked(from_weights: bool) -> str:
    if from_weights:
        return say("what the masked keys would get is not in the weights: record scores=True")
    return say("the scores of the masked keys are mask fills, not scores: record qk=True")


def _is_known(basis: Basis, cells: Bools) -> bool:
    """Whether the logits of masked cells are known: lifting the mask can then be answered."""
    hidden = cells if basis.allowed is None else cells & ~basis.allowed
    hidden = hidden & basis.real_queries[:, None]
    return bool(np.isfinite(basis.logits[hidden]).all())


def _future(basis: Basis) -> Bools:
    keys = np.arange(basis.weights.shape[1])
    future: Bools = keys[None] > basis.positions[:, None]
    return future


def _outside(basis: Basis) -> Bools:
    distance = basis.positions[:, None] - np.arange(basis.weights.shape[1])[None]
    outside: Bools = distance >= (basis.window or 0)
    return outside


def _n_unknown(basis: Basis) -> int:
    unknown = np.isnan(basis.logits) & basis.real_queries[:, None]
    if basis.allowed is not None:
        unknown &= basis.allowed
    return int(unknown.sum())
