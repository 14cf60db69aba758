"""The coverage table: one configuration a mechanism by default, all of it with -m coverage."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from coverage_cases import Case, Outcome, all_cases

TABLE = Path(__file__).parents[2] / "resources" / "help" / "coverage.md"
TOLERANCE = 1e-6
CASES = {case.name: case for case in all_cases()}
# A configuration for each mechanism: masks by addition, kernels with flags, grouped queries, soft
# cap, router, sinks, bias, disentangled scores, shared layers, encoder-decoder.
SHORT = [
    "Hugging Face sdpa, BERT, evaluation",
    "Hugging Face eager, GPT-2, evaluation",
    "Hugging Face sdpa, Llama (grouped queries), evaluation",
    "Hugging Face eager, Gemma-2 (soft cap), evaluation",
    "Hugging Face eager, Mixtral (router), evaluation",
    "Hugging Face eager, gpt-oss (sinks), evaluation",
    "Hugging Face eager, DeBERTa-v2, evaluation",
    "Hugging Face sdpa, ALBERT (shared layers), evaluation",
    "Hugging Face eager, T5, evaluation",
    "Hugging Face sdpa, BART, evaluation",
]

pytestmark = pytest.mark.filterwarnings("ignore")


def check(case: Case, outcome: Outcome) -> None:
    assert outcome.captured == outcome.expected, outcome
    assert outcome.error <= TOLERANCE, outcome
    # The exceptions that are stated: torch's own fast path in evaluation, and compiled kernels.
    assert outcome.unchanged or "differs by rounding" in outcome.note, outcome


@pytest.mark.parametrize("name", SHORT)
def test_one_model_of_each_mechanism(name) -> None:
    check(CASES[name], CASES[name].run())


def test_the_table_in_the_help_names_every_case() -> None:
    """Run `pytest tests/recording/test_coverage_table.py -m coverage` to write it anew."""
    text = TABLE.read_text(encoding="utf-8")
    missing = [c.name for c in CASES.values() if f"| {c.mechanism} | {c.model} |" not in text]
    assert missing == []


@pytest.mark.coverage
def test_the_whole_table_and_write_it_down() -> None:
    rows = []
    for case in CASES.values():
        outcome = case.run()
        check(case, outcome)
        rows.append((case, outcome))
    TABLE.write_text(as_markdown(rows), encoding="utf-8")


def as_markdown(rows: list[tuple[Case, Outcome]]) -> str:
    lines = [INTRODUCTION, "| mechanism | model | situation | layers | error | outputs |"]
    lines.append("|---|---|---|---|---|---|")
    for case, outcome in rows:
        error = "0" if outcome.error == 0 else f"1e{math.ceil(math.log10(outcome.error))}"
        same = "bit-equal" if outcome.unchanged else outcome.note
        lines.append(
            f"| {case.mechanism} | {case.model} | {case.situation} | "
            f"{outcome.captured} of {outcome.expected} | {error} | {same} |"
        )
    return "\n".join(lines) + "\n\n" + REST


INTRODUCTION = """# What the recorder sees

This table is written by a test: every row ran, with random weights, once with and once without the
recorder. *Error* is the largest difference (rounded up to a power of ten) between the weights that
were recorded in float32 and the model's own, before dropout. *Outputs* says whether the model's
outputs were the same to the bit.
"""
REST = (Path(__file__).parent / "coverage_situations.md").read_text(encoding="utf-8")
