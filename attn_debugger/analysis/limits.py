"""The thresholds as a user meets them: in groups, each with what it means, its unit and default.

for limit in LIMITS: ...                       # for a dialog
changed_limits(thresholds)                     # what differs from the defaults
as_toml(thresholds)                            # what `check --thresholds` reads
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace

from attn_debugger.analysis.thresholds import Thresholds
from attn_debugger.core.flags import ChangedLimit
from attn_debugger.core.words import say
from attn_debugger.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One threshold. `signals` is whom it decides on; empty = every statistic of a head."""

    name: str
    group: str
    meaning: str
    unit: str
    signals: tuple[str, ...]
    default: float
    is_whole: bool


_ROW_SUMS = ("row_sum", "row_sum_constant", "row_sum_deficit", "softmax_axis", "dropout_in_weights")
_LEAKS = ("pad_leak", "causal_violation", "window_violation", "cross_document_leak", "mask_leak")
_LAYER_WIDE = ("entropy_collapse", "key_collapse", "uniform_attention", "rank1_rows")
_MOTION = ("sudden_change",)
_FROZEN = ("frozen_head", "frozen_layer", "frozen_all")

# (meaning, unit, signals) by name, in groups.
_TABLE: Mapping[str, Mapping[str, tuple[str, str, tuple[str, ...]]]] = {
    say("Which rows count"): {
        "min_keys": (say("keys a row may see, at least"), say("keys"), ()),
        "min_rows": (say("rows a head needs for a verdict"), say("rows"), ()),
        "min_allowed_mass": (say("mass a row has on keys it may see, at least"), say("share"), ()),
    },
    say("Row sums"): {
        "row_sum_float32": (say("|sum - 1| of a row, float32"), say("weight"), _ROW_SUMS),
        "row_sum_float16": (say("|sum - 1| of a row, float16"), say("weight"), _ROW_SUMS),
        "row_sum_bfloat16": (say("|sum - 1| of a row, bfloat16"), say("weight"), _ROW_SUMS),
        "row_sum_sqrt": (
            say("|sum - 1| of a row, roots in bytes"),
            say("weight"),
            _ROW_SUMS,
        ),
        "row_sum_per_key": (say("added for each key of a row"), say("weight"), _ROW_SUMS),
        "row_sum_constant_spread": (
            say("deviation / mean of row sums that count as one constant"),
            say("ratio"),
            ("row_sum_constant",),
        ),
        "negative_weight": (
            say("weight below zero that is no rounding"),
            say("weight"),
            ("invalid_weights",),
        ),
        "dropout_zeros": (
            say("allowed cells that are exactly zero"),
            say("share"),
            ("dropout_in_weights", "dropout_on_scores"),
        ),
    },
    say("Masks"): {
        "leak_float32": (say("weight where a mask forbids it, float32"), say("weight"), _LEAKS),
        "leak_half": (say("weight where a mask forbids it, half precision"), say("weight"), _LEAKS),
        "leak_uint8": (say("weight where a mask forbids it, bytes"), say("weight"), _LEAKS),
        "leak_critical": (say("mean forbidden weight of a row: critical"), say("weight"), _LEAKS),
        "leak_inverted": (
            say("mean forbidden weight of a row: the mask is the wrong way round"),
            say("weight"),
            ("pad_leak",),
        ),
        "truncated_cells": (
            say("allowed cells that are zero in every head"),
            say("share"),
            ("support_truncated",),
        ),
    },
    say("Scores"): {
        "score_notice": (
            say("|score|: notice"),
            say("score"),
            ("score_extreme", "score_growth", "support_truncated"),
        ),
        "score_watch": (
            say("|score|: said again"),
            say("score"),
            ("score_extreme", "score_growth"),
        ),
        "score_warning": (
            say("|score|: warning"),
            say("score"),
            ("score_extreme", "entropy_collapse"),
        ),
        "score_critical": (
            say("|score|: critical"),
            say("score"),
            ("score_extreme", "score_growth"),
        ),
        "half_margin": (
            say("how many times below 65504 scores in float16 may come"),
            say("times"),
            ("score_extreme",),
        ),
        "growth_ratio": (say("growth over four frames"), say("times"), ("score_growth",)),
        "growth_horizon": (
            say("time left until 1e4, of the steps so far"),
            say("share"),
            ("score_growth",),
        ),
        "scale_deviation": (
            say("|scores / expected - 1|: warning"),
            say("share"),
            ("scale_mismatch",),
        ),
        "scale_critical": (say("scores / expected: critical"), say("times"), ("scale_mismatch",)),
        "recompute_correlation": (
            say("correlation of the scores with q.k, at least"),
            say("correlation"),
            ("recompute_mismatch", "scale_mismatch"),
        ),
        "tie_rows": (
            say("rows whose maximum is shared"),
            say("share"),
            ("low_precision_ties",),
        ),
        "tie_spacing": (
            say("distance of neighbouring numbers at the maximum"),
            say("score"),
            ("low_precision_ties",),
        ),
        "cap_excess": (say("beyond the soft-cap"), say("share"), ("cap_violation",)),
        "cap_hits": (say("rows within 5 % of the soft-cap"), say("share"), ("cap_violation",)),
    },
    say("Structure"): {
        "diagonal": (
            say("weight on the own key above chance"),
            say("share"),
            ("diagonal_collapse",),
        ),
        "diagonal_layer": (
            say("heads of a layer on the diagonal: warning"),
            say("share"),
            ("diagonal_collapse",),
        ),
        "band": (say("weight on one offset above chance"), say("share"), ("band_head",)),
        "sink": (say("mean weight on one key"), say("weight"), ("sink",)),
        "key_collapse": (
            say("mean weight on one key, self-attention"),
            say("weight"),
            ("key_collapse",),
        ),
        "key_collapse_cross": (
            say("mean weight on one key, cross-attention"),
            say("weight"),
            ("key_collapse",),
        ),
        "layer_share": (
            say("heads of a layer that make a finding of the whole layer"),
            say("share"),
            _LAYER_WIDE,
        ),
        "special_mass": (
            say("mean weight on special tokens"),
            say("weight"),
            ("special_token_mass",),
        ),
        "alibi_deviation": (
            say("|slope / declared - 1|"),
            say("share"),
            ("alibi_slope_mismatch",),
        ),
    },
    say("Distribution"): {
        "saturated": (
            say("entropy / ln(keys) of a nearly one-hot head"),
            say("share"),
            ("entropy_collapse", "saturated_head"),
        ),
        "uniform": (
            say("distance from uniform"),
            say("nats"),
            ("uniform_attention", "rank1_rows"),
        ),
        "uniform_lost": (
            say("distance from uniform that a layer once had"),
            say("nats"),
            ("uniform_attention",),
        ),
        "rank_one": (say("variation between rows"), say("ratio"), ("rank1_rows",)),
        "layer_cosine": (
            say("cosine of the maps of neighbouring layers"),
            say("cosine"),
            ("layer_similarity",),
        ),
        "duplicate_difference": (
            say("largest difference of two heads that are copies"),
            say("weight"),
            ("duplicate_heads",),
        ),
        "specialisation_ratio": (
            say("divergence between heads, of the largest so far"),
            say("share"),
            ("specialisation_loss",),
        ),
        "specialisation_floor": (
            say("divergence between heads that there must have been"),
            say("nats"),
            ("specialisation_loss",),
        ),
        "unspecialised_spread": (
            say("deviation of the entropies of a layer's heads / ln(keys)"),
            say("share"),
            ("heads_not_specialised",),
        ),
        "unspecialised_divergence": (
            say("divergence between heads"),
            say("nats"),
            ("heads_not_specialised",),
        ),
    },
    say("Changes over steps (on a fixed probe)"): {
        "jump": (say("divergence from the frame before"), say("nats"), _MOTION),
        "jump_deviations": (
            say("robust deviations above the head's own history"),
            say("deviations"),
            _MOTION,
        ),
        "jump_ratio": (say("times its median"), say("times"), _MOTION),
        "jump_layer": (say("heads of a layer that change: warning"), say("share"), _MOTION),
        "oscillation": (say("divergence from the frame before"), say("nats"), ("oscillation",)),
        "oscillation_return": (
            say("divergence over two frames / over one"),
            say("ratio"),
            ("oscillation",),
        ),
        "moving": (say("divergence of a head that moves"), say("nats"), _FROZEN),
    },
    say("Run and outputs"): {
        "trained_step": (
            say("steps after which persistence counts"),
            say("steps"),
            ("uniform_attention", "rank1_rows", "heads_not_specialised", "dead_head"),
        ),
        "spike_deviations": (
            say("robust deviations of loss or gradient norm above the trend"),
            say("deviations"),
            ("loss_anomaly", "grad_anomaly"),
        ),
        "loss_rise": (say("rise of the loss"), say("share"), ("loss_anomaly",)),
        "grad_rise": (say("rise of the gradient norm"), say("share"), ("grad_anomaly",)),
        "output_jump": (
            say("variance of a layer's output, against the layers before"),
            say("times"),
            ("output_range_jump",),
        ),
        "output_past": (
            say("variance of a layer's output, against its own earlier frames"),
            say("times"),
            ("output_range_jump",),
        ),
        "dead_contribution": (
            say("share of a head in its layer's output"),
            say("share"),
            ("dead_head",),
        ),
        "token_spread": (
            say("how far the tokens of the last layer are from all being the same"),
            say("ratio"),
            ("token_rank_collapse",),
        ),
    },
}


def _limits() -> tuple[Limit, ...]:
    known = {field.name: field for field in fields(Thresholds)}
    return tuple(
        Limit(
            name=name,
            group=group,
            meaning=meaning,
            unit=unit,
            signals=signals,
            default=getattr(Thresholds(), name),
            is_whole=known[name].type == "int",
        )
        for group, rows in _TABLE.items()
        for name, (meaning, unit, signals) in rows.items()
    )


LIMITS: tuple[Limit, ...] = _limits()


def changed_limits(thresholds: Thresholds) -> tuple[ChangedLimit, ...]:
    """Return what differs from the defaults, in the order of the table."""
    values = ((limit.name, getattr(thresholds, limit.name), limit.default) for limit in LIMITS)
    return tuple(
        ChangedLimit(name, value, default) for name, value, default in values if value != default
    )


def changed_for(signal: str, changed: Iterable[ChangedLimit]) -> tuple[ChangedLimit, ...]:
    """Return those of the changed limits that decide on a signal."""
    concerned = {limit.name for limit in LIMITS if signal in limit.signals or not limit.signals}
    return tuple(limit for limit in changed if limit.name in concerned)


def as_toml(thresholds: Thresholds) -> str:
    """Return what differs from the defaults as the file that `check --thresholds` reads."""
    units = {limit.name: limit for limit in LIMITS}
    lines = ["[thresholds]"]
    for changed in changed_limits(thresholds):
        limit = units[changed.name]
        lines.append(
            f"{changed.name} = {changed.value!r}  "
            f"# {limit.meaning} ({limit.unit}), default {changed.default:g}"
        )
    if len(lines) == 1:
        lines.append("# all limits are at their defaults")
    return "\n".join(lines) + "\n"


def known_thresholds(values: Mapping[str, float]) -> Thresholds:
    """Return the defaults with `values` in their place; what another version kept is left out."""
    kept = Thresholds()
    for name, value in values.items():
        try:
            kept = replace(kept, **{name: getattr(Thresholds.from_mapping({name: value}), name)})
        except UsageError:
            continue
    return kept
