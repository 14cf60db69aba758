"""Tokens that have become alike: what attention does to them where nothing holds against it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Finding, Gap, Verdict
from attn_debugger.core.flags import Severity
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.words import say

_STATISTIC = "input_spread"
_SAME_TOKEN = 0.9  # share of one token from which alike tokens are no finding


def detect_token_collapse(frame: LayerFrame, context: FrameContext) -> Iterator[Verdict]:
    """`token_rank_collapse`: r(X) = ||X - mean|| / ||X|| < 0.1 at the last layer (2103.03404).

    X is what enters the layer, measured while recording. It is judged at the last layer of
    self-attention: a low r between two layers is undone by what follows, at the end nothing does.
    """
    layers = [layer.index for layer in context.run.layers if layer.facts.kind == "self"]
    values = frame.stats.get(_STATISTIC)
    spread = math.nan if values is None or not values.size else float(np.asarray(values).flat[0])
    if frame.info.facts.kind != "self":
        yield Gap(
            signal="token_rank_collapse", reason=say("judged at layers of self-attention only")
        )
        return
    context.token_spreads[frame.info.index] = spread
    if math.isnan(spread):
        yield Gap(
            signal="token_rank_collapse",
            reason=say("how alike the tokens are that enter the layer was not recorded"),
            advice=say("record with attn_debugger.record, which measures it from 8 tokens on"),
        )
        return
    if frame.info.index != layers[-1]:
        return
    if _one_token(frame):
        yield Gap(signal="token_rank_collapse", reason=say("nearly all tokens are the same one"))
        return
    limit = context.thresholds.token_spread
    if spread >= limit:
        return
    first = frame.info.index
    for layer in reversed(layers[:-1]):
        if not context.token_spreads.get(layer, math.nan) < limit:
            break
        first = layer
    yield Finding(
        signal="token_rank_collapse",
        severity=Severity.NOTICE,
        evidence=say(
            "the tokens that enter the layer are nearly the same: they differ by {spread:.1%} of "
            "their length, and so they do from layer {first} on",
            spread=spread,
            first=first,
        ),
        value=round(spread, 6),
        threshold=limit,
        unit=say("||X - mean|| / ||X||"),
    )


def _one_token(frame: LayerFrame) -> bool:
    """Whether the input itself is one token over and over."""
    if frame.info.facts.probe == "repeat_token":
        return True
    if frame.tokens is None or len(frame.tokens) == 0:
        return False
    real = [
        token
        for index, token in enumerate(frame.tokens)
        if frame.key_padding is None
        or index >= len(frame.key_padding)
        or not frame.key_padding[index]
    ]
    most = max((real.count(token) for token in set(real)), default=0)
    return most >= _SAME_TOKEN * max(1, len(real))
