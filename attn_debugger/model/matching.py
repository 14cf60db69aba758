"""Which attention of the checkpoint is which layer of the archive?

By name first (the recorder and the checkpoint both know module paths), then, when the counts
agree and every pair fits in shape, by order; what has no partner is listed.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence

from attn_debugger.core.run import LayerInfo
from attn_debugger.core.words import say
from attn_debugger.model.naming import Site
from attn_debugger.recording.capture.attribution import clean_name

# How the recorder names the second and later calls of one module in a forward.
_FURTHER_CALL = re.compile(r" \(call \d+\)$")


def first_calls(layers: Sequence[LayerInfo]) -> tuple[LayerInfo, ...]:
    """Return the layers without the further calls of a module that attends more than once.

    Such a module (ALBERT shares one layer) has one set of weights and several archive layers.
    """
    return tuple(layer for layer in layers if not _FURTHER_CALL.search(layer.facts.name))


def match_layers(
    sites: Sequence[Site], layers: Sequence[LayerInfo]
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return {path of the attention: index of the archive layer} and sentences on the rest."""
    found: dict[str, int] = {}
    further = [layer for layer in layers if _FURTHER_CALL.search(layer.facts.name)]
    layers = first_calls(layers)
    free = {layer.index: _parts(layer.facts.name) for layer in layers}
    for site in sites:
        partners = _best(_parts(site.path), free)
        if len(partners) == 1:
            found[site.path] = partners[0]
            del free[partners[0]]
    notes: list[str] = []
    lonely = [site for site in sites if site.path not in found]
    if lonely and len(lonely) == len(free):
        by_index = {layer.index: layer for layer in layers}
        pairs = list(zip(lonely, sorted(free), strict=True))
        if all(_fits(site, by_index[index]) for site, index in pairs):
            for site, index in pairs:
                found[site.path] = index
                del free[index]
            notes.append(
                say(
                    "{count} layers were matched by their order, because their names differ",
                    count=len(pairs),
                )
            )
            lonely = []
    notes += [
        say(
            "archive layer {layer} ({name}) runs on the weights of an earlier layer",
            layer=layer.index,
            name=layer.name,
        )
        for layer in further
    ]
    names = {layer.index: layer.name for layer in layers}
    notes += [
        say(
            "archive layer {index} ({name}) has no attention module in the checkpoint",
            index=index,
            name=names[index],
        )
        for index in sorted(free)
    ]
    notes += [
        say("{path} was not recorded in the archive", path=site.path or say("the root"))
        for site in lonely
    ]
    return found, tuple(notes)


def archive_heads(layer: LayerInfo) -> int | None:
    """Return the head count the archive knows of a layer; None = it was never captured."""
    return layer.n_heads or layer.facts.n_heads


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part for part in clean_name(name).split(".") if part)


def _best(path: tuple[str, ...], free: Mapping[int, tuple[str, ...]]) -> list[int]:
    """Return the layers whose name agrees best with `path`, most precise rule first."""
    for agrees in (operator.eq, _end_alike, _start_alike):
        matches = [index for index, name in free.items() if name and path and agrees(path, name)]
        if matches:
            return matches
    return []


def _end_alike(path: tuple[str, ...], name: tuple[str, ...]) -> bool:
    # A checkpoint of a wrapper ("model.blocks.0.attention"), or a recording of one.
    return path[-len(name) :] == name or name[-len(path) :] == path


def _start_alike(path: tuple[str, ...], name: tuple[str, ...]) -> bool:
    # The recorder saw the parent module ("blocks.0"), or a child of ours.
    return path[: len(name)] == name or name[: len(path)] == path


def _fits(site: Site, layer: LayerInfo) -> bool:
    heads, d_head = archive_heads(layer), layer.facts.d_head
    if site.query is None or heads is None:
        return True
    rows = int(site.query.shape[0])
    return rows % heads == 0 if d_head is None else rows == heads * d_head
