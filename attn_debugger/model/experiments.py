"""Rules of a Transformer tried out on the running model: change something, see what changes.

for check in run_checks(live):
    print(check.name, check.result, check.evidence or check.reason)
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from attn_debugger.core.topology import ModelCheck
from attn_debugger.core.words import join, say
from attn_debugger.model.captured import capture_attention
from attn_debugger.model.comparison import (
    largest_change,
    masked_future,
    of_tokens,
    other_tokens,
    percent,
    relative_error,
    scale_factor,
)
from attn_debugger.model.hugging_face import configured_scale
from attn_debugger.model.live import LiveModel

# A change smaller than this share of the outputs' own spread is rounding.
_ROUNDING = 1e-3
_SCALE_TOLERANCE = 0.05  # SIGNALS: |beta - 1|
_HALF = {"float16": torch.float16, "bfloat16": torch.bfloat16}
# How many times the resolution of the dtype a result may be off, relative to its size.
_RESOLUTIONS = 32
_HALF_LARGEST = float(torch.finfo(torch.float16).max)
_HALF_MARGIN = 0.25  # SIGNALS: critical within a factor 4 of what float16 holds

Experiment = Callable[[LiveModel], ModelCheck]


class InconclusiveError(Exception):
    """The experiment cannot tell; the message says why."""


def run_checks(live: LiveModel) -> tuple[ModelCheck, ...]:
    """Return every experiment with its result; what a model makes impossible is `not_run`."""
    checks = []
    for name, experiment in EXPERIMENTS.items():
        try:
            checks.append(experiment(live))
        except InconclusiveError as reason:
            checks.append(ModelCheck(name=name, result="not_run", reason=str(reason)))
        except Exception as error:  # noqa: BLE001 - the user's model may raise anything
            said = say(
                "the model raised {kind}: {error}",
                kind=type(error).__name__,
                error=str(error)[:200],
            )
            checks.append(ModelCheck(name=name, result="not_run", reason=said))
    return tuple(checks)


def _padding(live: LiveModel) -> ModelCheck:
    """Change what stands in padding: no real token may notice."""
    if live.inputs.mask_name is None:
        raise InconclusiveError(say("the model takes no padding mask"))
    ids, real = live.inputs.ids, live.inputs.real
    if real is None:  # pad the last quarter of every sequence
        length = ids.shape[1]
        real = (torch.arange(length, device=ids.device) < length - max(1, length // 4))[None]
        real = real.expand_as(ids).contiguous()
    before = live.inputs.run(live.model, ids, real)
    changed = torch.where(real, ids, other_tokens(ids))
    after = live.inputs.run(live.model, changed, real)
    if live.inputs.decoder is None:  # what a decoder says is no padding anywhere
        before, after = of_tokens(before, real), of_tokens(after, real)
    if not torch.isfinite(before).all():
        _finite_run(live)  # with weights that are NaN padding is not what breaks it
        share = 1 - float(torch.isfinite(before).float().mean())
        return _failed(
            "padding",
            say(
                "with padding, {share:.0%} of the outputs of real tokens are not finite",
                share=share,
            ),
        )
    found = largest_change(before, after)
    if found > _ROUNDING:
        return _failed(
            "padding",
            say(
                "other tokens in the padding change the outputs of real tokens by {change}",
                change=percent(found),
            ),
        )
    return _passed("padding", say("other tokens in the padding change nothing"))


def _causal(live: LiveModel) -> ModelCheck:
    """Change the future: the past may not change. Of an encoder-decoder, that of the decoder."""
    has_decoder = live.inputs.decoder is not None
    declared = True if has_decoder else live.facts.get("causal")
    if declared is False:
        raise InconclusiveError(say("the model is declared to look both ways"))
    ids = live.inputs.answered
    before = _finite_run(live, live.inputs.ids)
    if before.ndim < 3 or before.shape[1] != ids.shape[1]:
        raise InconclusiveError(say("the model gives one answer a sequence, not one a token"))
    cut = ids.shape[1] // 2
    changed = ids.clone()
    changed[:, cut:] = other_tokens(ids)[:, cut:]
    found = largest_change(before[:, :cut], _finite_run(_answering(live, changed))[:, :cut])
    where = say("of the decoder ") if has_decoder else ""
    if found <= _ROUNDING:
        return _passed(
            "causal",
            say("other tokens {where}in the future change nothing in the past", where=where),
        )
    evidence = say(
        "other tokens {where}from position {cut} on change earlier outputs by {change}",
        where=where,
        cut=cut,
        change=percent(found),
    )
    if declared is None:
        raise InconclusiveError(
            say("{evidence}; whether they should is not declared (causal)", evidence=evidence)
        )
    return _failed("causal", evidence)


def _order(live: LiveModel) -> ModelCheck:
    """Permute the tokens: attention that only permutes with them has no idea of order."""
    blind = _blind_to_order(live, live.inputs.ids, lambda ids: _reading(live, ids))
    if not blind and live.inputs.decoder is not None:
        blind = _blind_to_order(live, live.inputs.decoder, lambda ids: _answering(live, ids))
    if blind:
        return _failed(
            "order",
            say(
                "with the tokens in another order, the scores of {blind} are the "
                "same in that order: positions do not reach the attention",
                blind=blind,
            ),
        )
    return _passed("order", say("tokens in another order get other scores"))


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
        if largest_change(expected, _tensor(two.scores)) <= _ROUNDING:
            blind.append(one.path)
    return blind[0] if len(blind) == len(pairs) else ""


def _scale(live: LiveModel) -> ModelCheck:
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
        return _failed("scale", join("", (wrong[0], more)))
    return _passed(
        "scale", say("scores of {compared} layers are {meant}", compared=compared, meant=meant)
    )


def _dropout(live: LiveModel) -> ModelCheck:
    """Run twice in eval mode: the result must be the same."""
    first = _finite_run(live)
    second = _finite_run(live)
    found = largest_change(first, second)
    if found > 1e-6:
        return _failed(
            "dropout", say("two runs in eval mode differ by {change}", change=percent(found))
        )
    return _passed("dropout", say("two runs in eval mode agree"))


def _row_sums(live: LiveModel) -> ModelCheck:
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
        return _failed(
            "row_sums",
            say("rows of {place} do not sum to one: they {said}", place=place, said=said),
        )
    return _passed(
        "row_sums", say("{rows} rows sum to one within {worst:.1g}", rows=rows, worst=worst)
    )


def _batch(live: LiveModel) -> ModelCheck:
    """Run the first sample alone: the others may not matter."""
    ids = live.inputs.ids
    if len(ids) < 2:
        ids = torch.cat([ids, other_tokens(ids)])
    found = largest_change(_finite_run(live, ids[:1]), _finite_run(live, ids)[:1])
    if found > _ROUNDING:
        return _failed(
            "batch",
            say("its neighbours change a sample's output by {change}", change=percent(found)),
        )
    return _passed("batch", say("a sample's output does not depend on its neighbours"))


def _precision(live: LiveModel) -> ModelCheck:
    """Compute in the dtype of training and in a finer one: the same, within its resolution."""
    named = str(live.facts.get("compute_dtype", "float32"))
    ids = live.inputs.ids
    first = next(live.model.parameters(), None)
    if first is None or first.dtype != torch.float32:
        raise InconclusiveError(say("needs a model with float32 parameters"))
    exact = _finite_run(live, ids)
    if named in _HALF:
        dtype = _HALF[named]
        with torch.autocast(ids.device.type, dtype):
            coarse = live.inputs.run(live.model, ids)
    else:
        named, dtype, coarse = "float32", torch.float32, exact
        live.model.double()
        try:
            exact = live.inputs.run(live.model, ids)
        finally:
            live.model.float()
    if named == "float16" and (reached := _largest_product(live)) > _HALF_MARGIN * _HALF_LARGEST:
        return _failed(
            "precision",
            say(
                "q.k reaches {reached:.3g} before it is scaled; float16 holds {limit:.0f}",
                reached=reached,
                limit=_HALF_LARGEST,
            ),
        )
    if not torch.isfinite(coarse).all():
        return _failed(
            "precision",
            say("outputs are finite in float32 and NaN or infinite in {named}", named=named),
        )
    error = relative_error(coarse, exact)
    allowed = _RESOLUTIONS * torch.finfo(dtype).eps
    said = say(
        "{named} is off by {error:.2g} of the outputs, {allowed:.2g} is its resolution",
        named=named,
        error=error,
        allowed=allowed,
    )
    return _failed("precision", said) if error > allowed else _passed("precision", said)


def _largest_product(live: LiveModel) -> float:
    """Return the largest |q.k| that the model itself computes without scaling, in float32."""
    captures, _ = capture_attention(live, live.inputs.ids)
    return max(
        (
            float((capture.q @ capture.k.transpose(-2, -1)).abs().nan_to_num(math.inf).max())
            for capture in captures
            # Fused kernels scale and accumulate in float32.
            if capture.backend == "softmax"
            and capture.q is not None
            and capture.k is not None
            and capture.q.shape[1] == capture.k.shape[1]
        ),
        default=0.0,
    )


EXPERIMENTS: Mapping[str, Experiment] = {
    say("padding"): _padding,
    say("causal"): _causal,
    say("order"): _order,
    say("scale"): _scale,
    say("dropout"): _dropout,
    say("row_sums"): _row_sums,
    say("batch"): _batch,
    say("precision"): _precision,
}


def _passed(name: str, evidence: str) -> ModelCheck:
    return ModelCheck(name=name, result="passed", evidence=evidence)


def _failed(name: str, evidence: str) -> ModelCheck:
    return ModelCheck(name=name, result="failed", evidence=evidence)


def _reading(live: LiveModel, ids: Tensor) -> LiveModel:
    """The model with other tokens to read."""
    return dataclasses.replace(live, inputs=dataclasses.replace(live.inputs, ids=ids))


def _answering(live: LiveModel, ids: Tensor) -> LiveModel:
    """The model with other tokens where its outputs stand: those of its decoder, if it has one."""
    if live.inputs.decoder is None:
        return _reading(live, ids)
    return dataclasses.replace(live, inputs=dataclasses.replace(live.inputs, decoder=ids))


def _finite_run(live: LiveModel, ids: Tensor | None = None) -> Tensor:
    output = live.inputs.run(live.model, live.inputs.ids if ids is None else ids)
    if not torch.isfinite(output).all():
        raise InconclusiveError(say("the outputs are not finite"))
    return output


def _tensor(value: Tensor | None) -> Tensor:
    if value is None:
        raise InconclusiveError(say("part of the attention could not be captured"))
    return value
