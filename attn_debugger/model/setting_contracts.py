"""Rules on how a model is meant to be built and trained: dropout, norms, optimiser, warm-up.

Weights alone do not tell these; a configuration, the optimiser's state or a recorded learning rate
does. Where none of them does, the rule is not run and says what is missing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeGuard

import numpy as np

from attn_debugger.analysis.flags.runwide import known_rates
from attn_debugger.core.run import Run
from attn_debugger.core.topology import ModelCheck
from attn_debugger.core.words import join, say
from attn_debugger.model.training_state import TrainingState

Placement = Literal["pre-norm", "post-norm"]

_MOST_DROPOUT = 0.5
_LARGEST_EPS = 1e-2  # a variance of ordinary activations is around 1
_LARGEST_ADAM_RATE = 0.1
_LARGEST_DECAY = 1.0
_DROPOUT_KEY = re.compile(r"dropout|(^|_)p?drop($|_)|pdrop")
_EPS_KEY = re.compile(r"^(layer_?norm|rms_?norm|norm|ln)_?eps(ilon)?$|^eps(ilon)?$")
_NORM = re.compile(r"norm|(^|\.)ln(_|\d|\.|$)", re.IGNORECASE)
_PRE_FLAGS = (
    "norm_first", "pre_norm", "prenorm", "normalize_before", "encoder_normalize_before",
    "do_layer_norm_before",
)  # fmt: skip
# Norms whose names say where they stand, as their libraries call them.
_PRE_NAMES = re.compile(
    r"(^|\.)(ln_1|ln_2|input_layernorm|layernorm_before|pre_norm|prenorm|attention_norm|attn_norm"
    r"|layer\.\d+\.layer_norm)\."
)
_POST_NAMES = re.compile(r"attention\.output\.LayerNorm\.|(^|\.)sa_layer_norm\.|(^|\.)post_norm\.")


def check_settings(
    config: Mapping[str, Any],
    names: Sequence[str],
    training: TrainingState,
    run: Run | None,
) -> tuple[ModelCheck, ...]:
    """Return the rules with their results. `names` are those of the parameters."""
    placement, why = norm_placement(config, names)
    return (
        _dropout(config),
        _norms(config, names, placement, why),
        _optimiser(training),
        _warm_up(config, training, run, placement),
    )


def norm_placement(config: Mapping[str, Any], names: Sequence[str]) -> tuple[Placement | None, str]:
    """Return where the norms stand in a block and what says so; None = nothing says it."""
    for key, value in _settings(config):
        if key in _PRE_FLAGS and isinstance(value, bool):
            return ("pre-norm" if value else "post-norm"), f"{key}={value}"
    for pattern, placement in ((_POST_NAMES, "post-norm"), (_PRE_NAMES, "pre-norm")):
        found = next((name for name in names if pattern.search(name)), None)
        if found is not None:
            return placement, found  # type: ignore[return-value]
    return None, ""


def _dropout(config: Mapping[str, Any]) -> ModelCheck:
    name = say("dropout at most 0.5")
    rates = {
        key: float(value)
        for key, value in _settings(config)
        if _DROPOUT_KEY.search(key) and _is_number(value)
    }
    if not rates:
        reason = say("nothing here states a dropout: no configuration, or none in it")
        return ModelCheck(name=name, result="not_run", reason=reason)
    wrong = [
        say("{key} is {value:g}", key=key, value=value)
        for key, value in rates.items()
        if not 0 <= value <= _MOST_DROPOUT
    ]
    if wrong:
        said = say("{wrong}: most of what passes is thrown away", wrong=_listing(wrong))
        return ModelCheck(name=name, result="failed", evidence=said)
    largest = max(rates, key=lambda key: rates[key])
    return ModelCheck(
        name=name,
        result="passed",
        evidence=say("at most {rate:g} ({largest})", rate=rates[largest], largest=largest),
    )


def _norms(
    config: Mapping[str, Any], names: Sequence[str], placement: Placement | None, why: str
) -> ModelCheck:
    name = say("norms: placement and eps")
    norms = [n for n in names if _NORM.search(n) and n.endswith(("weight", "scale", "gamma"))]
    # q_norm and k_norm stand inside the attention.
    inner = [n for n in norms if re.search(r"\.\d+\.", n) and not re.search(r"[qk]_norm", n)]
    eps = {key: float(v) for key, v in _settings(config) if _EPS_KEY.search(key) and _is_number(v)}
    wrong = [
        say("{key} is {v:g}", key=key, v=v) for key, v in eps.items() if not 0 < v <= _LARGEST_EPS
    ]
    if wrong:
        said = say(
            "{wrong}: it must be small and above 0 (1e-12 to 1e-5 are usual)", wrong=_listing(wrong)
        )
        return ModelCheck(name=name, result="failed", evidence=said)
    stated = ", ".join(f"{key} {v:g}" for key, v in eps.items()) or say("eps is not stated here")
    if not norms and placement is None:
        reason = say("no norm layer was recognised by its name; {stated}", stated=stated)
        return ModelCheck(name=name, result="not_run", reason=reason)
    if placement is None:
        reason = say(
            "{n_norms} norms; whether before or after the attention, neither "
            "their names nor a configuration tell; {stated}",
            n_norms=len(norms),
            stated=stated,
        )
        return ModelCheck(name=name, result="not_run", reason=reason)
    last = [n for n in norms if not re.search(r"\.\d+\.", n) and "embed" not in n.lower()]
    if placement == "pre-norm" and inner and not last:
        said = say(
            "pre-norm ({why}), and no norm after the last layer: its output is never normalised",
            why=why,
        )
        return ModelCheck(name=name, result="failed", evidence=said)
    return ModelCheck(name=name, result="passed", evidence=f"{placement} ({why}); {stated}")


def _optimiser(training: TrainingState) -> ModelCheck:
    name = say("optimiser settings")
    if not training.groups:
        reason = say("the checkpoint holds no optimiser")
        return ModelCheck(name=name, result="not_run", reason=reason)
    wrong = [say("{entry} is not finite", entry=entry) for entry in training.nonfinite]
    seen = []
    for group in training.groups:
        for key, good in _GOOD.items():
            value = group.get(key)
            numbers = value if isinstance(value, list | tuple) else [value]
            if any(_is_number(number) and not good(float(number), group) for number in numbers):
                wrong.append(say("{key} is {value}", key=key, value=value))
        parts = [f"{k} {_shown(group[k])}" for k in _GOOD if k in group and group[k] is not None]
        seen.append(", ".join(parts))
    if wrong:
        return ModelCheck(name=name, result="failed", evidence=_listing(wrong))
    said = join(
        "",
        (
            "; ".join(dict.fromkeys(seen)),
            say(" for {n_parameters} tensors", n_parameters=training.n_parameters),
        ),
    )
    return ModelCheck(name=name, result="passed", evidence=said)


def _is_rate(value: float, group: Mapping[str, Any]) -> bool:
    # A rate of 0 is the end of many schedules.
    return math.isfinite(value) and 0 <= value <= (_LARGEST_ADAM_RATE if "betas" in group else 10)


_GOOD: Mapping[str, Callable[[float, Mapping[str, Any]], bool]] = {
    "lr": _is_rate,
    "betas": lambda value, _: 0 <= value < 1,
    "eps": lambda value, _: 0 < value < _LARGEST_EPS,
    "momentum": lambda value, _: 0 <= value < 1,
    "weight_decay": lambda value, _: 0 <= value <= _LARGEST_DECAY,
}


def _warm_up(
    config: Mapping[str, Any],
    training: TrainingState,
    run: Run | None,
    placement: Placement | None,
) -> ModelCheck:
    """Post-norm needs warm-up, pre-norm does without (Xiong et al. 2020)."""
    name = "warm-up"
    has_any, said = _used_warm_up(config, training, run)
    if has_any is None:
        reason = say("neither a learning rate was recorded nor does the checkpoint hold a schedule")
        return ModelCheck(name=name, result="not_run", reason=reason)
    if has_any:
        return ModelCheck(name=name, result="passed", evidence=said)
    if placement == "post-norm":
        evidence = say(
            "{said}, and the norms stand after the attention: such models need warm-up", said=said
        )
        return ModelCheck(name=name, result="failed", evidence=evidence)
    if placement == "pre-norm":
        return ModelCheck(
            name=name, result="passed", evidence=say("{said}; pre-norm does without", said=said)
        )
    reason = say(
        "{said}; whether it is needed depends on where the norms stand, which is not known",
        said=said,
    )
    return ModelCheck(name=name, result="not_run", reason=reason)


def _used_warm_up(
    config: Mapping[str, Any], training: TrainingState, run: Run | None
) -> tuple[bool | None, str]:
    rates = np.zeros((0, 2)) if run is None else known_rates(run)
    if len(rates) < 2:
        rates = np.array(training.rates, float).reshape(-1, 2)
    if len(rates) >= 2:
        top = int(np.argmax(rates[:, 1] >= rates[:, 1].max() * 0.999))
        peak = say("{rate:.3g} at step {rate_2:g}", rate=rates[top, 1], rate_2=rates[top, 0])
        if top:
            return True, say(
                "the learning rate rises from {rate:.3g} to {peak}", rate=rates[0, 1], peak=peak
            )
        # A run that was resumed shows only the end of its schedule.
        if rates[0, 0] <= max(1.0, rates[1, 0] - rates[0, 0]):
            return False, say("the learning rate starts at its largest, {peak}", peak=peak)
    for source in (training.schedule, config):
        for key, value in _settings(source):
            if "warmup" in key.lower() and _is_number(value):
                return float(value) > 0, say("{key} is {value:g}", key=key, value=value)
    start = training.schedule.get("start_factor")
    if _is_number(start):  # torch's LinearLR
        total = training.schedule.get("total_iters", "?")
        return float(start) < 1, say(
            "the rate starts at {start:.3g} of itself, for {total} steps", start=start, total=total
        )
    if training.schedule.get("pct_start") or "_schedule_phases" in training.schedule:
        return True, say("one cycle: the learning rate rises first")
    return None, ""


def _settings(config: Mapping[str, Any], depth: int = 2) -> Iterator[tuple[str, Any]]:
    """Yield (name, value), also of nested configurations and lists of schedules."""
    for key, value in config.items():
        if isinstance(value, Mapping) and depth:
            yield from _settings(value, depth - 1)
        elif isinstance(value, list | tuple) and depth:
            for item in value:
                if isinstance(item, Mapping):
                    yield from _settings(item, depth - 1)
        if not isinstance(value, Mapping | list | tuple):
            yield str(key), value


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "/".join(f"{number:g}" for number in value)
    return f"{value:g}" if _is_number(value) else str(value)


def _listing(items: Sequence[str], most: int = 4) -> str:
    shown = ", ".join(items[:most])
    return (
        say("{shown} and {n_items} more", shown=shown, n_items=len(items) - most)
        if len(items) > most
        else shown
    )
