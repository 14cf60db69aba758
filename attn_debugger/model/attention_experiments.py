"""Experiments on the attention that a forward shows: order, scale, and what its rows sum to."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attn_debugger.core.topology import ModelCheck
from attn_debugger.core.words import join, say
from attn_debugger.model.captured import capture_attention
from attn_debugger.model.comparison import largest_change, masked_future, scale_factor
from attn_debugger.model.hugging_face import configured_scale
from attn_debugger.model.live import LiveModel
from attn_debugger.model.verdicts import (
    ROUNDING,
    InconclusiveError,
    answering,
    failed,
    passed,
    reading,
)

_SCALE_TOLERANCE = 0.05  # SIGNALS: |beta - 1|


def try_order(live: LiveModel) -> ModelCheck:
    """Permute the tokens: attention that only permutes with them has no idea of order."""
    blind = _blind_to_order(live, live.inputs.ids, lambda ids: reading(live, ids))
    if not blind and live.inputs.decoder is not None:
        blind = _blind_to_order(live, live.inputs.decoder, lambda ids: answering(live, ids))
    if blind:
        return failed(
            "order",
            say(
                "with the tokens in another order, the scores of {blind} are the "
                "same in that order: positions do not reach the attention",
                blind=blind,
            ),
        )
    return passed("order", say("tokens in another order get other scores"))


def _blind_to_order(live: LiveModel, ids: Tensor, given: Callable[[Tensor], LiveModel]) -> str:
    """Return the path of an attention over `ids` if none over them knows their order, else "".

    Attention over `ids` is told by its length, which differs between encoder and decoder.
    """
    length = ids.shape[1]
    generator = torch.Generator().manual_seed(0)
    order = torch.randperm(length, generator=generator).to(ids.device)
    captures, _ = capture_attention(live, live.inputs.ids)
    other = given(ids[:, order])
    permuted, _ = capture_attention(other, other.inputs.ids)
    pairs = [
        (one, two)
        for one, two in zip(captures, permuted, strict=False)
        if one.scores is not None and two.scores is not None
        if one.shape[2] == one.shape[3] == length
    ]
    if not pairs:
        raise InconclusiveError(say("no self-attention of this model could be captured"))
    if live.facts.get("causal") is not False and masked_future([one for one, _ in pairs]):
        # Deeper layers of a causal model learn order from its mask: the first must know it itself.
        pairs = pairs[:1]
    blind = []
    for one, two in pairs:
        expected = _tensor(one.scores)[..., order, :][..., order]
        if not torch.isfinite(expected).all():
            raise InconclusiveError(say("scores are not finite"))
        if largest_change(expected, _tensor(two.scores)) <= ROUNDING:
            blind.append(one.path)
    return blind[0] if len(blind) == len(pairs) else ""


def try_scale(live: LiveModel) -> ModelCheck:
    """Hold the scores against q.k times the scale they should have."""
    captures, _ = capture_attention(live, live.inputs.ids)
    declared = live.facts.get("scale", configured_scale(live.model))
    meant = (
        say("q.k / sqrt(d_head)")
        if declared is None
        else say("q.k times {declared:.3g}", declared=declared)
    )
    wrong, compared = [], 0
    for capture in captures:
        factor = scale_factor(capture, declared)
        if factor is None or capture.q is None:
            continue
        compared += 1
        if abs(factor - 1) > _SCALE_TOLERANCE:
            wrong.append(
                say(
                    "{path}: scores are {factor:.3g} times {meant}",
                    path=capture.path,
                    factor=factor,
                    meant=meant,
                )
            )
            d_head = int(capture.q.shape[-1])
            if abs(factor / math.sqrt(d_head) - 1) < _SCALE_TOLERANCE:
                wrong[-1] = join(
                    "",
                    (wrong[-1], say(" (the division by sqrt({d_head}) is missing)", d_head=d_head)),
                )
    if not compared:
        raise InconclusiveError(say("no layer shows scores that are a multiple of q.k"))
    if wrong:
        more = say(", and {count} more layers", count=len(wrong) - 1) if len(wrong) > 1 else ""
        return failed("scale", join("", (wrong[0], more)))
    return passed(
        "scale", say("scores of {compared} layers are {meant}", compared=compared, meant=meant)
    )


def try_row_sums(live: LiveModel) -> ModelCheck:
    """Each row of weights is a distribution."""
    real = live.inputs.real
    captures, _ = capture_attention(live, live.inputs.ids, real)
    worst, place, rows = 0.0, "", 0
    for capture in captures:
        if capture.weights is None:
            continue
        sums = _tensor(capture.weights).sum(-1)  # (sample, head, query)
        if real is not None and capture.shape[2] == real.shape[1] and len(sums) == len(real):
            sums = sums.transpose(1, 2)[real]
        rows += sums.numel()
        off = float((sums - 1).abs().nan_to_num(math.inf).max()) if sums.numel() else 0.0
        if off >= worst:
            worst, place = off, capture.path
    if not rows:
        raise InconclusiveError(say("no attention of this model could be captured"))
    if worst > 1e-2:
        said = (
            say("hold NaN")
            if math.isinf(worst)
            else say("are off by up to {worst:.3g}", worst=worst)
        )
        return failed(
            "row_sums",
            say("rows of {place} do not sum to one: they {said}", place=place, said=said),
        )
    return passed(
        "row_sums", say("{rows} rows sum to one within {worst:.1g}", rows=rows, worst=worst)
    )


def _tensor(value: Tensor | None) -> Tensor:
    if value is None:
        raise InconclusiveError(say("part of the attention could not be captured"))
    return value
