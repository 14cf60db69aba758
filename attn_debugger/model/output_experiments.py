"""Experiments on the outputs: what may not matter to a token is changed, and may not be noticed."""

from __future__ import annotations

import torch

from attn_debugger.core.topology import ModelCheck
from attn_debugger.core.words import say
from attn_debugger.model.comparison import largest_change, of_tokens, other_tokens, percent
from attn_debugger.model.live import LiveModel
from attn_debugger.model.verdicts import (
    ROUNDING,
    InconclusiveError,
    answering,
    failed,
    finite_run,
    passed,
)


def try_padding(live: LiveModel) -> ModelCheck:
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
        finite_run(live)  # with weights that are NaN padding is not what breaks it
        share = 1 - float(torch.isfinite(before).float().mean())
        return failed(
            "padding",
            say(
                "with padding, {share:.0%} of the outputs of real tokens are not finite",
                share=share,
            ),
        )
    found = largest_change(before, after)
    if found > ROUNDING:
        return failed(
            "padding",
            say(
                "other tokens in the padding change the outputs of real tokens by {change}",
                change=percent(found),
            ),
        )
    return passed("padding", say("other tokens in the padding change nothing"))


def try_causal(live: LiveModel) -> ModelCheck:
    """Change the future: the past may not change. Of an encoder-decoder, that of the decoder."""
    has_decoder = live.inputs.decoder is not None
    declared = True if has_decoder else live.facts.get("causal")
    if declared is False:
        raise InconclusiveError(say("the model is declared to look both ways"))
    ids = live.inputs.answered
    before = finite_run(live, live.inputs.ids)
    if before.ndim < 3 or before.shape[1] != ids.shape[1]:
        raise InconclusiveError(say("the model gives one answer a sequence, not one a token"))
    cut = ids.shape[1] // 2
    changed = ids.clone()
    changed[:, cut:] = other_tokens(ids)[:, cut:]
    found = largest_change(before[:, :cut], finite_run(answering(live, changed))[:, :cut])
    where = say("of the decoder ") if has_decoder else ""
    if found <= ROUNDING:
        return passed(
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
    return failed("causal", evidence)


def try_batch(live: LiveModel) -> ModelCheck:
    """Run the first sample alone: the others may not matter."""
    ids = live.inputs.ids
    if len(ids) < 2:
        ids = torch.cat([ids, other_tokens(ids)])
    found = largest_change(finite_run(live, ids[:1]), finite_run(live, ids)[:1])
    if found > ROUNDING:
        return failed(
            "batch",
            say("its neighbours change a sample's output by {change}", change=percent(found)),
        )
    return passed("batch", say("a sample's output does not depend on its neighbours"))


def try_dropout(live: LiveModel) -> ModelCheck:
    """Run twice in eval mode: the result must be the same."""
    first = finite_run(live)
    second = finite_run(live)
    found = largest_change(first, second)
    if found > 1e-6:
        return failed(
            "dropout", say("two runs in eval mode differ by {change}", change=percent(found))
        )
    return passed("dropout", say("two runs in eval mode agree"))
