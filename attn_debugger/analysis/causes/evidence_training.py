"""Evidence from how the training went: its rates, losses, resumes, and what stands still."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from attn_debugger.analysis.causes.case import CaseFile, Ruling, confirmed, excluded, unknown
from attn_debugger.analysis.flags.drafts import Draft
from attn_debugger.analysis.flags.runwide import known_rates, starts_at_full_rate
from attn_debugger.analysis.histories.anomalies import series_of
from attn_debugger.core.words import say


def _no_warmup(draft: Draft, case: CaseFile) -> Ruling:
    rates = known_rates(case.run)
    if len(rates) < 2:
        return unknown(say("the learning rate was not logged: recorder.log(lr=...)"))
    if starts_at_full_rate(case.run):
        return confirmed(
            say("the learning rate is {rate:.3g} from the first step on", rate=rates[0, 1])
        )
    return excluded(
        say(
            "the learning rate starts at {rate:.3g} and peaks at {peak:.3g}",
            rate=rates[0, 1],
            peak=rates[:, 1].max(),
        )
    )


def _rate_zero(draft: Draft, case: CaseFile) -> Ruling:
    rates = known_rates(case.run)
    if not len(rates):
        return unknown(say("the learning rate was not logged: recorder.log(lr=...)"))
    if rates[:, 1].max() == 0:
        return confirmed(say("the logged learning rate is 0"))
    return excluded(say("the learning rate reaches {peak:.3g}", peak=rates[:, 1].max()))


def _frozen(draft: Draft, case: CaseFile) -> Ruling:
    by_model = case.model_check("projections train")
    if by_model is not None:
        return by_model
    if case.others(draft, "frozen_head", "frozen_layer", "frozen_all"):
        return confirmed(say("the maps do not change on the fixed probe"))
    if case.judged("frozen_head", draft):
        return excluded(say("the maps change on the fixed probe"))
    return unknown(say("needs a fixed probe: record(model, path, probe=batch)"))


def _resumed(draft: Draft, case: CaseFile) -> Ruling:
    near = [event for event in case.run.events if "resum" in event.kind.lower()]
    hits = [event for event in near if event.step <= (draft.first_step or 0)]
    if hits and (draft.first_step or 0) - hits[-1].step <= _interval(case):
        return confirmed(say("the run was resumed at step {step}", step=hits[-1].step))
    if case.run.events and not near:
        return excluded(say("no resume is among the run's events"))
    return unknown(say("the archive does not say whether the run was resumed"))


def _interval(case: CaseFile) -> float:
    steps = np.unique(case.run.steps)
    return float(np.median(np.diff(steps))) if len(steps) > 1 else math.inf


def _rate_spike(draft: Draft, case: CaseFile) -> Ruling:
    """A loss that breaks at that step may as well follow from the change: it is no proof."""
    start, reach = draft.first_step or 0, 2 * _interval(case)
    near = [s for s in case.anomalies.gradient if start - reach <= s <= start]
    if near:
        return confirmed(say("the gradient norm broke at step {step}", step=near[0]))
    rate = series_of(case.run, "lr")
    before = rate[rate[:, 0] < start - reach, 1]
    around = rate[(rate[:, 0] >= start - reach) & (rate[:, 0] <= start), 1]
    if len(before) and len(around) and around.max() > 2 * before.max():
        return confirmed(say("the learning rate rises to {rate:.3g}", rate=float(around.max())))
    if len(before) and len(around) and len(series_of(case.run, "grad_norm")):
        return excluded(say("neither learning rate nor gradient norm rose at that step"))
    return unknown(
        say("learning rate and gradient norm were not both logged: recorder.log(lr=, grad_norm=)")
    )


def _loss_fine(draft: Draft, case: CaseFile) -> Ruling:
    if case.anomalies.corroborating:
        return excluded(say("the loss broke at step {step}", step=case.anomalies.loss[0]))
    if _loss_known(case):
        return confirmed(say("the loss shows no anomaly"))
    return unknown(say("the loss was not logged: recorder.log(loss=...)"))


def _loss_known(case: CaseFile) -> bool:
    return any("loss" in name and "scale" not in name for name in case.run.curves) or any(
        name == "loss" and bool(np.isfinite(values).any())
        for name, values in case.run.scalars.items()
    )


def _few_heads(draft: Draft, case: CaseFile) -> Ruling:
    del case
    if len(draft.heads) <= 2:
        return confirmed(say("{count} head(s) changed", count=len(draft.heads)))
    return excluded(say("{count} heads changed at once", count=len(draft.heads)))


TESTS: dict[str, Callable[[Draft, CaseFile], Ruling]] = {
    "no_warmup": _no_warmup,
    "rate_zero": _rate_zero,
    "frozen": _frozen,
    "resumed": _resumed,
    "rate_spike": _rate_spike,
    "loss_fine": _loss_fine,
    "few_heads": _few_heads,
}
