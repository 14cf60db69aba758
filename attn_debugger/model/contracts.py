"""Rules a Transformer's weights must obey, each checked and answered in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from attn_debugger.core.run import Run
from attn_debugger.core.topology import AttentionModule, ModelCheck
from attn_debugger.core.words import join, listing, say
from attn_debugger.model.naming import Site
from attn_debugger.model.verdicts import judged

_CHUNK = 1 << 24  # elements looked at in one go: bounds the memory of a scan
_POSITION_WORDS = ("position", "pos_emb", "wpe", "pos_embed", "positional")
_TIED = 0.999  # trace over nuclear norm of W_q^T W_k; 1 = the same matrix


def check_contracts(
    tensors: Mapping[str, Tensor],
    sites: Sequence[Site],
    modules: Sequence[AttentionModule],
    nonfinite: Mapping[str, int],
    run: Run | None,
) -> tuple[ModelCheck, ...]:
    """Return every rule with its result. `nonfinite` is `count_nonfinite(tensors)`."""
    return (
        _heads_divide_width(sites, modules),
        _query_and_key_agree(sites),
        _position_table(tensors, run),
        _one_dtype(tensors),
        _finite(nonfinite),
        _not_zero(tensors),
        _not_tied(modules),
    )


def count_nonfinite(tensors: Mapping[str, Tensor]) -> dict[str, int]:
    """Return how many entries of each tensor are NaN or infinite, tensors without any left out."""
    found = {}
    for name, tensor in tensors.items():
        if not tensor.is_floating_point():
            continue
        flat = tensor.detach().reshape(-1)
        count = sum(
            int((~torch.isfinite(flat[i : i + _CHUNK].float())).sum())
            for i in range(0, flat.numel(), _CHUNK)
        )
        if count:
            found[name] = count
    return found


def _heads_divide_width(sites: Sequence[Site], modules: Sequence[AttentionModule]) -> ModelCheck:
    name = say("heads divide the width")
    known = [
        (site, module.n_heads)
        for site, module in zip(sites, modules, strict=True)
        if module.n_heads is not None
    ]
    if not sites:
        return ModelCheck(name=name, result="not_run", reason=say("no attention module was found"))
    if not known:
        return ModelCheck(
            name=name,
            result="not_run",
            reason=say(
                "the weights do not tell the number of heads; attach the archive or a config"
            ),
        )
    wrong = []
    for site, heads in known:
        rows = site.d_model if site.query is None else int(site.query.shape[0])
        if rows % heads:
            wrong.append(say("{path}: {rows} / {heads}", path=site.path, rows=rows, heads=heads))
    counts = sorted({heads for _, heads in known})
    said = join(" and ", (str(count) for count in counts))
    unknown = (
        ""
        if len(known) == len(sites)
        else say(" (unknown for {count})", count=len(sites) - len(known))
    )
    return judged(
        name,
        wrong,
        say(
            "{said} heads in {count} attention modules{unknown}",
            said=said,
            count=len(known),
            unknown=unknown,
        ),
    )


def _query_and_key_agree(sites: Sequence[Site]) -> ModelCheck:
    name = say("query and key agree")
    pairs = [
        (site.path, int(site.query.shape[0]), int(site.key.shape[0]))
        for site in sites
        if site.query is not None and site.key is not None
    ]
    if not pairs:
        return ModelCheck(
            name=name, result="not_run", reason=say("no separate query and key could be told apart")
        )
    wrong, grouped = [], False
    for path, query_rows, key_rows in pairs:
        if query_rows == key_rows:
            continue
        if key_rows and query_rows % key_rows == 0:
            grouped = True
        else:
            wrong.append(
                say(
                    "{path}: query {query_rows} rows, key {key_rows}",
                    path=path,
                    query_rows=query_rows,
                    key_rows=key_rows,
                )
            )
    return judged(name, wrong, say("grouped queries") if grouped else say("same width everywhere"))


def _position_table(tensors: Mapping[str, Tensor], run: Run | None) -> ModelCheck:
    name = say("position table long enough")
    tables = {
        key: int(tensor.shape[-2])
        for key, tensor in tensors.items()
        if tensor.is_floating_point()
        and tensor.ndim in (2, 3)
        and any(word in key.lower() for word in _POSITION_WORDS)
        and "relative" not in key.lower()
        and "bias" not in key.lower()
    }
    if not tables:
        return ModelCheck(
            name=name,
            result="not_run",
            reason=say("no position table in the weights (rotary, ALiBi, fixed, or none)"),
        )
    key, length = min(tables.items(), key=lambda item: item[1])
    if run is None:
        return ModelCheck(
            name=name,
            result="not_run",
            reason=say(
                "{key} holds {length} positions; attach an archive to compare",
                key=key,
                length=length,
            ),
        )
    longest = max((layer.n_keys for layer in run.layers if layer.facts.kind == "self"), default=0)
    if longest > length:
        return ModelCheck(
            name=name,
            result="failed",
            evidence=say(
                "{key} holds {length} positions, the archive has {longest} tokens",
                key=key,
                length=length,
                longest=longest,
            ),
        )
    return ModelCheck(
        name=name,
        result="passed",
        evidence=say(
            "{length} positions, {longest} tokens recorded", length=length, longest=longest
        ),
    )


def _one_dtype(tensors: Mapping[str, Tensor]) -> ModelCheck:
    kinds = Counter(
        str(tensor.dtype).removeprefix("torch.")
        for tensor in tensors.values()
        if tensor.is_floating_point()
    )
    said = listing((f"{kind} ({count})" for kind, count in kinds.most_common()))
    if len(kinds) > 1:
        return ModelCheck(
            name=say("one dtype"), result="failed", evidence=say("tensors mix {said}", said=said)
        )
    if not kinds:
        return ModelCheck(
            name=say("one dtype"), result="not_run", reason=say("no floating-point tensors")
        )
    return ModelCheck(name=say("one dtype"), result="passed", evidence=said)


def _finite(nonfinite: Mapping[str, int]) -> ModelCheck:
    wrong = [f"{name} ({count})" for name, count in nonfinite.items()]
    return judged(say("finite parameters"), wrong, say("no NaN, no infinity"))


def _not_zero(tensors: Mapping[str, Tensor]) -> ModelCheck:
    wrong = [
        name
        for name, tensor in tensors.items()
        # Biases start at zero in every healthy model; a whole matrix that is zero passes nothing.
        if tensor.is_floating_point() and tensor.ndim >= 2 and tensor.numel() and not tensor.any()
    ]
    return judged(say("no matrix is all zero"), wrong, say("every weight matrix has entries"))


def _not_tied(modules: Sequence[AttentionModule]) -> ModelCheck:
    name = say("query and key differ")
    wrong, measured = [], 0
    for module in modules:
        ratios = (module.per_head or {}).get("trace_ratio")
        if ratios is None:
            continue
        measured += 1
        if min(ratios) > _TIED:
            wrong.append(module.path)
    if not measured:
        return ModelCheck(
            name=name, result="not_run", reason=say("needs the number of heads and finite weights")
        )
    return judged(name, wrong, say("trace / nuclear norm of W_q^T W_k below 1 in every head"))
