"""Explain one cell: from q and k, term by term, through scale, bias and mask to its weight.

The text is made to be copied and checked with a calculator. What was not recorded is said, with
what to record next time; nothing is guessed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

from attn_debugger.analysis.layout import Layout, make_layout
from attn_debugger.core.frame import LayerFrame
from attn_debugger.ui.head.tokens import readable_tokens

MOST_TERMS = 8
RELATIVE_AGREEMENT = 0.02  # what half-precision q and k leave of a weight
ABSOLUTE_AGREEMENT = 2e-3
translate = QCoreApplication.translate
Row = NDArray[np.float64]


@dataclass(frozen=True)
class CellExplanation:
    """How a weight came about.

    `lines` is the text. `weight` is what was recorded, `recomputed` what q and k (or the scores)
    give, `None` where neither was recorded. `agrees` = they are the same within rounding.
    """

    lines: tuple[str, ...]
    weight: float
    recomputed: float | None = None

    @property
    def agrees(self) -> bool | None:
        if self.recomputed is None:
            return None
        return math.isclose(
            self.recomputed, self.weight, rel_tol=RELATIVE_AGREEMENT, abs_tol=ABSOLUTE_AGREEMENT
        )

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def explain_cell(frame: LayerFrame, head: int, query: int, key: int) -> CellExplanation:
    """Explain the weight of (query, key) in head number `head` of a frame.

    Raises `ValueError` where the frame holds no full map of that head, or no such cell.
    """
    if frame.weights is None or head not in frame.heads:
        raise ValueError(f"the frame holds no full map of head {head}")
    if not (0 <= query < frame.n_queries and 0 <= key < frame.n_keys):
        raise ValueError(f"the map has no cell ({query}, {key})")
    place = frame.heads.index(head)
    row = np.asarray(frame.weights[place, query], np.float64)
    layout = make_layout(frame)
    lines = [_title(frame, head), _cell(frame, query, key), ""]
    products = _scaled_products(frame, head, query)
    scores = products
    if products is not None:
        lines += _dot_product(frame, head, query, key)
    if frame.scores is not None:
        scores = np.asarray(frame.scores[place, query], np.float64)
        lines += _recorded_score(scores[key], None if products is None else products[key])
    if scores is None:
        lines += _from_weights_alone(row, key)
    lines += _mask(layout, place, query, key, row[key])
    recomputed = None
    if scores is not None:
        softmax, recomputed = _softmax(frame, layout, place, query, key, scores)
        lines += softmax
    explanation = CellExplanation((), float(row[key]), recomputed)
    lines += _verdict(explanation)
    return CellExplanation(tuple(lines), float(row[key]), recomputed)


def _number(value: float) -> str:
    return f"{value:.6g}" if math.isfinite(value) else str(value).replace("nan", "NaN")


def _term(value: float) -> str:
    """Return a number that stands after a minus sign."""
    return f"({_number(value)})" if value < 0 else _number(value)


def _line(label: str, text: str) -> str:
    return f"{label:<14}{text}"


def _title(frame: LayerFrame, head: int) -> str:
    title = translate("Explain", "Layer {0}, head {1}, step {2}, sample {3}").format(
        frame.info.index, head, frame.step, frame.sample
    )
    name = frame.info.facts.name
    return f"{title} ({name})" if name else title


def _cell(frame: LayerFrame, query: int, key: int) -> str:
    words = []
    tokens = ((frame.query_tokens, frame.n_queries, query), (frame.tokens, frame.n_keys, key))
    for found, length, position in tokens:
        fits = found is not None and len(found) == length
        words.append(f" “{readable_tokens(found)[position]}”" if fits and found else "")
    return translate("Explain", "query {0}{1} looks at key {2}{3}").format(
        query, words[0], key, words[1]
    )


def _vectors(frame: LayerFrame, head: int) -> tuple[Row, Row] | None:
    """Return q (query, d) and k (key, d) of a head: grouped heads share their key head."""
    if frame.q is None or frame.k is None or frame.q.shape[-1] != frame.k.shape[-1]:
        return None
    if frame.q.shape[1] != frame.n_queries or frame.k.shape[1] != frame.n_keys:
        return None
    n_heads = max(frame.info.n_heads, 1)
    q, k = (
        np.asarray(stored[0 if len(stored) == 1 else head * len(stored) // n_heads], np.float64)
        for stored in (frame.q, frame.k)
    )
    return q, k


def _scale(frame: LayerFrame, width: int) -> float:
    declared = frame.info.facts.scale
    return 1 / math.sqrt(width) if declared is None else declared


def _scaled_products(frame: LayerFrame, head: int, query: int) -> Row | None:
    """Return q.k * scale of one query with every key, (key,)."""
    vectors = _vectors(frame, head)
    if vectors is None:
        return None
    q, k = vectors
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(k @ q[query] * _scale(frame, q.shape[-1]))


def _dot_product(frame: LayerFrame, head: int, query: int, key: int) -> list[str]:
    vectors = _vectors(frame, head)
    if vectors is None:
        return []
    q, k = vectors[0][query], vectors[1][key]
    terms = q * k
    order = np.argsort(-np.abs(np.where(np.isfinite(terms), terms, np.inf)), kind="stable")
    lines = [
        translate("Explain", "dot product of q[{0}] and k[{1}] over {2} dimensions").format(
            query, key, len(terms)
        )
    ]
    for dimension in order[:MOST_TERMS]:
        product = f"{_number(q[dimension])} × {_number(k[dimension])} = {_number(terms[dimension])}"
        lines.append(_line(f"  [{dimension}]", product))
    rest = order[MOST_TERMS:]
    if len(rest):
        others = translate("Explain", "the other {0} dimensions together: {1}")
        lines.append(_line("", others.format(len(rest), _number(float(terms[rest].sum())))))
    total = float(terms.sum())
    lines.append(_line("  q·k", _number(total)))
    scale = _scale(frame, len(terms))
    source = (
        translate("Explain", "declared")
        if frame.info.facts.scale is not None
        else f"1/√{len(terms)}"
    )
    scaled = f"{_number(total)} × {_number(scale)} ({source}) = {_number(total * scale)}"
    lines.append(_line(translate("Explain", "scale"), scaled))
    return lines


def _recorded_score(score: float, product: float | None) -> list[str]:
    lines = []
    if product is not None:
        bias = score - product
        words = translate("Explain", "{0} − {1} = {2} (position bias, or rounding)")
        text = words.format(_number(score), _term(product), _number(bias))
        lines.append(_line(translate("Explain", "bias"), text))
    recorded = translate("Explain", "{0} (as recorded)").format(_number(score))
    return [*lines, _line(translate("Explain", "score"), recorded)]


def _from_weights_alone(row: Row, key: int) -> list[str]:
    """Softmax keeps differences: ln of a ratio of weights is a difference of scores."""
    lines = [
        translate(
            "Explain",
            "Neither q and k nor scores were recorded; record(model, path, scores=True, qk=True) "
            "next time.",
        )
    ]
    if np.isfinite(row).all() and row[key] > 0:
        best = int(row.argmax())
        words = translate(
            "Explain",
            "The weights alone tell that its score lies ln({0} / {1}) = {2} below that of key {3}, "
            "the largest of the row.",
        )
        behind = math.log(row[best] / row[key])
        lines.append(words.format(_number(row[best]), _number(row[key]), _number(behind), best))
    return lines


def _mask(layout: Layout, place: int, query: int, key: int, weight: float) -> list[str]:
    label = translate("Explain", "mask")
    if layout.allowed is None:
        return [_line(label, translate("Explain", "none is known; every key counts as allowed"))]
    plane = layout.allowed[place if len(layout.allowed) > 1 else 0]
    if plane[query, key]:
        return [_line(label, translate("Explain", "this query may see this key"))]
    reasons = [
        words
        for hidden, words in (
            (_at(layout.future, query, key), translate("Explain", "the key lies in its future")),
            (
                layout.padding is not None and bool(layout.padding[key]),
                translate("Explain", "the key is padding"),
            ),
            (
                _at(layout.other_document, query, key),
                translate("Explain", "the key belongs to another document"),
            ),
            (
                _at(layout.outside_window, query, key),
                translate("Explain", "the key lies outside the window"),
            ),
        )
        if hidden
    ] or [translate("Explain", "the intended mask forbids it")]
    text = translate("Explain", "this query must not see this key: {0}").format(", ".join(reasons))
    lines = [_line(label, text)]
    if weight != 0:
        leak = translate("Explain", "yet it has weight: the mask was not applied here")
        lines.append(_line("", leak))
    return lines


def _at(plane: NDArray[np.bool_] | None, query: int, key: int) -> bool:
    return plane is not None and bool(plane[query, key])


def _softmax(
    frame: LayerFrame, layout: Layout, place: int, query: int, key: int, scores: Row
) -> tuple[list[str], float]:
    """Return the softmax written out, and the weight it gives."""
    facts = frame.info.facts
    lines = []
    if facts.softcap is not None and facts.score_stage != "post_cap":
        capped = facts.softcap * np.tanh(scores / facts.softcap)
        words = f"{facts.softcap:g} × tanh({_number(scores[key])} / {facts.softcap:g})"
        label = translate("Explain", "soft cap")
        lines.append(_line(label, f"{words} = {_number(float(capped[key]))}"))
        scores = capped
    allowed = np.ones(len(scores), np.bool_)
    if layout.allowed is not None:
        allowed = layout.allowed[place if len(layout.allowed) > 1 else 0][query]
    if not allowed.any():
        everything = translate("Explain", "every key of this query is masked: 0 / 0")
        return [*lines, _line("softmax", everything)], float("nan")
    visible = np.where(allowed, scores, -np.inf)
    highest = int(visible.argmax())
    with np.errstate(invalid="ignore", over="ignore"):
        powers = np.exp(visible - visible[highest])
    denominator = float(powers.sum())
    power = float(powers[key])
    weight = power / denominator if denominator else float("nan")
    largest = translate("Explain", "largest score of the row: {0} at key {1}")
    lines.append(_line("softmax", largest.format(_number(float(visible[highest])), highest)))
    here, top = _number(float(visible[key])), _term(float(visible[highest]))
    lines.append(_line("", f"exp({here} − {top}) = {_number(power)}"))
    total = translate("Explain", "sum of these over {0} allowed keys: {1}")
    lines.append(_line("", total.format(int(allowed.sum()), _number(denominator))))
    if facts.sink_logit:
        sink = translate("Explain", "plus a sink term that was not recorded: the weight is smaller")
        lines.append(_line("", sink))
    quotient = f"{_number(power)} / {_number(denominator)} = {_number(weight)}"
    lines.append(_line(translate("Explain", "weight"), quotient))
    return lines, weight


def _verdict(explanation: CellExplanation) -> list[str]:
    recorded = _number(explanation.weight)
    label = translate("Explain", "recorded")
    if explanation.agrees is None:
        return [_line(label, recorded)]
    if math.isnan(explanation.weight) and math.isnan(explanation.recomputed or 0.0):
        return [_line(label, translate("Explain", "{0}, as this gives").format(recorded))]
    if explanation.agrees:
        return [
            _line(label, translate("Explain", "{0}, the same within rounding").format(recorded))
        ]
    differs = translate("Explain", "{0}, which is NOT what this gives").format(recorded)
    return [_line(label, differs)]
