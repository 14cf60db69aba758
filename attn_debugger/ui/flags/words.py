"""Findings in plain words: what a signal is called, and how places and steps are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from attn_debugger.core.flags import Flag, Severity

# Written as they stand inside a sentence; `signal_title` raises the first letter. The order is that
# in which people want to hear what was checked.
_SIGNALS: Mapping[str, Any] = {
    "nan_weights": QT_TRANSLATE_NOOP("Signals", "NaN"),
    "fully_masked_row": QT_TRANSLATE_NOOP("Signals", "fully masked row"),
    "score_overflow": QT_TRANSLATE_NOOP("Signals", "score overflow"),
    "invalid_weights": QT_TRANSLATE_NOOP("Signals", "weights are no probabilities"),
    "softmax_axis": QT_TRANSLATE_NOOP("Signals", "softmax over the wrong axis"),
    "row_sum": QT_TRANSLATE_NOOP("Signals", "rows do not sum to 1"),
    "row_sum_constant": QT_TRANSLATE_NOOP("Signals", "rows scaled after softmax"),
    "row_sum_deficit": QT_TRANSLATE_NOOP("Signals", "rows sum below 1"),
    "dropout_in_weights": QT_TRANSLATE_NOOP("Signals", "dropout in the weights"),
    "score_extreme": QT_TRANSLATE_NOOP("Signals", "extreme scores"),
    "score_growth": QT_TRANSLATE_NOOP("Signals", "growing scores"),
    "scale_mismatch": QT_TRANSLATE_NOOP("Signals", "wrong score scale"),
    "low_precision_ties": QT_TRANSLATE_NOOP("Signals", "ties from low precision"),
    "cap_violation": QT_TRANSLATE_NOOP("Signals", "soft-cap not applied"),
    "recompute_mismatch": QT_TRANSLATE_NOOP("Signals", "scores differ from q·k"),
    "causal_violation": QT_TRANSLATE_NOOP("Signals", "looks into the future"),
    "pad_leak": QT_TRANSLATE_NOOP("Signals", "attention on padding"),
    "window_violation": QT_TRANSLATE_NOOP("Signals", "outside the window"),
    "cross_document_leak": QT_TRANSLATE_NOOP("Signals", "crosses documents"),
    "mask_leak": QT_TRANSLATE_NOOP("Signals", "attention through the mask"),
    "support_truncated": QT_TRANSLATE_NOOP("Signals", "allowed keys cut off"),
    "diagonal_collapse": QT_TRANSLATE_NOOP("Signals", "diagonal collapse"),
    "band_head": QT_TRANSLATE_NOOP("Signals", "neighbour head"),
    "sink": QT_TRANSLATE_NOOP("Signals", "sink"),
    "key_collapse": QT_TRANSLATE_NOOP("Signals", "collapse onto one key"),
    "special_token_mass": QT_TRANSLATE_NOOP("Signals", "weight on special tokens"),
    "duplicate_heads": QT_TRANSLATE_NOOP("Signals", "identical heads"),
    "duplicate_columns": QT_TRANSLATE_NOOP("Signals", "identical keys"),
    "position_aliasing": QT_TRANSLATE_NOOP("Signals", "positions alias"),
    "alibi_slope_mismatch": QT_TRANSLATE_NOOP("Signals", "wrong ALiBi slopes"),
    "massive_activation": QT_TRANSLATE_NOOP("Signals", "massive activation"),
    "entropy_collapse": QT_TRANSLATE_NOOP("Signals", "entropy collapse"),
    "saturated_head": QT_TRANSLATE_NOOP("Signals", "saturated head"),
    "uniform_attention": QT_TRANSLATE_NOOP("Signals", "uniform attention"),
    "rank1_rows": QT_TRANSLATE_NOOP("Signals", "all queries alike"),
    "layer_similarity": QT_TRANSLATE_NOOP("Signals", "layers repeat each other"),
    "specialisation_loss": QT_TRANSLATE_NOOP("Signals", "heads become alike"),
    "heads_not_specialised": QT_TRANSLATE_NOOP("Signals", "heads not specialised"),
    "token_rank_collapse": QT_TRANSLATE_NOOP("Signals", "tokens become alike"),
    "frozen_head": QT_TRANSLATE_NOOP("Signals", "frozen head"),
    "frozen_layer": QT_TRANSLATE_NOOP("Signals", "frozen layer"),
    "frozen_all": QT_TRANSLATE_NOOP("Signals", "nothing is training"),
    "sudden_change": QT_TRANSLATE_NOOP("Signals", "sudden change"),
    "oscillation": QT_TRANSLATE_NOOP("Signals", "oscillation"),
    "output_range_jump": QT_TRANSLATE_NOOP("Signals", "output range jumps"),
    "dead_head": QT_TRANSLATE_NOOP("Signals", "dead head"),
    "input_ids_out_of_range": QT_TRANSLATE_NOOP("Signals", "token ids out of range"),
    "input_nonfinite": QT_TRANSLATE_NOOP("Signals", "NaN in the layer's input"),
    "forward_raised": QT_TRANSLATE_NOOP("Signals", "the forward pass raised"),
    "dropout_on_scores": QT_TRANSLATE_NOOP("Signals", "dropout on the scores"),
    "mask_on_head_axis": QT_TRANSLATE_NOOP("Signals", "mask on the head axis"),
    "eval_with_dropout": QT_TRANSLATE_NOOP("Signals", "dropout during evaluation"),
    "no_warmup": QT_TRANSLATE_NOOP("Signals", "no warm-up"),
    "loss_anomaly": QT_TRANSLATE_NOOP("Signals", "loss anomaly"),
    "grad_anomaly": QT_TRANSLATE_NOOP("Signals", "gradient anomaly"),
    "missing_capture": QT_TRANSLATE_NOOP("Signals", "not captured"),
    "shape_mismatch": QT_TRANSLATE_NOOP("Signals", "unexpected shape"),
    "duplicate_capture": QT_TRANSLATE_NOOP("Signals", "captured twice"),
    "trivial_attention": QT_TRANSLATE_NOOP("Signals", "only one key"),
}

_RANKS = {signal: rank for rank, signal in enumerate(_SIGNALS)}

_SEVERITIES: Mapping[Severity, Any] = {
    Severity.LABEL: QT_TRANSLATE_NOOP("Severities", "label"),
    Severity.NOTICE: QT_TRANSLATE_NOOP("Severities", "notice"),
    Severity.WARNING: QT_TRANSLATE_NOOP("Severities", "warning"),
    Severity.CRITICAL: QT_TRANSLATE_NOOP("Severities", "critical"),
}


def signal_words(signal: str) -> str:
    """Return a signal as it stands inside a sentence; an unknown name loses its underscores."""
    known = _SIGNALS.get(signal)
    if known is None:
        return signal.replace("_", " ")
    return QCoreApplication.translate("Signals", known)


def signal_rank(signal: str) -> int:
    """Return a signal's place in an enumeration of signals."""
    return _RANKS.get(signal, len(_RANKS))


def signal_title(signal: str) -> str:
    """Return a signal as a title: the first letter raised."""
    words = signal_words(signal)
    return words[:1].upper() + words[1:]


def severity_words(severity: Severity) -> str:
    """Return a severity as a word: colour and shape never stand alone."""
    return QCoreApplication.translate("Severities", _SEVERITIES[severity])


def number_ranges(numbers: Iterable[int], most: int = 4) -> str:
    """Return numbers ascending, neighbours joined: `0-7,9`; more than `most` parts end in `...`."""
    ordered = sorted(set(numbers))
    runs: list[list[int]] = []
    for number in ordered:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    parts = []
    for low, high in runs:
        if low == high:
            parts.append(str(low))
        elif high == low + 1:
            parts += [str(low), str(high)]
        else:
            parts.append(f"{low}-{high}")
    return ",".join(parts) if len(parts) <= most else ",".join(parts[:most]) + ",..."


def place(flag: Flag, most: int = 4) -> str:
    """Return where a finding is: `L4.H7`, `L9.H0-7`, `L9`, or that it concerns the whole run."""
    if flag.layer is None:
        return QCoreApplication.translate("Flags", "whole run")
    if not flag.heads:
        return f"L{flag.layer}"
    return f"L{flag.layer}.H{number_ranges(flag.heads, most)}"


def steps(flag: Flag) -> str:
    """Return when a finding holds: `3000-4900 (20)`, steps and the number of frames."""
    if flag.first_step is None:
        return ""
    if flag.last_step is None or flag.last_step == flag.first_step:
        return f"{flag.first_step}"
    return f"{flag.first_step}-{flag.last_step} ({flag.n_frames})"


def one_line(flag: Flag) -> str:
    """Return a finding in one line, e.g. `NaN L4.H7 3000-4900 (20)`."""
    return " ".join(part for part in (signal_title(flag.signal), place(flag), steps(flag)) if part)


def number(value: float) -> str:
    """Return a measured value with up to four significant digits."""
    return f"{value:.4g}"
