"""What can be plotted: names, units, and what a number means where it is easily misread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from attn_debugger.core.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """One plot. `summaries` are names of `History.values` (two = drawn as a range).

    `scalar` is a curve of the run instead. `limits` fixes the axis; `reference` is a band drawn
    grey behind everything.
    """

    key: str
    title: str
    meaning: str
    summaries: tuple[str, ...] = ()
    scalar: str | None = None
    unit: str = ""
    missing: str = ""  # said instead of an empty axis
    limits: tuple[float, float] | None = None
    reference: tuple[float, float] | None = None


DEFAULT_KEYS = ("entropy", "mean", "peak", "score", "loss")

# key -> title, meaning, what is said when it was not recorded
_TEXTS: Mapping[str, tuple[Any, Any, Any]] = {
    "entropy": (
        QT_TRANSLATE_NOOP("Plots", "Entropy"),
        QT_TRANSLATE_NOOP(
            "Plots",
            "How widely a query spreads its attention, in nats, as the mean over the head's rows. "
            "0 = each query looks at one key; ln(keys) = at all alike.",
        ),
        QT_TRANSLATE_NOOP("Plots", "no weights recorded"),
    ),
    "entropy_normalised": (
        QT_TRANSLATE_NOOP("Plots", "Normalised entropy"),
        QT_TRANSLATE_NOOP(
            "Plots", "Entropy divided by the logarithm of the keys a row may see: 0 to 1."
        ),
        QT_TRANSLATE_NOOP("Plots", "no weights recorded"),
    ),
    "mean": (
        QT_TRANSLATE_NOOP("Plots", "Mean weight (1/keys)"),
        QT_TRANSLATE_NOOP(
            "Plots",
            "The mean over all cells. Rows sum to 1, so for full rows this is 1/keys, whatever the "
            "head does: a flat line is healthy, and a drift means broken normalisation. The grey "
            "band is the classic rule of 0.01 to 0.1: it only says that there are 10 to 100 keys. "
            "Peak weight and entropy tell how sharp a head is.",
        ),
        QT_TRANSLATE_NOOP("Plots", "no weights recorded"),
    ),
    "peak": (
        QT_TRANSLATE_NOOP("Plots", "Peak weight"),
        QT_TRANSLATE_NOOP(
            "Plots", "The largest weight of a row, as the mean over the head's rows: 1 = one key."
        ),
        QT_TRANSLATE_NOOP("Plots", "no weights recorded"),
    ),
    "effective_keys": (
        QT_TRANSLATE_NOOP("Plots", "Effective keys"),
        QT_TRANSLATE_NOOP("Plots", "exp(entropy): how many keys a query really looks at."),
        QT_TRANSLATE_NOOP("Plots", "no weights recorded"),
    ),
    "diagonal": (
        QT_TRANSLATE_NOOP("Plots", "Diagonal mass"),
        QT_TRANSLATE_NOOP("Plots", "Mean weight on the query's own position."),
        QT_TRANSLATE_NOOP("Plots", "undefined here, or no weights recorded"),
    ),
    "row_sum": (
        QT_TRANSLATE_NOOP("Plots", "Row sum"),
        QT_TRANSLATE_NOOP("Plots", "Smallest and largest sum of a row: both should be 1."),
        QT_TRANSLATE_NOOP("Plots", "row sums not recorded"),
    ),
    "score": (
        QT_TRANSLATE_NOOP("Plots", "Score range"),
        QT_TRANSLATE_NOOP(
            "Plots",
            "Largest and smallest score of allowed cells before softmax. Growth without end comes "
            "before many divergences.",
        ),
        QT_TRANSLATE_NOOP("Plots", "scores not recorded"),
    ),
    "nonfinite": (
        QT_TRANSLATE_NOOP("Plots", "Non-finite rows"),
        QT_TRANSLATE_NOOP("Plots", "Rows that hold a NaN or an infinite weight."),
        QT_TRANSLATE_NOOP("Plots", "no weights recorded"),
    ),
}

_SUMMARIES: Mapping[str, tuple[str, ...]] = {
    "row_sum": ("row_sum_min", "row_sum_max"),
    "score": ("score_min", "score_max"),
}
_UNITS: Mapping[str, Any] = {"entropy": QT_TRANSLATE_NOOP("Plots", "nats")}
_LIMITS = {"entropy_normalised": (0.0, 1.0), "peak": (0.0, 1.0), "diagonal": (0.0, 1.0)}
_REFERENCES = {"mean": (0.01, 0.1)}


def watched_quantity(name: str) -> Quantity:
    """Return the plot of the weight on watched tokens; `name` says on which."""
    return Quantity(
        key="watched",
        title=name,
        meaning=QCoreApplication.translate(
            "Plots", "The share of its attention that the chosen query gives to the watched keys."
        ),
        summaries=("watched",),
        missing=QCoreApplication.translate("Plots", "not found, or no such query may see it"),
    )


def quantities(run: Run | None) -> tuple[Quantity, ...]:
    """Return everything that can be plotted for a run: summaries of heads, then its scalars."""
    heads = tuple(
        Quantity(
            key=key,
            title=QCoreApplication.translate("Plots", title),
            meaning=QCoreApplication.translate("Plots", meaning),
            missing=QCoreApplication.translate("Plots", missing),
            summaries=_SUMMARIES.get(key, (key,)),
            unit=QCoreApplication.translate("Plots", _UNITS[key]) if key in _UNITS else "",
            limits=_LIMITS.get(key),
            reference=_REFERENCES.get(key),
        )
        for key, (title, meaning, missing) in _TEXTS.items()
    )
    names = [] if run is None else list(run.curve_names)
    if "loss" not in names:
        names.insert(0, "loss")
    return heads + tuple(_scalar(name) for name in names)


def _scalar(name: str) -> Quantity:
    words = {
        "loss": QCoreApplication.translate("Plots", "Loss"),
        "grad_norm": QCoreApplication.translate("Plots", "Gradient norm"),
        "lr": QCoreApplication.translate("Plots", "Learning rate"),
        "loss_scale": QCoreApplication.translate("Plots", "Loss scale"),
    }
    return Quantity(
        key=name,
        title=words.get(name, name.replace("_", " ")),
        meaning=QCoreApplication.translate(
            "Plots", "As logged by the training loop: {name}."
        ).format(name=name),
        missing=QCoreApplication.translate("Plots", "{name} not logged").format(name=name),
        scalar=name,
    )
