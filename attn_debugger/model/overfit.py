"""Can the model learn ten samples by heart? A model that cannot has something broken in it.

check = check_overfit(live)
check.evidence      # "loss 3.46 -> 0.12 (at best 0.10) in 60 steps ..."

Everything is done to a copy of the model, without dropout, within `seconds`. The targets are the
loss that the factory gives, the batch's labels, the next tokens of a causal model, or else one
random class for each output (Zhang et al. 2017: a network that can learn at all fits noise).
"""

from __future__ import annotations

import copy
import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from attn_debugger.core.topology import ModelCheck
from attn_debugger.core.words import join, say
from attn_debugger.model.inputs import Inputs
from attn_debugger.model.live import LiveModel

NAME = "overfit"
SAMPLES = 10
STEPS = 300
SECONDS = 60.0
# The first that works ends it; large pretrained models diverge at what tiny ones need.
RATES = (3e-3, 3e-4)
_LEARNT = 0.1  # of what could be learnt is left: it has overfitted
_STUCK = 0.05  # less than this part of the rest was learnt in the last third: it will not go on
_FEW_STEPS = 20  # so few tell nothing about what more of them would bring
_IGNORED = -100
_MOST_CLASSES = 10

Progress = Callable[[int, int, str], None]
Loss = Callable[[Tensor], Tensor]


class _ImpossibleError(Exception):
    """The experiment cannot be made; the message says why."""


@dataclass(slots=True)
class _Attempt:
    """Training at one learning rate: the loss before each step, and at its end."""

    rate: float
    losses: list[float] = field(default_factory=list)
    timed_out: bool = False

    def left(self, floor: float) -> float:
        """Which part of what there was to learn is left at the end."""
        span = self.losses[0] - floor
        return (min(self.losses) - floor) / span if span > 0 else 0.0

    def still_falls(self, floor: float) -> bool:
        if len(self.losses) <= _FEW_STEPS:
            return True
        third = self.losses[: max(1, len(self.losses) * 2 // 3)]
        before, after = min(third) - floor, min(self.losses) - floor
        return before > 0 and (before - after) / before > _STUCK


def check_overfit(
    live: LiveModel,
    *,
    steps: int = STEPS,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> ModelCheck:
    """Train a copy on up to ten samples of the batch and say whether its loss all but goes away.

    Neither the model nor the random state changes. What makes it impossible is `not_run`.
    """
    devices = {p.device.index or 0 for p in live.model.parameters() if p.device.type == "cuda"}
    try:
        with torch.random.fork_rng(devices=list(devices)), torch.enable_grad():
            torch.manual_seed(0)
            return _try(live, steps, seconds, progress)
    except _ImpossibleError as reason:
        return ModelCheck(name=NAME, result="not_run", reason=str(reason))
    except (MemoryError, torch.OutOfMemoryError):
        said = say("there is not enough memory to train a copy of the model")
        return ModelCheck(name=NAME, result="not_run", reason=said)
    except Exception as error:  # noqa: BLE001 - the user's model may raise anything
        said = say(
            "training raised {kind}: {error}", kind=type(error).__name__, error=str(error)[:200]
        )
        return ModelCheck(name=NAME, result="not_run", reason=said)


def _try(live: LiveModel, steps: int, seconds: float, progress: Progress | None) -> ModelCheck:
    inputs, made = _ten(live)
    live = replace(live, inputs=inputs)
    loss, floor, words = _loss(live)
    until = time.monotonic() + seconds
    attempts = []
    for number, rate in enumerate(RATES):
        # The second rate gets what the first has left of the time.
        share = until if number else time.monotonic() + seconds * 2 / 3
        done = number * steps
        attempt = _train(
            live,
            loss,
            _Attempt(rate),
            steps=steps,
            until=share,
            enough=lambda value, first: value <= floor + _LEARNT * (first - floor),
            tell=None
            if progress is None
            else lambda at, value, done=done: progress(  # type: ignore[misc]
                done + at, len(RATES) * steps, say("overfitting: loss {value:.3g}", value=value)
            ),
        )
        attempts.append(attempt)
        if attempt.left(floor) <= _LEARNT:
            break
    best = min(attempts, key=lambda attempt: attempt.left(floor))
    n_samples = len(inputs.ids)
    of = say("1 sample") if n_samples == 1 else say("{n} samples", n=n_samples)
    if made:
        of = join("", (of, say(", {made} of them the batch's in another order", made=made)))
    return _judge(best, floor, say("{words} of {of}", words=words, of=of))


def _ten(live: LiveModel) -> tuple[Inputs, int]:
    """Return ten samples, and how many of them had to be made of the batch's own tokens.

    Nothing is made where only their author knows what the samples' answers are.
    """
    inputs = live.inputs.of_samples(0, SAMPLES)
    n_made = SAMPLES - len(inputs.ids)
    is_known = inputs.labels is not None or callable(live.facts.get("loss"))
    if n_made <= 0 or is_known or inputs.decoder is not None:
        return inputs, 0
    rows = torch.arange(n_made, device=inputs.ids.device) % len(inputs.ids)
    length = inputs.ids.shape[1]
    orders = torch.stack([torch.randperm(length) for _ in range(n_made)]).to(inputs.ids.device)
    ids = torch.cat([inputs.ids, inputs.ids[rows].gather(1, orders)])
    real = inputs.real
    if real is not None:
        real = torch.cat([real, real[rows]])
    return replace(inputs, ids=ids, real=real), n_made


def _judge(best: _Attempt, floor: float, words: str) -> ModelCheck:
    before, after = best.losses[0], min(best.losses)
    bound = (
        "" if floor == 0 else say(" ({floor:.3g} is the least these samples allow)", floor=floor)
    )
    said = say(
        "{words}: {before:.3g} before, {after:.3g} after {steps} steps of Adam at {rate:g}{bound}",
        words=words,
        before=before,
        after=after,
        steps=len(best.losses) - 1,
        rate=best.rate,
        bound=bound,
    )
    if best.left(floor) <= _LEARNT:
        return ModelCheck(name=NAME, result="passed", evidence=said)
    if best.timed_out and best.still_falls(floor):
        reason = say("{said}; the time was up before it had stopped falling", said=said)
        return ModelCheck(name=NAME, result="not_run", reason=reason)
    return ModelCheck(
        name=NAME, result="failed", evidence=say("{said}: it does not learn them", said=said)
    )


def _train(
    live: LiveModel,
    loss: Loss,
    attempt: _Attempt,
    *,
    steps: int,
    until: float,
    enough: Callable[[float, float], bool],
    tell: Callable[[int, float], None] | None,
) -> _Attempt:
    # Half precision has too few digits for the small steps of Adam.
    model = copy.deepcopy(live.model).float().eval()
    parameters = [p for p in model.parameters() if p.requires_grad]
    if not parameters:
        raise _ImpossibleError(say("no parameter of the model is trainable"))
    optimizer = torch.optim.Adam(parameters, lr=attempt.rate)
    inputs = live.inputs
    for step in range(steps + 1):
        value = loss(inputs.call(model, inputs.ids, inputs.real))
        number = float(value.detach())
        if not attempt.losses and not math.isfinite(number):
            raise _ImpossibleError(say("the loss is {number} before any step", number=number))
        if not math.isfinite(number):
            break
        attempt.losses.append(number)
        if tell is not None:
            tell(step, number)
        attempt.timed_out = time.monotonic() > until
        if enough(number, attempt.losses[0]) or attempt.timed_out or step == steps:
            break
        if not value.requires_grad:
            raise _ImpossibleError(
                say("the outputs carry no gradient (no_grad or detach in forward?)")
            )
        optimizer.zero_grad()
        value.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
    return attempt


def _loss(live: LiveModel) -> tuple[Loss, float, str]:
    """Return the loss, the least it can become on these samples, and what it is called."""
    inputs = live.inputs
    given = live.facts.get("loss")
    if callable(given):
        return lambda output: _author(given, output, inputs.ids), 0.0, say("the factory's loss")
    output = inputs.run(live.model, inputs.ids, inputs.real)
    classes, labels = int(output.shape[-1]), inputs.labels
    if labels is not None and not labels.is_floating_point():
        # Hugging Face shifts the labels of causal models inside; those of a decoder fit already.
        if live.facts.get("causal") is True and inputs.decoder is None:
            labels = _shifted(labels)
        rows = output.shape[1] if output.ndim == 3 else 0
        if labels.shape in (output.shape[:-1], (len(output), rows + 1)):
            labels = labels[:, :rows] if rows else labels
            return _against(labels), 0.0, say("the loss on the batch's labels")
    is_causal = inputs.decoder is not None or live.facts.get("causal") is True
    answered = inputs.answered
    one_a_token = output.ndim == 3 and output.shape[:2] == answered.shape and answered.shape[1] > 1
    if is_causal and one_a_token and classes > int(answered.max()):
        targets = _next_tokens(inputs)
        return _against(targets), _floor(inputs, targets), say("next-token loss")
    if output.ndim < 2 or classes < 2:
        raise _ImpossibleError(say("the model gives one number a sample: its loss is not known"))
    targets = torch.randint(min(classes, _MOST_CLASSES), output.shape[:-1], device=output.device)
    if one_a_token and inputs.real is not None and inputs.decoder is None:
        targets = targets.masked_fill(~inputs.real, _IGNORED)
    return _against(targets), 0.0, say("loss against random classes")


def _author(given: Callable[[Tensor, Tensor], object], output: Tensor, ids: Tensor) -> Tensor:
    value = given(output, ids)
    if not isinstance(value, Tensor) or value.numel() != 1:
        raise _ImpossibleError(say("the factory's loss returns no tensor with one number"))
    return value.reshape(())


def _against(targets: Tensor) -> Loss:
    def loss(output: Tensor) -> Tensor:
        flat = output.float().reshape(-1, output.shape[-1])
        return functional.cross_entropy(flat, targets.reshape(-1), ignore_index=_IGNORED)

    return loss


def _next_tokens(inputs: Inputs) -> Tensor:
    """Return (sample, position): the token after each, ignored at the end and in padding."""
    targets = _shifted(inputs.answered)
    if inputs.real is not None and inputs.decoder is None:
        real = inputs.real & torch.cat([inputs.real[:, 1:], inputs.real[:, :1] & False], 1)
        targets = targets.masked_fill(~real, _IGNORED)
    return targets


def _shifted(labels: Tensor) -> Tensor:
    return torch.cat([labels[:, 1:], torch.full_like(labels[:, :1], _IGNORED)], 1)


def _floor(inputs: Inputs, targets: Tensor) -> float:
    """Return the entropy of the next token given all before it, over these very samples.

    Two samples that begin alike and go on differently cannot both be foretold.
    """
    seen: dict[tuple[int, ...], Counter[int]] = {}
    for number, (row, wanted) in enumerate(
        zip(inputs.answered.tolist(), targets.tolist(), strict=True)
    ):
        # What the encoder reads tells the samples apart.
        start = () if inputs.decoder is None else tuple(inputs.ids[number].tolist())
        for place, target in enumerate(wanted):
            if target != _IGNORED:
                seen.setdefault((*start, *row[: place + 1]), Counter())[target] += 1
    total = sum(sum(counts.values()) for counts in seen.values())
    entropy = 0.0
    for counts in seen.values():
        n = sum(counts.values())
        entropy -= sum(count * math.log(count / n) for count in counts.values())
    return entropy / total if total else 0.0
