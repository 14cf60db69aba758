"""The search for the first step at which two runs part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from attn_debugger.analysis.beside.divergence import (
    TOLERANCE,
    Divergence,
    head_differences,
    parted,
    scalar_parting,
)
from attn_debugger.analysis.beside.inputs import Inputs, same_batch, same_inputs
from attn_debugger.analysis.beside.pairing import LayerPair, Pairing, pair_runs
from attn_debugger.core.frame import LayerFrame
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.source import RunSource
from attn_debugger.errors import AttnDebuggerError

Progress = Callable[[int, int, int], None]  # done, total, step


@dataclass
class _Frame:
    """What one common frame says."""

    heads: list[tuple[HeadRef, float]] = field(default_factory=list)
    n_layers: int = 0  # that could be compared
    inputs: Inputs = "unknown"


def find_divergence(
    a: RunSource,
    b: RunSource,
    *,
    tolerance: float = TOLERANCE,
    after: int | None = None,
    progress: Progress = lambda done, total, step: None,
) -> Divergence:
    """Return the first common step at which a head's weights differ by more than `tolerance`.

    Steps are looked at in ascending order (beyond `after`, if given), all common samples, until
    one parts. Where the two runs saw different inputs a difference is not one of the models: such
    steps are passed over and counted. A frame that cannot be read is noted and passed over.
    """
    pairing = pair_runs(a.run, b.run)
    common = pairing.common
    common = common[np.argsort(a.run.steps[common], kind="stable")]
    if after is not None:
        common = common[a.run.steps[common] > after]
    found = Divergence(
        tolerance=tolerance,
        n_common=len(common),
        scalar=scalar_parting(a.run, b.run, pairing),
    )
    for done, frame in enumerate(common.tolist()):
        step = int(a.run.steps[frame])
        progress(done, len(common), step)
        try:
            here = _compare(a, b, frame, pairing, tolerance)
        except (AttnDebuggerError, OSError) as error:
            found = replace(found, problems=(*found.problems, str(error)))
            continue
        found = replace(
            found,
            last_step=step,
            n_compared=found.n_compared + (here.n_layers > 0),
            n_other_input=found.n_other_input + (here.inputs == "different"),
        )
        if here.heads:
            heads = sorted(here.heads, key=lambda item: -item[1])
            known = here.inputs == "same"
            return replace(found, step=step, frame=frame, heads=tuple(heads), inputs_known=known)
    return found


def _compare(a: RunSource, b: RunSource, frame: int, pairing: Pairing, tolerance: float) -> _Frame:
    found = _Frame()
    partner = int(pairing.frames[frame])
    largest: dict[HeadRef, float] = {}
    for pair, sample in _places(pairing):
        ours = a.layer(frame, pair.a, sample, maps=("weights",))
        theirs = b.layer(partner, pair.b, sample, maps=("weights",))
        inputs = same_inputs(ours, theirs, a.run, b.run)
        if inputs == "different":
            return _Frame(inputs=inputs)
        found.inputs = inputs if found.n_layers == 0 else found.inputs
        differences = _differences(ours, theirs, pair)
        if differences is None:
            continue
        found.n_layers += 1
        for head in parted(differences, tolerance).tolist():
            place = HeadRef(pair.a, head)
            largest[place] = max(largest.get(place, 0.0), float(differences[head]))
    if not found.n_layers:
        found.inputs = same_batch(a.run, frame, b.run, partner)
    found.heads = list(largest.items())
    return found


def _places(pairing: Pairing) -> Iterator[tuple[LayerPair, int]]:
    for pair in pairing.layers:
        for sample in range(pairing.n_samples):
            yield pair, sample


def _differences(
    a: LayerFrame, b: LayerFrame, pair: LayerPair
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None:
    """Return each common head's difference, None where there are no two maps of one shape."""
    if a.weights is None or b.weights is None or not a.present or not b.present:
        return None
    ours, theirs = a.weights[: pair.n_heads], b.weights[: pair.n_heads]
    if ours.shape != theirs.shape or not ours.size:
        return None
    return head_differences(ours, theirs)
