"""What the model relies on: a token is replaced, and the outputs of the others are watched.

result = occlude(live, sample=0)                  # each token in turn
result = occlude(live, sample=0, spans=[(3, 5)])  # positions 3 and 4 together

A head may look at a token without using it, and use one it hardly looks at: attention mass alone
is not reliance. Both stand side by side in the result.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor

from attn_debugger.core.words import say
from attn_debugger.errors import ModelError
from attn_debugger.model.batches import check_ids
from attn_debugger.model.captured import capture_attention
from attn_debugger.model.comparison import other_tokens
from attn_debugger.model.live import LiveModel
from attn_debugger.model.measure import choose_measure

WARNING = say("attention mass alone is not reliance: compare it with the change it makes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Occluded:
    """One span that was replaced, and what that did to everything else."""

    first: int
    last: int  # inclusive
    change: float | None  # of the loss; None = not finite, or nothing is left to judge
    # (position,) largest change of an output there, one entry if pooled; None = not finite
    logits: tuple[float | None, ...]
    attention: float | None  # mean weight on the span, over layers, heads and the other queries


@dataclass(frozen=True, slots=True, kw_only=True)
class Occlusion:
    """The spans of one sample, in their order."""

    sample: int
    measure: str
    unit: str
    baseline: float
    replaced_by: str
    spans: tuple[Occluded, ...]
    warning: str = WARNING

    def to_json(self) -> dict[str, Any]:
        """Return plain lists, numbers and strings."""
        return asdict(self)


def occlude(
    live: LiveModel,
    *,
    sample: int = 0,
    spans: Sequence[tuple[int, int]] | None = None,
    token: int | None = None,
    hidden: bool = False,
) -> Occlusion:
    """Replace spans [first, end) of a sample, by `token` or by other tokens of the batch.

    `hidden` leaves the tokens where they are and hides them from attention, as padding is. `spans`
    None = every real token alone. The loss leaves the replaced positions out: what stands there is
    not what the model is asked about. Raises `ModelError` for positions or a sample the batch does
    not have, a token outside the vocabulary, and a model that takes no padding mask when `hidden`.
    """
    if hidden and live.inputs.mask_name is None:
        raise ModelError(
            say(
                "the model takes no padding mask, so no token can be hidden from its attention; "
                "replace it instead"
            )
        )
    ids, real = live.inputs.ids, live.inputs.real
    if not 0 <= sample < len(ids):
        raise ModelError(
            say(
                "the batch has no sample {sample}: samples are 0 to {last}",
                sample=sample,
                last=len(ids) - 1,
            )
        )
    if token is not None:
        check_ids(live.model, torch.full_like(ids[:1, :1], token))
    row = ids[sample : sample + 1]
    row_real = None if real is None else real[sample : sample + 1]
    length = row.shape[1]
    if spans is None:
        spans = [(i, i + 1) for i in range(length) if row_real is None or bool(row_real[0, i])]
    wrong = [span for span in spans if not 0 <= span[0] < span[1] <= length]
    if wrong:
        raise ModelError(
            say(
                "there is no span {wrong}: positions are 0 to {last}",
                wrong=wrong[0],
                last=length - 1,
            )
        )
    other = torch.full_like(row, token) if token is not None else other_tokens(ids)[sample][None]
    alone = dataclasses.replace(live, inputs=live.inputs.of_samples(sample, sample + 1))
    mass = _attention_mass(alone)
    found = []
    measure = choose_measure(alone)[0]
    for first, end in spans:
        skip = torch.zeros_like(row, dtype=torch.bool)
        skip[:, first:end] = True
        measure, before = choose_measure(alone, skip)
        if hidden:
            seen = ~skip if row_real is None else row_real & ~skip
            after = alone.inputs.run(live.model, row, seen)
        else:
            after = alone.inputs.run(live.model, torch.where(skip, other, row), row_real)
        change = measure.cost(after) - measure.baseline
        found.append(
            Occluded(
                first=first,
                last=end - 1,
                change=change if abs(change) < float("inf") else None,
                logits=tuple(_by_position(before, after)),
                attention=None if mass is None else _mass_on(mass, first, end),
            )
        )
    return Occlusion(
        sample=sample,
        measure=measure.name,
        unit=measure.unit,
        baseline=choose_measure(alone)[0].baseline,
        replaced_by=_by_what(token, hidden=hidden),
        spans=tuple(found),
    )


def _by_what(token: int | None, *, hidden: bool) -> str:
    if hidden:
        return say("nothing: hidden from attention")
    if token is None:
        return say("other tokens of the batch")
    return say("token {token}", token=token)


def _by_position(before: Tensor, after: Tensor) -> list[float | None]:
    change = (after.double() - before.double()).abs()[0]
    largest = change.flatten(1).max(1).values if change.ndim >= 2 else change.max()[None]
    return [float(value) if bool(torch.isfinite(value)) else None for value in largest]


def _attention_mass(live: LiveModel) -> Tensor | None:
    """Return (query, key): mean weight over layers and heads of the square attentions."""
    captures, _ = capture_attention(live, live.inputs.ids, live.inputs.real)
    length = live.inputs.ids.shape[1]
    maps = [
        capture.weights[0].float().mean(0)
        for capture in captures
        if capture.weights is not None and tuple(capture.weights.shape[-2:]) == (length, length)
    ]
    return torch.stack(maps).mean(0) if maps else None


def _mass_on(mass: Tensor, first: int, end: int) -> float | None:
    """Mean weight that the queries outside of a span put on it."""
    others = torch.ones(len(mass), dtype=torch.bool)
    others[first:end] = False
    seen = mass[others][:, first:end].sum(1)
    seen = seen[torch.isfinite(seen)]
    return float(seen.mean()) if len(seen) else None
