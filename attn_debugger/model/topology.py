"""Describes a checkpoint: its attention modules, what is in them, and the rules they obey.

topology = describe("run.checkpoints/step_000200.pt", run=archive.run)
topology.modules[0].n_heads
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from torch import Tensor

from attn_debugger.core.run import Run
from attn_debugger.core.topology import AttentionModule, ModelCheck, ModelTopology
from attn_debugger.core.words import say
from attn_debugger.errors import ModelError
from attn_debugger.model.contracts import (
    check_contracts,
    count_nonfinite,
)
from attn_debugger.model.head_counts import (
    HeadCount,
    configured,
    configured_key_heads,
    configured_width,
    from_weights,
)
from attn_debugger.model.heads import split_heads
from attn_debugger.model.loading import Weights, load_weights
from attn_debugger.model.matching import archive_heads, first_calls, match_layers
from attn_debugger.model.naming import Site, find_attention
from attn_debugger.model.setting_contracts import check_settings
from attn_debugger.model.training_contracts import initial_scale, unchanged_projections
from attn_debugger.model.weights import per_head


def describe(
    path: str | os.PathLike[str], *, run: Run | None = None, heads: int | None = None
) -> ModelTopology:
    """Return what the checkpoint at `path` holds, matched with the layers of `run` if given.

    `heads` is the head count where neither the checkpoint nor the archive knows it. Raises
    `ModelError` when the checkpoint cannot be read safely, or holds no tensors.
    """
    weights = load_weights(Path(path))
    sites = find_attention(weights.tensors)
    matched, unmatched = match_layers(sites, run.layers) if run is not None else ({}, ())
    modules = tuple(_module(site, weights, run, matched, heads) for site in sites)
    nonfinite = count_nonfinite(weights.tensors)
    step = _listed_step(weights.path, run)
    checks = check_contracts(weights.tensors, sites, modules, nonfinite, run)
    checks += check_settings(weights.config, tuple(weights.tensors), weights.training, run)
    if run is not None:
        checks += _against_archive(sites, modules, run, step)
    parameters = [tensor for tensor in weights.tensors.values() if tensor.is_floating_point()]
    return ModelTopology(
        path=str(path),
        format=weights.format.value,
        step=step,
        n_parameters=sum(tensor.numel() for tensor in parameters),
        n_bytes=sum(t.numel() * t.element_size() for t in weights.tensors.values()),
        dtypes=tuple(sorted({_dtype(tensor) for tensor in parameters})),
        n_nonfinite=sum(nonfinite.values()),
        modules=modules,
        checks=checks,
        unmatched=unmatched if sites else (*unmatched, say("no attention module was recognised")),
    )


def _module(
    site: Site,
    weights: Weights,
    run: Run | None,
    matched: Mapping[str, int],
    heads: int | None,
) -> AttentionModule:
    layer = matched.get(site.path)
    count = _head_count(site, weights, run, layer, heads)
    return _described(site, weights.tensors, weights.config, count, layer)


def describe_site(
    site: Site,
    tensors: Mapping[str, Tensor],
    config: Mapping[str, Any],
    seen: HeadCount | None = None,
) -> AttentionModule:
    """Return one attention of a running model; `seen` is what its forward showed of the heads."""
    count = from_weights(site, tensors) or seen or configured(config, say("its configuration"))
    return _described(site, tensors, config, count, None)


def _described(
    site: Site,
    tensors: Mapping[str, Tensor],
    config: Mapping[str, Any],
    count: HeadCount | None,
    layer: int | None,
) -> AttentionModule:
    cut = None
    if count is not None:
        cut = split_heads(site, count.heads, configured_key_heads(config))
    matrix = site.fused if site.query is None else site.query
    assert matrix is not None  # every site has one of the two
    prefix = f"{site.path}." if site.path else ""
    return AttentionModule(
        path=site.path,
        projection=site.projection,
        d_model=site.d_model,
        d_head=int(cut.query.shape[1]) if cut is not None else configured_width(config),
        n_heads=None if count is None else count.heads,
        n_key_heads=None if cut is None else int(cut.key.shape[0]),
        heads_from="" if count is None else count.source,
        n_parameters=sum(
            tensor.numel() for name, tensor in tensors.items() if name.startswith(prefix)
        ),
        dtype=_dtype(matrix),
        archive_layer=layer,
        per_head=None if cut is None else per_head(cut),
    )


def _head_count(
    site: Site, weights: Weights, run: Run | None, layer: int | None, heads: int | None
) -> HeadCount | None:
    """Ask those who know, the nearest to this very module first."""
    if heads is not None:
        return HeadCount(heads, say("given by hand"))
    if found := from_weights(site, weights.tensors):
        return found
    if run is not None and layer is not None:
        recorded = next(item for item in run.layers if item.index == layer)
        if count := archive_heads(recorded):
            return HeadCount(count, say("archive layer {layer}", layer=layer))
    return configured(weights.config, weights.config_name)


def _against_archive(
    sites: Sequence[Site], modules: Sequence[AttentionModule], run: Run, step: int | None
) -> tuple[ModelCheck, ...]:
    """Hold the weights against the archive's layers and the run's earliest checkpoint."""
    earliest = min(run.checkpoints, key=lambda item: item.step, default=None)
    before: Sequence[Site] = ()
    why: str = say("needs an earlier checkpoint of this run")
    if earliest is not None and step is not None and earliest.step < step:
        try:
            before = find_attention(load_weights(_beside(run, earliest.path)).tensors)
        except ModelError as error:
            why = str(error)
    if before and earliest is not None and step is not None:
        earlier = {site.path: site for site in before}
        training = unchanged_projections(sites, earlier, step, earliest.step)
        start = initial_scale(before, earliest.step)
    else:
        training = ModelCheck(name=say("projections train"), result="not_run", reason=why)
        start = initial_scale(sites, step)
    return (_all_matched(modules, run), training, start)


def _all_matched(modules: Sequence[AttentionModule], run: Run) -> ModelCheck:
    matched = sum(module.archive_layer is not None for module in modules)
    total = len(first_calls(run.layers))
    if matched == total == len(modules):
        return ModelCheck(
            name=say("matches the archive"),
            result="passed",
            evidence=say("all {total} layers have a partner", total=total),
        )
    return ModelCheck(
        name=say("matches the archive"),
        result="failed",
        evidence=say(
            "{matched} of {total} archive layers and {modules} modules have a partner",
            matched=matched,
            total=total,
            modules=len(modules),
        ),
    )


def _listed_step(path: Path, run: Run | None) -> int | None:
    if run is None:
        return None
    for checkpoint in run.checkpoints:
        if _beside(run, checkpoint.path).resolve() == path.resolve():
            return checkpoint.step
    return None


def _beside(run: Run, path: str) -> Path:
    return Path(run.path).parent / path


def _dtype(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")
