"""Where non-finite values entered: with the input, a projection, the scores, a mask, an update."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attn_debugger.analysis.causes.case import CaseFile, Ruling, confirmed, excluded, unknown
from attn_debugger.analysis.flags.drafts import Draft
from attn_debugger.core.run import Run
from attn_debugger.core.words import join, say

_NOT_COUNTED = say("not counted: record with attn_debugger.record, which counts non-finite values")


def _input(draft: Draft, case: CaseFile) -> Ruling:
    if "input>0" in draft.marks or case.others(draft, "input_nonfinite"):
        return confirmed(say("the layer's input holds non-finite values"))
    if "input=0" in draft.marks:
        return excluded(say("the layer's input is finite"))
    return unknown(say("the layer's input was {why}", why=_NOT_COUNTED))


def _projection(draft: Draft, case: CaseFile) -> Ruling:
    del case
    broken = [name for name in ("q", "k", "v") if f"{name}>0" in draft.marks]
    if broken and "input>0" in draft.marks:
        return excluded(say("the input was not finite already"))
    if broken:
        return confirmed(say("{broken} hold non-finite values", broken=join(" and ", broken)))
    if {"q=0", "k=0"} <= draft.marks:
        return excluded(say("q and k are finite"))
    return unknown(say("q and k were {why}", why=_NOT_COUNTED))


def _overflow(draft: Draft, case: CaseFile) -> Ruling:
    if case.others(draft, "score_overflow"):
        return confirmed(say("scores of this layer are infinite inside the mask"))
    if "scores finite" in draft.marks or case.judged("score_overflow", draft):
        return excluded(say("no score of this layer is infinite inside the mask"))
    return unknown(say("scores not recorded: record(model, path, scores=True)"))


def _masked(draft: Draft, case: CaseFile) -> Ruling:
    at = draft.first_frame
    rows = [
        other
        for other in case.drafts
        if other.signal == "fully_masked_row"
        and other.first_frame is not None
        and at is not None
        and other.first_frame <= at
        and (other.layer or 0) <= (draft.layer or 0)
    ]
    if rows:
        return confirmed(
            say("layer {layer} has rows without any key at that step", layer=rows[0].layer)
        )
    return excluded(say("no row of this or a lower layer is without a key"))


def _bad_update(draft: Draft, case: CaseFile) -> Ruling:
    step = draft.first_step if draft.first_step is not None else 0
    model = case.model
    if model is not None and model.n_nonfinite:
        at = say(" of step {step}", step=model.step) if model.step is not None else ""
        return confirmed(
            say(
                "the checkpoint{at} holds {n_nonfinite} non-finite parameters",
                at=at,
                n_nonfinite=model.n_nonfinite,
            )
        )
    for name, word in (("grad_norm", say("gradient norm")), ("loss", say("loss"))):
        bad = first_nonfinite(case.run, name)
        if bad is not None and bad <= step:
            return confirmed(
                say(
                    "the {word} is not finite at step {bad}, before the weights", word=word, bad=bad
                )
            )
    whole = "whole layer" in draft.marks
    if not whole:
        return excluded(say("only some rows or heads are NaN: the parameters are still finite"))
    return unknown(
        say("every row of the layer is NaN, as after a bad update; see the gradient norm")
    )


def first_nonfinite(run: Run, name: str) -> int | None:
    """First step at which a logged curve or scalar is infinite (or NaN in a curve)."""
    curve = run.curves.get(name)
    if curve is not None and curve.ndim == 2 and len(curve):
        bad = ~np.isfinite(curve[:, 1])
        return int(curve[bad, 0].min()) if bad.any() else None
    values = run.scalars.get(name)
    if values is None or len(values) != len(run.steps):
        return None
    bad = np.isinf(values)  # NaN means "not logged" there
    return int(run.steps[bad].min()) if bad.any() else None


def _lower_output(draft: Draft, case: CaseFile) -> Ruling:
    del case
    if not draft.layer:
        return excluded(say("there is no recorded layer below"))
    return unknown(
        say(
            "layer {layer} is the last finite one recorded: look at its output",
            layer=draft.layer - 1,
        )
    )


def _first_layer(draft: Draft, case: CaseFile) -> Ruling:
    del case
    if draft.layer == 0:
        return unknown(say("it is the lowest layer: look at the batch and the embedding"))
    return excluded(say("lower layers were finite"))


def _left_padding(draft: Draft, case: CaseFile) -> Ruling:
    facts = case.facts(draft)
    if facts.causal and draft.query == 0:
        return confirmed(say("the first rows of a causal layer are concerned"))
    if facts.causal is False:
        return excluded(say("the layer is not causal"))
    return unknown(say("needs the padding mask and the causal flag"))


def _empty_sample(draft: Draft, case: CaseFile) -> Ruling:
    del case
    if draft.query == 0:
        return unknown(say("see whether all rows of the sample are concerned"))
    return excluded(say("the first rows of the sample have keys"))


def _crash_text(words: tuple[str, ...], name: str) -> Callable[[Draft, CaseFile], Ruling]:
    def test(draft: Draft, case: CaseFile) -> Ruling:
        message = str((case.run.crash or {}).get("message", "")).lower()
        hit = next((word for word in words if word in message), None)
        if hit is not None:
            return confirmed(say("the message says `{hit}`", hit=hit))
        return excluded(say("the message does not speak of {name}", name=name))

    return test


TESTS: dict[str, Callable[[Draft, CaseFile], Ruling]] = {
    "input_nonfinite": _input,
    "projection_nonfinite": _projection,
    "score_overflow": _overflow,
    "masked_rows": _masked,
    "bad_update": _bad_update,
    "lower_output": _lower_output,
    "first_layer": _first_layer,
    "left_padding": _left_padding,
    "empty_sample": _empty_sample,
    "crash_dtype": _crash_text(("but found", "dtype", "half", "bfloat16"), say("dtypes")),
    "crash_shape": _crash_text(
        ("cannot be multiplied", "shape", "size mismatch", "must match"), say("shapes")
    ),
    "crash_index": _crash_text(("index out of range", "index", "device-side"), say("indices")),
}
