"""Every limit a signal is held against, named, with its unit, in one place.

thresholds = Thresholds.from_toml(Path("limits.toml"))     # [thresholds] score_warning = 500.0
examination = Examination(run, thresholds)
"""

from __future__ import annotations

import difflib
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from attn_debugger.core.words import say
from attn_debugger.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """The limits of all signals. The unit of each stands behind it; sources are in the help page.

    Logarithms are natural: entropies and divergences are in nats.
    """

    # Which rows count in the statistics of a head
    min_keys: int = 8  # keys a row may see, at least
    min_rows: int = 4  # rows a head needs for a verdict
    min_allowed_mass: float = 0.5  # share of a row's mass on keys it may see

    # Row sums: |sum - 1| of a row, by what the weights were stored or computed in
    row_sum_float32: float = 2e-4  # weight
    row_sum_float16: float = 1e-3  # weight
    row_sum_bfloat16: float = 2.0**-7  # weight
    row_sum_sqrt: float = 1.2e-2  # weight; uint8 with encoding "sqrt"
    row_sum_per_key: float = 3e-8  # weight a key, added for long rows
    row_sum_constant_spread: float = 1e-3  # standard deviation / mean of the row sums
    negative_weight: float = 1e-6  # weight below zero that is no rounding
    dropout_zeros: float = 0.01  # share of allowed cells that are exactly zero

    # Mass where a mask forbids it: the largest row
    leak_float32: float = 1e-4  # weight
    leak_half: float = 1e-3  # weight; float16, bfloat16, uint8-sqrt
    leak_uint8: float = 0.01  # weight
    leak_critical: float = 0.05  # mean weight a row
    leak_inverted: float = 0.95  # mean weight a row: the mask is the wrong way round
    truncated_cells: float = 0.03  # share of allowed cells that are zero in every head

    # Scores (after scale and bias, before the mask)
    score_notice: float = 50.0  # |score|
    score_watch: float = 100.0  # |score|
    score_warning: float = 1e3  # |score|
    score_critical: float = 1e4  # |score|
    half_margin: float = 4.0  # times below 65504, in float16 compute
    growth_ratio: float = 1.5  # over four recorded frames
    growth_horizon: float = 0.2  # of the steps so far: time left until 1e4
    scale_deviation: float = 0.05  # |scores / expected - 1|
    scale_critical: float = 2.0  # scores / expected
    recompute_correlation: float = 0.98  # of scores with q.k
    tie_rows: float = 0.02  # share of rows whose maximum is shared
    tie_spacing: float = 0.25  # score units between neighbouring representable numbers
    cap_excess: float = 1e-3  # of the cap
    cap_hits: float = 0.10  # share of rows within 5 % of the cap

    # Structure
    diagonal: float = 0.9  # diagonal mass above chance, 1 = identity
    diagonal_layer: float = 0.5  # share of a layer's heads
    band: float = 0.5  # mass on one offset above chance
    sink: float = 0.3  # mean weight on one key
    key_collapse: float = 0.85  # mean weight on one key, self-attention
    key_collapse_cross: float = 0.90  # the same, cross-attention
    layer_share: float = 0.75  # share of a layer's heads that makes a layer-wide finding
    special_mass: float = 0.5  # mean weight on declared special keys
    alibi_deviation: float = 0.15  # |slope / declared - 1|

    # Distribution
    saturated: float = 0.05  # entropy / ln(keys)
    uniform: float = 0.02  # nats from uniform
    uniform_lost: float = 0.3  # nats from uniform a layer once had
    rank_one: float = 0.10  # ||P - mean|| / ||P||
    layer_cosine: float = 0.90  # between layers, centred maps
    duplicate_difference: float = 1e-6  # weight; 0 in half precision
    specialisation_ratio: float = 0.10  # of the largest divergence between heads so far
    specialisation_floor: float = 0.05  # nats that largest divergence must have had
    unspecialised_spread: float = 0.05  # standard deviation of entropy over heads / ln(keys)
    unspecialised_divergence: float = 0.02  # nats between heads

    # Dynamics on a fixed probe
    jump: float = 0.10  # nats (Jensen-Shannon) to the previous frame
    jump_deviations: float = 6.0  # robust deviations of the log above the head's own history
    jump_ratio: float = 10.0  # times its median
    jump_layer: float = 0.5  # share of a layer's heads
    oscillation: float = 0.05  # nats to the previous frame
    oscillation_return: float = 0.3  # JS(t, t-2) / JS(t, t-1)
    moving: float = 1e-6  # nats: a head above it moves

    # Run and layer outputs
    trained_step: int = 1000  # steps after which persistence counts
    spike_deviations: float = 7.0  # robust deviations above the trend
    loss_rise: float = 0.15  # of the reference value
    grad_rise: float = 2.0  # of the reference value
    output_jump: float = 10.0  # times the median variance of earlier layers
    output_past: float = 3.0  # times its own earlier frames
    dead_contribution: float = 0.01  # share of the layer's output
    token_spread: float = 0.10  # ||X - mean token|| / ||X|| of what enters the last layer

    @classmethod
    def from_toml(cls, path: Path) -> Thresholds:
        """Read limits from a TOML file; names not in it keep their defaults.

        The names stand at the top of the file or in a table `[thresholds]`. Raises `UsageError`
        with a sentence for a file that cannot be read, an unknown name or a wrong value.
        """
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(
                say("{path}: the thresholds cannot be read ({error}).", path=path, error=error)
            ) from error
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise UsageError(
                say("{path}: not valid TOML ({error}).", path=path, error=error)
            ) from error
        nested = table.get("thresholds", table)
        if not isinstance(nested, dict):
            raise UsageError(
                say("{path}: `thresholds` must be a table of name = number.", path=path)
            )
        return cls.from_mapping(nested, where=str(path))

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any], *, where: str = "thresholds") -> Thresholds:
        """Return the defaults with `values` in their place. Raises `UsageError` as above."""
        kinds = {field.name: field.type for field in fields(cls)}
        changed: dict[str, Any] = {}
        for name, value in values.items():
            if name not in kinds:
                near = difflib.get_close_matches(name, kinds, n=1)
                hint = say(" Did you mean `{step}`?", step=near[0]) if near else ""
                raise UsageError(
                    say(
                        "{where}: there is no threshold `{name}`.{hint}",
                        where=where,
                        name=name,
                        hint=hint,
                    )
                )
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise UsageError(
                    say(
                        "{where}: `{name}` must be a number, not {value!r}.",
                        where=where,
                        name=name,
                        value=value,
                    )
                )
            if not math.isfinite(value) or value < 0:
                raise UsageError(
                    say(
                        "{where}: `{name}` must be finite and not negative, not {value}.",
                        where=where,
                        name=name,
                        value=value,
                    )
                )
            if kinds[name] == "int":
                if value != int(value):
                    raise UsageError(
                        say(
                            "{where}: `{name}` must be a whole number, not {value}.",
                            where=where,
                            name=name,
                            value=value,
                        )
                    )
                changed[name] = int(value)
            else:
                changed[name] = float(value)
        return replace(cls(), **changed)

    def row_tolerance(self, precision: str, n_keys: int) -> float:
        """How far a row of `n_keys` weights may be from 1 for its storage alone."""
        if precision == "uint8":
            return n_keys / 510.0
        base = {
            "float16": self.row_sum_float16,
            "bfloat16": self.row_sum_bfloat16,
            "uint8-sqrt": self.row_sum_sqrt,
        }.get(precision, self.row_sum_float32)
        return base + self.row_sum_per_key * n_keys

    def leak_tolerance(self, precision: str) -> float:
        """Weight on forbidden keys that storage alone can explain."""
        if precision == "uint8":
            return self.leak_uint8
        if precision in ("float16", "bfloat16", "uint8-sqrt"):
            return self.leak_half
        return self.leak_float32
