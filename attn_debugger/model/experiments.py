"""Rules of a Transformer tried out on the running model: change something, see what changes.

for check in run_checks(live):
    print(check.name, check.result, check.evidence or check.reason)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import torch

from attn_debugger.core.topology import ModelCheck
from attn_debugger.core.words import say
from attn_debugger.model.attention_experiments import try_order, try_row_sums, try_scale
from attn_debugger.model.captured import capture_attention
from attn_debugger.model.comparison import relative_error
from attn_debugger.model.live import LiveModel
from attn_debugger.model.output_experiments import (
    try_batch,
    try_causal,
    try_dropout,
    try_padding,
)
from attn_debugger.model.verdicts import InconclusiveError, failed, finite_run, passed

_HALF = {"float16": torch.float16, "bfloat16": torch.bfloat16}
# How many times the resolution of the dtype a result may be off, relative to its size.
_RESOLUTIONS = 32
_HALF_LARGEST = float(torch.finfo(torch.float16).max)
_HALF_MARGIN = 0.25  # SIGNALS: critical within a factor 4 of what float16 holds

Experiment = Callable[[LiveModel], ModelCheck]


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


def _precision(live: LiveModel) -> ModelCheck:
    """Compute in the dtype of training and in a finer one: the same, within its resolution."""
    named = str(live.facts.get("compute_dtype", "float32"))
    ids = live.inputs.ids
    first = next(live.model.parameters(), None)
    if first is None or first.dtype != torch.float32:
        raise InconclusiveError(say("needs a model with float32 parameters"))
    exact = finite_run(live, ids)
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
        return failed(
            "precision",
            say(
                "q.k reaches {reached:.3g} before it is scaled; float16 holds {limit:.0f}",
                reached=reached,
                limit=_HALF_LARGEST,
            ),
        )
    if not torch.isfinite(coarse).all():
        return failed(
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
    return failed("precision", said) if error > allowed else passed("precision", said)


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
    say("padding"): try_padding,
    say("causal"): try_causal,
    say("order"): try_order,
    say("scale"): try_scale,
    say("dropout"): try_dropout,
    say("row_sums"): try_row_sums,
    say("batch"): try_batch,
    say("precision"): _precision,
}
