"""Rules on weights over time: does every projection train, and did it start at a sane scale?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

from attn_debugger.core.topology import ModelCheck
from attn_debugger.core.words import say
from attn_debugger.model.naming import Site
from attn_debugger.model.verdicts import judged, several
from attn_debugger.model.weights import initial_std

_LARGE_START = 2.0  # times the standard deviation of Kaiming's initialiser


def unchanged_projections(
    sites: Sequence[Site], earlier: Mapping[str, Site], step: int, earlier_step: int
) -> ModelCheck:
    """Return whether every projection moved between two checkpoints of one run.

    A projection that is bitwise the same got no gradient, or is not used at all.
    """
    name = say("projections train")
    frozen = []
    compared = 0
    for site in sites:
        other = earlier.get(site.path)
        for part, word in (("query", say("query")), ("key", say("key")), ("value", say("value"))):
            now = getattr(site, part)
            before = None if other is None else getattr(other, part)
            if now is None or before is None or now.shape != before.shape:
                continue
            compared += 1
            if torch.equal(now, before):
                frozen.append(say("{part} of {path}", part=word, path=site.path))
    if not compared:
        return ModelCheck(
            name=name, result="not_run", reason=say("no projection stands in both checkpoints")
        )
    span = say("between steps {earlier_step} and {step}", earlier_step=earlier_step, step=step)
    if frozen:
        return ModelCheck(
            name=name,
            result="failed",
            evidence=say(
                "{frozen} did not change {span}: no gradient reaches it",
                frozen=several(frozen),
                span=span,
            ),
        )
    return ModelCheck(
        name=name,
        result="passed",
        evidence=say("all {compared} moved {span}", compared=compared, span=span),
    )


def initial_scale(sites: Sequence[Site], step: int | None) -> ModelCheck:
    """Return whether query and key projections start at a scale some initialiser would give.

    Only the checkpoint of step 0 shows it. Too large is more than twice Kaiming's, the largest in
    use; small starts (0.02, muP, zero) are common and healthy.
    """
    name = say("initial scale")
    if step != 0:
        return ModelCheck(
            name=name, result="not_run", reason=say("only a checkpoint of step 0 shows the start")
        )
    wrong, seen = [], ""
    for site in sites:
        for part, matrix in ((say("query"), site.query), (say("key"), site.key)):
            if matrix is None or matrix.numel() < 2:
                continue
            found = initial_std(matrix)
            seen = say(
                "std {std:.3g} where xavier gives {xavier:.3g} and kaiming {kaiming:.3g}",
                std=found["std"],
                xavier=found["xavier"],
                kaiming=found["kaiming"],
            )
            if not found["std"] <= _LARGE_START * found["kaiming"]:  # NaN is wrong too
                wrong.append(say("{part} of {path}: {seen}", part=part, path=site.path, seen=seen))
    if not seen:
        return ModelCheck(
            name=name, result="not_run", reason=say("no query and key could be told apart")
        )
    return judged(name, wrong, seen)
