"""What each head is worth: its part of the output projection is silenced, one head at a time.

result = ablate_heads(live)
result.changes[layer][head]      # change of the loss on the batch; None = could not be silenced

A head's output enters its layer through its own columns of the output projection, so scaling those
columns scales exactly that head. `factor` 0 silences it, anything else rescales it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor

from attn_debugger.core.words import say
from attn_debugger.errors import ModelError
from attn_debugger.model.live import LiveModel
from attn_debugger.model.measure import choose_measure
from attn_debugger.model.sites import LiveSite, live_sites

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """The cost of every head: positive = the model is worse without it."""

    measure: str  # "next-token loss", ...
    unit: str
    baseline: float
    factor: float
    layers: tuple[str, ...]  # module paths, forward order
    changes: tuple[tuple[float | None, ...], ...]  # [layer][head]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return plain lists, numbers and strings."""
        return asdict(self)


def ablate_heads(
    live: LiveModel,
    *,
    factor: float = 0.0,
    only: tuple[int, int] | None = None,
    progress: Progress | None = None,
) -> Ablation:
    """Scale each head by `factor` in turn and measure what the batch then costs.

    `only` is the layer and head of a single one: the changes of all others are None. Raises
    `ModelError` when no head can be reached, when there is none at that place, or when the outputs
    are not finite already.
    """
    sites, _ = live_sites(live)
    measure, _ = choose_measure(live)
    silent = [site.path for site in sites if site.output is None]
    if len(silent) == len(sites):
        raise ModelError(
            say(
                "no output projection was recognised beside the attention, so no "
                "head can be silenced"
            )
        )
    if only is not None:
        _check_place(sites, only)
    shared = [s.output.data_ptr() for s in sites if s.output is not None]
    total = sum(site.heads for site in sites if site.output is not None) if only is None else 1
    done = 0
    changes: list[tuple[float | None, ...]] = []
    for layer, site in enumerate(sites):
        if site.output is None:
            changes.append((None,) * site.heads)
            continue
        row: list[float | None] = []
        for head in range(site.heads):
            if only not in (None, (layer, head)):
                row.append(None)
                continue
            with scaled_head(site.output, site.heads, head, factor):
                output = live.inputs.run(live.model, live.inputs.ids, live.inputs.real)
            change = measure.cost(output) - measure.baseline
            # JSON has no infinity: a head without which nothing is finite has no number.
            row.append(change if abs(change) < float("inf") else None)
            done += 1
            if progress is not None:
                progress(done, total, say("{path} head {head}", path=site.path, head=head))
        changes.append(tuple(row))
    notes = [say("{path}: no output projection was recognised", path=path) for path in silent]
    if len(set(shared)) < len(shared):
        notes.append(say("layers share an output projection: a head is silenced in all of them"))
    return Ablation(
        measure=measure.name,
        unit=measure.unit,
        baseline=measure.baseline,
        factor=factor,
        layers=tuple(site.path for site in sites),
        changes=tuple(changes),
        notes=tuple(notes),
    )


def _check_place(sites: Sequence[LiveSite], place: tuple[int, int]) -> None:
    layer, head = place
    if not (0 <= layer < len(sites) and 0 <= head < sites[layer].heads):
        raise ModelError(
            say(
                "the model has no head {head} in layer {layer}: it attends {n} times",
                head=head,
                layer=layer,
                n=len(sites),
            )
        )
    if sites[layer].output is None:
        raise ModelError(say("{path}: no output projection was recognised", path=sites[layer].path))


@contextmanager
def scaled_head(output: Tensor, heads: int, head: int, factor: float) -> Iterator[None]:
    """Multiply the columns of one head in (out, head * d), and put them back bit by bit."""
    width = output.shape[1] // heads
    columns = output[:, head * width : (head + 1) * width]
    kept = columns.clone()
    with torch.no_grad():
        columns.mul_(factor)
        try:
            yield
        finally:
            columns.copy_(kept)
