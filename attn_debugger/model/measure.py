"""What a change to the model or to its input costs: the loss, or how far the outputs move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from attn_debugger.core.words import say
from attn_debugger.errors import ModelError
from attn_debugger.model.live import LiveModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A number for an output; `cost(output)` is subtracted from that of the untouched model."""

    name: str
    unit: str
    cost: Callable[[Tensor], float]
    baseline: float


def choose_measure(live: LiveModel, skip: Tensor | None = None) -> tuple[Measure, Tensor]:
    """Return how a change of the output is measured, and the untouched output.

    The factory's own `loss` (a function of output and ids, among its facts) comes first; a causal
    model with one answer a token, or a decoder, is judged by the next token (mean cross-entropy in
    nats); of others nobody knows the target, so the distance of their outputs is taken. `skip`
    (sample, position) True leaves positions out, where that makes sense.
    """
    inputs = live.inputs
    output = inputs.run(live.model, inputs.ids, inputs.real)
    if not torch.isfinite(output).all():
        raise ModelError(say("the model's outputs are not finite already: nothing can be compared"))
    given = live.facts.get("loss")
    if callable(given):
        cost = _of_author(given, inputs.ids)
        return Measure(name=say("loss"), unit=say("loss"), cost=cost, baseline=cost(output)), output
    has_decoder = inputs.decoder is not None
    is_causal = has_decoder or live.facts.get("causal") is True
    if is_causal and _is_one_answer_a_token(output, inputs.answered):
        # What is left out of the encoder's input is still to be said by the decoder.
        real, skip = (None, None) if has_decoder else (inputs.real, skip)
        cost = _next_token(inputs.answered, real, skip)
        measure = Measure(
            name=say("next-token loss"), unit="nats", cost=cost, baseline=cost(output)
        )
        return measure, output
    cost = _distance(output, None if skip is None else ~skip)
    return Measure(
        name=say("change of the outputs"), unit=say("of their norm"), cost=cost, baseline=0
    ), output


def _of_author(loss: Callable[..., object], ids: Tensor) -> Callable[[Tensor], float]:
    def cost(output: Tensor) -> float:
        try:
            return float(loss(output, ids))  # type: ignore[arg-type]
        except Exception as error:
            raise ModelError(
                say(
                    "the factory's loss failed: {kind}: {error}",
                    kind=type(error).__name__,
                    error=str(error)[:200],
                )
            ) from error

    return cost


def _is_one_answer_a_token(output: Tensor, ids: Tensor) -> bool:
    return (
        output.ndim == 3
        and output.shape[:2] == ids.shape
        and ids.shape[1] > 1
        and output.shape[2] > int(ids.max())
    )


def _next_token(ids: Tensor, real: Tensor | None, skip: Tensor | None) -> Callable[[Tensor], float]:
    keep = torch.ones_like(ids, dtype=torch.bool) if real is None else real.clone()
    keep = keep[:, :-1] & keep[:, 1:]
    if skip is not None:
        keep &= ~skip[:, :-1] & ~skip[:, 1:]

    def cost(output: Tensor) -> float:
        logs = torch.log_softmax(output[:, :-1].double(), -1)
        picked = logs.gather(2, ids[:, 1:, None])[..., 0]
        return float(-picked[keep].mean()) if bool(keep.any()) else float("nan")

    return cost


def _distance(before: Tensor, keep: Tensor | None) -> Callable[[Tensor], float]:
    def cost(output: Tensor) -> float:
        one, two = before.double(), output.double()
        if keep is not None and one.ndim > 2 and one.shape[:2] == keep.shape:
            one, two = one[keep], two[keep]
        norm = float(torch.linalg.vector_norm(one))
        return float(torch.linalg.vector_norm(two - one)) / max(norm, 1e-12)

    return cost
