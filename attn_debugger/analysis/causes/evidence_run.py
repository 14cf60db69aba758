"""Evidence from the run's facts, its curves and its other flags."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attn_debugger.analysis.causes.case import CaseFile, Ruling, confirmed, excluded, unknown
from attn_debugger.analysis.flags.drafts import Draft
from attn_debugger.core.words import say


def _half_precision(draft: Draft, case: CaseFile) -> Ruling:
    dtype = (case.facts(draft).compute_dtype or "").removeprefix("torch.")
    if dtype in ("float16", "bfloat16"):
        return confirmed(say("scores and softmax are computed in {dtype}", dtype=dtype))
    if dtype:
        return excluded(say("scores and softmax are computed in {dtype}", dtype=dtype))
    return unknown(say("compute_dtype is not recorded"))


def _growing_scores(draft: Draft, case: CaseFile) -> Ruling:
    grown = case.others(draft, "score_growth")
    if grown:
        return confirmed(
            say("|score| has grown since step {step}", step=min(d.first_step or 0 for d in grown))
        )
    large = case.others(draft, "score_extreme")
    if large:
        return unknown(
            say("{evidence}, growth over steps was not seen", evidence=large[0].evidence)
        )
    if case.judged("score_growth", draft):
        return excluded(say("the largest |score| does not grow"))
    return unknown(say("scores not recorded, or too few frames: scores=True"))


def _large_scores(draft: Draft, case: CaseFile) -> Ruling:
    large = case.others(draft, "score_extreme")
    if large:
        return confirmed(large[0].evidence)
    if case.judged("score_extreme", draft):
        return excluded(say("|score| stays below the limits"))
    return unknown(say("scores not recorded: record(model, path, scores=True)"))


def _scale_factor(mark: str, right: str) -> Callable[[Draft, CaseFile], Ruling]:
    def test(draft: Draft, case: CaseFile) -> Ruling:
        wrong = case.others(draft, "scale_mismatch")
        named = [other for other in wrong if mark in other.marks]
        if named:
            return confirmed(named[0].evidence)
        if wrong:
            return excluded(wrong[0].evidence)
        if case.judged("scale_mismatch", draft):
            return excluded(right)
        return unknown(say("scores, q and k not recorded: scores=True, qk=True"))

    return test


def _at_start(draft: Draft, case: CaseFile) -> Ruling:
    by_model = case.model_check("initial scale")
    if by_model is not None:
        return by_model
    large = [draft] if draft.signal == "score_extreme" else case.others(draft, "score_extreme")
    early = [other for other in large if other.first_frame == 0]
    if early:
        return confirmed(say("in the very first frame, {evidence}", evidence=early[0].evidence))
    if large:
        return excluded(say("scores were ordinary in the first frame"))
    if case.judged("score_extreme", draft):
        return excluded(say("|score| stays below the limits"))
    return unknown(say("scores not recorded: record(model, path, scores=True)"))


def _no_dropout(draft: Draft, case: CaseFile) -> Ruling:
    facts = case.facts(draft)
    for name in ("dropout_p", "attention_dropout", "model_dropout"):
        value = facts.extra.get(name, case.run.attributes.get(name))
        if isinstance(value, (int, float, np.integer, np.floating)):
            rate = float(value)
            return (
                excluded(say("dropout {rate:g} was recorded", rate=rate))
                if rate > 0
                else confirmed(say("dropout 0 was recorded"))
            )
    if facts.dropout > 0:
        return excluded(say("dropout {dropout:g} was recorded", dropout=facts.dropout))
    return unknown(say("the dropout rate is not recorded"))


def _shared_qk(draft: Draft, case: CaseFile) -> Ruling:
    by_model = case.model_check("query and key differ")
    if by_model is not None:
        return by_model if by_model.status == "confirmed" else _both_used(case)
    if case.run.checkpoints:
        return unknown(say("the run lists checkpoints: load one in the model panel"))
    return unknown(say("no checkpoint is attached"))


def _both_used(case: CaseFile) -> Ruling:
    """Two different matrices are no proof: a forward may use one of them for both."""
    trained = case.model_check("projections train")
    if trained is None:
        return unknown(
            say("W_q and W_k differ; whether both are used shows between two checkpoints")
        )
    idle = [part for part in ("query", "key") if f"{part} of " in trained.because]
    if trained.status == "confirmed" and len(idle) == 1:
        return trained
    if trained.status == "confirmed" and idle:
        return unknown(
            say("W_q and W_k differ, and neither has moved since the earliest checkpoint")
        )
    return excluded(say("W_q and W_k differ, and both are trained"))


def _in_the_weights(draft: Draft, case: CaseFile) -> Ruling:
    del draft
    if case.run.checkpoints:
        return unknown(say("the run lists checkpoints: read them in the model panel"))
    return unknown(say("no checkpoints are attached"))


def _training_mode(draft: Draft, case: CaseFile) -> Ruling:
    training = case.facts(draft).training
    if training is None:
        return unknown(say("the mode (train or eval) is not recorded"))
    if training:
        return confirmed(say("the model was in training mode"))
    return excluded(say("the model was in eval mode"))


def _fused_backend(draft: Draft, case: CaseFile) -> Ruling:
    backend = case.facts(draft).backend
    if not backend:
        return unknown(say("the attention backend is not recorded"))
    if backend == "eager":
        return excluded(say("the backend is eager"))
    return confirmed(say("the backend is {backend}", backend=backend))


def _backend_known(draft: Draft, case: CaseFile) -> Ruling:
    backend = case.facts(draft).backend
    return unknown(
        say("the backend is {backend}", backend=backend)
        if backend
        else say("the backend is not recorded")
    )


def _gaps_in_eval(draft: Draft, case: CaseFile) -> Ruling:
    if draft.stream in ("val", "probe") and "train" in case.run.streams:
        return confirmed(say("gaps begin in the {stream} stream", stream=draft.stream))
    if draft.frames == case.run.n_frames:
        return excluded(say("every frame is a gap, not the evaluation steps alone"))
    return unknown(say("compare the gaps with the evaluation steps"))


def _cross(draft: Draft, case: CaseFile) -> Ruling:
    if case.facts(draft).kind == "cross":
        return unknown(say("the layer is cross-attention; see whether it ever aligned"))
    return excluded(say("the layer is self-attention"))


def _scale_undeclared(draft: Draft, case: CaseFile) -> Ruling:
    scale = case.facts(draft).scale
    if scale is not None:
        return excluded(say("scale {scale:.4g} is declared", scale=scale))
    return unknown(say("no scale is declared, 1/sqrt(d_head) was assumed"))


def _constant_is_scale(draft: Draft, case: CaseFile) -> Ruling:
    if "which is" in draft.evidence:
        return confirmed(draft.evidence)
    return unknown(say("the constant is none of the known factors, or d_head is not recorded"))


def _sink_undeclared(draft: Draft, case: CaseFile) -> Ruling:
    return unknown(say("the archive does not declare sink_logit"))


def _mask_known(draft: Draft, case: CaseFile) -> Ruling:
    layer = draft.layer
    if layer is not None and layer < len(case.run.layers):
        info = case.run.layers[layer]
        if info.has_mask or info.has_padding:
            return unknown(say("compare the missing mass with what the masked keys would get"))
    return unknown(say("no mask and no padding are recorded"))


TESTS: dict[str, Callable[[Draft, CaseFile], Ruling]] = {
    "half_precision": _half_precision,
    "growing_scores": _growing_scores,
    "large_scores": _large_scores,
    "missing_scale": _scale_factor("factor_missing", say("the scores have the declared scale")),
    "factor_twice_layer": _scale_factor("factor_twice", say("the scores have the declared scale")),
    "at_start": _at_start,
    "no_dropout": _no_dropout,
    "shared_qk": _shared_qk,
    "projections_grow": _in_the_weights,
    "values_grow": _in_the_weights,
    "training_mode": _training_mode,
    "fused_backend": _fused_backend,
    "backend_known": _backend_known,
    "gaps_in_eval": _gaps_in_eval,
    "cross": _cross,
    "scale_undeclared": _scale_undeclared,
    "constant_is_scale": _constant_is_scale,
    "sink_undeclared": _sink_undeclared,
    "mask_known": _mask_known,
}
