"""What if the softmax of one recorded head had been another: cooled, scaled, masked, without a key.

basis = basis_of(frame)                                    # what the stored maps allow
answer = what_if(basis, Change(temperature=2.0, without_key=0))
answer.after.entropy, answer.weights                       # beside answer.before, basis.weights

Pure numpy, a few passes over the map: a slider may ask at every movement.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from attn_debugger.analysis.arrays import Bools, Floats
from attn_debugger.analysis.what_if.basis import Basis, basis_of, capped
from attn_debugger.core.words import say
from attn_debugger.errors import UsageError

__all__ = ["NO_CHANGE", "Answer", "Basis", "Change", "Numbers", "basis_of", "what_if", "why_not"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is changed. Defaults leave everything as recorded."""

    temperature: float = 1.0  # the logits are divided by it
    scale: float | None = None  # multiplier on q.k in place of the recorded one
    causal: bool | None = None  # True = keys after the query are masked, False = they are not
    padding: bool | None = None  # True = padding keys are masked, False = they are not
    window: int | None = None  # a key is seen iff position - key < window; 0 = no window
    without_key: int | None = None  # this key is taken away, the rows are renormalised
    dropout: float = 0.0  # one draw: each weight is 0 with this probability, else larger
    seed: int = 0  # of that draw

    def asked(self) -> tuple[str, ...]:
        """Return the names of the fields that change something."""
        names = [field.name for field in fields(self) if field.name != "seed"]
        return tuple(name for name in names if getattr(self, name) != getattr(NO_CHANGE, name))


NO_CHANGE = Change()

_ASKED = {
    "temperature": say("temperature"),
    "scale": say("scale"),
    "causal": say("causal"),
    "padding": say("padding"),
    "window": say("window"),
    "without_key": say("without key"),
    "dropout": say("dropout"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """Means over the real rows of one map; NaN = no row tells."""

    entropy: float  # nats
    peak: float  # mean of the row maxima
    diagonal: float  # mean weight on the query's own key
    largest_key: int  # the key with the most weight
    largest_key_share: float  # its mean weight


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The map as it would have been; rows without any key are NaN, as a softmax makes them."""

    weights: Floats  # (query, key) float32
    allowed: Bools | None  # (query, key) the cells that competed; None = all
    before: Numbers
    after: Numbers
    n_empty_rows: int  # rows that have no key left


def what_if(basis: Basis, change: Change) -> Answer:
    """Apply `change`. Raises `UsageError`, with the basis' reason, for what cannot be known."""
    reason = why_not(basis, change)
    if reason:
        raise UsageError(reason)
    _check(basis, change)
    before = _recorded_numbers(basis)
    if not change.asked():
        return Answer(
            weights=basis.weights,
            allowed=basis.allowed,
            before=before,
            after=before,
            n_empty_rows=0,
        )
    keep = _allowed(basis, change)
    logits = basis.logits
    if change.scale is not None and basis.product is not None and basis.scale is not None:
        # What is not q.k (a position bias) stays as it was.
        logits = logits + np.float32(change.scale - basis.scale) * basis.product
    logits = capped(logits, basis.softcap)
    if change.temperature != 1.0:
        logits = logits / np.float32(change.temperature)
    weights, empty = _softmax(logits, keep, basis.sink, change.temperature)
    empty &= basis.real_queries
    broken = ~np.isfinite(basis.weights).all(1)
    if broken.any():  # a row that was NaN stays NaN: nothing tells what it would have been
        weights[broken] = np.nan
    if change.dropout > 0:
        drawn = np.random.default_rng(change.seed).random(weights.shape, np.float32)
        weights *= (drawn >= change.dropout) / np.float32(1 - change.dropout)
    after = numbers_of(weights, basis)
    return Answer(
        weights=weights,
        allowed=keep,
        before=before,
        after=after,
        n_empty_rows=int(empty.sum()),
    )


def why_not(basis: Basis, change: Change) -> str:
    """Return why what was stored does not tell what `change` would do; empty = it does."""
    for name in change.asked():
        if name in basis.reasons and not _is_exact_anyway(basis, change, name):
            return say("{what}: {reason}", what=_ASKED[name], reason=basis.reasons[name])
    return ""


def _recorded_numbers(basis: Basis) -> Numbers:
    """Return the numbers of the recorded map; they are kept with it: a slider asks again."""
    known = basis.kept.get("numbers")
    if not isinstance(known, Numbers):
        known = basis.kept["numbers"] = numbers_of(basis.weights, basis)
    return known


def numbers_of(weights: Floats, basis: Basis) -> Numbers:
    """Return the numbers of a map with the queries and keys of `basis`."""
    rows = basis.real_queries & np.isfinite(weights).all(1)
    if not rows.any():
        nan = float("nan")
        return Numbers(entropy=nan, peak=nan, diagonal=nan, largest_key=0, largest_key_share=nan)
    seen = weights if rows.all() else weights[rows]
    logs = np.log(np.maximum(seen, np.float32(1e-37)))
    entropy = -float(np.einsum("qk,qk->", seen, logs)) / len(seen)
    by_key = seen.mean(0)
    largest = int(by_key.argmax())
    return Numbers(
        entropy=max(entropy, 0.0) + 0.0,
        peak=float(seen.max(1).mean()),
        diagonal=_diagonal(weights, rows, basis),
        largest_key=largest,
        largest_key_share=float(by_key[largest]),
    )


def _diagonal(weights: Floats, rows: Bools, basis: Basis) -> float:
    own = basis.positions.astype(np.int64)
    inside = rows & (own >= 0) & (own < weights.shape[1])
    if basis.causal:
        # A query that sees its own key alone has a diagonal of 1 whatever the head does.
        inside &= own > 0
    if not basis.is_self or not inside.any():
        return float("nan")
    queries = np.flatnonzero(inside)
    return float(weights[queries, own[queries]].mean())


def _is_exact_anyway(basis: Basis, change: Change, name: str) -> bool:
    """Masking more, and cooling, need no logit that the weights do not show."""
    if name == "temperature":
        return change.temperature <= 1.0 and "8 bits" not in basis.reasons[name]
    if name == "causal":
        return change.causal is True and basis.is_self
    if name == "padding":
        return change.padding is True and basis.padding is not None
    if name == "window" and basis.is_self and change.window:
        return basis.window is None or change.window <= basis.window
    return False


def _check(basis: Basis, change: Change) -> None:
    n_keys = basis.weights.shape[1]
    if not change.temperature > 0:
        raise UsageError(say("the temperature must be above 0"))
    if not 0 <= change.dropout < 1:
        raise UsageError(say("the dropout probability must be from 0 to below 1"))
    if change.window is not None and change.window < 0:
        raise UsageError(say("the window must be 0 (none) or a number of keys"))
    if change.without_key is not None and not 0 <= change.without_key < n_keys:
        raise UsageError(
            say(
                "there is no key {without_key}: keys are 0 to {last}",
                without_key=change.without_key,
                last=n_keys - 1,
            )
        )


def _allowed(basis: Basis, change: Change) -> Bools:
    """(query, key): the cells that compete in the softmax."""
    shape = basis.weights.shape
    keys = np.arange(shape[1])
    distance = basis.positions[:, None] - keys[None]
    keep = np.ones(shape, bool) if basis.allowed is None else basis.allowed.copy()
    padding = np.zeros(shape[1], bool) if basis.padding is None else basis.padding
    causal = basis.causal if change.causal is None else change.causal
    window = basis.window if change.window is None else (change.window or None)
    masks_padding = basis.padding is not None and change.padding is not False
    if change.causal is False:
        # What only order forbade is open again: padding and window still hold.
        keep |= distance < 0
    if change.padding is False:
        keep |= np.broadcast_to(padding, shape)
    if change.window is not None and basis.window is not None:
        keep |= np.abs(distance) >= basis.window
    if causal:
        keep &= distance >= 0
    if masks_padding:
        keep &= ~padding
    if window is not None:
        keep &= distance < window
        if not causal:
            keep &= distance > -window
    if basis.other_document is not None:
        keep &= ~basis.other_document
    if change.without_key is not None:
        keep[:, change.without_key] = False
    return keep


def _softmax(
    logits: Floats, keep: Bools, sink: Floats | None, temperature: float
) -> tuple[Floats, Bools]:
    """Return softmax over the cells to keep, and (query,): rows that have none."""
    values = np.where(keep & ~np.isnan(logits), logits, np.float32(-np.inf))
    top = values.max(1)
    if sink is not None:
        sink = (sink / temperature).astype(np.float32)
        top = np.maximum(top, sink)
    empty: Bools = ~np.isfinite(top)
    top[empty] = 0
    values -= top[:, None]
    np.exp(values, out=values)
    total = values.sum(1)
    if sink is not None:
        total += np.exp(sink - top)
    total[empty] = np.nan
    values /= total[:, None]
    return values, empty
