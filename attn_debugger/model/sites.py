"""The attentions of a running model: where each was seen, and the weights behind its heads."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from attn_debugger.core.run import LayerFacts, LayerInfo
from attn_debugger.core.words import say
from attn_debugger.errors import ModelError
from attn_debugger.model.captured import capture_attention
from attn_debugger.model.live import LiveModel
from attn_debugger.model.matching import match_layers
from attn_debugger.model.naming import find_attention
from attn_debugger.recording.capture.call import Capture


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSite:
    """One attention of the model. `output` is (out, head * d): a view of the parameter itself."""

    path: str
    layer: int  # place in the forward
    heads: int
    output: Tensor | None  # None = no output projection was recognised
    site: str = ""  # its path among the parameters; "" = not recognised there


def live_sites(live: LiveModel) -> tuple[tuple[LiveSite, ...], tuple[Capture, ...]]:
    """Run the batch once; return its attentions in forward order and what was captured.

    Raises `ModelError` when no attention could be captured.
    """
    captures, _ = capture_attention(live, live.inputs.ids, live.inputs.real)
    if not captures:
        raise ModelError(say("no attention was seen in the model's forward"))
    found = find_attention(live.model.state_dict())
    partners, _ = match_layers(found, [_info(i, capture) for i, capture in enumerate(captures)])
    by_layer = {layer: path for path, layer in partners.items()}
    outputs = {site.path: site.output for site in found}
    sites = []
    for layer, capture in enumerate(captures):
        heads = int(capture.shape[1])
        site = by_layer.get(layer, "")
        output = outputs.get(site)
        if output is not None and output.shape[1] % heads:
            output = None
        sites.append(
            LiveSite(path=capture.path, layer=layer, heads=heads, output=output, site=site)
        )
    return tuple(sites), captures


def _info(index: int, capture: Capture) -> LayerInfo:
    _, heads, queries, keys = capture.shape
    d_head = None if capture.q is None else int(capture.q.shape[-1])
    return LayerInfo(
        index=index,
        facts=LayerFacts(name=capture.path, n_heads=heads, d_head=d_head),
        n_samples=capture.shape[0],
        n_heads=heads,
        n_queries=queries,
        n_keys=keys,
        storage="float32",
        maps=frozenset(("weights",)),
        stats=frozenset(),
    )
