"""Findings about the run as a whole: crashes, the learning rate, spikes of loss and gradient."""

from __future__ import annotations

import math

import numpy as np

from attn_debugger.analysis.arrays import Floats
from attn_debugger.analysis.flags.drafts import Draft, for_run
from attn_debugger.analysis.histories.anomalies import Anomalies, series_of
from attn_debugger.analysis.signals.findings import Finding
from attn_debugger.core.flags import NotEvaluated, Severity
from attn_debugger.core.run import Run
from attn_debugger.core.words import say


def run_drafts(run: Run, anomalies: Anomalies, frames: frozenset[int]) -> list[Draft]:
    """Return what can be said without any map; `frames` are those examined so far."""
    drafts = []
    if run.crash is not None:
        drafts.append(_crash(run))
    for signal, name, steps, value in (
        ("loss_anomaly", say("loss"), anomalies.loss, anomalies.loss_value),
        ("grad_anomaly", say("gradient norm"), anomalies.gradient, anomalies.gradient_value),
    ):
        if steps:
            drafts.append(_anomaly(run, signal, name, steps, value))
    if frames and starts_at_full_rate(run):
        finding = Finding(
            signal="no_warmup",
            severity=Severity.LABEL,
            evidence=say("the learning rate is at its maximum from the first step"),
        )
        first = int(run.steps[0]) if run.n_frames else None
        drafts.append(for_run(finding, first, 0 if run.n_frames else None))
    return drafts


def run_gaps(run: Run) -> list[NotEvaluated]:
    """Which signals of the run as a whole could not be judged, and what to log."""
    gaps = []
    for signal, name in (("loss_anomaly", "loss"), ("grad_anomaly", "grad_norm")):
        if len(series_of(run, name)) <= 4:
            gaps.append(
                NotEvaluated(
                    signal=signal,
                    layer=None,
                    reason=say("fewer than five values of {name} were logged", name=name),
                    advice=f"recorder.log({name}={name})",
                )
            )
    if len(known_rates(run)) < 2:
        gaps.append(
            NotEvaluated(
                signal="no_warmup",
                layer=None,
                reason=say("the learning rate was not logged"),
                advice="recorder.log(lr=lr)",
            )
        )
    return gaps


def _crash(run: Run) -> Draft:
    crash = run.crash or {}
    module, message = str(crash.get("module", "")), str(crash.get("message", ""))
    where = say(" in {module}", module=module) if module else ""
    finding = Finding(
        signal="forward_raised",
        severity=Severity.CRITICAL,
        evidence=say(
            "the model's forward raised{where}: {message}",
            where=where,
            message=message or say("no message was kept"),
        ),
    )
    step = crash.get("step")
    last = int(run.steps[-1]) if run.n_frames else None
    at = int(step) if isinstance(step, (int, np.integer)) else last
    return for_run(finding, at, run.n_frames - 1 if run.n_frames else None)


def _anomaly(run: Run, signal: str, name: str, steps: tuple[int, ...], value: float) -> Draft:
    shown = f"{value:.4g}" if math.isfinite(value) else say("not finite")
    finding = Finding(
        signal=signal,
        severity=Severity.LABEL,
        evidence=say("the {name} leaves its trend ({shown})", name=name, shown=shown),
        value=value if math.isfinite(value) else None,
    )
    frame = run.nearest_frame(steps[0]) if run.n_frames else None
    draft = for_run(finding, steps[0], frame)
    draft.last_step = steps[-1]
    draft.last_frame = run.nearest_frame(steps[-1]) if run.n_frames else None
    draft.frames = len(steps)
    return draft


def starts_at_full_rate(run: Run) -> bool:
    """Whether the first known learning rate is the largest: no warm-up was used.

    A constant rate counts; a run that was resumed (its first step is not near 0) does not.
    """
    rates = known_rates(run)
    if len(rates) < 2:
        return False
    step, first = rates[0]
    interval = float(rates[1, 0] - step)
    return bool(step <= max(1.0, interval) and first > 0 and first >= rates[:, 1].max() * 0.999)


def known_rates(run: Run) -> Floats:
    """(T, 2): step and learning rate, as far as they were logged."""
    curve = run.curves.get("lr")
    if curve is not None and curve.ndim == 2 and len(curve):
        rates = np.asarray(curve[np.argsort(curve[:, 0], kind="stable")], float)
    elif "lr" in run.scalars and len(run.scalars["lr"]) == len(run.steps):
        rates = np.column_stack([run.steps, run.scalars["lr"]]).astype(float)
    else:
        return np.zeros((0, 2))
    known: Floats = rates[np.isfinite(rates[:, 1])]
    return known
