"""What is said about two runs: what can be compared, where they part, what became of findings."""

from __future__ import annotations

import math
import os
from collections import Counter, defaultdict

from PySide6.QtCore import QCoreApplication

from attn_debugger.analysis.beside.divergence import Divergence, ScalarParting
from attn_debugger.analysis.beside.inputs import Inputs, count_batches
from attn_debugger.analysis.beside.pairing import Pairing
from attn_debugger.analysis.compare import Compared, State
from attn_debugger.core.flags import Severity
from attn_debugger.core.run import Run

translate = QCoreApplication.translate
MOST_NAMED = 6  # layers in one sentence

STATES: tuple[State, ...] = ("new", "still there", "resolved", "not comparable")


def short_name(run: Run) -> str:
    """Return a run's file name."""
    return os.path.basename(run.path)


def state_words(state: State) -> str:
    """Return what became of a finding, in the window's language."""
    return {
        "new": translate("Compare", "New"),
        "still there": translate("Compare", "Still there"),
        "resolved": translate("Compare", "Resolved"),
        "not comparable": translate("Compare", "Not comparable"),
    }[state]


def count_words(items: tuple[Compared, ...]) -> str:
    """Return how many findings are new, still there, resolved and not comparable."""
    counts = Counter(item.state for item in items if item.flag.severity > Severity.LABEL)
    return " · ".join(f"{state_words(state)} {counts[state]}" for state in STATES)


def direction_words(*, swapped: bool) -> str:
    """Return from which run to which the findings are read."""
    if swapped:
        return translate("Compare", "From B to A (X turns it around)")
    return translate("Compare", "From A to B (X turns it around)")


def pairing_words(a: Run, b: Run, pairing: Pairing) -> list[str]:
    """Return, as sentences, what of the two runs is compared, and what is left out and why."""
    n_common = len(pairing.common)
    words = [
        translate("Compare", "{0} of {1} steps of A are recorded in B too ({2} steps).").format(
            n_common, a.n_frames, b.n_frames
        )
    ]
    if not n_common:
        words = [
            translate(
                "Compare",
                "The two runs have no step in common: A has {0} to {1}, B has {2} to {3}. "
                "Record both with the same `every`.",
            ).format(*_ends(a), *_ends(b))
        ]
    if not pairing.layers:
        words.append(translate("Compare", "No layer of A has a partner in B."))
        return words
    if not pairing.by_name and any(layer.facts.name for layer in (*a.layers, *b.layers)):
        words.append(
            translate("Compare", "The layers bear different names: they are matched by number.")
        )
    for only, template in (
        (pairing.only_a, translate("Compare", "Only A has layers {0}.")),
        (pairing.only_b, translate("Compare", "Only B has layers {0}.")),
    ):
        if only:
            words.append(template.format(_numbers(only)))
    fewer: dict[tuple[int, int], list[int]] = defaultdict(list)
    for pair in pairing.layers:
        counts = a.layers[pair.a].n_heads, b.layers[pair.b].n_heads
        if counts[0] != counts[1]:
            fewer[counts].append(pair.a)
    for counts, layers in fewer.items():
        template = translate(
            "Compare",
            "Heads of layers {0}: {1} in A, {2} in B; heads 0 to {3} are compared.",
        )
        words.append(template.format(_numbers(tuple(layers)), *counts, min(counts) - 1))
    odd = [
        pair
        for pair in pairing.layers
        if (a.layers[pair.a].n_queries, a.layers[pair.a].n_keys)
        != (b.layers[pair.b].n_queries, b.layers[pair.b].n_keys)
    ]
    if odd:
        one, other = a.layers[odd[0].a], b.layers[odd[0].b]
        template = translate(
            "Compare",
            "Layers {0} have maps of another size ({1}×{2} in A, {3}×{4} in B): where a step's "
            "maps differ in size, they stand side by side without a difference.",
        )
        sizes = (one.n_queries, one.n_keys, other.n_queries, other.n_keys)
        words.append(template.format(_numbers(tuple(pair.a for pair in odd)), *sizes))
    if a.n_samples != b.n_samples:
        template = translate("Compare", "A has {0} samples a step, B has {1}.")
        words.append(template.format(a.n_samples, b.n_samples))
    return words + _batch_words(a, b, pairing)


def _batch_words(a: Run, b: Run, pairing: Pairing) -> list[str]:
    counts = count_batches(a, b, pairing)
    if not counts["different"]:
        return []
    template = translate(
        "Compare",
        "At {0} of {1} common steps the two runs saw different batches: what differs there need "
        "not come from the models. A fixed probe batch (probe= of the recorder) makes runs "
        "comparable.",
    )
    return [template.format(counts["different"], sum(counts.values()))]


def inputs_words(inputs: Inputs) -> str:
    """Return what must be known of the inputs of this step; empty where they are the same."""
    return {
        "same": "",
        "different": translate(
            "Compare", "different inputs here: what differs need not come from the models"
        ),
        "unknown": translate("Compare", "nothing tells whether the inputs are the same"),
    }[inputs]


def divergence_words(found: Divergence) -> str:
    """Return where the weights of the two runs part first, or that they do not."""
    if found.step is not None and found.heads:
        head, difference = found.heads[0]
        largest = (
            f"{difference:.3g}" if math.isfinite(difference) else translate("Compare", "NaN in one")
        )
        words = translate(
            "Compare",
            "The weights part first at step {0}: most of all in {1} ({2}); heads that differ by "
            "more than {3}: {4}.",
        ).format(found.step, head, largest, f"{found.tolerance:g}", len(found.heads))
        if not found.inputs_known:
            words += " " + translate(
                "Compare", "Nothing tells whether both saw the same input there."
            )
        return words + _left_out(found)
    if not found.n_common:
        return translate("Compare", "There is no common step at which the two could part.")
    if not found.n_compared:
        words = translate("Compare", "Of {0} common steps none could be compared.")
        return words.format(found.n_common) + _left_out(found)
    words = translate(
        "Compare", "The weights agree within {0} wherever they were compared (steps: {1})."
    )
    return words.format(f"{found.tolerance:g}", found.n_compared) + _left_out(found)


def _left_out(found: Divergence) -> str:
    """Return which of the steps up to there were passed over."""
    words = ""
    if found.n_other_input:
        template = translate("Compare", "Steps passed over because the inputs differ: {0}.")
        words += " " + template.format(found.n_other_input)
    if found.problems:
        template = translate("Compare", "Steps that could not be read: {0} ({1}).")
        words += " " + template.format(len(found.problems), found.problems[0])
    return words


def scalar_words(parting: ScalarParting) -> str:
    """Return where a logged value parts first."""
    name = translate("Compare", "loss") if parting.name == "loss" else parting.name
    words = translate("Compare", "The {0} parts first at step {1}: {2} in A, {3} in B.")
    return words.format(name, parting.step, *(_value(v) for v in (parting.a, parting.b)))


def _value(value: float) -> str:
    return f"{value:.4g}" if math.isfinite(value) else translate("Compare", "not finite")


def _ends(run: Run) -> tuple[int, int]:
    return int(run.steps.min()), int(run.steps.max())


def _numbers(layers: tuple[int, ...]) -> str:
    named = ", ".join(str(layer) for layer in layers[:MOST_NAMED])
    return named if len(layers) <= MOST_NAMED else named + ", …"
