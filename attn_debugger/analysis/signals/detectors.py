"""The detectors of single frames, in the order in which they are judged: the seam for new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from attn_debugger.analysis.measures.measures import Measures
from attn_debugger.analysis.measures.scores import ScoreMeasures
from attn_debugger.analysis.measures.structure import Structure
from attn_debugger.analysis.signals import (
    bands,
    distribution,
    heads,
    inputs,
    integrity,
    leaks,
    nonfinite,
    probes,
    recompute,
    row_sums,
    score_levels,
    score_ties,
    sinks,
    support,
)
from attn_debugger.analysis.signals.context import FrameContext
from attn_debugger.analysis.signals.findings import Stage, Verdict
from attn_debugger.core.frame import LayerFrame


class Maps:
    """One layer's maps with everything detectors share, each part made when asked for."""

    def __init__(self, measures: Measures, score_measures: ScoreMeasures) -> None:
        self.measures = measures
        self.scores = score_measures

    @cached_property
    def structure(self) -> Structure:
        """Favourite keys and offsets of the heads."""
        return Structure(self.measures)

    def prepare(self) -> None:
        """Make parts that need this layer's maps alone, whatever the examination has found.

        As much as lets reading and preparing cost as much as observing then does (measured).
        """
        measures = self.measures
        _ = measures.entropy, measures.peak, measures.normalised_entropy, measures.from_uniform


@dataclass(frozen=True, slots=True)
class FrameDetector:
    """Judges a layer in a frame without its maps: from the index, ids and live statistics."""

    signals: tuple[str, ...]
    stage: Stage
    judge: Callable[[LayerFrame, FrameContext], Iterable[Verdict]]


@dataclass(frozen=True, slots=True)
class ScoreDetector:
    """Judges the scores: recorded maps, or live statistics where there are none."""

    signals: tuple[str, ...]
    stage: Stage
    judge: Callable[[ScoreMeasures, FrameContext], Iterable[Verdict]]


@dataclass(frozen=True, slots=True)
class MapDetector:
    """Judges the maps of one layer in one frame."""

    signals: tuple[str, ...]
    stage: Stage
    judge: Callable[[Maps, FrameContext], Iterable[Verdict]]


def _of_measures(
    judge: Callable[[Measures, FrameContext], Iterable[Verdict]],
) -> Callable[[Maps, FrameContext], Iterable[Verdict]]:
    return lambda maps, context: judge(maps.measures, context)


def _of_structure(
    judge: Callable[[Structure, FrameContext], Iterable[Verdict]],
) -> Callable[[Maps, FrameContext], Iterable[Verdict]]:
    return lambda maps, context: judge(maps.structure, context)


def _dropout_on_scores(maps: Maps, context: FrameContext) -> Iterable[Verdict]:
    return inputs.detect_dropout_on_scores(maps.measures, maps.scores, context)


FRAME_DETECTORS: tuple[FrameDetector, ...] = (
    FrameDetector(("missing_capture",), Stage.INTEGRITY, integrity.detect_capture),
    FrameDetector(("duplicate_capture",), Stage.INTEGRITY, integrity.detect_duplicate),
    FrameDetector(("shape_mismatch",), Stage.INTEGRITY, integrity.detect_shape),
    FrameDetector(("input_ids_out_of_range",), Stage.INTEGRITY, inputs.detect_input_ids),
    FrameDetector(("input_nonfinite",), Stage.VALIDITY, inputs.detect_input_nonfinite),
    FrameDetector(("eval_with_dropout",), Stage.INTEGRITY, inputs.detect_eval_with_dropout),
)

SCORE_DETECTORS: tuple[ScoreDetector, ...] = (
    ScoreDetector(("score_overflow",), Stage.SCORES, score_levels.detect_score_overflow),
    ScoreDetector(
        ("score_extreme", "cap_violation"), Stage.SCORES, score_levels.detect_score_extreme
    ),
    ScoreDetector(("low_precision_ties",), Stage.SCORES, score_ties.detect_ties),
    ScoreDetector(
        ("scale_mismatch", "recompute_mismatch"), Stage.SCORES, recompute.detect_recompute
    ),
)

MAP_DETECTORS: tuple[MapDetector, ...] = (
    MapDetector(("trivial_attention",), Stage.INTEGRITY, _of_measures(integrity.detect_trivial)),
    MapDetector(
        ("fully_masked_row", "nan_weights"),
        Stage.VALIDITY,
        _of_measures(nonfinite.detect_nonfinite),
    ),
    MapDetector(("invalid_weights",), Stage.VALIDITY, _of_measures(row_sums.detect_invalid)),
    MapDetector(
        ("softmax_axis", "row_sum", "row_sum_constant", "row_sum_deficit", "dropout_in_weights"),
        Stage.VALIDITY,
        _of_measures(row_sums.detect_row_sums),
    ),
    MapDetector(
        ("pad_leak", "causal_violation", "cross_document_leak", "window_violation", "mask_leak"),
        Stage.MASKS,
        _of_measures(leaks.detect_leaks),
    ),
    MapDetector(("mask_on_head_axis",), Stage.MASKS, _of_measures(probes.detect_head_axis_mask)),
    MapDetector(("support_truncated",), Stage.SUPPORT, _of_measures(support.detect_support)),
    MapDetector(("dropout_on_scores",), Stage.SUPPORT, _dropout_on_scores),
    MapDetector(
        ("duplicate_columns",), Stage.STRUCTURE, _of_measures(heads.detect_duplicate_columns)
    ),
    MapDetector(
        ("position_aliasing",), Stage.STRUCTURE, _of_measures(probes.detect_position_aliasing)
    ),
    MapDetector(("alibi_slope_mismatch",), Stage.STRUCTURE, _of_measures(probes.detect_alibi)),
    MapDetector(
        ("sink", "key_collapse", "special_token_mass"),
        Stage.STRUCTURE,
        _of_structure(sinks.detect_sinks),
    ),
    MapDetector(
        ("band_head", "diagonal_collapse"),
        Stage.STRUCTURE,
        _of_structure(bands.detect_bands),
    ),
    MapDetector(("duplicate_heads",), Stage.STRUCTURE, _of_measures(heads.detect_duplicate_heads)),
    MapDetector(
        ("entropy_collapse", "saturated_head"),
        Stage.DISTRIBUTION,
        _of_structure(distribution.detect_saturation),
    ),
)

# From which stage on a finding of at least a warning silences the heads it concerns.
SILENCES: dict[str, Stage] = {
    "trivial_attention": Stage.VALIDITY,
    "shape_mismatch": Stage.MASKS,
    "invalid_weights": Stage.VALIDITY,
    "softmax_axis": Stage.MASKS,
    "nan_weights": Stage.STRUCTURE,
    "score_overflow": Stage.STRUCTURE,
    "fully_masked_row": Stage.STRUCTURE,
    "row_sum": Stage.SUPPORT,
    "row_sum_constant": Stage.SUPPORT,
    "row_sum_deficit": Stage.SUPPORT,
    "dropout_in_weights": Stage.SUPPORT,
    "pad_leak": Stage.STRUCTURE,
    "causal_violation": Stage.STRUCTURE,
    "cross_document_leak": Stage.STRUCTURE,
    "window_violation": Stage.STRUCTURE,
    "mask_leak": Stage.STRUCTURE,
    "mask_on_head_axis": Stage.SUPPORT,
    "duplicate_columns": Stage.DISTRIBUTION,
    "key_collapse": Stage.DISTRIBUTION,
    "diagonal_collapse": Stage.DISTRIBUTION,
}

# Judged over several frames or layers, by what the examination keeps.
FOLLOWED_SIGNALS: tuple[str, ...] = (
    "rank1_rows",
    "uniform_attention",
    "specialisation_loss",
    "heads_not_specialised",
    "frozen_head",
    "frozen_layer",
    "frozen_all",
    "sudden_change",
    "oscillation",
)
OUTPUT_SIGNALS: tuple[str, ...] = (
    "output_range_jump",
    "massive_activation",
    "dead_head",
    "token_rank_collapse",
)

RUN_SIGNALS: tuple[str, ...] = ("forward_raised", "no_warmup", "loss_anomaly", "grad_anomaly")


def all_signals() -> tuple[str, ...]:
    """Every signal there is, in the order of judgement."""
    names: list[str] = []
    families: tuple[tuple[FrameDetector | MapDetector | ScoreDetector, ...], ...] = (
        FRAME_DETECTORS,
        MAP_DETECTORS,
        SCORE_DETECTORS,
    )
    for family in families:
        for detector in family:
            names += detector.signals
    return tuple(
        dict.fromkeys(
            (
                *names,
                "score_growth",
                "layer_similarity",
                *FOLLOWED_SIGNALS,
                *OUTPUT_SIGNALS,
                *RUN_SIGNALS,
            )
        )
    )
